import AgentCore

/// Plain messages cut into what leads, what is meant and what is only polite.
/// Pure.
enum MessageWords {
    /// Lower-case words with their inner apostrophes and hyphens; the
    /// possessive is cut off.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        for part in text.lowercased().split(whereSeparator: \.isWhitespace) {
            let word = String(part.map { $0 == "’" ? "'" : $0 })
            for piece in word.split(whereSeparator: { ",;!?()[]\"“”…".contains($0) }) {
                var piece = String(piece)
                while let last = piece.last, ".:'".contains(last) { piece.removeLast() }
                while piece.first == "'" { piece.removeFirst() }
                if piece.hasSuffix("'s") { piece.removeLast(2) }
                if !piece.isEmpty { words.append(piece) }
            }
        }
        return words
    }

    private static let politeness = [
        "please ", "please, ", "pls ", "hey ", "hey, ", "hi, ", "ok ", "ok, ", "okay, ", "and ",
        "can you ", "could you ", "would you ", "will you ", "i want you to ", "i need you to ",
        "chat, ", "bitte ", "actually ", "actually, ", "never mind, ", "no, ",
    ]
    private static let thanks = [
        ", please.", " please.", ", please", " please", ", thanks", " thanks", ", bitte", " bitte",
    ]

    /// Without what only makes it polite; a polite question is a wish, and
    /// loses its mark.
    static func withoutPoliteness(_ text: String) -> String {
        var text = trim(text)
        var isAsked = false
        while let lead = politeness.first(where: { text.lowercased().hasPrefix($0) }) {
            if lead.hasSuffix("you ") { isAsked = true }
            text = trim(String(text.dropFirst(lead.count)))
        }
        if isAsked, text.hasSuffix("?") { text = trim(String(text.dropLast())) }
        for tail in thanks where text.lowercased().hasSuffix(tail) {
            return trim(String(text.dropLast(tail.count)))
        }
        return text
    }

    /// What follows the first of the lead-ins that the text starts with, case
    /// aside; nil where nothing does.
    static func rest(of text: String, after leads: [String]) -> String? {
        let lower = text.lowercased()
        for lead in leads where lower.hasPrefix(lead) {
            // ASCII lead-ins keep their length in either case, and no letter
            // before them can have changed it.
            let rest = withoutFinalStop(String(text.dropFirst(lead.count)))
            return rest.isEmpty ? nil : rest
        }
        return nil
    }

    /// The two sides of the last such word: "the dentist" and "friday".
    static func sides(of text: String, at words: [String]) -> (before: String, after: String)? {
        let lower = text.lowercased()
        let found = words.compactMap { word in
            lower.range(ofLast: " \(word) ")
        }
        guard let place = found.max(by: { $0.lowerBound < $1.lowerBound }) else { return nil }
        // Offsets in letters are the same in either case for what precedes
        // an ASCII word, but for letters that change their length: then none.
        guard lower.count == text.count else { return nil }
        let start = lower.distance(from: lower.startIndex, to: place.lowerBound)
        let end = lower.distance(from: lower.startIndex, to: place.upperBound)
        let before = trim(String(text.prefix(start)))
        let after = withoutFinalStop(String(text.dropFirst(end)))
        return before.isEmpty || after.isEmpty ? nil : (before, after)
    }

    static func withoutFinalStop(_ text: String) -> String {
        var text = trim(text)
        if text.last == ".", !text.hasSuffix("..") { text.removeLast() }
        return trim(text)
    }

    static func trim(_ text: String) -> String {
        var slice = text[...]
        while slice.first?.isWhitespace == true { slice.removeFirst() }
        while slice.last?.isWhitespace == true { slice.removeLast() }
        return String(slice)
    }

    /// "the reminder to call mom" is called "call mom".
    static func withoutArticle(_ text: String) -> String {
        var text = text
        for lead in [
            "the reminder to ", "the reminder about ", "the reminder for ", "the reminder ",
            "my reminder to ", "my reminder about ", "my reminder ", "reminder ", "the task ",
            "my task ", "task ", "the todo ", "todo ", "the ", "my ",
        ] where text.lowercased().hasPrefix(lead) && text.count > lead.count {
            text = trim(String(text.dropFirst(lead.count)))
            break
        }
        for quotes in [("\"", "\""), ("“", "”"), ("'", "'")]
        where text.count > 2 && text.hasPrefix(quotes.0) && text.hasSuffix(quotes.1) {
            text = String(text.dropFirst().dropLast())
        }
        return text
    }
}

extension String {
    fileprivate func range(ofLast part: String) -> Range<Index>? {
        var found: Range<Index>?
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            found = range
            rest = self[index(after: range.lowerBound)...]
        }
        return found
    }
}
