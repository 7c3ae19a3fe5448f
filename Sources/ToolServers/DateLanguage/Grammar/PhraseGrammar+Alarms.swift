import ICalendar

/// Parses when to be alerted before the time itself: "15 minutes before", "with a 10 min
/// alert", "remind me an hour before".
extension PhraseGrammar {
    mutating func readAlarm() {
        for index in tokens.indices where !taken[index] {
            guard let match = alarm(index) else { continue }
            take(.alarm(match.value), index..<match.end)
            // A "remind me" that only introduces the alarm makes no task.
            if let lead = found.firstIndex(where: {
                $0.isLead
                    && ($0.tokens.upperBound == index || $0.tokens.lowerBound == match.end)
            }),
                found[lead].tokens.lowerBound > 0
            {
                found[lead].value = .noise
            }
            return
        }
    }

    private func alarm(_ index: Int) -> Match<CalendarDuration>? {
        var start = index
        while isSign(start, ",") || isSign(start, "(") || has(start, .and)
            || isWord(start, "with", "mit", "plus")
        {
            start += 1
        }
        let isJoined = start > index
        if let before = amountAndWord(start, isJoined: isJoined) { return close(index, before) }
        var isNamed = found.contains { $0.isLead && $0.tokens.upperBound == start }
        let word = has(start, .article) && isOne(start + 1, of: .alarms) ? start + 1 : start
        if isOne(word, of: .alarms), !taken[word] {
            isNamed = true
            start = word + 1
            if isWord(start, "me", "mich", "us") { start += 1 }
            if isSign(start, ":") || isWord(start, "for") { start += 1 }
        }
        guard let amount = amount(start) ?? wholeUnit(start),
            let earlier = match(Self.earlier, amount.end)
        else { return nil }
        var end = earlier.end
        if isWord(end, "erinnern", "bescheid"), !taken[end] { end += 1 }
        let isLast =
            token(end) == nil || taken[end]
            || token(end)?.kind == .sign && [")", ".", ",", "!", ";"].contains(token(end)?.text)
        let value = (-amount.value).trigger
        guard earlier.value else {
            return isLast || isNamed || isEdge(end) ? close(index, (value, end)) : nil
        }
        // "15 minutes before at 10am": the time itself comes after.
        if isLast || amount.value.isExact && has(end, .at) && clock(end + 1) != nil {
            return close(index, (value, end))
        }
        if isWord(end, "hand", "it", "start", "then") { return close(index, (value, end + 1)) }
        return isNamed && isWord(end, "to") ? (value, end + 1) : nil
    }

    /// "an hour before my meeting with Bo": the piece ends where the event's name begins.
    func besidePiece(_ index: Int) -> Piece? {
        var amount = amount(index) ?? wholeUnit(index)
        if amount == nil,
            isWord(index, "right", "just", "straight", "directly", "direkt", "gleich")
        {
            amount = (Amount(), index + 1)
        }
        // "the night before my exam on friday"
        let eve = has(index, .the) ? partName(index + 1) : nil
        if amount == nil, eve?.isLate == true { amount = (Amount(1, .day), index + 2) }
        guard let amount, has(amount.end, .before) || has(amount.end, .after) else { return nil }
        let next = amount.end + 1
        let name = has(next, .the, .owner) ? next + 1 : next
        guard namesThing(name), day(skip(.the, from: next)) == nil else { return nil }
        let value = has(amount.end, .before) ? -amount.value : amount.value
        return Piece(
            .beside(value), index..<name, strength: 3,
            more: eve.map { [.part($0, nil, isEveryDay: false)] } ?? [])
    }

    /// "2 hours before 5pm": a clock time that no event name follows.
    func shiftedClockPiece(_ index: Int) -> Piece? {
        guard let amount = amount(index), amount.value.isExact, has(amount.end, .before, .after),
            var time = clock(skip(.at, from: amount.end + 1)), time.clock.isValid,
            isEdge(time.end) || isOne(time.end, of: .openings)
                || isFirst(index) && has(time.end - 1, .oclock)
        else { return nil }
        let seconds = amount.value.days * 86_400 + amount.value.seconds
        time.clock.shift = has(amount.end, .before) ? -seconds : seconds
        return Piece(.clock([time.clock]), index..<time.end, strength: 3)
    }

    /// "the day" before
    private func wholeUnit(_ index: Int) -> Match<Amount>? {
        guard has(index, .the), let unit = unit(index + 1) else { return nil }
        return (Amount(unit.scale, unit.unit), index + 2)
    }

    private func namesThing(_ index: Int) -> Bool {
        guard let token = token(index) else { return false }
        if token.kind == .quoted || token.isPossessive { return true }
        if clock(index)?.isSure == true, self.token(index + 1) != nil {
            return has(index - 1, .owner)
        }
        return token.kind == .word && !token.has(.function)
            && (token.lexeme.part != nil || !token.lexeme.isTemporal)
    }

    /// "a 10 min alert", "a 1 hour reminder"
    private func amountAndWord(_ index: Int, isJoined: Bool) -> Match<CalendarDuration>? {
        guard isJoined || has(index, .article) || isDigits(index) else { return nil }
        for start in [skip(.article, from: index), index] {
            guard let amount = amount(start) else { continue }
            var word = amount.end
            if isWord(word, "before", "advance") { word += 1 }
            guard isOne(word, of: .alarms), isJoined || isEdge(word + 1) else { continue }
            var end = word + 1
            if isWord(end, "before", "beforehand", "vorher", "earlier") { end += 1 }
            return ((-amount.value).trigger, end)
        }
        return nil
    }

    private func close(_ index: Int, _ match: Match<CalendarDuration>) -> Match<CalendarDuration> {
        isSign(index, "(") && isSign(match.end, ")") ? (match.value, match.end + 1) : match
    }

    /// Words that mean "earlier"; the value is whether an event may follow: "15 minutes before",
    /// but not "15 minutes early".
    private static let earlier = PatternTable("date earlier") { $0 == "before" }
}
