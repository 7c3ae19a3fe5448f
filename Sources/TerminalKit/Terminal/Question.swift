import Base

/// The line in which a question is answered. Pure: keys in, what to echo and
/// the answer out. Nothing but the whole word, typed and entered, is a yes; a
/// line that is not an answer at all is the user's next message.
package struct Question {
    package enum Mode: Sendable, Equatable {
        /// `y` or `yes` and Enter.
        case yes
        /// May a model's call run: `y`, or exactly the word where one is wanted, and
        /// Enter. Where that can hold for the conversation, `a`, or the word and
        /// `always`. One of the letters asks for something else first; every other line
        /// is a no and the reason for it.
        case approval(word: String?, canGrant: Bool, letters: String)
        /// A part of an approval that is too long for the screen: the space bar alone
        /// shows the next. A line that would be a yes asks for that first; every other is a
        /// no and the reason for it.
        case page
        /// The number of one of these, or words that name it.
        case choice([String])
        /// Nothing is echoed; the line itself is the answer.
        case hidden
        /// The line itself, echoed: what a terminal without a line editor gets.
        case line
    }

    package enum Answer: Sendable, Equatable {
        case yes
        /// Also for an empty line, Ctrl-C, Ctrl-D and no terminal; for a list and a line Esc.
        case no
        /// The place of the one that was chosen.
        case choice(Int)
        /// A no, by a line that is the user's next message. The terminal has
        /// queued it.
        case other(String)
        /// The line itself, where that was asked for; of an approval the reason for
        /// a no.
        case text(String)
        /// One of the letters of an approval; `a` for the conversation. Of a page `y`: a yes
        /// that came too early.
        case letter(Character)
    }

    let mode: Mode
    private var typed: [Character] = []
    private var hasPaste = false

    init(_ mode: Mode) { self.mode = mode }

    /// Nothing was typed yet.
    var isEmpty: Bool { typed.isEmpty }
    /// What was typed so far.
    var text: String { String(typed) }
    /// What was typed so far, as it was echoed.
    var echoed: String { mode == .hidden ? "" : HostileText.text(String(typed)) }

    /// The answer when the key ends the line, and what it draws.
    mutating func take(_ key: Key) -> (echo: String, answer: Answer?) {
        switch key {
        case .character("\n"): return ("\n", answer)
        case .character(" ") where mode == .page && typed.isEmpty && !hasPaste:
            return ("\n", .yes)
        case .character("\u{03}"), .character("\u{04}"), .character("\u{1C}"):
            return ("\n", .no)
        // It closes a list, and a line that was asked for.
        case .escape:
            switch mode {
            case .choice, .line: return ("\n", .no)
            case .yes, .approval, .page, .hidden: return ("", nil)
            }
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
            case .line, .choice, .yes, .approval, .page:
                hasPaste = true
                typed += Array(text)
                return (HostileText.text(text), nil)
            }
            return ("", nil)
        default:
            return ("", nil)
        }
    }

    private var answer: Answer {
        let line = String(typed)
        switch mode {
        case .hidden: return .text(line.trimmingSpace())
        case .line: return .text(line)
        case .yes:
            let word = line.trimmingSpace().lowercased()
            if !hasPaste, word == "y" || word == "yes" { return .yes }
        case .approval(let word, let canGrant, let letters):
            let line = line.trimmingSpace()
            if !hasPaste, let answer = approval(line, word, canGrant, letters) { return answer }
            return looksLikeAnswer(line) ? .no : .text(line)
        case .page:
            let word = line.trimmingSpace()
            if ["y", "yes"].contains(word.lowercased()) || Self.words.contains(word) {
                return .letter("y")
            }
            return looksLikeAnswer(line) ? .no : .text(word)
        case .choice(let labels):
            if !hasPaste, let index = ChoiceMatcher.choice(line, of: labels) {
                return .choice(index)
            }
        }
        return looksLikeAnswer(line) ? .no : .other(line)
    }

    private func approval(
        _ line: String, _ word: String?, _ canGrant: Bool, _ letters: String
    ) -> Answer? {
        let small = line.lowercased()
        if word.map({ line == $0 }) ?? ["y", "yes"].contains(small) { return .yes }
        if canGrant, word.map({ line == $0 + " always" }) ?? (small == "a") {
            return .letter("a")
        }
        return small.count == 1 ? small.first { letters.contains($0) }.map(Answer.letter) : nil
    }

    /// Those that approve several things, each its own effect and no other.
    private static let words: Set = ["read", "change", "overwrite", "delete", "send"]

    /// Whether a line was meant for the question, whenever it was typed: such a
    /// line never becomes the next message.
    func looksLikeAnswer(_ line: String) -> Bool {
        let word = line.trimmingSpace().lowercased()
        let approved = word.hasSuffix(" always") ? String(word.dropLast(7)) : word
        switch mode {
        case .approval where Self.words.contains(approved),
            .page where Self.words.contains(approved):
            return true
        case .approval(_, let canGrant, let letters)
        where word.count == 1 && (canGrant ? letters + "a" : letters).contains(word): return true
        case .choice(let labels)
        where Int(word) != nil || ChoiceMatcher.choice(line, of: labels) != nil: return true
        default:
            // A `y` that was held down is not a message either.
            return ["", "yes", "n", "no", "none", "cancel", "ja", "nein"].contains(word)
                || word.allSatisfy { $0 == "y" }
        }
    }
}
