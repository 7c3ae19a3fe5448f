import AgentCore
import TerminalKit
import ToolServers

/// How a transcription on its way looks. Pure; every line fits the width, and
/// numbers stay in their places.
///
/// ```
///   Transcribing interview.m4a · piece 3 of 8
///   ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━──────────────────────────────  42 %
///   10.4 MB of 24.7 MB     1.2 MB/s     about 12 s left
///   Esc stops · what was recorded is kept
/// ```
struct UploadView: Sendable, Equatable {
    /// What is transcribed: foreign where it is the name of a file.
    var title: String
    /// What Esc leaves behind.
    var hint = "the recording is kept"
    var glyphs: VoiceGlyphs

    /// Rows of words at most.
    private static let wordRows = 3

    func lines(_ progress: UploadProgress, at now: Double, columns: Int) -> [StyledLine] {
        let width = max(18, columns - 1)
        var lines = [heading(progress, width), bar(progress, width), facts(progress, now, width)]
        lines += words(progress, width)
        lines.append(
            StyledLine(
                VoiceGlyphs.fitting(
                    ["  Esc stops\(glyphs.dot)\(hint)", "  Esc stops"], width), .dim))
        return lines
    }

    private func heading(_ progress: UploadProgress, _ width: Int) -> StyledLine {
        let pieces =
            progress.pieces > 1 ? "\(glyphs.dot)piece \(progress.piece) of \(progress.pieces)" : ""
        let room = width - 2 - DisplayWidth.of(pieces)
        let whole = "Transcribing " + HostileText.line(title)
        let name = room >= 14 ? glyphs.cut(whole, to: room) : glyphs.cut(whole, to: width - 2)
        return StyledLine([
            StyledLine.Span("  "), StyledLine.Span(name, .bold),
            StyledLine.Span(room >= 14 ? pieces : "", .dim),
        ])
    }

    private func bar(_ progress: UploadProgress, _ width: Int) -> StyledLine {
        let percent = Self.percent(progress)
        let (done, rest) = glyphs.bar(progress.fraction ?? 0, columns: min(66, width - 9))
        return StyledLine([
            StyledLine.Span("  "), StyledLine.Span(done, .accent), StyledLine.Span(rest, .dim),
            StyledLine.Span("  " + VoiceGlyphs.padLeft(percent, to: 5)),
        ])
    }

    /// `42 %`; a hundred only when all of it has left.
    static func percent(_ progress: UploadProgress) -> String {
        progress.fraction.map { "\(Int(min(1, max(0, $0)) * 100)) %" } ?? ""
    }

    private func facts(_ progress: UploadProgress, _ now: Double, _ width: Int) -> StyledLine {
        let parts = Self.facts(progress, at: now)
        var text = ""
        for (index, part) in parts.enumerated() {
            // In columns of their own, where the window has them.
            let cell =
                width >= 60 && parts.count > 1
                ? DisplayWidth.pad(part, to: index == 0 ? 24 : 14)
                : (index > 0 ? "  " : "") + part
            guard DisplayWidth.of(text + cell) <= width - 2 || index == 0 else { break }
            text += cell
        }
        while text.last == " " { text.removeLast() }
        let isTrouble = if case .retrying = progress.stage { true } else { false }
        return StyledLine(
            "  " + glyphs.cut(text, to: width - 2), isTrouble ? .warning : .plain)
    }

    /// What is known now, the most important first.
    static func facts(_ progress: UploadProgress, at now: Double) -> [String] {
        var parts: [String] = []
        switch progress.stage {
        case .starting: parts = ["starting"]
        case .preparing(let done, let all):
            parts = [
                "looking for pauses", "\(VoiceGlyphs.clock(done)) of \(VoiceGlyphs.clock(all))",
            ]
        case .sending(let bytes, let total):
            parts = ["\(size(bytes)) of \(size(total))"]
            parts.append(progress.rate.perSecond(at: now).map { size(Int($0)) + "/s" } ?? "")
        case .waiting(let since):
            parts = ["waiting for the words", VoiceGlyphs.clock(now - since)]
        case .words: parts = ["the words are coming"]
        case .retrying(let reason, let until):
            let seconds = max(0, Int((until - now).rounded(.up)))
            return ["trying again in \(seconds) s", name(of: reason)]
        }
        if let left = progress.secondsLeft(at: now) { parts.append(Self.left(left)) }
        return parts
    }

    /// Whole steps that grow with the time, so that it is calm to look at.
    static func left(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 360_000 else { return "a long time left" }
        switch seconds {
        case ..<1.5: return "a moment left"
        case ..<10: return "\(Int(seconds.rounded())) s left"
        case ..<57.5: return "\(Int((seconds / 5).rounded()) * 5) s left"
        case ..<3_570: return "\(max(1, Int((seconds / 60).rounded()))) min left"
        default:
            let minutes = Int((seconds / 60).rounded())
            return "\(minutes / 60) h \(minutes % 60) min left"
        }
    }

    /// Decimal, as limits of services are, with one place so that it does not
    /// change its width all the time.
    static func size(_ bytes: Int) -> String {
        if bytes < 1_000_000 { return "\((max(0, bytes) + 500) / 1_000) KB" }
        let tenths = (bytes + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }

    private static func name(of reason: TranscriptionError.Reason) -> String {
        switch reason {
        case .transport: "the connection failed"
        case .rateLimited: "too many requests at once"
        case .serverFailure: "the server has trouble"
        case .cut, .malformed: "the answer was cut off"
        case .tooLarge: "too much at once"
        default: "it was not taken"
        }
    }

    /// The last rows of what has come.
    private func words(_ progress: UploadProgress, _ width: Int) -> [StyledLine] {
        guard !progress.words.isEmpty else { return [] }
        let rows = Self.wrapped(progress.words, to: width - 4)
        return rows.suffix(Self.wordRows).map { StyledLine("    " + $0) }
    }

    /// By words, from the beginning, so that what stands does not move.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        var rows: [String] = []
        var row = ""
        for word in HostileText.line(text).split(separator: " ") {
            var rest = String(word)
            if !row.isEmpty, DisplayWidth.of(row) + 1 + DisplayWidth.of(rest) <= width {
                row += " " + rest
                continue
            }
            if !row.isEmpty { rows.append(row) }
            // Longer than a row by itself, or of a script without spaces.
            while DisplayWidth.of(rest) > width {
                var part = ""
                var used = 0
                while let next = rest.first, used + DisplayWidth.of(next) <= width {
                    used += DisplayWidth.of(next)
                    part.append(rest.removeFirst())
                }
                if part.isEmpty { part.append(rest.removeFirst()) }
                rows.append(part)
            }
            row = rest
        }
        if !row.isEmpty { rows.append(row) }
        return rows
    }
}
