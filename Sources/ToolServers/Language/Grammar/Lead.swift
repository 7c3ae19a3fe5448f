/// Finds the lead-ins of `Lexicon` in a phrase: they say what it is and belong
/// to no title.
struct Lead {
    var meaning: Lexicon.Lead
    var tokens: Range<Int>
    /// The second half of "set a … timer".
    var tail: Int?

    /// Whether one begins at `index`.
    static func begins(_ grammar: PhraseGrammar, _ index: Int) -> Bool {
        match(grammar, index) != nil
    }

    static func match(_ grammar: PhraseGrammar, _ index: Int) -> Lead? {
        guard let token = grammar.token(index), token.kind == .word || token.kind == .sign else {
            return nil
        }
        // Looked at last: it walks the phrase.
        var isFirst: Bool { isOpening(grammar, index) }
        if token.text == "tell" || token.text == "sag", grammar.isWord(index + 1, "me", "mir"),
            grammar.isWhen(index + 2) || grammar.isWord(index + 2, "to"), isFirst
        {
            let end = grammar.isWord(index + 2, "to") ? index + 3 : index + 2
            return Lead(meaning: .weakTask, tokens: index..<end)
        }
        // A check box of Markdown.
        if token.text == "[", isFirst {
            if grammar.isSign(index + 1, "]") {
                return Lead(meaning: .task, tokens: index..<index + 2)
            }
            if grammar.isSign(index + 2, "]") {
                return Lead(meaning: .task, tokens: index..<index + 3)
            }
        }
        if let split = split(grammar, index), isFirst { return split }
        let found = Lexicon.first { $0.leads.match(grammar.words, from: index) }
        // Only what is surely addressed counts after other words ("tomorrow
        // remind me to …").
        let isWaking = token.text == "wake" || token.text.hasPrefix("weck")
        // "remind me to book a table": the verb is part of the title there.
        if let found, [.weakTask, .weakEvent, .event].contains(found.meaning),
            followsLead(grammar, index)
        {
            return nil
        }
        guard let found, found.meaning == .reminder || found.meaning == .task || isWaking || isFirst
        else { return nil }
        let isClosed = grammar.isSign(found.end - 1, ":")
        // "set an alarm" says all but when; "timer" alone is a word.
        let isWhole = [.alarm, .timer].contains(found.meaning) && found.end > index + 1
        guard
            isClosed || isWhole || found.meaning == .reminder || isWaking
                || grammar.token(found.end) != nil
        else { return nil }
        return Lead(meaning: found.meaning, tokens: index..<found.end)
    }

    /// "set a 10 minute timer", "kannst du mich um 5 wecken"
    private static func split(_ grammar: PhraseGrammar, _ index: Int) -> Lead? {
        let words = grammar.words
        for found in Lexicon.all.flatMap({ $0.leads.matches(words, from: index) }) {
            guard let closing = found.entry.pattern.closing.first else { continue }
            let isLast = found.entry.pattern.isClosedAtEnd
            let reach = isLast ? words.count : min(found.end + 7, words.count)
            guard found.end < reach,
                let tail = (found.end..<reach).last(where: {
                    closing.end(in: words, from: $0) == $0 + 1
                })
            else { continue }
            let isClosed =
                isLast
                ? grammar.tokens[(tail + 1)...].allSatisfy { $0.kind == .sign }
                : grammar.amount(found.end).map { $0.end <= tail } == true
                    || grammar.clock(found.end).map { $0.end <= tail } == true
            if isClosed {
                return Lead(meaning: found.entry.meaning, tokens: index..<found.end, tail: tail)
            }
        }
        return nil
    }

    private static func followsLead(_ grammar: PhraseGrammar, _ index: Int) -> Bool {
        grammar.found.contains { piece in
            guard case .lead(let lead) = piece.value else { return false }
            return lead != .filler && piece.tokens.upperBound <= index
        }
    }

    /// Only other leads or signs stand before.
    private static func isOpening(_ grammar: PhraseGrammar, _ index: Int) -> Bool {
        (0..<index).allSatisfy { grammar.taken[$0] || grammar.tokens[$0].kind == .sign }
    }
}

extension Lexicon.Lead {
    /// What follows is a task, not an event.
    var isTask: Bool {
        switch self {
        case .reminder, .alarm, .timer, .task, .weakTask: true
        case .event, .weakEvent, .filler: false
        }
    }
}
