import Base
import FoundationEssentials
import ICalendar

/// Resolves a worded repetition to a rule (RFC 5545 §3.3.10) and its first time from now
/// on.
struct RepeatResolver {
    private let base: Resolver
    private var spec = RepeatSpec()
    private var rule = RecurrenceRule(.daily)
    private var outcome = Resolver.Outcome()
    /// The earliest start; if anchored, exactly that day.
    private var lower: CivilDate?
    private var isAnchored = false
    /// The day named next to the rule.
    private var first: CivilDate?
    private var untilDate: CivilDate?

    init(_ base: Resolver) {
        self.base = base
        for more in base.selection.repeats.compactMap(\.recurrence) {
            spec = spec.merged(with: more) ?? spec
        }
        if base.selection.repeats.isEmpty { spec.unit = .day }
    }

    mutating func resolve() -> Resolver.Outcome {
        let resolver = base.days()
        if case .period(_, 0, .none)? = base.selection.from?.day {
            // "starting this month"
            (lower, isAnchored) = (base.now.date, true)
        } else if let from = base.selection.from?.day,
            let answer = resolver.resolve(from.at(.start))
        {
            (lower, isAnchored, outcome.isPast) = (answer.date, true, answer.isPast)
        }
        if let anchor = spec.anchor { takePart(anchor, of: nil) }
        takeDay()
        if let days = base.selection.days, case .stretch = days.value {
            outcome.returned.append(days)
        } else if let days = base.selection.days, case .days(let first, let second) = days.value {
            // "every day from march 10 to 14" is bounded by both.
            if let start = resolver.resolve(first) { (lower, isAnchored) = (start.date, true) }
            takeUntil(second, from: lower)
        }
        takeExcept()
        if spec.unit == nil {
            spec.unit = spec.monthDays.isEmpty ? (spec.weekdays.isEmpty ? .day : .week) : .month
        }
        if let anchor = spec.anchor,
            spec.months.isEmpty || (spec.monthDays.isEmpty && spec.weekdays.isEmpty),
            let answer = resolver.resolve(anchor), lower == nil
        {
            (lower, isAnchored) = (answer.date, true)
        }
        makeRule()
        let start = isSubDaily ? subDaily() : daily()
        outcome.start = start
        // "every monday on 12 march", a Thursday: the day does not match the rule.
        if let first, start.date != first {
            outcome.contradictory += [base.selection.day].compactMap { $0 }
        }
        outcome.isUnsure = spec.isVague && base.selection.repeats.count == 1
        outcome.repeatsFromCompletion = spec.isFromCompletion
        base.finish(&outcome)
        if isSubDaily { (outcome.end, outcome.isSpan, outcome.contradictory) = (nil, false, []) }
        takeBounds(start)
        // Easter moves: no rule can express "every easter", so only the next one is
        // certain.
        if case .holiday = spec.anchor, spec.months.isEmpty {
            outcome.isInexpressible = true
        } else {
            outcome.recurrence = rule
        }
        if base.isOver(start) { outcome.isPast = true }
        return outcome
    }

    private var isSubDaily: Bool { [.hour, .minute, .second].contains(spec.unit) }

    /// A day next to a repetition is part of the rule if it fits: "every month on the
    /// 15th", "every week … on monday".
    private mutating func takeDay() {
        guard let piece = base.selection.day, let day = piece.day else { return }
        let resolver = base.days()
        if takePart(day, of: piece) { return }
        // "every day this week", "every monday in june"
        if day.isWholePeriod, spec.unit != .month, spec.unit != .year {
            // A week ends with its last day.
            let last = (base.context.locale.firstWeekday.rawValue + 6) % 7
            let isWeek = if case .period(.week, _, _) = day { true } else { false }
            takeUntil(isWeek ? .weekdayIn(last, day) : day, from: nil)
            lower = resolver.resolve(day.at(.start)).map { max($0.date, base.now.date) }
            return
        }
        let time = base.time()
        let isAhead = time.map { base.isAhead(base.moment(base.now.date, $0)) } ?? false
        guard let answer = base.days(hasTime: time != nil, isTimeAhead: isAhead).resolve(day) else {
            return outcome.giveBack(piece)
        }
        (lower, isAnchored) = (max(lower ?? answer.date, answer.date), true)
        if piece.relation == .at { first = answer.date }
        outcome.isPast = outcome.isPast || answer.isPast
    }

    /// Adds the day to the rule, if the rule has no such part yet.
    @discardableResult
    private mutating func takePart(_ day: DaySpec, of piece: Piece?) -> Bool {
        guard spec.weekdays.isEmpty, spec.monthDays.isEmpty, spec.months.isEmpty else {
            return false
        }
        let days = piece?.days ?? [day]
        let weekdays = days.compactMap(\.bareWeekday).map { RecurrenceRule.Day(weekday: $0) }
        let unit = spec.unit ?? day.repeatedUnit
        switch (unit, day) {
        case (.week, .weekday(_, .bare)): spec.weekdays = weekdays
        case (.day, .weekday(_, .bare)) where spec.interval == 1 && piece?.relation == .at:
            (spec.unit, spec.weekdays) = (.week, weekdays)
            return true
        case (.week, .period(.week, _, .end)): spec.weekdays = [.init(.friday)]
        case (.month, .monthDay(let number, nil)): spec.monthDays = [number]
        case (.month, .period(_, _, .end)): spec.monthDays = [-1]
        case (.month, .period(_, 0, .start)), (.month, .period(_, 0, .early)):
            spec.monthDays = [1]
        case (.month, .period(.month, 0, .middle)): spec.monthDays = [15]
        case (.month, .nth(let ordinal, let weekday, .period)):
            spec.weekdays = [.init(weekday: weekday, ordinal: ordinal)]
        case (.year, .nth(let ordinal, let weekday, .month(let month, nil, _))),
            (.year, .holiday(.nth(let ordinal, let weekday, let month, 0), nil)):
            spec.months = [month]
            spec.weekdays = [.init(weekday: weekday, ordinal: ordinal)]
        case (.year, .date(nil, let month, let number, _)),
            (.year, .holiday(.fixed(let month, let number), nil)):
            (spec.months, spec.monthDays) = ([month], [number])
        default: return false
        }
        spec.unit = unit
        return true
    }

    private mutating func takeExcept() {
        guard let piece = base.selection.except, case .except(let days) = piece.value else {
            return
        }
        let excluded = days.compactMap(\.bareWeekday)
        if spec.weekdays.isEmpty, spec.unit == .day || spec.unit == nil {
            spec.weekdays = (1...7).map { .init(weekday: $0 % 7) }
            spec.unit = .week
        }
        let left = spec.weekdays.filter { !excluded.contains($0.weekday.rawValue) }
        if !left.isEmpty { spec.weekdays = left }
    }

    private mutating func makeRule() {
        let frequency: RecurrenceRule.Frequency =
            switch spec.unit {
            case .second: .secondly
            case .minute: .minutely
            case .hour: .hourly
            case .week: .weekly
            case .month, .quarter: .monthly
            case .year: .yearly
            default: .daily
            }
        rule = RecurrenceRule(frequency, interval: min(max(1, spec.interval), 1000))
        rule.byDay = spec.weekdays
        rule.byMonthDay = spec.monthDays
        rule.byMonth = spec.months
        rule.byMinute = spec.minutes
        if let position = spec.setPosition { rule.bySetPosition = [position] }
        rule.weekStart = .monday
    }

    // MARK: The first time

    private mutating func subDaily() -> ParsedPhrase.Moment {
        if let window, let times = times(in: window) {
            rule = RecurrenceRule(spec.weekdays.isEmpty ? .daily : .weekly)
            rule.byDay = spec.weekdays
            rule.byHour = Set(times.map(\.hour)).sorted()
            if spec.unit == .minute { rule.byMinute = Set(times.map(\.minute)).sorted() }
            return firstOf(times, spec.weekdays.isEmpty ? nil : rule)
        }
        // "every ten minutes this afternoon" ends with the afternoon.
        if window != nil || base.selection.part?.part?.day != nil {
            outcome.isInexpressible = true
        }
        if let time = base.time() {
            var date = lower ?? base.now.date
            if !base.isAhead(base.moment(date, time)) { date = date.adding(days: 1) }
            return .time(base.moment(date, time))
        }
        if let lower, lower > base.now.date {
            return .time(base.moment(lower, .init(hour: base.context.hours.morning, minute: 0)))
        }
        let now = base.now
        if let minute = spec.minutes.first,
            let clock = CivilDateTime(now.date, hour: now.hour, minute: minute)
        {
            let hour = base.isAhead(clock) ? 0 : 3600
            return .time(CivilDateTime(secondsAsUTC: clock.secondsAsUTC + hour))
        }
        let unit = spec.unit == .hour ? 3600 : spec.unit == .minute ? 60 : 1
        let clock = base.context.local.civil(
            at: base.context.now.addingTimeInterval(Double(unit * rule.interval)))
        let whole = Resolver.wholeMinute(clock)
        return .time(unit > 1 && base.isAhead(whole) ? whole : clock)
    }

    /// "every 30 minutes from 9 to 12", "every hour in the afternoon".
    private var window: (start: ClockResolver.Settled, end: ClockResolver.Settled)? {
        if let hours = base.selection.hours?.hours {
            return base.clocks.settle(from: hours.first, to: hours.last, part: base.dayPart)
        }
        guard base.selection.clock == nil, let part = base.dayPart ?? spec.parts.first,
            base.selection.part?.part?.day == nil
        else { return nil }
        let (start, end) = base.clocks.window(part)
        return (
            .init(hour: start, minute: 0),
            .init(hour: end % 24, minute: 0, dayShift: end <= start ? 1 : 0)
        )
    }

    /// The times of day within a window; nil if a rule's hours and minutes cannot express
    /// them.
    private func times(
        in window: (start: ClockResolver.Settled, end: ClockResolver.Settled)
    ) -> [ClockResolver.Settled]? {
        let minutes = spec.interval * (spec.unit == .hour ? 60 : 1)
        let (first, last) = (window.start.seconds / 60, window.end.seconds / 60)
        guard spec.unit != .second, minutes > 0, last > first, last - first < 1440 else {
            return nil
        }
        let all = stride(from: first, through: last, by: minutes).map {
            ClockResolver.Settled(hour: $0 / 60 % 24, minute: $0 % 60)
        }
        if spec.unit == .hour { return all }
        // Whole hours, each with the same minutes; the end itself is left out.
        guard 60 % minutes == 0, first % 60 == 0, last % 60 == 0 else { return nil }
        return Array(all.dropLast())
    }

    private func times() -> [ClockResolver.Settled] {
        if let count = spec.timesADay, base.clockSpecs.count < 2 {
            let hours =
                [2: [9, 21], 3: [8, 14, 20], 4: [8, 12, 16, 20], 5: [8, 11, 14, 17, 20]][count]
                ?? []
            if !hours.isEmpty { return hours.map { .init(hour: $0, minute: 0) } }
        }
        let parts = base.dayPart.map { [$0] } ?? spec.parts
        let part = parts.first
        if base.clockSpecs.count > 1 {
            return base.clockSpecs.map { base.clocks.settle($0, part: part) }
        }
        if let clock = base.clockSpecs.first { return [base.clocks.settle(clock, part: part)] }
        if let time = base.time(), base.selection.hours != nil { return [time] }
        return parts.map(base.clocks.usual)
    }

    private mutating func daily() -> ParsedPhrase.Moment {
        var times = times()
        if times.count == 1, base.selection.hours == nil,
            (base.dayPart ?? spec.parts.first) != .midnight,
            base.clockSpecs.first?.isMidnight == true
        {
            times[0].dayShift = 0
        }
        if times.count > 1 {
            rule.byHour = Set(times.map(\.hour)).sorted()
            if Set(times.map(\.minute)).count == 1, times[0].minute != 0 {
                rule.byMinute = [times[0].minute]
            }
        }
        let hasRule = !rule.byDay.isEmpty || !rule.byMonthDay.isEmpty || !rule.byMonth.isEmpty
        if !hasRule, !isAnchored, times.isEmpty {
            // No day is given: the first time is one interval later, but a daily repetition
            // starts today.
            let (today, unit) = (base.now.date, spec.unit ?? .day)
            if unit == .day, rule.interval == 1 { return .date(today) }
            outcome.others.append(.date(today))
            return .date(DateArithmetic.adding(Amount(Double(rule.interval), unit), to: today))
        }
        if times.isEmpty {
            return .date(firstDate(rule, from: max(lower ?? base.now.date, base.now.date)))
        }
        return firstOf(times, rule)
    }

    /// The first of several times of day that is still ahead.
    private func firstOf(
        _ times: [ClockResolver.Settled], _ rule: RecurrenceRule?
    ) -> ParsedPhrase.Moment {
        // In a zone that the phrase names, it may still be yesterday.
        var date = lower ?? base.now.date.adding(days: base.zone == nil ? 0 : -1)
        for _ in 0..<3 {
            if let rule { date = firstDate(rule, from: date) }
            let candidates = times.map { base.moment(date, $0) }.sorted()
            if let next = candidates.first(where: base.isAhead) { return .time(next) }
            if let lower, lower < base.now.date { date = max(date, base.now.date.adding(days: -1)) }
            date = date.adding(days: 1)
        }
        if let rule { date = firstDate(rule, from: max(date, base.now.date.adding(days: 1))) }
        return .time(base.moment(date, times.first ?? .init(hour: 9, minute: 0)))
    }

    /// The first day on or after `date` that matches the rule.
    private func firstDate(_ rule: RecurrenceRule, from date: CivilDate) -> CivilDate {
        var rule = rule
        (rule.interval, rule.byHour, rule.byMinute) = (1, [], [])
        if rule.byDay.isEmpty, rule.byMonthDay.isEmpty {
            if rule.byMonth.isEmpty { return date }
            rule.byMonthDay = [1]
        }
        // A start is always the first time, even if the rule does not match it.
        let set = RecurrenceSet(start: .date(date.adding(days: -1)), rules: [rule])
        // A rule that takes too long is judged by its start alone.
        return (try? set.first(2, in: base.context.local).last)?.civilDate ?? date
    }

    // MARK: Bounds

    private mutating func takeBounds(_ start: ParsedPhrase.Moment) {
        if let until = base.selection.until?.day {
            takeUntil(until, from: start.date)
        }
        if let untilDate = untilDate, untilDate >= start.date {
            rule.bound = .until(bound(untilDate, start))
        }
        if isSubDaily, case .time(let first) = start, let last = base.untilClock(after: first) {
            (outcome.end, outcome.isSpan) = (nil, false)
            rule.bound = .until(.utc(base.context.local.instant(of: last)))
        }
        if isSubDaily, let first, case .time(let clock) = start { takeDayAlone(first, clock) }
        if let piece = base.selection.count, case .count(let count) = piece.value {
            rule.bound = .count(count)
        }
        guard let piece = base.selection.duration, let amount = piece.duration else { return }
        if amount.isExact {
            if case .date = start { outcome.giveBack(piece) }
            return
        }
        outcome.end = outcome.end.flatMap { base.selection.hours == nil ? nil : $0 }
        if base.selection.hours == nil { outcome.isSpan = false }
        let (days, months, interval) = (amount.days, amount.months, rule.interval)
        let count: Int? =
            switch rule.frequency {
            case .daily where months == 0: days / interval * max(1, rule.byHour.count)
            case .weekly where months == 0 && days % 7 == 0:
                days / 7 / interval * max(1, rule.byDay.count) * max(1, rule.byHour.count)
            case .monthly where days == 0 && !rule.bySetPosition.isEmpty: months / interval
            case .monthly where days == 0:
                months / interval * max(1, rule.byDay.count, rule.byMonthDay.count)
            case .yearly where days == 0 && months % 12 == 0: months / 12 / interval
            default: nil
            }
        let last = DateArithmetic.adding(amount, to: start.date).adding(days: -1)
        rule.bound = count.map { .count(max(1, $0)) } ?? .until(bound(last, start))
    }

    /// "every hour from 9 to 5 tomorrow" is for that day alone.
    private mutating func takeDayAlone(_ day: CivilDate, _ start: CivilDateTime) {
        guard rule.bound == RecurrenceRule.Bound.none else { return }
        // The times of today's window may be over; a rule for several days has no end.
        if start.date != day { outcome.isPast = true }
        if base.selection.day?.days.count ?? 0 > 1 { outcome.isInexpressible = true }
        if let window {
            let times = (times(in: window) ?? []).map { base.moment(day, $0) }
            if window.end.dayShift > 0 { outcome.isInexpressible = true }
            rule.bound = .count(max(1, times.filter { $0 >= start }.count))
        } else if let last = CivilDateTime(day, hour: 23, minute: 59, second: 59) {
            rule.bound = .until(.utc(base.context.local.instant(of: last)))
        }
    }

    /// "until march" ends with its last day.
    private mutating func takeUntil(_ day: DaySpec, from start: CivilDate?) {
        let first = max(start ?? base.now.date, base.now.date)
        untilDate = base.days(from: first).resolve(day.at(.end))?.date
    }

    /// The UNTIL of a rule with times is in UTC (RFC 5545 §3.3.10).
    private func bound(_ date: CivilDate, _ start: ParsedPhrase.Moment) -> CalendarMoment {
        guard case .time(let clock) = start,
            // Every time of the last day counts: "twice a day until friday".
            let last = CivilDateTime(
                date, hour: rule.byHour.max() ?? clock.hour,
                minute: rule.byMinute.max() ?? clock.minute, second: clock.second)
        else {
            return .date(date)
        }
        return .utc(base.context.local.instant(of: last))
    }
}
