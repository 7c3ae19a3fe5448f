import AgentCore
import TerminalKit

/// The same transcription on one line of stderr, for the shell: written over
/// itself, gone at the end. Pure: what to write comes out.
struct ProgressLine: Sendable, Equatable {
    private var view: UploadView
    private var shown = ""

    init(_ view: UploadView) { self.view = view }

    /// Another recording's turn.
    mutating func rename(_ title: String) { view.title = title }

    /// Nothing when it looks as before.
    mutating func update(_ progress: UploadProgress, at now: Double, columns: Int) -> String {
        let line = text(progress, at: now, columns: columns)
        guard line != shown else { return "" }
        shown = line
        return "\r" + line + "\u{1B}[K"
    }

    /// The line is empty again.
    mutating func erase() -> String {
        defer { shown = "" }
        return shown.isEmpty ? "" : "\r\u{1B}[K"
    }

    /// The name gives way first, then what matters least.
    func text(_ progress: UploadProgress, at now: Double, columns: Int) -> String {
        // The last column stays free: a terminal would wrap there.
        let width = max(8, columns - 1)
        let facts = UploadView.facts(progress, at: now).filter { !$0.isEmpty }
        let percent = UploadView.percent(progress)
        let piece = progress.pieces > 1 ? "piece \(progress.piece) of \(progress.pieces)" : ""
        // The name gives way first, what is going on now last.
        var wanted = [facts.first ?? "", VoiceGlyphs.padLeft(percent, to: 5), piece]
        wanted += facts.dropFirst()
        while wanted.count > 1, Self.joined(wanted).count > width { wanted.removeLast() }
        let text = view.glyphs.cut(Self.joined(wanted), to: width)
        let room = width - DisplayWidth.of(text) - 2
        guard room >= 12 else { return text }
        return view.glyphs.cut(HostileText.line(view.title), to: min(room, 30)) + "  " + text
    }

    /// In the order in which it is read: `42 %  piece 3 of 8  1.0 of 2.4 MB`.
    private static func joined(_ wanted: [String]) -> String {
        var parts = Array(wanted.dropFirst().prefix(2)) + wanted.prefix(1) + wanted.dropFirst(3)
        parts.removeAll { $0.allSatisfy { $0 == " " } }
        return parts.joined(separator: "  ")
    }
}
