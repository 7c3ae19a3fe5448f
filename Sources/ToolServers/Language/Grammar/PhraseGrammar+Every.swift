import AgentCore

/// What stands after "every": "other tuesday", "third month", "2 weeks",
/// "weekday", "june 12", "1st and 3rd friday of the month".
extension PhraseGrammar {
    typealias Month = (day: DaySpec, end: Int, isAny: Bool)

    func everyPhrase(_ index: Int) -> Match<RepeatSpec>? {
        guard let lead = everyLead(index) else { return nil }
        var (spec, next) = lead
        if has(next, .other), !isDigits(next) {
            spec.interval = 2
            next += 1
        } else if let ranks = ranks(next) {
            return everyRanked(ranks, spec)
        }
        return everyLength(next, spec) ?? everyCount(next, spec) ?? everyWeekday(next, spec)
            ?? everyMonthName(next, spec) ?? everyDate(next, spec) ?? everyFeast(next, spec)
    }

    /// "every", "on each", "once per", "every!"
    private func everyLead(_ index: Int) -> Match<RepeatSpec>? {
        var start = index
        if has(start, .on, .at, .into, .span),
            has(start + 1, .every)
        {
            start += 1
        }
        if isWord(start, "once"), has(start + 1, .every) || isWord(start + 1, "per") { start += 1 }
        guard has(start, .every) || isWord(start, "per"), !isOwned(index) else { return nil }
        var spec = RepeatSpec()
        var next = start + 1
        if isSign(next, "!"), isGlued(next) {
            spec.isFromCompletion = true
            next += 1
        }
        next = skip(.the, from: next)
        return (spec, isWord(next, "single") ? next + 1 : next)
    }

    // MARK: Counted from an end

    /// "last", "3rd", "2nd last", "second to the last": from the end when
    /// negative.
    func rank(_ index: Int) -> Match<Int>? {
        if has(index, .last) { return (-1, index + 1) }
        if isWord(index, "vorletzten", "vorletzter", "vorletzte", "penultimate") {
            return (-2, index + 1)
        }
        guard let number = ordinal(index) else { return nil }
        var end = skipSign("-", from: number.end)
        if has(end, .to) { end = skip(.the, from: skipSign("-", from: end + 1)) }
        return has(end, .last) ? (-number.value, end + 1) : number
    }

    /// "1st and 3rd", "15th and last"
    func ranks(_ index: Int) -> Match<[Int]>? {
        guard let first = rank(index) else { return nil }
        var (values, end) = ([first.value], first.end)
        while let next = nextInList(end), let more = rank(skip(.the, from: next)),
            token(more.end)?.lexeme.month == nil
        {
            values.append(more.value)
            end = more.end
        }
        return (values, end)
    }

    /// "every third …": of the month when that is said or meant, else every
    /// third one.
    private func everyRanked(_ ranks: Match<[Int]>, _ spec: RepeatSpec) -> Match<RepeatSpec>? {
        let end = ranks.end
        if let weekday = token(end)?.lexeme.weekday, token(end)?.lexeme.part == nil {
            return everyRankedWeekday(ranks, weekday, spec)
        }
        if let workdays = workdays(end), ranks.value == [1] || ranks.value == [-1] {
            var spec = spec
            (spec.unit, spec.weekdays) = (.month, Self.workdays)
            spec.setPosition = ranks.value[0]
            return (spec, monthReference(workdays)?.end ?? workdays)
        }
        if ranks.value.count == 1, let match = everyRankedUnit(ranks.value[0], end, spec) {
            return match
        }
        return everyMonthDays(ranks, spec)
    }

    private func everyRankedWeekday(
        _ ranks: Match<[Int]>, _ weekday: Int, _ spec: RepeatSpec
    ) -> Match<RepeatSpec>? {
        let next = ranks.end + 1
        // "every second friday" is every other, "every first friday" the month's.
        if ranks.value == [2] || ranks.value == [3],
            monthReference(next) == nil
        {
            var spec = spec
            (spec.unit, spec.interval) = (.week, ranks.value[0])
            spec.weekdays = [.init(weekday: weekday)]
            return (spec, next)
        }
        let month = monthReference(next) ?? (.period(.month, 0, .none), next, true)
        return nthOfMonth(ranks.value, weekday, month, spec)
    }

    /// "every third week", "every last day", "every second morning"
    private func everyRankedUnit(
        _ value: Int, _ index: Int, _ spec: RepeatSpec
    ) -> Match<RepeatSpec>? {
        var spec = spec
        if token(index)?.lexeme.unit == .day {
            if let month = monthReference(index + 1) { return monthDays([value], month, spec) }
            if value == -1 {
                return monthDays([-1], (.period(.month, 0, .none), index + 1, true), spec)
            }
        }
        guard value > 0 else { return nil }
        if let unit = unit(index) {
            (spec.unit, spec.interval) = (unit.unit, value * max(1, Int(unit.scale)))
        } else if let part = token(index)?.lexeme.part {
            (spec.unit, spec.interval, spec.parts) = (.day, value, [part])
        } else if has(index, .weekend) {
            (spec.unit, spec.interval, spec.weekdays) = (.week, value, Self.weekend)
        } else {
            return nil
        }
        return (spec, index + 1)
    }

    /// "every 15th", "every 1st and 15th", "every 5th of the month"
    private func everyMonthDays(_ ranks: Match<[Int]>, _ spec: RepeatSpec) -> Match<RepeatSpec>? {
        guard ranks.value.allSatisfy({ $0 == -1 || (1...31).contains($0) }), ranks.value[0] > 0
        else { return nil }
        if let month = monthReference(ranks.end) { return monthDays(ranks.value, month, spec) }
        let isDay =
            ranks.value.count > 1 || ranks.value[0] > 4 || isSign(ranks.end - 1, ".")
            || isGlued(ranks.end - 1)
        guard isEdge(ranks.end), isDay else { return nil }
        return monthDays(ranks.value, (.period(.month, 0, .none), ranks.end, true), spec)
    }

    func monthDays(_ days: [Int], _ month: Month, _ spec: RepeatSpec) -> Match<RepeatSpec>? {
        var spec = spec
        (spec.unit, spec.monthDays) = (.month, days)
        switch month.day {
        case .month(let name, _, _): (spec.unit, spec.months) = (.year, [name])
        case .period(.year, _, _):
            guard days == [-1] else { return nil }
            (spec.unit, spec.months, spec.monthDays) = (.year, [12], [31])
        case .period(.quarter, _, _): return nil
        default: break
        }
        return (spec, month.end)
    }

    func nthOfMonth(
        _ values: [Int], _ weekday: Int, _ month: Month, _ spec: RepeatSpec
    ) -> Match<RepeatSpec>? {
        guard values.allSatisfy({ abs($0) <= 5 }) else { return nil }
        var spec = spec
        spec.unit = .month
        spec.weekdays = values.map { .init(weekday: weekday, ordinal: $0) }
        switch month.day {
        case .month(let name, _, _): (spec.unit, spec.months) = (.year, [name])
        case .period(.year, _, _): spec.unit = .year
        case .period(.quarter, _, _): return nil
        default: break
        }
        return (spec, month.end)
    }

    // MARK: Counted in units

    /// "every half hour", "every 90 minutes", "every hour and a half"
    private func everyLength(_ index: Int, _ spec: RepeatSpec) -> Match<RepeatSpec>? {
        var amount = amount(index)
        if amount == nil, unit(index)?.unit == .hour, has(index + 1, .and) {
            let half = skip(.article, from: index + 2)
            if has(half, .half) { amount = (Amount(1.5, .hour), half + 1) }
        }
        guard let amount, amount.value.isExact, amount.value.days == 0, amount.value.months == 0,
            amount.value.seconds >= 60,
            !isDigits(index) && number(index) == nil || amount.value.seconds % 3600 != 0
        else { return nil }
        var spec = spec
        let minutes = amount.value.seconds / 60
        (spec.unit, spec.interval) = minutes % 60 == 0 ? (.hour, minutes / 60) : (.minute, minutes)
        return (spec, amount.end)
    }

    /// "every 2 weeks", "every weekday morning", "every weekend", "every day"
    private func everyCount(_ index: Int, _ spec: RepeatSpec) -> Match<RepeatSpec>? {
        var (count, next) = (1.0, index)
        if let number = number(index), token(number.end)?.lexeme.month == nil {
            guard (1...1000).contains(number.value) else { return nil }
            (count, next) = number
            let half = skip(.article, from: next + 1)
            if has(next, .and), has(half, .half) { (count, next) = (count + 0.5, half + 1) }
        }
        if isGlued(next) { next = skipSign("-", from: next) }
        return everyDayName(next, Int(count), isCounted: next > index, spec)
            ?? everyUnit(next, count, spec)
    }

    private func everyDayName(
        _ index: Int, _ count: Int, isCounted: Bool, _ spec: RepeatSpec
    ) -> Match<RepeatSpec>? {
        var spec = spec
        if let end = workdays(index), count == 1 {
            (spec.unit, spec.weekdays) = (.week, Self.workdays)
            guard let part = partName(end) else { return (spec, end) }
            spec.parts = [part]
            return (spec, end + 1)
        }
        if has(index, .weekend) {
            (spec.unit, spec.weekdays) = (.week, Self.weekend)
            spec.interval *= count
            return (spec, index + 1)
        }
        if let part = partName(index), !has(index, .habitual) {
            (spec.unit, spec.parts) = (.day, [part])
            spec.interval *= count
            var end = index + 1
            while let joint = joint(end), joint.kind != .or, let part = partName(joint.end) {
                spec.parts.append(part)
                end = joint.end + 1
            }
            return (spec, end)
        }
        // "every 2 mondays"
        if isCounted, count > 1, let weekday = token(index)?.lexeme.weekday {
            (spec.unit, spec.interval) = (.week, count)
            spec.weekdays = [.init(weekday: weekday)]
            return (spec, index + 1)
        }
        return nil
    }

    private func everyUnit(
        _ index: Int, _ count: Double, _ spec: RepeatSpec
    ) -> Match<RepeatSpec>? {
        guard let unit = unit(index) ?? anyUnit(index), !tokens[index].isPossessive else {
            return nil
        }
        var spec = spec
        let value = count * unit.scale
        switch unit.unit {
        case .day where value != value.rounded():
            (spec.unit, spec.interval) = (.hour, Int(value * 24))
        case .quarter:
            spec.unit = .month
            spec.interval *= Int(value * 3)
        case .year where value != value.rounded():
            (spec.unit, spec.interval) = (.month, Int(value * 12))
        default:
            spec.unit = unit.unit
            spec.interval *= max(1, Int(value))
        }
        switch spec.unit {
        case .hour: return onTheHour(index + 1, spec)
        case .week: return onWeekdays(index + 1, spec)
        // "every day of the week"
        case .day where isWord(index + 1, "of"):
            let week = skip(.the, from: index + 2)
            return (spec, self.unit(week)?.unit == .week ? week + 1 : index + 1)
        default: return (spec, index + 1)
        }
    }

    /// A unit that also is something else: "quarter".
    private func anyUnit(_ index: Int) -> (unit: TimeUnit, scale: Double)? {
        guard let token = token(index), token.text.utf8.count > 1 else { return nil }
        return token.lexeme.unit.map { ($0, token.lexeme.scale) }
    }

    /// "every hour on the half hour"
    private func onTheHour(_ end: Int, _ spec: RepeatSpec) -> Match<RepeatSpec> {
        guard has(end, .on) else { return (spec, end) }
        var spec = spec
        let half = skip(.the, from: end + 1)
        if has(half, .half), unit(half + 1)?.unit == .hour {
            spec.minutes = [30]
            return (spec, half + 2)
        }
        guard unit(half)?.unit == .hour else { return (spec, end) }
        spec.minutes = [0]
        return (spec, half + 1)
    }

    /// "every week monday", "every week on mon, wed": the list belongs to it.
    private func onWeekdays(_ end: Int, _ spec: RepeatSpec) -> Match<RepeatSpec> {
        let list = skipSign(",", from: skip(.on, from: end))
        guard let days = weekdayList(list) else { return (spec, end) }
        var spec = spec
        spec.weekdays = days.value
        spec.parts = partAfterDays(days.end)
        return (spec, days.end)
    }

    // MARK: By name

    /// "every monday", "every mon and wed morning"
    private func everyWeekday(_ index: Int, _ spec: RepeatSpec) -> Match<RepeatSpec>? {
        guard let days = weekdayList(index) else { return nil }
        var spec = spec
        (spec.unit, spec.weekdays) = (.week, days.value)
        spec.parts = partAfterDays(days.end)
        // "every monday of the month" is every monday.
        if isWord(days.end, "of", "im"), !has(skip(.the, from: days.end + 1), .this),
            let month = monthReference(days.end), month.isAny
        {
            return (spec, month.end)
        }
        return (spec, days.end)
    }

    /// "every april", "every may and november"
    private func everyMonthName(_ index: Int, _ spec: RepeatSpec) -> Match<RepeatSpec>? {
        guard let first = token(index)?.lexeme.month, tokens[index].kind == .word,
            !isDigits(index + 1), ordinal(skip(.the, from: index + 1)) == nil
        else { return nil }
        var spec = spec
        var end = index + 1
        (spec.unit, spec.months) = (.year, [first])
        while let more = nextInList(end), let name = token(more)?.lexeme.month {
            spec.months.append(name)
            end = more + 1
        }
        if spec.months.count == 1 { spec.anchor = .month(first, year: nil, .none) }
        return (spec, end)
    }

    /// "every june 12", "every 12 june"
    private func everyDate(_ index: Int, _ spec: RepeatSpec) -> Match<RepeatSpec>? {
        guard let date = date(index, hasArticle: true),
            case .date(nil, let month, let day, _) = date.day,
            CivilDate(year: 2024, month: month, day: day) != nil
        else { return nil }
        var spec = spec
        (spec.unit, spec.months, spec.monthDays) = (.year, [month], [day])
        return (spec, date.end)
    }

    /// "every christmas"
    private func everyFeast(_ index: Int, _ spec: RepeatSpec) -> Match<RepeatSpec>? {
        guard let feast = feast(index) else { return nil }
        var spec = spec
        (spec.unit, spec.anchor) = (.year, .holiday(feast.value, year: nil))
        switch feast.value {
        case .fixed(let month, let day): (spec.months, spec.monthDays) = ([month], [day])
        case .nth(let ordinal, let weekday, let month, 0):
            spec.months = [month]
            spec.weekdays = [.init(weekday: weekday, ordinal: ordinal)]
        default: break
        }
        return (spec, feast.end)
    }

    func partName(_ index: Int) -> DayPart? {
        guard let token = token(index), token.kind == .word, token.lexeme.weekday == nil else {
            return nil
        }
        return token.lexeme.part ?? (token.text == "morgen" ? .morning : nil)
    }

    func partAfterDays(_ end: Int) -> [DayPart] { token(end - 1)?.lexeme.part.map { [$0] } ?? [] }

    static let workdays = (1...5).map { RecurrenceRule.Day(weekday: $0) }
    static let weekend = [6, 0].map { RecurrenceRule.Day(weekday: $0) }
}

extension RecurrenceRule.Day {
    init(weekday: Int, ordinal: Int? = nil) {
        self.init(RecurrenceRule.Weekday(rawValue: weekday) ?? .monday, ordinal: ordinal)
    }
}
