import AgentCore
import Glibc
import TerminalKit
import ToolServers

/// Sentences for recordings that cannot be used, recorders and speech.
extension Diagnostic {
    init(_ error: OpenFile.Failure) {
        self.init(file: error.reason, path: error.path)
    }

    private init(file reason: OpenFile.Failure.Reason, path: String) {
        switch reason {
        case .system(ENOENT):
            self.init("\(path) is not there.", todo: "A name with spaces needs quotes.")
        case .system(let code): self.init("\(path) cannot be read: \(Self.system(code)).")
        case .isFolder:
            self.init("\(path) is a folder.", todo: "Name the recordings in it.")
        case .notRegular:
            self.init(
                "\(path) is not a file.",
                todo: "What comes from a pipe or a device is saved to a file first.")
        case .changed:
            self.init(
                "\(path) changed while it was read.",
                todo: "Try again when it is complete; nothing of it is kept.")
        }
    }

    init(_ error: AudioError, packages: PackageManager) {
        let path = error.path
        switch error.reason {
        case .file(let reason): self.init(file: reason, path: path)
        case .empty: self.init("\(path) is empty.")
        case .notAudio(let look):
            let what = look.map { " (it looks like \($0))" } ?? ""
            self.init(
                "\(path) is no recording\(what).",
                todo: "WAV, FLAC, Ogg, MP3, M4A, MP4 and WebM can be transcribed.")
        case .notAccepted(let kind):
            self.init(
                needs: ["ffmpeg", "sox"], packages,
                "\(path) is \(Self.name(kind)), which no service takes; converting it needs")
        case .damaged(let kind):
            self.init(
                "\(path) begins like \(Self.name(kind)) and then makes no sense.",
                todo: "Copy it again, or save it in another format.")
        case .needsProgram(let programs, let bytes, let limit):
            let (size, most) = Self.sizes(bytes, limit)
            self.init(
                needs: programs, packages,
                bytes > limit
                    ? "\(path) is \(size); the server takes \(most), and splitting it needs"
                    : "\(path) must be converted before it is sent, and that needs")
        case .conversionFailed(let program, let message):
            self.init(
                "\(program) could not convert \(path)\(Self.said(message)).",
                todo: "Save it as WAV or M4A, then try again.")
        case .tooLong(let seconds):
            self.init(
                "\(path) is \(Self.span(seconds)) long, more than is cut into pieces.",
                todo: "Cut it into shorter files first.")
        }
    }

    init(_ error: RecordingError, packages: PackageManager) {
        let kept = error.file.map { "What was recorded is kept: \($0)" }
        let ask = "Is there a microphone? CHAT_RECORDER names another program."
        switch error.reason {
        case .needsProgram(let programs):
            self.init(needs: programs, packages, "Recording needs")
        case .programFailed(let program, let status, let message):
            let tried =
                error.attempts.isEmpty && kept == nil
                ? [ProgramAttempt(program: program, status: status, message: message)]
                : error.attempts
            let trouble = SoundTrouble(tried)
            let why = trouble.map { Self.sentence($0, tried, device: "no microphone") }
            self.init(
                why ?? Self.attempts(tried, "No recorder works here")
                    ?? "\(program) ended (status \(status))\(Self.said(message)).",
                todo: kept ?? trouble.map(Self.remedy) ?? ask)
        case .programSilent(let program):
            self.init("\(program) gives no sound.", todo: kept ?? ask)
        case .file(let code):
            self.init("The recording cannot be written: \(Self.system(code)).", todo: kept)
        case .nothingRecorded: self.init("Nothing was recorded.", todo: kept)
        }
    }

    private static func sentence(
        _ trouble: SoundTrouble, _ tried: [ProgramAttempt], device: String
    ) -> String {
        let names = tried.map(\.program).uniqued.joined(separator: ", ")
        return switch trouble {
        case .noDevice: "There is \(device) (tried \(names))."
        case .noServer: "The sound server cannot be reached (tried \(names))."
        case .busy: "Another program has the sound device (tried \(names))."
        case .notAllowed: "You may not use the sound device (tried \(names))."
        }
    }

    /// Several programs with their last words, so short that they fit with
    /// what is to be done into three lines.
    private static func attempts(_ tried: [ProgramAttempt], _ what: String) -> String? {
        guard tried.count > 1 else { return nil }
        var words: [String: String] = [:]
        for attempt in tried { words[attempt.program] = attempt.message }
        let names = tried.map(\.program).uniqued
        let most = max(16, 120 / names.count)
        let said = names.map { name in
            var line = Self.said(words[name])
            if line.count > most { line = line.prefix(most) + "…" }
            return name + (line.isEmpty ? " ended" : line)
        }
        return "\(what): " + said.joined(separator: "; ") + "."
    }

    private static func remedy(_ trouble: SoundTrouble) -> String {
        switch trouble {
        case .noDevice: "Plug one in, or choose a program that knows one: chat doctor."
        case .noServer: "Start it: systemctl --user start pipewire-pulse (or pulseaudio)"
        case .busy: "End that program, then try again."
        case .notAllowed: "sudo adduser $USER audio, then log in anew"
        }
    }

    init(_ error: SpeechError, packages: PackageManager) {
        let host = error.host.isEmpty ? "The speech server" : error.host
        switch error.reason {
        case .needsProgram(let programs): self.init(needs: programs, packages, "Speech needs")
        case .programFailed(let program, let status, let message):
            let tried =
                error.attempts.isEmpty
                ? [ProgramAttempt(program: program, status: status, message: message)]
                : error.attempts
            // What espeak-ng says is not about a device.
            let trouble = program == "espeak-ng" ? nil : SoundTrouble(tried)
            let why = trouble.map { Self.sentence($0, tried, device: "no sound device") }
            self.init(
                why ?? Self.attempts(tried, "No player works here")
                    ?? (status == 0 && message.isEmpty
                        ? "\(program) ended before everything was heard." : nil)
                        ?? "\(program) ended (status \(status))\(Self.said(message)).",
                todo: trouble.map(Self.remedy) ?? "chat doctor shows what speaks and plays here.")
        case .programHangs(let program):
            self.init(
                "\(program) did nothing for too long and was ended.",
                todo: "chat doctor shows what speaks and plays here.")
        case .unknownVoice(let voice, let nearest):
            self.init(
                "There is no voice \"\(voice)\".",
                todo: nearest.map { "Did you mean \($0)? chat say voices lists them all." }
                    ?? "chat say voices lists them.", exit: .usage)
        case .transport(let transport):
            self.init(transport, network: "Check the network, or speech.base_url: chat config.")
        case .server(401, let message):
            self.init(
                "\(host) did not accept the key (401)\(Self.said(message)).",
                todo: Self.keyLine(host: error.host), exit: .needsKeyOrNetwork)
        case .server(let status, let message):
            self.init(
                "\(host) did not speak (\(status))\(Self.said(message)).",
                todo: "Without a server: speech.engine = espeak (chat config edit)",
                exit: status >= 500 || status == 429 ? .failure : .needsKeyOrNetwork)
        case .noKey:
            self.init(
                "There is no key for \(host).",
                todo: Self.keyLine(host: error.host)
                    + (packages.line(forOneOf: ["espeak-ng"]).map { ". Without one: \($0)" } ?? ""),
                exit: .needsKeyOrNetwork)
        case .badAddress(let text):
            self.init(badAddress: text, setting: "speech.base_url")
        case .malformed:
            self.init(
                "\(host) sent something that is no sound.",
                todo: "Check speech.base_url: chat config shows it.")
        case .file(let code):
            self.init("The sound cannot be written: \(Self.system(code)).")
        case .nothingToSay:
            self.init("There is nothing to say.", exit: .usage)
        }
    }

    init(badAddress text: String, setting: String) {
        self.init(
            "\"\(text)\" cannot be used as an address (\(setting)).",
            todo: "Plain http is for this machine only, unless allow_http names the host.",
            exit: .needsKeyOrNetwork)
    }

    /// One of these programs is missing; `purpose` ends before their names.
    private init(needs programs: [String], _ packages: PackageManager, _ purpose: String) {
        let names =
            programs.count > 1
            ? programs.dropLast().joined(separator: ", ") + " or \(programs.last ?? "")"
            : programs.first ?? "a program"
        self.init(
            "\(purpose) \(names).", todo: packages.line(forOneOf: programs),
            exit: .missingProgram)
    }

    /// How a key is set for that server.
    static func keyLine(host: String) -> String {
        host.isEmpty || host.hasPrefix("api.openai.com")
            ? "chat keys set openai" : "Its key comes from key_command: chat config edit"
    }

    /// Decimal, as limits are; whole bytes where the two would read the same.
    private static func sizes(_ bytes: Int, _ limit: Int) -> (String, String) {
        func megabytes(_ count: Int) -> String {
            count < 10_000_000
                ? "\(count / 1_000_000).\(count / 100_000 % 10) MB"
                : "\(Quantities.grouped((count + 500_000) / 1_000_000)) MB"
        }
        let short = (megabytes(bytes), megabytes(limit))
        if short.0 != short.1 { return short }
        // What it does take is not known.
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

    private static func system(_ code: Int32) -> String { String(cString: strerror(code)) }
}

extension [String] {
    /// Each once, where it came first.
    fileprivate var uniqued: [String] {
        reduce(into: []) { list, item in if !list.contains(item) { list.append(item) } }
    }
}
