import Base
import Glibc

/// The reason why an audio file cannot be used.
package struct AudioError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// The file cannot be opened or read.
        case file(OpenFile.Failure.Reason)
        case empty
        /// The file is not in a sound format; "text", "PDF" … if known.
        case notAudio(looksLike: String?)
        /// A format that services do not accept and no installed program can convert.
        case notAccepted(AudioKind)
        /// The header is inconsistent or truncated.
        case damaged(AudioKind)
        /// Above the limit, and none of the programs for splitting or converting it is
        /// installed.
        case needsProgram([String], bytes: Int, limit: Int)
        /// The conversion program failed; its error message, bounded.
        case conversionFailed(program: String, message: String)
        /// The recording is too long to be divided; its seconds.
        case tooLong(Double)
    }

    package var reason: Reason
    package var path: String

    package init(reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }
}

/// The reason why a recording cannot be used, in sentences.
extension AudioError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .file(let reason): return Diagnostic(file: reason, path: path)
        case .empty: return Diagnostic("\(path) is empty.")
        case .notAudio(let look):
            let what = look.map { " (it looks like \($0))" } ?? ""
            return Diagnostic(
                "\(path) is not a recording\(what).",
                todo: "WAV, FLAC, Ogg, MP3, M4A, MP4 and WebM can be transcribed.")
        case .notAccepted(let kind):
            return Diagnostic(
                needs: ["ffmpeg", "sox"],
                "\(path) is \(Self.name(kind)), which no service accepts; converting it needs")
        case .damaged(let kind):
            return Diagnostic(
                "\(path) is damaged: it starts like \(Self.name(kind)) but cannot be decoded.",
                todo: "Copy it again, or save it in another format.")
        case .needsProgram(let programs, let bytes, let limit):
            let (size, most) = Self.sizes(bytes, limit)
            return Diagnostic(
                needs: programs,
                bytes > limit
                    ? "\(path) is \(size); the server accepts \(most), and splitting it needs"
                    : "\(path) must be converted before it is sent, and that needs")
        case .conversionFailed(let program, let message):
            return Diagnostic(
                "\(program) could not convert \(path)\(Diagnostic.said(message)).",
                todo: "Save it as WAV or M4A, then try again.")
        case .tooLong(let seconds):
            return Diagnostic(
                "\(path) is \(Self.span(seconds)) long, too long to be split into pieces.",
                todo: "Cut it into shorter files first.")
        }
    }

    private static func sizes(_ bytes: Int, _ limit: Int) -> (String, String) {
        func megabytes(_ count: Int) -> String {
            count < 10_000_000
                ? "\(count / 1_000_000).\(count / 100_000 % 10) MB"
                : "\(Quantities.grouped((count + 500_000) / 1_000_000)) MB"
        }
        let short = (megabytes(bytes), megabytes(limit))
        if short.0 != short.1 { return short }
        // The actual limit is unknown.
        if limit == bytes - 1 { return (short.0, "less") }
        return ("\(Quantities.grouped(bytes)) bytes", Quantities.grouped(limit))
    }

    private static func span(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "endlessly" }
        return seconds < 7_200
            ? Quantities.seconds(seconds) : "\(Quantities.grouped(Int(seconds / 3_600))) h"
    }

    private static func name(_ kind: AudioKind) -> String {
        switch kind {
        case .wav, .flac, .mp3, .m4a, .mp4, .aac, .aiff, .amr, .caf, .wma:
            kind.rawValue.uppercased()
        case .ogg: "Ogg"
        case .webm: "WebM"
        }
    }
}

extension OpenFile.Failure: DescribedError {
    package var diagnostic: Diagnostic { Diagnostic(file: reason, path: path) }
}

extension Diagnostic {
    fileprivate init(file reason: OpenFile.Failure.Reason, path: String) {
        switch reason {
        case .system(ENOENT):
            self.init("\(path) does not exist.")
        case .system(let code): self.init("\(path) cannot be read: \(Self.system(code)).")
        case .isFolder:
            self.init("\(path) is a folder.", todo: "Name the recordings in it.")
        case .notRegular:
            self.init(
                "\(path) is not a file.",
                todo: "Save what comes from a pipe or a device to a file first.")
        case .changed:
            self.init(
                "\(path) changed while it was being read.",
                todo: "Try again when it is complete; nothing was kept.")
        }
    }

    /// None of these programs is installed; `purpose` is the text before their names.
    package init(needs programs: [String], _ purpose: String) {
        let names =
            programs.count > 1
            ? programs.dropLast().joined(separator: ", ") + " or \(programs.last ?? "")"
            : programs.first ?? "a program"
        self.init("\(purpose) \(names).", exit: .missingProgram, programs: programs)
    }
}
