import Base
import ICalendar

/// Parses the words after "every": "other tuesday", "third month", "2 weeks", "weekday",
/// "june 12", "1st and 3rd friday of the month".
extension PhraseGrammar {
    typealias Month = (day: DaySpec, end: Int, isAny: Bool)

    func everyPhrase(_ index: Int) -> Match<RepeatSpec>? {
        guard let lead = everyLead(index) else { return nil }
        var (match, next): (Match<RepeatSpec>?, Int) = (nil, lead.end)
        let isOther = has(next, .other) && !isDigits(next)
        if isOther {
            next += 1
        } else if let ranks = ranks(next) {
            match = everyRanked(ranks)
            guard match != nil else { return nil }
        }
        match =
            match ?? everyLength(next) ?? everyCount(next) ?? everyWeekday(next)
            ?? everyMonthName(next) ?? everyDate(next) ?? everyFeast(next)
        if isOther { match?.value.interval *= 2 }
        match?.value.isFromCompletion = lead.isFromCompletion
        return match
    }

    /// "every", "on each", "once per", "every!"
    private func everyLead(_ index: Int) -> (end: Int, isFromCompletion: Bool)? {
        var start = index
        let isAlternate = isWord(start + 1, "alternate", "alternating")
        if has(start, .on, .at, .into, .span), has(start + 1, .every) || isAlternate { start += 1 }
        if isWord(start, "once"), has(start + 1, .every) || isWord(start + 1, "per") { start += 1 }
        guard !isOwned(index) else { return nil }
        // "alternate tuesdays" means every other one.
        if isWord(start, "alternate", "alternating") { return (start, false) }
        guard has(start, .every) || isWord(start, "per") else { return nil }
        let isFromCompletion = isSign(start + 1, "!") && isGlued(start + 1)
        let next = skip(.the, from: isFromCompletion ? start + 2 : start + 1)
        return (isWord(next, "single") ? next + 1 : next, isFromCompletion)
    }

    // MARK: Counted from an end

    /// "last", "3rd", "2nd last", "second to the last"; negative values count from the end.
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
        list(index) { index in
            let rank = rank(skip(.the, from: index))
            return rank.flatMap { token($0.end)?.lexeme.month == nil ? $0 : nil }
        }
    }

    /// "every third …": the third of the month if that is said or meant, otherwise every
    /// third one.
    private func everyRanked(_ ranks: Match<[Int]>) -> Match<RepeatSpec>? {
        let end = ranks.end
        if let weekday = token(end)?.lexeme.weekday, token(end)?.lexeme.part == nil {
            return everyRankedWeekday(ranks, weekday)
        }
        if let workdays = workdays(end), ranks.value == [1] || ranks.value == [-1] {
            let spec = RepeatSpec(
                unit: .month, weekdays: Self.workdays, setPosition: ranks.value[0])
            return (spec, monthReference(workdays)?.end ?? workdays)
        }
        if ranks.value.count == 1, let match = everyRankedUnit(ranks.value[0], end) { return match }
        return everyMonthDays(ranks)
    }

    private func everyRankedWeekday(_ ranks: Match<[Int]>, _ weekday: Int) -> Match<RepeatSpec>? {
        let (next, values) = (ranks.end + 1, ranks.value)
        // "every second friday" means every other one, "every first friday" the first of
        // the month.
        if values == [2] || values == [3], monthReference(next) == nil, !goesOnInMonth(next) {
            let days = [RecurrenceRule.Day(weekday: weekday)]
            return (RepeatSpec(unit: .week, interval: values[0], weekdays: days), next)
        }
        return nthOfMonth(values, weekday, monthReference(next) ?? Self.month(next))
    }

    /// "every second tuesday and fourth thursday of the month"
    private func goesOnInMonth(_ index: Int) -> Bool {
        guard let next = nextInList(index), let rank = rank(skip(.the, from: next)) else {
            return false
        }
        return token(rank.end)?.lexeme.weekday != nil && monthReference(rank.end + 1) != nil
    }

    /// A month with no further detail.
    static func month(_ end: Int) -> Month { (.period(.month, 0, .none), end, true) }

    /// "every third week", "every last day"
    private func everyRankedUnit(_ value: Int, _ index: Int) -> Match<RepeatSpec>? {
        if token(index)?.lexeme.unit == .day {
            if let month = monthReference(index + 1) { return monthDays([value], month) }
            if value == -1 { return monthDays([-1], Self.month(index + 1)) }
        }
        guard value > 0, let unit = unit(index) else { return nil }
        let interval = value * max(1, Int(unit.scale))
        return (RepeatSpec(unit: unit.unit, interval: interval), index + 1)
    }

    /// "every 15th", "every 1st and 15th", "every 5th of the month"
    private func everyMonthDays(_ ranks: Match<[Int]>) -> Match<RepeatSpec>? {
        guard ranks.value.allSatisfy({ $0 == -1 || (1...31).contains($0) }), ranks.value[0] > 0
        else { return nil }
        if let month = monthReference(ranks.end) { return monthDays(ranks.value, month) }
        let isDay =
            ranks.value.count > 1 || ranks.value[0] > 4 || isSign(ranks.end - 1, ".")
            || isGlued(ranks.end - 1)
        return isEdge(ranks.end) && isDay ? monthDays(ranks.value, Self.month(ranks.end)) : nil
    }

    func monthDays(_ days: [Int], _ month: Month) -> Match<RepeatSpec>? {
        switch month.day {
        case .month(let name, _, _):
            return (RepeatSpec(unit: .year, monthDays: days, months: [name]), month.end)
        case .period(.year, _, _), .period(.quarter, _, _): return nil
        default: return (RepeatSpec(unit: .month, monthDays: days), month.end)
        }
    }

    func nthOfMonth(_ values: [Int], _ weekday: Int, _ month: Month) -> Match<RepeatSpec>? {
        guard values.allSatisfy({ abs($0) <= 5 }) else { return nil }
        let days = values.map { RecurrenceRule.Day(weekday: weekday, ordinal: $0) }
        switch month.day {
        case .month(let name, _, _):
            return (RepeatSpec(unit: .year, weekdays: days, months: [name]), month.end)
        case .period(.quarter, _, _): return nil
        case .period(.year, _, _): return (RepeatSpec(unit: .year, weekdays: days), month.end)
        default: return (RepeatSpec(unit: .month, weekdays: days), month.end)
        }
    }

    // MARK: Counted in units

    /// "every half hour", "every 90 minutes", "every hour and a half"
    private func everyLength(_ index: Int) -> Match<RepeatSpec>? {
        var amount = amount(index)
        if amount == nil, unit(index)?.unit == .hour, has(index + 1, .and) {
            let half = skip(.article, from: index + 2)
            if has(half, .half) { amount = (Amount(1.5, .hour), half + 1) }
        }
        guard let amount, amount.value.isExact, amount.value.days == 0, amount.value.months == 0,
            amount.value.seconds >= 60,
            !isDigits(index) && number(index) == nil || amount.value.seconds % 3600 != 0
        else { return nil }
        let minutes = amount.value.seconds / 60
        let isHours = minutes % 60 == 0
        let spec = RepeatSpec(
            unit: isHours ? .hour : .minute, interval: isHours ? minutes / 60 : minutes)
        return (spec, amount.end)
    }

    /// "every 2 weeks", "every weekday morning", "every weekend", "every day"
    private func everyCount(_ index: Int) -> Match<RepeatSpec>? {
        var (count, next) = (1.0, index)
        if let number = number(index), token(number.end)?.lexeme.month == nil {
            guard (1...1000).contains(number.value) else { return nil }
            (count, next) = number
        }
        if isGlued(next) { next = skipSign("-", from: next) }
        return everyDayName(next, Int(count)) ?? everyUnit(next, count)
    }

    private func everyDayName(_ index: Int, _ count: Int) -> Match<RepeatSpec>? {
        var spec = RepeatSpec(unit: .week, interval: count)
        if let end = workdays(index), count == 1 {
            spec.weekdays = Self.workdays
            guard let part = partName(end) else { return (spec, end) }
            spec.parts = [part]
            return (spec, end + 1)
        }
        if has(index, .weekend) {
            spec.weekdays = Self.weekend
        } else if count > 1, let days = weekdayList(index) {
            // "every 2 mondays"
            spec.weekdays = days.value
            return (spec, days.end)
        } else if let part = partName(index), !has(index, .habitual) {
            (spec.unit, spec.parts) = (.day, [part])
            var end = index + 1
            while let joint = joint(end), joint.kind != .or, let part = partName(joint.end) {
                spec.parts.append(part)
                end = joint.end + 1
            }
            return (spec, end)
        } else {
            return nil
        }
        return (spec, index + 1)
    }

    private func everyUnit(_ index: Int, _ count: Double) -> Match<RepeatSpec>? {
        // A single letter is not a unit here, but "quarter" is.
        guard let token = token(index), let unit = token.lexeme.unit, !token.isPossessive,
            token.text.utf8.count > 1 || self.unit(index) != nil
        else { return nil }
        var (value, spec) = (count * token.lexeme.scale, RepeatSpec(unit: unit))
        switch unit {
        case .day where value != value.rounded(): (spec.unit, value) = (.hour, value * 24)
        case .quarter: (spec.unit, value) = (.month, value * 3)
        case .year where value != value.rounded(): (spec.unit, value) = (.month, value * 12)
        default: break
        }
        spec.interval = max(1, Int(value))
        switch spec.unit {
        case .hour:
            guard let minute = match(Self.minutes, index + 1) else { break }
            spec.minutes = [minute.value]
            return (spec, minute.end)
        case .week:
            // "every week monday", "every week on mon, wed": the list belongs to the
            // repetition.
            guard let days = weekdayList(skipSign(",", from: skip(.on, from: index + 1))) else {
                break
            }
            (spec.weekdays, spec.parts) = (days.value, partAfterDays(days.end))
            return (spec, days.end)
        default: break
        }
        return (spec, index + 1)
    }

    /// "every hour on the half hour"
    private static let minutes = PatternTable("date minutes") { Int($0) }

    // MARK: By name

    /// "every monday", "every mon and wed morning"
    private func everyWeekday(_ index: Int) -> Match<RepeatSpec>? {
        guard let days = weekdayList(index) else { return nil }
        let parts = partAfterDays(days.end)
        return (RepeatSpec(unit: .week, weekdays: days.value, parts: parts), days.end)
    }

    /// "every april", "every may and november"
    private func everyMonthName(_ index: Int) -> Match<RepeatSpec>? {
        guard let first = token(index)?.lexeme.month, tokens[index].kind == .word,
            !isDigits(index + 1), ordinal(skip(.the, from: index + 1)) == nil,
            let names = list(index, { at in token(at)?.lexeme.month.map { ($0, at + 1) } })
        else { return nil }
        let anchor = DaySpec.month(first, year: nil, .none)
        return (
            RepeatSpec(
                unit: .year, months: names.value, anchor: names.value.count == 1 ? anchor : nil),
            names.end
        )
    }

    /// "every june 12", "every 12 june"
    private func everyDate(_ index: Int) -> Match<RepeatSpec>? {
        guard let date = date(index, hasArticle: true),
            case .date(nil, let month, let day, _) = date.day,
            CivilDate(year: 2024, month: month, day: day) != nil
        else { return nil }
        return (RepeatSpec(unit: .year, anchor: date.day), date.end)
    }

    /// "every christmas"
    private func everyFeast(_ index: Int) -> Match<RepeatSpec>? {
        feast(index).map {
            (RepeatSpec(unit: .year, anchor: .holiday($0.value, year: nil)), $0.end)
        }
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
