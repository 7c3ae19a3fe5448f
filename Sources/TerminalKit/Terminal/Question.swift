import Base

/// The line in which a question is answered. Pure: keys in, echo and answer out. Only the
/// complete word, typed and entered, is a yes; a line that is not an answer at all is the
/// user's next message.
package struct Question {
    package enum Mode: Sendable, Equatable {
        /// `y` or `yes` and Enter.
        case yes
        /// Whether a model's call may run: `y`, or exactly the word if one is required, and Enter.
        /// If the answer may apply to the conversation, `a`, or the word and `always`. A letter of
        /// `letters` requests something else first; every other line is a no with that reason.
        case approval(word: String?, canGrant: Bool, letters: String)
        /// A page of an approval that is too long for the screen: only the space bar shows the next
        /// one. A premature yes asks to read the rest first; every other line is a no with that
        /// reason.
        case page
        /// The number of a choice, or words that identify it.
        case choice([String])
        /// The line is the answer, and nothing of it is echoed.
        case hidden
        /// The line itself, echoed: for a terminal without a line editor.
        case line
    }

    package enum Answer: Sendable, Equatable {
        case yes
        /// No; also the answer for an empty line, Ctrl-C, Ctrl-D and without a terminal, and for
        /// Esc in a list or a line.
        case no
        /// Index of the chosen one.
        case choice(Int)
        /// A no, by a line that is the user's next message and has been queued.
        case other(String)
        /// The line itself, if requested; in an approval the reason for a no.
        case text(String)
        /// One of the letters of an approval; `a` for the conversation. On a page `y`: a premature
        /// yes.
        case letter(Character)
    }

    let mode: Mode
    private var typed: [Character] = []
    private var hasPaste = false

    init(_ mode: Mode) { self.mode = mode }

    /// Whether nothing has been typed yet.
    var isEmpty: Bool { typed.isEmpty }
    /// The text typed so far.
    var text: String { String(typed) }
    /// The text typed so far, as echoed.
    var echoed: String { mode == .hidden ? "" : HostileText.text(String(typed)) }

    /// The echo of a key, and the answer if the key ends the line.
    mutating func take(_ key: Key) -> (echo: String, answer: Answer?) {
        switch key {
        case .character("\n"): return ("\n", answer)
        case .character(" ") where mode == .page && typed.isEmpty && !hasPaste:
            return ("\n", .yes)
        case .character("\u{03}"), .character("\u{04}"), .character("\u{1C}"):
            return ("\n", .no)
        // It closes a list, and a requested line.
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
            // A secret key may be pasted; an approval needs the user's own keystrokes.
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
            let answer = approval(line, word: word, canGrant: canGrant, letters: letters)
            if !hasPaste, let answer { return answer }
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
        _ line: String, word: String?, canGrant: Bool, letters: String
    ) -> Answer? {
        let small = line.lowercased()
        if word.map({ line == $0 }) ?? ["y", "yes"].contains(small) { return .yes }
        if canGrant, word.map({ line == $0 + " always" }) ?? (small == "a") {
            return .letter("a")
        }
        return small.count == 1 ? small.first { letters.contains($0) }.map(Answer.letter) : nil
    }

    /// The approval words for several effects, each valid only for its own.
    private static let words: Set = ["read", "change", "overwrite", "delete", "send"]

    /// Whether a line was meant as an answer, whenever it was typed: such a line never becomes the
    /// next message.
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
            // A `y` from a key that was held down is not a message either.
            return ["", "yes", "n", "no", "none", "cancel", "ja", "nein"].contains(word)
                || word.allSatisfy { $0 == "y" }
        }
    }
}
