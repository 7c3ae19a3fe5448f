import AgentCore

/// The line in which a question is answered. Pure: keys in, what to echo and
/// the answer out. Nothing but the whole word, typed and entered, is a yes.
struct Question {
    enum Mode: Sendable, Equatable {
        /// `y` or `yes` and Enter.
        case yes
        /// Exactly this word and Enter, for more than one item or outward.
        case word(String)
        /// Nothing is echoed; the line itself is the answer.
        case hidden
        /// The line itself, echoed: what a terminal without a line editor gets.
        case line
    }

    enum Answer: Sendable, Equatable {
        case yes
        /// Also for an empty line, Ctrl-C, Ctrl-D and no terminal.
        case no
        /// The line itself, where that was asked for.
        case text(String)
    }

    let mode: Mode
    private var typed: [Character] = []
    private var hasPaste = false

    init(_ mode: Mode) { self.mode = mode }

    /// Nothing was typed yet.
    var isEmpty: Bool { typed.isEmpty }
    /// What was typed so far, as it was echoed.
    var echoed: String { mode == .hidden ? "" : HostileText.text(String(typed)) }

    /// The answer when the key ends the line, and what it draws.
    mutating func take(_ key: Key) -> (echo: String, answer: Answer?) {
        switch key {
        case .character("\n"): return ("\n", answer)
        case .character("\u{03}"), .character("\u{04}"), .character("\u{1C}"):
            return ("\n", .no)
        case .character("\u{08}"), .character("\u{7F}"):
            guard let last = typed.popLast(), mode != .hidden else { return ("", nil) }
            let width = DisplayWidth.of(HostileText.line(String(last)))
            return (String(repeating: "\u{8} \u{8}", count: width), nil)
        case .character("\u{15}"):
            let width = typed.reduce(0) { $0 + DisplayWidth.of(HostileText.line(String($1))) }
            typed = []
            return (mode == .hidden ? "" : String(repeating: "\u{8} \u{8}", count: width), nil)
        case .character(let scalar) where scalar.value >= 0x20:
            typed.append(Character(scalar))
            return (mode == .hidden ? "" : HostileText.line(String(scalar)), nil)
        case .paste(let text):
            // A key is pasted; an approval is the user's own keystrokes.
            switch mode {
            case .hidden: typed += Array(text)
            case .line:
                typed += Array(text)
                return (HostileText.text(text), nil)
            case .yes, .word: hasPaste = true
            }
            return ("", nil)
        default:
            return ("", nil)
        }
    }

    private var answer: Answer {
        let line = String(typed)
        switch mode {
        case .hidden: return .text(Self.trim(line))
        case .line: return .text(line)
        case .yes:
            let word = Self.trim(line).lowercased()
            return !hasPaste && (word == "y" || word == "yes") ? .yes : .no
        case .word(let word):
            return !hasPaste && Self.trim(line) == word ? .yes : .no
        }
    }

    /// Whether a line typed before the question could be read was meant for it:
    /// such a line is dropped instead of becoming the next message.
    func looksLikeAnswer(_ early: String) -> Bool {
        let word = Self.trim(early).lowercased()
        if case .word(let wanted) = mode, word == wanted.lowercased() { return true }
        return ["", "y", "yes", "n", "no"].contains(word)
    }

    private static func trim(_ text: String) -> String {
        var slice = text[...]
        while let first = slice.first, first.isWhitespace { slice.removeFirst() }
        while let last = slice.last, last.isWhitespace { slice.removeLast() }
        return String(slice)
    }
}
