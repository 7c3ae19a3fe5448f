/// Finds the lead-ins of `Lexicon` in a phrase: they say what kind of item it is and belong
/// to no title.
struct Lead {
    var meaning: Lexicon.Lead
    var tokens: Range<Int>
    /// The second half of "set a … timer".
    var tail: Range<Int>?
}

extension PhraseGrammar {
    /// The lead-in that begins at `index`.
    func lead(_ index: Int) -> Lead? {
        guard let token = token(index), token.kind == .word || token.kind == .sign else {
            return nil
        }
        // Lazy, because it scans the phrase.
        var isFirst: Bool { isOpening(index) }
        if let split = splitLead(index), isFirst || areTimes(0..<index) { return split }
        if token.text == "tell" || token.text == "sag", isWord(index + 1, "me", "mir") {
            let isOrder = isWord(index + 2, "to")
            let isLate = isOrder && areTimes(0..<index)
            guard isLate || isFirst && (isOrder || isWhen(index + 2)) else { return nil }
            return Lead(
                meaning: isLate ? .task : .weakTask, tokens: index..<index + (isOrder ? 3 : 2))
        }
        // A check box of Markdown.
        if token.text == "[", isFirst {
            for end in [index + 2, index + 3] where isSign(end - 1, "]") {
                return Lead(meaning: .task, tokens: index..<end)
            }
        }
        let found = Lexicon.first { $0.leads.match(words, from: index) }
        // After other words, only lead-ins that clearly address the program count
        // ("tomorrow remind me to …").
        let isWaking = token.text == "wake" || token.text.hasPrefix("weck")
        // "remind me to book a table": the verb is part of the title there.
        if let found, [.weakTask, .weakEvent, .event].contains(found.meaning),
            followsLead(index)
        {
            return nil
        }
        guard let found else { return nil }
        // "reminder 6pm …", "um 12 erinnern …": the word alone needs the time beside it.
        if ["reminder", "erinnern"].contains(token.text), !isSign(found.end - 1, ":"),
            found.end == index + 1 || isSign(index + 1, ","),
            token.text == "reminder" || self.token(found.end) != nil
        {
            let isTimed = tokens.indices.contains { $0 > index && clock($0)?.isSure == true }
            guard isFirst && (isWhen(found.end) || isTimed) || areTimes(0..<index) else {
                return nil
            }
        }
        let isOfAlarm = [.alarm, .timer].contains(found.meaning)
        let isAnywhere = [.reminder, .task].contains(found.meaning) || isWaking
        let isClosed = isSign(found.end - 1, ":")
        // "set an alarm", "nicht vergessen" are complete apart from the time; "timer" alone
        // is an ordinary word.
        let isWhole = (isOfAlarm || isAnywhere) && found.end > index + 1
        // "tomorrow I have to …", "um zehn kommt der …"; "roast needs two hours, set a timer"
        let isLate = isWhole || [.weakTask, .filler].contains(found.meaning)
        guard
            isAnywhere || isOfAlarm && isSign(index - 1, ",") || isFirst
                || isLate && areTimes(0..<index)
        else { return nil }
        guard
            isClosed || isWhole || found.meaning == .reminder || isWaking
                || self.token(found.end) != nil
        else { return nil }
        return Lead(meaning: found.meaning, tokens: index..<found.end)
    }

    /// "…, put that down", "… – reminder", "rent reminder, 9am": a lead-in at the end of the
    /// phrase or before its time.
    func tail(_ index: Int) -> Lead? {
        guard index > 0, let found = Lexicon.first({ $0.tails.match(words, from: index) }),
            !isSign(index, "-") || !isGlued(index), !isOne(index - 1, of: .articles),
            tokens[index - 1].lexeme.unit == nil || tokens[index].kind == .sign
        else { return nil }
        let isLast = tokens[found.end...].allSatisfy { $0.kind == .sign }
        guard
            isLast || areTimes(found.end..<tokens.count)
                || found.end > index + 1 && tail(found.end) != nil,
            !isLast || found.end > index + 1 || tokens[index - 1].kind != .word
                || tokens[index - 1].lexeme.isTemporal || has(index - 1, .am, .pm, .oclock)
        else { return nil }
        return Lead(meaning: found.meaning, tokens: index..<found.end)
    }

    /// "set a 10 minute timer", "kannst du mich um 5 wecken"
    private func splitLead(_ index: Int) -> Lead? {
        for found in Lexicon.all.flatMap({ $0.leads.matches(words, from: index) }) {
            guard let closing = found.entry.pattern.closing.first else { continue }
            let isLast = found.entry.pattern.isClosedAtEnd
            let reach = isLast ? words.count : min(found.end + 12, words.count)
            guard found.end < reach,
                let tail = (found.end..<reach).compactMap({ start in
                    closing.end(in: words, from: start).map { start..<$0 }
                }).last(where: {
                    !isLast || tokens[$0.upperBound...].allSatisfy { $0.kind == .sign }
                })
            else { continue }
            if isLast || amount(found.end).map({ $0.end <= tail.lowerBound }) == true
                || clock(found.end).map({ $0.end <= tail.lowerBound }) == true
                || areTimes(found.end..<tail.lowerBound)
            {
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

    /// Whether only other lead-ins or signs come before.
    private func isOpening(_ index: Int) -> Bool {
        (0..<index).allSatisfy { taken[$0] || tokens[$0].kind == .sign }
    }

    /// Whether the range holds a few times and nothing else. It ends where a lead-in
    /// begins, so the lead-ins are not searched for again.
    private func areTimes(_ range: Range<Int>) -> Bool {
        guard findsLateLeads, (1...12).contains(range.count) else { return false }
        var grammar = self
        grammar.findsLateLeads = false
        var index = range.lowerBound
        while index < range.upperBound {
            if taken[index] || tokens[index].kind == .sign {
                index += 1
            } else if let piece = grammar.timePiece(at: index) {
                index = piece.tokens.upperBound
            } else {
                return false
            }
        }
        return index == range.upperBound
    }
}

extension Lexicon.Lead {
    /// Whether a task follows, not an event.
    var isTask: Bool {
        switch self {
        case .reminder, .alarm, .timer, .task, .weakTask: true
        case .event, .weakEvent, .filler: false
        }
    }
}
