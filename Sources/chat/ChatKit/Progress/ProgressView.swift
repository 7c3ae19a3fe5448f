import AgentCore
import Base
import TerminalKit

/// The display of a tool's or command's progress: a few lines in a panel, or one line.
/// Pure; every line fits the width, and numbers keep their columns.
///
/// ```
///   Transcribing interview.m4a · piece 3 of 8
///   ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━──────────────────────────────  42 %
///   10.4 MB of 24.7 MB     1.2 MB/s     about 12 s left
///   Esc stops · what was recorded is kept
/// ```
package struct ProgressView: Sendable, Equatable {
    package var progress: ToolProgress
    package var glyphs: VoiceGlyphs

    package init(progress: ToolProgress, glyphs: VoiceGlyphs) {
        self.progress = progress
        self.glyphs = glyphs
    }

    func lines(columns: Int) -> [StyledLine] {
        let width = max(18, columns - 1)
        return [heading(width), bar(width), facts(width)] + text(width) + [stop(width)]
    }

    /// The progress on one line. The name is cut first, then the least important facts.
    package func line(columns: Int) -> String {
        // The last column stays free: a terminal would wrap there.
        let width = max(8, columns - 1)
        let facts = progress.facts.filter { !$0.isEmpty }
        // The current activity is the last to go.
        var wanted = [facts.first ?? "", DisplayWidth.padLeft(percent, to: 5), progress.part]
        wanted += facts.dropFirst()
        while wanted.count > 1, Self.joined(wanted).count > width { wanted.removeLast() }
        let text = glyphs.cut(Self.joined(wanted), to: width)
        let room = width - DisplayWidth.of(text) - 2
        guard room >= 12 else { return text }
        return glyphs.cut(HostileText.line(progress.title), to: min(room, 30)) + "  " + text
    }

    /// The parts in reading order: `42 % piece 3 of 8 1.0 of 2.4 MB`.
    private static func joined(_ wanted: [String]) -> String {
        var parts = Array(wanted.dropFirst().prefix(2)) + wanted.prefix(1) + wanted.dropFirst(3)
        parts.removeAll { $0.allSatisfy { $0 == " " } }
        return parts.joined(separator: "  ")
    }

    private func heading(_ width: Int) -> StyledLine {
        let part = progress.part.isEmpty ? "" : glyphs.dot + progress.part
        let room = width - 2 - DisplayWidth.of(part)
        let whole = "\(progress.activity) \(HostileText.line(progress.title))"
        let name = room >= 14 ? glyphs.cut(whole, to: room) : glyphs.cut(whole, to: width - 2)
        return StyledLine([
            StyledLine.Span("  "), StyledLine.Span(name, .bold),
            StyledLine.Span(room >= 14 ? part : "", .dim),
        ])
    }

    private func bar(_ width: Int) -> StyledLine {
        let (done, rest) = glyphs.bar(progress.fraction ?? 0, columns: min(66, width - 9))
        return StyledLine([
            StyledLine.Span("  "), StyledLine.Span(done, .accent), StyledLine.Span(rest, .dim),
            StyledLine.Span("  " + DisplayWidth.padLeft(percent, to: 5)),
        ])
    }

    /// `42 %`; 100 only when all is done.
    private var percent: String {
        progress.fraction.map { "\(Int(min(1, max(0, $0)) * 100)) %" } ?? ""
    }

    private func facts(_ width: Int) -> StyledLine {
        let parts = progress.facts
        var text = ""
        for (index, part) in parts.enumerated() {
            // In separate columns, if the window is wide enough.
            let cell =
                width >= 60 && parts.count > 1
                ? DisplayWidth.pad(part, to: index == 0 ? 24 : 14)
                : (index > 0 ? "  " : "") + part
            guard DisplayWidth.of(text + cell) <= width - 2 || index == 0 else { break }
            text += cell
        }
        while text.last == " " { text.removeLast() }
        return StyledLine(
            "  " + glyphs.cut(text, to: width - 2), progress.isProblem ? .warning : .plain)
    }

    /// The last rows of the text received so far.
    private func text(_ width: Int) -> [StyledLine] {
        guard !progress.text.isEmpty else { return [] }
        // Wrapped from the beginning, so that shown rows do not move.
        let rows = WordWrap.texts(HostileText.line(progress.text), width: width - 4)
        return rows.suffix(progress.textRows).map { StyledLine("    " + $0) }
    }

    /// The text rows below the single line.
    func textRows(columns: Int) -> [String] { text(max(18, columns - 1)).map(\.text) }

    private func stop(_ width: Int) -> StyledLine {
        let hint = progress.hint.isEmpty ? "" : glyphs.dot + progress.hint
        return StyledLine(
            VoiceGlyphs.fitting(["  Esc stops\(hint)", "  Esc stops"], width), .dim)
    }
}
