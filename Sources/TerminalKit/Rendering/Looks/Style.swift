import Base
import Glibc

/// Converts a styled line to bytes for a terminal: ANSI colours if wanted, ASCII glyphs if the
/// locale is not UTF-8. The text of every span passes the allow-list. The only place where the
/// lines of commands, notices and errors are wrapped to the window.
package struct Style: Sendable, Equatable {
    package var usesColor: Bool
    package var usesUnicode: Bool
    var theme: Theme
    /// Whether our own paths and addresses can be opened from the terminal (OSC 8).
    var opensLinks = false
    /// Whether the terminal refolds lines when the window's width changes; otherwise rows
    /// stay as they are, and are cut.
    var isRefolded = true
    /// Whether output is for a pipe or a file, where invisible letters are kept.
    var isForPipe = false
    /// Whether lines wider than the window are broken between words.
    package var foldsLines = false

    package init(usesColor: Bool, usesUnicode: Bool, theme: Theme = Theme()) {
        self.usesColor = usesColor
        self.usesUnicode = usesUnicode
        self.theme = theme
    }

    /// Follows no-color.org, and the limits of dumb terminals.
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

    /// Most terminals refold lines, and so does tmux. xterm, the Linux console, st and
    /// screen(1) do not.
    private static func isRefolded(_ variables: [String: String]) -> Bool {
        if variables["TMUX"] != nil { return true }
        let term = variables["TERM"] ?? ""
        return variables["XTERM_VERSION"] == nil && variables["STY"] == nil && term != "linux"
            && term != "st" && !term.hasPrefix("st-") && !term.hasPrefix("screen")
    }

    /// Whether the locale is UTF-8: the first of LC_ALL, LC_CTYPE and LANG that is set (the POSIX
    /// order). Without any it is C.UTF-8, as in the line editor.
    private static func isUTF8(_ variables: [String: String]) -> Bool {
        let chosen = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
            .compactMap { variables[$0] }.first { !$0.isEmpty }
        guard let chosen else { return true }
        let name = chosen.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8") || name.contains("utf-8@")
    }

    /// The bytes of a line with its line end, in as many rows as the window needs.
    package func bytes(_ line: StyledLine) -> [UInt8] {
        let columns = foldsLines ? WindowWidth.columns(of: 1) ?? WindowWidth.columns(of: 2) : nil
        return rows(line, columns: columns).flatMap { Array((text($0) + "\n").utf8) }
    }

    /// - Parameter columns: nil for a file. The last column is left free.
    func rows(_ line: StyledLine, columns: Int?) -> [StyledLine] {
        guard let columns, !line.keepsForm else { return [line] }
        // Measured as shown.
        let seen = StyledLine(
            line.spans.map { StyledLine.Span(shown($0.text), $0.style, file: $0.file) })
        return seen.folded(to: max(8, columns - 1))
    }

    /// The text of a line without its line end, also used as a prompt.
    package func text(_ line: StyledLine) -> String {
        line.spans.reduce(into: "") { text, span in
            var clean = shown(span.text)
            if opensLinks, let path = span.file { clean = Hyperlink.file(path, shown: clean) }
            let codes = usesColor ? codes(span.style) : ""
            text += codes.isEmpty ? clean : "\u{1B}[" + codes + "m" + clean + "\u{1B}[0m"
        }
    }

    /// Cuts shown text to that many columns, with dots if it was longer (three columns without
    /// Unicode).
    package func cut(_ text: String, to columns: Int) -> String {
        guard DisplayWidth.of(text) > columns else { return text }
        let dots = DisplayWidth.of(glyphs("…"))
        return glyphs(DisplayWidth.cut(text, to: columns + 1 - dots))
    }

    /// The visible text of a span.
    package func shown(_ text: String) -> String {
        glyphs(HostileText.line(text, isForPipe: isForPipe))
    }

    /// Cuts the line, as shown, to that many columns.
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

    /// Replaces our own glyphs with ASCII; the user's letters stay unchanged.
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

/// A link that the terminal opens (OSC 8): for our own paths, and for addresses in an answer that
/// are also the shown text, since a link of the model could show one address and open another.
/// Pure.
enum Hyperlink {
    /// Whether the terminal is known to support it; others may show its bytes.
    static func isSupported(_ variables: [String: String]) -> Bool {
        let term = variables["TERM"] ?? ""
        let program = variables["TERM_PROGRAM"] ?? ""
        // Inside a multiplexer, the outer terminal is unknown. tmux passes links on since 3.4, but
        // only to a terminal that supports them.
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

    /// The shown text as a link that opens the file; `shown` has passed the allow-list.
    static func file(_ path: String, shown: String) -> String {
        guard path.hasPrefix("/") else { return shown }
        return "\u{1B}]8;;file://\(escaped(path))\u{1B}\\\(shown)\(close)"
    }

    static let close = "\u{1B}]8;;\u{1B}\\"

    /// The start of a link to a page; nil if it is not an address, or contains characters not
    /// allowed in one (RFC 3986): only the allowed ones cannot end the sequence early.
    static func open(_ url: String) -> String? {
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), url.utf8.count <= limit,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return "\u{1B}]8;;\(url)\u{1B}\\"
    }

    /// Maximum length of a link; VTE ignores longer ones.
    private static let limit = 2_083

    /// Escapes all characters that RFC 3986 does not allow in a path, in hexadecimal.
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
