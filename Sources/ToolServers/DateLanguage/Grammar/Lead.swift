/// Finds the lead-ins of `Lexicon` in a phrase: they say what it is and belong
/// to no title.
struct Lead {
    var meaning: Lexicon.Lead
    var tokens: Range<Int>
    /// The second half of "set a … timer".
    var tail: Int?
}

extension PhraseGrammar {
    /// The lead-in that begins at `index`.
    func lead(_ index: Int) -> Lead? {
        guard let token = token(index), token.kind == .word || token.kind == .sign else {
            return nil
        }
        // Looked at last: it walks the phrase.
        var isFirst: Bool { isOpening(index) }
        if token.text == "tell" || token.text == "sag", isWord(index + 1, "me", "mir"),
            isWhen(index + 2) || isWord(index + 2, "to"), isFirst
        {
            let end = isWord(index + 2, "to") ? index + 3 : index + 2
            return Lead(meaning: .weakTask, tokens: index..<end)
        }
        // A check box of Markdown.
        if token.text == "[", isFirst {
            for end in [index + 2, index + 3] where isSign(end - 1, "]") {
                return Lead(meaning: .task, tokens: index..<end)
            }
        }
        if let split = splitLead(index), isFirst { return split }
        let found = Lexicon.first { $0.leads.match(words, from: index) }
        // Only what is surely addressed counts after other words ("tomorrow
        // remind me to …").
        let isWaking = token.text == "wake" || token.text.hasPrefix("weck")
        // "remind me to book a table": the verb is part of the title there.
        if let found, [.weakTask, .weakEvent, .event].contains(found.meaning),
            followsLead(index)
        {
            return nil
        }
        guard let found, found.meaning == .reminder || found.meaning == .task || isWaking || isFirst
        else { return nil }
        let isClosed = isSign(found.end - 1, ":")
        // "set an alarm" says all but when; "timer" alone is a word.
        let isWhole = [.alarm, .timer].contains(found.meaning) && found.end > index + 1
        guard
            isClosed || isWhole || found.meaning == .reminder || isWaking
                || self.token(found.end) != nil
        else { return nil }
        return Lead(meaning: found.meaning, tokens: index..<found.end)
    }

    /// "set a 10 minute timer", "kannst du mich um 5 wecken"
    private func splitLead(_ index: Int) -> Lead? {
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
                ? tokens[(tail + 1)...].allSatisfy { $0.kind == .sign }
                : amount(found.end).map { $0.end <= tail } == true
                    || clock(found.end).map { $0.end <= tail } == true
            if isClosed {
                return Lead(meaning: found.entry.meaning, tokens: index..<found.end, tail: tail)
            }
        }
        return nil
    }

    private func followsLead(_ index: Int) -> Bool {
        found.contains {
            $0.isLead && $0.lead != .filler && $0.tokens.upperBound <= index
        }
    }

    /// Only other leads or signs stand before.
    private func isOpening(_ index: Int) -> Bool {
        (0..<index).allSatisfy { taken[$0] || tokens[$0].kind == .sign }
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
