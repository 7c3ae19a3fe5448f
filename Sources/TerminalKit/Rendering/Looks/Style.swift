import Base
import Glibc

/// Turns a line with meaning into bytes for a terminal: ANSI colours where they
/// are wanted, ASCII glyphs where the locale has no others. The text of every
/// span passes the allow-list. The one place where lines of commands, notices and errors
/// are broken between words for the window.
package struct Style: Sendable, Equatable {
    package var usesColor: Bool
    package var usesUnicode: Bool
    var theme: Theme
    /// Paths of our own and addresses can be opened from the terminal (OSC 8).
    var opensLinks = false
    /// A window that gets another width has its lines folded again by the
    /// terminal; else its rows stay as they are, and are cut.
    var isRefolded = true
    /// What no terminal shows keeps its invisible letters.
    var isForPipe = false
    /// Lines that are wider than the window are broken between words.
    package var foldsLines = false

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
        opensLinks = isTerminal && Hyperlink.isSupported(variables)
        isRefolded = Self.isRefolded(variables)
    }

    /// Most terminals fold lines again, and so does tmux. xterm, the console of
    /// Linux, st and screen(1) do not.
    private static func isRefolded(_ variables: [String: String]) -> Bool {
        if variables["TMUX"] != nil { return true }
        let term = variables["TERM"] ?? ""
        return variables["XTERM_VERSION"] == nil && variables["STY"] == nil && term != "linux"
            && term != "st" && !term.hasPrefix("st-") && !term.hasPrefix("screen")
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

    /// A line with its line end, in as many rows as the window needs.
    package func bytes(_ line: StyledLine) -> [UInt8] {
        let columns = foldsLines ? WindowWidth.columns(of: 1) ?? WindowWidth.columns(of: 2) : nil
        return rows(line, columns: columns).flatMap { Array((text($0) + "\n").utf8) }
    }

    /// - Parameter columns: nil for a file. The last one stays free.
    func rows(_ line: StyledLine, columns: Int?) -> [StyledLine] {
        guard let columns, !line.keepsForm else { return [line] }
        // As wide as it is seen.
        let seen = StyledLine(
            line.spans.map { StyledLine.Span(shown($0.text), $0.style, file: $0.file) })
        return seen.folded(to: max(8, columns - 1))
    }

    /// A line without its line end; also good as a prompt.
    package func text(_ line: StyledLine) -> String {
        line.spans.reduce(into: "") { text, span in
            var clean = shown(span.text)
            if opensLinks, let path = span.file { clean = Hyperlink.file(path, shown: clean) }
            let codes = usesColor ? codes(span.style) : ""
            text += codes.isEmpty ? clean : "\u{1B}[" + codes + "m" + clean + "\u{1B}[0m"
        }
    }

    /// A shown text in at most that many columns, with dots where it was longer:
    /// without Unicode they take three.
    package func cut(_ text: String, to columns: Int) -> String {
        guard DisplayWidth.of(text) > columns else { return text }
        let dots = DisplayWidth.of(glyphs("…"))
        return glyphs(DisplayWidth.cut(text, to: columns + 1 - dots))
    }

    /// What of a span is seen.
    package func shown(_ text: String) -> String {
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
        case .selected: "7"
        case .inserted: theme.codes[.inserted] ?? ""
        case .deleted: theme.codes(RichLine.Look(.deleted, .strike))
        case .party(let number): Theme.parties[abs(number % Theme.parties.count)]
        }
    }

    /// Our own glyphs in ASCII; the user's letters stay as they are.
    private func glyphs(_ text: String) -> String {
        guard !usesUnicode, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.reduce(into: "") { $0 += Self.fallback[$1] ?? String($1) }
    }

    private static let fallback: [Character: String] = [
        "·": "-", "…": "...", "✓": "+", "✗": "x", "⚙": "*", "⏰": "!", "⚠": "!", "–": "-", "—": "-",
        "→": "->", "×": "x", "•": "*", "“": "\"", "”": "\"", "’": "'", "‘": "'",
        "▸": ">", "↑": "Up/", "↓": "Down", "↻": "~", "☐": "o", "▎": "|", "─": "-",
    ]
}

/// A link that the terminal opens (OSC 8), for paths that we made ourselves, and for the
/// addresses of an answer where they are what is shown: a link of the model could show one
/// address and open another. Pure.
enum Hyperlink {
    /// Terminals that are known to understand it; others may show its bytes.
    static func isSupported(_ variables: [String: String]) -> Bool {
        let term = variables["TERM"] ?? ""
        let program = variables["TERM_PROGRAM"] ?? ""
        // A multiplexer in between has its own mind; what is outside is unknown. tmux passes
        // links on from 3.4 on, and only to a terminal that has them.
        if variables["TMUX"] != nil || term.hasPrefix("screen") || term.hasPrefix("tmux") {
            let version = (variables["TERM_PROGRAM_VERSION"] ?? "").split(separator: ".")
                .map { Int($0.prefix { $0.isASCII && $0.isNumber }) ?? 0 }
            return program == "tmux" && !version.lexicographicallyPrecedes([3, 4])
        }
        if term.isEmpty || term == "dumb" || term == "linux" { return false }
        if variables["KITTY_WINDOW_ID"] != nil || variables["WT_SESSION"] != nil { return true }
        if let version = variables["VTE_VERSION"].flatMap(Int.init), version >= 5000 { return true }
        if let version = variables["KONSOLE_VERSION"].flatMap(Int.init), version >= 201_200 {
            return true
        }
        let programs = ["iTerm.app", "WezTerm", "vscode", "ghostty", "mintty", "Hyper", "Tabby"]
        if programs.contains(program) { return true }
        return ["xterm-kitty", "foot", "alacritty", "wezterm", "xterm-ghostty"].contains {
            term == $0 || term.hasPrefix($0 + "-")
        }
    }

    /// What is shown, opening the file; `shown` has passed the allow-list.
    static func file(_ path: String, shown: String) -> String {
        guard path.hasPrefix("/") else { return shown }
        return "\u{1B}]8;;file://\(escaped(path))\u{1B}\\\(shown)\(close)"
    }

    static let close = "\u{1B}]8;;\u{1B}\\"

    /// What begins a link to a page; nil for what is not one, or holds anything else than the
    /// letters of an address (RFC 3986), by which alone a sequence cannot be left.
    static func open(_ url: String) -> String? {
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), url.utf8.count <= limit,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return "\u{1B}]8;;\(url)\u{1B}\\"
    }

    /// VTE ignores longer ones.
    private static let limit = 2_083

    /// What RFC 3986 leaves as it is in a path; all else in hexadecimal.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            if byte.isASCIILetterOrDigit || "/-._~".utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
    }
}
