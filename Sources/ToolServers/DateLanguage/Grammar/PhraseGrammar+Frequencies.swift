import ICalendar

/// Parses repetitions by month and by count ("the first monday of each month", "twice a
/// day") and their exceptions.
extension PhraseGrammar {
    // MARK: … of each month

    /// "the first monday of each month", "the 15th of every month", "at the
    /// end of every month".
    func ofEveryMonth(_ index: Int) -> Match<RepeatSpec>? {
        let start = skip(.the, from: has(index, .on, .at, .by) ? index + 1 : index)
        if let edge = edgeOfEvery(start) { return edge }
        guard let ranks = ranks(start) else { return nil }
        let next = token(ranks.end)
        let weekday = next?.lexeme.part == nil ? next?.lexeme.weekday : nil
        // "am ersten Montag im Monat", "the first monday of the month"
        let month = skip(.the, from: ranks.end + 2)
        if let weekday, has(ranks.end + 1, .of), token(month)?.lexeme.unit == .month {
            return nthOfMonth(ranks.value, weekday, Self.month(month + 1))
        }
        let workdays = workdays(ranks.end)
        let isNamed = weekday != nil || next?.lexeme.unit == .day
        guard let every = everyMonth(workdays ?? (isNamed ? ranks.end + 1 : ranks.end)),
            [.month, .year].contains(every.unit)
        else { return nil }
        var match: Match<RepeatSpec>?
        if let weekday {
            match = nthOfMonth(ranks.value, weekday, every.month)
        } else if workdays == nil {
            let areDays = ranks.value.allSatisfy { (1...31).contains(abs($0)) }
            match = areDays ? monthDays(ranks.value, every.month) : nil
        } else if every.unit == .month, ranks.value.count == 1, abs(ranks.value[0]) <= 22 {
            let spec = RepeatSpec(
                unit: .month, weekdays: Self.workdays, setPosition: ranks.value[0])
            match = (spec, every.month.end)
        }
        match?.value.interval = every.interval
        return match
    }

    /// "3 days before the end of each month", "a week after the 1st of every month"
    func shiftedRule(_ index: Int) -> Match<RepeatSpec>? {
        guard let amount = amount(index), !amount.value.isExact, amount.value.months == 0,
            has(amount.end, .before, .after), var rule = ofEveryMonth(amount.end + 1),
            rule.value.unit == .month, rule.value.weekdays.isEmpty,
            let day = rule.value.monthDays.first, rule.value.monthDays.count == 1
        else { return nil }
        var moved = day + amount.value.days * (has(amount.end, .before) ? -1 : 1)
        // The day before the 1st is day -1 (RFC 5545 §3.3.10).
        if day > 0 ? moved <= 0 : moved >= 0 { moved += day > 0 ? -1 : 1 }
        rule.value.monthDays = [moved]
        return abs(moved) <= 28 ? rule : nil
    }

    /// "end of every month"
    private func edgeOfEvery(_ start: Int) -> Match<RepeatSpec>? {
        // "jedes Monatsende"
        if has(start, .every), let edge = match(Self.edges, start + 1),
            let rule = edge.value.repeated
        {
            return (rule, edge.end)
        }
        let isEnd = has(start, .end)
        guard isEnd || has(start, .start),
            has(start + 1, .of) || isWord(start, "ende", "anfang"),
            let after = everyMonth(skip(.of, from: start + 1))
        else { return nil }
        var spec = RepeatSpec(unit: after.unit)
        switch after.unit {
        case .month: spec.monthDays = [isEnd ? -1 : 1]
        case .year: (spec.months, spec.monthDays) = ([isEnd ? 12 : 1], [isEnd ? 31 : 1])
        case .week: spec.weekdays = [.init(isEnd ? .friday : .monday)]
        default: return nil
        }
        return (spec, after.month.end)
    }

    /// "of each month", "monthly", "jeden Monats", "of every other month",
    /// "every april".
    private func everyMonth(_ index: Int) -> (unit: TimeUnit, month: Month, interval: Int)? {
        var next = index
        if has(next, .of, .into) { next += 1 }
        next = skipSign(",", from: next)
        guard
            has(next, .every) || isWord(next, "per", "pro", "eines")
                || (isWord(next, "a") && next > index)
        else { return nil }
        next += 1
        var interval = 1
        if has(next, .other) || ordinal(next)?.value == 2 {
            (interval, next) = (2, next + 1)
        } else if let number = wholeNumber(next, in: 2...60) {
            (interval, next) = number
        }
        if let month = token(next)?.lexeme.month {
            return (.year, (.month(month, year: nil, .none), next + 1, false), 1)
        }
        guard let unit = unit(next)?.unit, unit != .quarter else { return nil }
        return (unit, (.period(unit, 0, .none), next + 1, true), interval)
    }

    /// "on the 1st and 15th" of every month.
    func monthDayList(_ index: Int) -> Match<RepeatSpec>? {
        guard has(index, .on),
            let days = list(
                index + 1,
                { index in
                    let start = skip(.the, from: index)
                    return isDigits(start) ? ordinal(start) : nil
                }),
            days.value.count > 1, days.value.allSatisfy({ (1...31).contains($0) })
        else { return nil }
        let month = monthReference(days.end)
        // "on the 10th and the 24th" alone means just these two days.
        guard month?.isAny ?? found.contains(where: { $0.unit == .month }) else { return nil }
        return (RepeatSpec(unit: .month, monthDays: days.value), month?.end ?? days.end)
    }

    // MARK: How often

    /// "twice a day", "once a week", "3 times a day", "dreimal täglich".
    func frequency(_ index: Int) -> Match<RepeatSpec>? {
        guard let (count, next) = timesPer(index), let unit = unitOfFrequency(next) else {
            return nil
        }
        var spec = unit.value
        spec.isVague = count > 1 && spec.unit != .day
        switch spec.unit {
        case .day: spec.timesADay = count > 1 ? count : nil
        case .quarter: (spec.unit, spec.interval) = (.month, 3)
        case .week where count > 1:
            let days = [[1, 4], [1, 3, 5], [1, 2, 4, 5], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]]
            guard count <= 6 else { return nil }
            spec.weekdays = days[count - 2].map { .init(weekday: $0) }
        case .month where count == 2: spec.monthDays = [1, 15]
        case .month where count == 4: (spec.unit, spec.interval) = (.week, 1)
        case .year where count > 1 && 12 % count == 0:
            (spec.unit, spec.interval) = (.month, 12 / count)
        default: if count > 1 { return nil }
        }
        return (spec, unit.end)
    }

    /// "twice", "3 times"
    private func timesPer(_ index: Int) -> Match<Int>? {
        guard let number = wholeNumber(index, in: 1...24) else { return nil }
        if has(index, .often) { return (number.value, index + 1) }
        return has(number.end, .times) ? (number.value, number.end + 1) : nil
    }

    /// "daily", "a week", "per month", "in der Woche"
    private func unitOfFrequency(_ index: Int) -> Match<RepeatSpec>? {
        if let adverb = token(index)?.lexeme.adverb {
            return (RepeatSpec(unit: adverb.unit, interval: adverb.interval), index + 1)
        }
        guard
            has(index, .article) || isWord(index, "per", "pro", "am", "im", "in", "die")
                || has(index, .every) && (number(index + 1)?.value ?? 1) < 2
        else { return nil }
        let next = isWord(index + 1, "der") ? index + 2 : index + 1
        guard let lexeme = token(next)?.lexeme, let unit = lexeme.unit, lexeme.scale == 1 else {
            return nil
        }
        return (RepeatSpec(unit: unit), next + 1)
    }

    /// "except fridays", "außer sonntags".
    func exceptPiece(_ index: Int) -> Piece? {
        let isBut =
            isWord(index, "but", "aber", "nur", "bloß") && isWord(index + 1, "not", "nicht")
        guard isBut || has(index, .except) else { return nil }
        let next = isBut ? index + 2 : index + 1
        let start = skip(.the, from: has(next, .span, .on) ? next + 1 : next)
        var days = weekdayList(start)
        if has(start, .weekend) { days = (Self.weekend, start + 1) }
        if has(start, .workdays) { days = (Self.workdays, start + 1) }
        return days.map { days in
            Piece(
                .except(days.value.map { .weekday($0.weekday.rawValue, .bare) }), index..<days.end)
        }
    }
}
