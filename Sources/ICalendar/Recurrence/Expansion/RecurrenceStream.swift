import Base

/// The times of one rule in a place, in the order of their instants.
///
/// Each wall-clock time is resolved separately: one that the clock skips is
/// moved later by as much, without affecting the next; for one that the clock
/// shows twice, the first is used. A rule whose steps are no longer than the
/// repeated hour includes the times of both passes, so that "every hour" stays
/// one hour apart.
struct RecurrenceStream: Sendable {
    struct Element: Sendable {
        var second: Int
        /// Seconds of a clock in UTC.
        var clock: Int
        /// Whether it is in the second pass, which a wall clock cannot express.
        var isSecondPass = false
    }

    private var expansion: RecurrenceExpansion
    private var zone: ZoneClock
    private let from: Int
    /// The last second of UNTIL.
    private let last: Int
    /// The shortest repetition that includes both passes.
    private let step: Int
    private var upcoming: Element?
    /// Times that are later than their clock reading, in order.
    private var late: [Element] = []
    private var latest: Int?

    /// - Parameters:
    ///   - from: times before this second are not returned.
    ///   - to: the search ends soon after this second.
    ///   - isExclusion: see `RecurrenceExpansion`.
    init(
        _ rule: RecurrenceRule, start: ItemTime, zone rules: TimeZoneRules, from: Int,
        to: Int = .max, isExclusion: Bool = false
    ) {
        // Two offsets, since a skipped time is read with the older; the bounds
        // keep the arithmetic safe.
        let bounded = min(max(from, -RecurrenceExpansion.endOfTime), RecurrenceExpansion.endOfTime)
        let offset = min(
            rules.state(at: bounded).offset, rules.state(at: bounded - 86_400).offset)
        let until = Self.until(rule.bound, start: start, zone: rules)
        last = until.second
        self.from = from
        zone = ZoneClock(rules)
        step =
            switch rule.frequency {
            case .hourly: rule.interval.multipliedReportingOverflow(by: 3600).partialValue
            case .minutely: rule.interval.multipliedReportingOverflow(by: 60).partialValue
            case .secondly: rule.interval
            default: .max
            }
        // No zone is a day away from UTC.
        let latestClock = min(to, RecurrenceExpansion.endOfTime) + 86_400
        var rule = rule
        if start.isDate {
            // A series of days has no clock (RFC 5545 §3.3.10).
            (rule.byHour, rule.byMinute, rule.bySecond) = ([], [], [])
        }
        expansion = RecurrenceExpansion(
            rule, start: start.clock, from: bounded + offset, last: min(until.clock, latestClock),
            isExclusion: isExclusion)
        // The expansion excludes DTSTART, but not its second pass.
        let own = start.clock.secondsAsUTC
        let answer = zone.second(of: own)
        if answer.kind == .repeated { addSecondPass(of: own, answer) }
    }

    /// The next time, or nil.
    mutating func next(_ budget: inout RecurrenceBudget) throws(RecurrenceError) -> Element? {
        while true {
            if upcoming == nil { try advance(&budget) }
            let element: Element
            if let first = late.first, first.second <= upcoming?.second ?? .max {
                element = first
                late.removeFirst()
            } else if let first = upcoming {
                element = first
                upcoming = nil
            } else {
                return nil
            }
            guard element.second != latest, element.second >= from, element.second <= last else {
                continue
            }
            latest = element.second
            return element
        }
    }

    private mutating func advance(_ budget: inout RecurrenceBudget) throws(RecurrenceError) {
        while upcoming == nil, let clock = try expansion.next(&budget) {
            let answer = zone.second(of: clock)
            let element = Element(second: answer.second, clock: clock)
            switch answer.kind {
            case .ordinary: upcoming = element
            case .skipped: late.append(element)
            case .repeated:
                upcoming = element
                addSecondPass(of: clock, answer)
            }
        }
    }

    private mutating func addSecondPass(of clock: Int, _ answer: ZoneClock.Answer) {
        guard step <= answer.change else { return }
        late.append(
            Element(second: answer.second + answer.change, clock: clock, isSecondPass: true))
    }

    /// The limits that UNTIL sets: the last second of elapsed time, and the last second shown
    /// by the wall clock.
    private static func until(
        _ bound: RecurrenceRule.Bound, start: ItemTime, zone: TimeZoneRules
    ) -> (second: Int, clock: Int) {
        guard case .until(let moment) = bound else {
            return (.max, RecurrenceExpansion.endOfTime)
        }
        let clock: Int
        switch moment {
        // The whole day: a day without a time means all of it.
        case .date(let date): clock = date.dayNumber * 86_400 + 86_399
        case .utc(let instant):
            let second = LocalTime.seconds(of: instant)
            // A series of days ends with the day as written.
            guard !start.isDate else { return (.max, second) }
            return (second, zone.civil(atSecond: second).secondsAsUTC + 86_400)
        case .floating(let civil), .zoned(let civil, _, _): clock = civil.secondsAsUTC
        }
        guard !start.isDate else { return (.max, clock) }
        return (zone.second(of: CivilDateTime(secondsAsUTC: clock)), clock)
    }
}

/// Converts many wall-clock times to instants: caches the interval with a
/// constant offset, since few times are near a change.
struct ZoneClock: Sendable {
    enum Kind: Sendable { case ordinary, skipped, repeated }

    struct Answer: Sendable {
        var second: Int
        var kind: Kind
        /// The size of the clock change, unless ordinary.
        var change = 0
    }

    private let rules: TimeZoneRules
    /// Clocks in `low..<high` have this offset only.
    private var (low, high, offset) = (0, 0, 0)

    private static let day = 86_400

    init(_ rules: TimeZoneRules) { self.rules = rules }

    /// The second of `clock`, both as seconds of a clock in UTC. Works like
    /// `TimeZoneRules.second(of:)`: a skipped time is moved later by the gap,
    /// and a repeated one is the first.
    mutating func second(of clock: Int) -> Answer {
        if clock >= low, clock < high { return Answer(second: clock - offset, kind: .ordinary) }
        // No zone is a day away from UTC, so this is before any change that
        // affects the clock.
        var at = clock - 2 * Self.day
        offset = rules.state(at: at).offset
        low = at + Self.day
        while let change = rules.transition(after: at) {
            let (before, after) = (change.before.offset, change.after.offset)
            high = change.second + min(before, after)
            if clock < high { return Answer(second: clock - offset, kind: .ordinary) }
            if clock < change.second + max(before, after) {
                high = low
                return Answer(
                    second: clock - before, kind: after > before ? .skipped : .repeated,
                    change: abs(after - before))
            }
            (at, low, offset) = (change.second, change.second + max(before, after), after)
        }
        high = .max
        return Answer(second: clock - offset, kind: .ordinary)
    }
}
