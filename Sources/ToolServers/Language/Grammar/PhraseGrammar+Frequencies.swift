import AgentCore

/// Repetitions that are said of months and of counts: "the first monday of each
/// month", "twice a day", and what is left out of them.
extension PhraseGrammar {
    // MARK: … of each month

    /// "the first monday of each month", "the 15th of every month", "on the
    /// last day of the month" (with a repetition elsewhere).
    func ofEveryMonth(_ index: Int) -> Match<RepeatSpec>? {
        var start = index
        if has(start, .on) || has(start, .at) || has(start, .by) || isWord(start, "jeweils") {
            start += 1
        }
        if isWord(start, "jeweils") { start += 1 }
        if has(start, .on) { start += 1 }
        start = skip(.the, from: start)
        var spec = RepeatSpec(unit: .month)
        var numbers: [Int] = []
        var end = start
        if has(start, .last) {
            (numbers, end) = ([-1], start + 1)
        } else if has(start, .end) || has(start, .start),
            has(start + 1, .of) || isWord(start, "ende", "anfang")
        {
            // "at the end of every month"
            let next = has(start + 1, .of) ? start + 2 : start + 1
            guard let after = everyMonth(next) else { return nil }
            let isEnd = has(start, .end)
            switch after.unit {
            case .month:
                spec.monthDays = [isEnd ? -1 : 1]
            case .year:
                (spec.unit, spec.months, spec.monthDays) = (
                    .year, [isEnd ? 12 : 1], [isEnd ? 31 : 1]
                )
            case .week:
                (spec.unit, spec.weekdays) = (.week, [.init(isEnd ? .friday : .monday)])
            default: return nil
            }
            return (spec, after.end)
        } else if let first = ordinal(start) {
            numbers = [first.value]
            end = first.end
            while let next = nextInList(end), let more = ordinal(skip(.the, from: next)) {
                numbers.append(more.value)
                end = more.end
            }
            if has(end, .last), numbers.count == 1 { (numbers, end) = ([-first.value], end + 1) }
            if let next = nextInList(end), has(skip(.the, from: next), .last) {
                numbers.append(-1)
                end = skip(.the, from: next) + 1
            }
        } else {
            return nil
        }
        if let weekday = token(end)?.lexeme.weekday, token(end)?.lexeme.part == nil,
            numbers.allSatisfy({ abs($0) <= 5 })
        {
            guard let month = everyMonth(end + 1),
                month.unit == .month || month.unit == .year || month.month != nil
            else { return nil }
            spec.weekdays = numbers.map { .init(weekday: weekday, ordinal: $0) }
            spec.interval = month.interval
            if let name = month.month {
                (spec.unit, spec.months) = (.year, [name])
            } else if month.unit == .year {
                spec.unit = .year
            }
            return (spec, month.end)
        }
        let isPair = isWord(end, "working", "business", "work")
        if has(end, .workdays) || (isPair && token(end + 1)?.lexeme.unit == .day),
            numbers.count == 1, abs(numbers[0]) <= 22
        {
            guard let month = everyMonth(end + (isPair ? 2 : 1)), month.unit == .month else {
                return nil
            }
            spec.weekdays = Self.workdays
            spec.setPosition = numbers[0]
            spec.interval = month.interval
            return (spec, month.end)
        }
        if token(end)?.lexeme.unit == .day { end += 1 }
        guard let month = everyMonth(end), numbers.allSatisfy({ $0 == -1 || (1...31).contains($0) })
        else { return nil }
        switch month.unit {
        case .month:
            spec.monthDays = numbers
            spec.interval = month.interval
        case .year where numbers == [-1]:
            (spec.unit, spec.months, spec.monthDays) = (.year, [12], [31])
        case .year where numbers == [1]:
            (spec.unit, spec.months, spec.monthDays) = (.year, [1], [1])
        default: return nil
        }
        return (spec, month.end)
    }

    /// "of each month", "monthly", "jeden Monats", "of every other month",
    /// "every april".
    func everyMonth(_ index: Int) -> (unit: TimeUnit, interval: Int, month: Int?, end: Int)? {
        var next = index
        if has(next, .of) || has(next, .into) { next += 1 }
        if isSign(next, ",") { next += 1 }
        guard has(next, .every) || isWord(next, "a", "per", "pro", "eines") else { return nil }
        if isWord(next, "a"), !(has(next - 1, .of) || has(next - 1, .into)) { return nil }
        next += 1
        var interval = 1
        if has(next, .other) || ordinal(next)?.value == 2 {
            (interval, next) = (2, next + 1)
        } else if let number = number(next), number.value >= 2, number.value <= 60 {
            (interval, next) = (Int(number.value), number.end)
        }
        if let month = token(next)?.lexeme.month { return (.year, 1, month, next + 1) }
        guard let unit = unit(next) ?? token(next)?.lexeme.unit.map({ ($0, 1) }) else { return nil }
        if unit.unit == .quarter { return nil }
        return (unit.unit, interval, nil, next + 1)
    }

    /// "on the 1st and 15th": of every month.
    func monthDayList(_ index: Int) -> Match<RepeatSpec>? {
        guard has(index, .on) else { return nil }
        var start = skip(.the, from: index + 1)
        guard isDigits(start), let first = ordinal(start) else { return nil }
        var days = [first.value]
        var end = first.end
        while let next = nextInList(end) {
            start = skip(.the, from: next)
            guard isDigits(start), let more = ordinal(start) else { break }
            days.append(more.value)
            end = more.end
        }
        guard days.count > 1, days.allSatisfy({ (1...31).contains($0) }),
            monthReference(end).map({ $0.isAny }) ?? true
        else { return nil }
        var spec = RepeatSpec(unit: .month)
        spec.monthDays = days
        return (spec, monthReference(end)?.end ?? end)
    }

    // MARK: How often

    /// "twice a day", "once a week", "3 times a day", "dreimal täglich".
    func frequency(_ index: Int) -> Match<RepeatSpec>? {
        var next: Int
        var count: Int
        if let token = token(index), token.has(.often), let number = token.lexeme.number {
            (count, next) = (Int(number), index + 1)
        } else if let number = number(index), number.value >= 1, number.value <= 24,
            has(number.end, .times), number.value == number.value.rounded()
        {
            (count, next) = (Int(number.value), number.end + 1)
        } else {
            return nil
        }
        var spec = RepeatSpec()
        if let adverb = token(next)?.lexeme.adverb {
            spec.unit = adverb.unit
            spec.interval = adverb.interval
            next += 1
        } else {
            if has(next, .every), let more = self.number(next + 1), more.value >= 2 { return nil }
            guard
                has(next, .article) || has(next, .every)
                    || isWord(next, "per", "pro", "am", "im", "in")
            else { return nil }
            next += 1
            if isWord(next, "der") { next += 1 }
            guard let token = token(next), let unit = token.lexeme.unit, token.lexeme.scale == 1
            else { return nil }
            spec.unit = unit
            next += 1
        }
        switch spec.unit {
        case .day: spec.timesADay = count > 1 ? count : nil
        case .quarter: (spec.unit, spec.interval) = (.month, 3)
        case .week where count > 1:
            let days: [[Int]] = [
                [1, 4], [1, 3, 5], [1, 2, 4, 5], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6],
            ]
            guard count <= 6 else { return nil }
            spec.weekdays = days[count - 2].map { .init(.allCases[$0]) }
        case .month where count == 2: spec.monthDays = [1, 15]
        case .year where count > 1 && 12 % count == 0:
            (spec.unit, spec.interval) = (.month, 12 / count)
        case .month where count == 4: (spec.unit, spec.interval) = (.week, 1)
        default: if count > 1 { return nil }
        }
        return (spec, next)
    }

    /// "except fridays", "außer sonntags".
    func exceptPiece(_ index: Int) -> Piece? {
        guard has(index, .except) else { return nil }
        var start = index + 1
        if isWord(index, "but", "not"), isWord(start, "not") { start += 1 }
        if has(start, .span) || has(start, .on) || isWord(start, "an", "am") { start += 1 }
        start = skip(.the, from: start)
        if has(start, .weekend) {
            return Piece(
                value: .except([.weekday(6, .bare), .weekday(0, .bare)]),
                tokens: index..<(start + 1))
        }
        if has(start, .workdays) {
            return Piece(
                value: .except((1...5).map { .weekday($0, .bare) }), tokens: index..<(start + 1))
        }
        if let days = weekdayList(start) {
            return Piece(
                value: .except(days.value.map { .weekday($0.rawValue, .bare) }),
                tokens: index..<days.end)
        }
        return nil
    }
}
