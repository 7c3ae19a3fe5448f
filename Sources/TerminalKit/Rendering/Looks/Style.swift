import AgentCore
import Glibc

/// Turns a line with meaning into bytes for a terminal: ANSI colours where they
/// are wanted, ASCII glyphs where the locale has no others. The text of every
/// span passes the allow-list. Decides nothing about layout.
package struct Style: Sendable, Equatable {
    package var usesColor: Bool
    package var usesUnicode: Bool
    var theme: Theme
    /// Paths of our own can be opened from the terminal (OSC 8).
    var opensFiles = false
    /// What no terminal shows keeps its invisible letters.
    var isForPipe = false

    package init(usesColor: Bool, usesUnicode: Bool, theme: Theme = Theme()) {
        self.usesColor = usesColor
        self.usesUnicode = usesUnicode
        self.theme = theme
    }

    /// The rule of no-color.org and of dumb terminals.
    package init(isTerminal: Bool, variables: [String: String], theme: Theme = Theme()) {
        self.theme = theme
        isForPipe = !isTerminal
        let term = variables["TERM"] ?? ""
        let noColor = variables["NO_COLOR"] ?? ""
        usesColor = isTerminal && noColor.isEmpty && !term.isEmpty && term != "dumb"
        usesUnicode = Self.isUTF8(variables)
        opensFiles = isTerminal && Hyperlink.isSupported(variables)
    }

    /// POSIX order: LC_ALL, LC_CTYPE, LANG; the first that is set decides. None
    /// set means C.UTF-8, as for the line editor.
    private static func isUTF8(_ variables: [String: String]) -> Bool {
        let chosen = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
            .compactMap { variables[$0] }.first { !$0.isEmpty }
        guard let chosen else { return true }
        let name = chosen.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8") || name.contains("utf-8@")
    }

    /// A line with its line end.
    package func bytes(_ line: StyledLine) -> [UInt8] { Array((text(line) + "\n").utf8) }

    /// A line without its line end; also good as a prompt.
    package func text(_ line: StyledLine) -> String {
        line.spans.reduce(into: "") { text, span in
            var clean = shown(span.text)
            if opensFiles, let path = span.file { clean = Hyperlink.file(path, shown: clean) }
            let codes = usesColor ? codes(span.style) : ""
            text += codes.isEmpty ? clean : "\u{1B}[" + codes + "m" + clean + "\u{1B}[0m"
        }
    }

    /// What of a span is seen.
    private func shown(_ text: String) -> String {
        glyphs(HostileText.line(text, isForPipe: isForPipe))
    }

    /// The line in at most that many columns, as it is seen.
    func cut(_ line: StyledLine, to columns: Int) -> StyledLine {
        var room = columns
        var spans: [StyledLine.Span] = []
        for span in line.spans {
            let text = shown(span.text)
            let width = DisplayWidth.of(text)
            guard width > room else {
                spans.append(span)
                room -= width
                continue
            }
            var kept = ""
            for character in text {
                room -= DisplayWidth.of(character)
                if room < 0 { break }
                kept.append(character)
            }
            spans.append(StyledLine.Span(kept, span.style, file: span.file))
            break
        }
        return StyledLine(spans)
    }

    private func codes(_ style: StyledLine.Style) -> String {
        switch style {
        case .plain: ""
        case .dim, .hint: "2"
        case .bold: "1"
        case .accent: theme.codes[.accent] ?? ""
        case .success: theme.codes[.success] ?? ""
        case .warning: theme.codes[.warning] ?? ""
        case .failure: theme.codes[.failure] ?? ""
        }
    }

    /// Our own glyphs in ASCII; the user's letters stay as they are.
    private func glyphs(_ text: String) -> String {
        guard !usesUnicode, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.reduce(into: "") { $0 += Self.fallback[$1] ?? String($1) }
    }

    private static let fallback: [Character: String] = [
        "·": "-", "…": "...", "✓": "+", "✗": "x", "⚙": "*", "⏰": "!", "–": "-", "—": "-",
        "→": "->", "×": "x", "•": "*", "“": "\"", "”": "\"", "’": "'", "‘": "'",
        "▸": ">", "↑": "Up/", "↓": "Down", "↻": "~", "☐": "o", "▎": "|", "─": "-",
    ]
}
