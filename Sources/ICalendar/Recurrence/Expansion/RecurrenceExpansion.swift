import Base

/// The times of one rule on a wall clock, in order and one at a time, as
/// seconds of a clock in UTC (`CivilDateTime.secondsAsUTC`). DTSTART itself is
/// not included, but counts as the first for COUNT; an exclusion rule includes
/// it if the rule names it.
///
///     FREQ              period   its set of times
///     YEARLY            year     allowed days     × BYHOUR × BYMINUTE × BYSECOND
///     MONTHLY           month    allowed days     × …
///     WEEKLY            week     allowed days     × …
///     DAILY             day      the day, if allowed × …
///     HOURLY            hour     the hour, if day and hour are allowed × BYMINUTE × BYSECOND
///     MINUTELY          minute   the minute, if allowed               × BYSECOND
///     SECONDLY          second   the second, if allowed
///
/// BYSETPOS picks from the set of one period, which begins with the period and
/// not with DTSTART. Periods that cannot contain a time are skipped, and the
/// one that contains `from` is computed directly. `RecurrenceStarts` handles
/// zones, UNTIL as an instant, RDATE and EXDATE. Pure.
struct RecurrenceExpansion: Sendable {
    private enum Period { case unit, week, month, year }

    private let period: Period
    /// Seconds of a unit or a week; months or years count as 1.
    private let unit: Int
    private let interval: Int
    /// The number of the period that contains DTSTART.
    private let origin: Int
    /// The first second that may be returned, and that COUNT counts.
    private let first: Int
    private let from: Int
    private let last: Int
    private let weekOffset: Int
    private let days: RecurrenceDays
    private let hasDayFilter: Bool
    private let setPositions: [Int]
    private let hours: [Int]
    private let minutes: [Int]
    private let seconds: [Int]
    /// Allowed values of the parts that limit rather than expand; nil allows all.
    private let hourLimit: UInt64?
    private let minuteLimit: UInt64?
    private let secondLimit: UInt64?

    private var nextIndex = 0
    private let lastIndex: Int
    /// Starts of days, or of the unit, of the current period.
    private var bases: [Int] = []
    /// The times of the period that BYSETPOS selects; unused without it.
    private var picked: [Int] = []
    private var position = 0
    private var size = 0
    /// Number of further occurrences that COUNT allows; nil without COUNT.
    private var remaining: Int?
    /// The month examined last: its first day, its length, its days.
    private var month = (first: 0, length: 0, bits: UInt32(0))

    /// The last second of the calendar, 9999-12-31T23:59:59.
    static let endOfTime = 253_402_300_799

    /// - Parameters:
    ///   - start: DTSTART on its wall clock.
    ///   - from: earlier times are counted but not returned.
    ///   - last: the last second that may be returned.
    /// - isExclusion: whether DTSTART itself is returned, if the rule names it.
    init(
        _ rule: RecurrenceRule, start: CivilDateTime, from: Int = .min,
        last: Int = RecurrenceExpansion.endOfTime, isExclusion: Bool = false
    ) {
        let own = start.secondsAsUTC
        first = isExclusion ? own : own + 1
        self.from = max(from, first)
        self.last = min(last, Self.endOfTime)
        let (period, unit): (Period, Int) =
            switch rule.frequency {
            case .yearly: (.year, 1)
            case .monthly: (.month, 1)
            case .weekly: (.week, 7 * 86_400)
            case .daily: (.unit, 86_400)
            case .hourly: (.unit, 3600)
            case .minutely: (.unit, 60)
            case .secondly: (.unit, 1)
            }
        self.period = period
        self.unit = unit
        interval = max(1, min(rule.interval, 9_999_999_999))
        days = RecurrenceDays(rule, start: start)
        hasDayFilter = !days.isEverything
        setPositions = rule.bySetPosition
        // 1 January 1970 was a Thursday, day 4.
        weekOffset = (rule.weekStart.rawValue - 4 + 7) % 7
        // A part of the clock finer than the frequency expands, the others
        // limit (RFC 5545 §3.3.10).
        let isUnit = period == .unit
        hours = isUnit && unit < 86_400 ? [0] : Self.times(rule.byHour, or: start.hour)
        minutes = isUnit && unit < 3600 ? [0] : Self.times(rule.byMinute, or: start.minute)
        // A leap second is treated as the second before it, as everywhere here.
        let bySecond = rule.bySecond.map { min($0, 59) }
        seconds = isUnit && unit < 60 ? [0] : Self.times(bySecond, or: start.second)
        hourLimit = isUnit && unit < 86_400 ? Self.mask(rule.byHour) : nil
        minuteLimit = isUnit && unit < 3600 ? Self.mask(rule.byMinute) : nil
        secondLimit = isUnit && unit < 60 ? Self.mask(bySecond) : nil
        if case .count(let count) = rule.bound {
            remaining = max(0, isExclusion ? count : count - 1)
        }
        origin = Self.number(
            of: own, period: period, unit: unit, weekOffset: weekOffset)
        lastIndex =
            (Self.number(of: self.last, period: period, unit: unit, weekOffset: weekOffset)
                - origin) / interval
        if self.from > self.last {
            nextIndex = lastIndex + 1
        } else if remaining == nil {
            nextIndex = index(of: self.from)
        }
        // If no set reaches these positions, there is nothing to search.
        let largest = largestSet
        if !setPositions.isEmpty, setPositions.allSatisfy({ abs($0) > largest }) {
            nextIndex = lastIndex + 1
        }
    }

    /// The next time, or nil.
    mutating func next(_ budget: inout RecurrenceBudget) throws(RecurrenceError) -> Int? {
        while remaining != 0 {
            if position < size {
                let time = element(position)
                position += 1
                if time > last { break }
                remaining = remaining.map { $0 - 1 }
                try budget.spend()
                return time
            }
            guard try loadPeriod(&budget) else { break }
        }
        nextIndex = lastIndex + 1
        size = 0
        return nil
    }

    /// Loads the next period that has times from `from` on.
    private mutating func loadPeriod(
        _ budget: inout RecurrenceBudget
    ) throws(RecurrenceError) -> Bool {
        while nextIndex <= lastIndex {
            try budget.spend()
            let index = nextIndex
            nextIndex += 1
            fill(index)
            guard !bases.isEmpty else { continue }
            pick()
            guard size > 0 else { continue }
            let first = firstPosition(notBefore: first)
            position = max(first, firstPosition(notBefore: from))
            if let left = remaining {
                guard left > position - first else { return false }
                remaining = left - (position - first)
                if position == size, index > 0 { skipEqualPeriods(after: index) }
            }
            if position < size { return true }
        }
        return false
    }

    /// Counts the periods up to `from` without visiting them, if each has as
    /// many times as this one.
    private mutating func skipEqualPeriods(after index: Int) {
        guard let left = remaining, period == .unit || period == .week,
            period == .unit ? !hasDayFilter : days.isWeekdaysOnly,
            hourLimit == nil, minuteLimit == nil, secondLimit == nil, size > 0
        else { return }
        // The periods in between, excluding the one that contains `from`.
        let between = min(self.index(of: from), lastIndex + 1) - index - 1
        guard between > 0 else { return }
        let skipped = min(between, left / size)
        remaining = left - skipped * size
        nextIndex += skipped
    }

    // MARK: The set of one period

    private mutating func fill(_ index: Int) {
        bases.removeAll(keepingCapacity: true)
        let number = origin + index * interval
        switch period {
        case .unit:
            let base = number * unit
            if let later = laterStart(base) {
                nextIndex = max(nextIndex, self.index(atOrAfter: later))
            } else {
                bases.append(base)
            }
        case .week:
            let first = number * 7 + weekOffset
            for day in first..<(first + 7) where isAllowed(day) { bases.append(day * 86_400) }
        case .month: fillMonth(year: number / 12, month: number % 12 + 1)
        case .year: for month in 1...12 { fillMonth(year: number, month: month) }
        }
    }

    private mutating func fillMonth(year: Int, month: Int) {
        let first = RecurrenceDays.dayNumber(year: year, month: month)
        var bits = days.bits(year: year, month: month, first: first)
        while bits != 0 {
            bases.append((first + bits.trailingZeroBitCount) * 86_400)
            bits &= bits - 1
        }
    }

    private mutating func isAllowed(_ day: Int) -> Bool {
        if days.isWeekdaysOnly {
            return days.weekdays == 0
                || days.weekdays >> UInt8(RecurrenceDays.weekday(day)) & 1 == 1
        }
        lookAtMonth(of: day)
        // The weeks at both ends of the calendar contain days beyond it.
        guard day >= month.first, day < month.first + month.length else { return false }
        return month.bits >> UInt32(day - month.first) & 1 == 1
    }

    private mutating func lookAtMonth(of day: Int) {
        guard day < month.first || day >= month.first + month.length else { return }
        let date = CivilDate(dayNumber: day)
        let first = RecurrenceDays.dayNumber(year: date.year, month: date.month)
        month = (
            first, CivilDate.days(inMonth: date.month, of: date.year),
            days.bits(year: date.year, month: date.month, first: first)
        )
    }

    /// The first time after `base` at which a unit may be allowed to begin; nil if
    /// one may begin at `base` itself.
    private mutating func laterStart(_ base: Int) -> Int? {
        let day = Self.floor(base, 86_400)
        if hasDayFilter {
            lookAtMonth(of: day)
            let bits = month.bits >> UInt32(day - month.first)
            if bits & 1 == 0 {
                let later =
                    bits == 0 ? month.first + month.length : day + bits.trailingZeroBitCount
                return later * 86_400
            }
        }
        let clock = base - day * 86_400
        if let later = Self.later(clock / 3600, hourLimit) {
            return day * 86_400 + min(later, 24) * 3600
        }
        if let later = Self.later(clock / 60 % 60, minuteLimit) {
            return base - clock % 3600 + min(later, 60) * 60
        }
        if let later = Self.later(clock % 60, secondLimit) {
            return base - clock % 60 + min(later, 60)
        }
        return nil
    }

    /// nil if `value` is in the set; else the next one in it, 64 after the last.
    private static func later(_ value: Int, _ set: UInt64?) -> Int? {
        guard let set else { return nil }
        let rest = set >> UInt64(value)
        return rest & 1 == 1 ? nil : value + rest.trailingZeroBitCount
    }

    private var timesOfDay: Int { hours.count * minutes.count * seconds.count }

    private var largestSet: Int {
        let largest =
            switch period {
            case .unit: 1
            case .week: days.weekdays == 0 ? 7 : days.weekdays.nonzeroBitCount
            case .month: 31
            case .year: 366
            }
        return largest * timesOfDay
    }

    private mutating func pick() {
        size = bases.count * timesOfDay
        guard !setPositions.isEmpty else { return }
        let all = size
        var indices = setPositions.map { $0 > 0 ? $0 - 1 : all + $0 }
        indices.removeAll { $0 < 0 || $0 >= all }
        indices.sort()
        picked.removeAll(keepingCapacity: true)
        for index in indices {
            let time = product(index)
            if picked.last != time { picked.append(time) }
        }
        size = picked.count
    }

    private func element(_ index: Int) -> Int {
        setPositions.isEmpty ? product(index) : picked[index]
    }

    /// The time at an index of the set. Base, hour, minute and second turn like
    /// the wheels of a counter, so times are computed in order without building it.
    private func product(_ index: Int) -> Int {
        var rest = index
        let second = seconds[rest % seconds.count]
        rest /= seconds.count
        let minute = minutes[rest % minutes.count]
        rest /= minutes.count
        let hour = hours[rest % hours.count]
        return bases[rest / hours.count] + hour * 3600 + minute * 60 + second
    }

    private func firstPosition(notBefore time: Int) -> Int {
        var (low, high) = (0, size)
        while low < high {
            let middle = (low + high) / 2
            if element(middle) < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Numbers of periods

    /// The index of the rule's period that contains `time`, or of the one before.
    private func index(of time: Int) -> Int {
        let number = Self.number(of: time, period: period, unit: unit, weekOffset: weekOffset)
        return max(0, (number - origin) / interval)
    }

    private func index(atOrAfter time: Int) -> Int {
        let number = Self.floor(time - 1, unit) + 1
        return max(0, (number - origin + interval - 1) / interval)
    }

    private static func number(of time: Int, period: Period, unit: Int, weekOffset: Int) -> Int {
        switch period {
        case .unit: return floor(time, unit)
        case .week: return floor(floor(time, 86_400) - weekOffset, 7)
        case .month, .year:
            let date = CivilDate(dayNumber: floor(time, 86_400))
            return period == .year ? date.year : date.year * 12 + date.month - 1
        }
    }

    private static func floor(_ value: Int, _ divisor: Int) -> Int {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    private static func times(_ values: [Int], or start: Int) -> [Int] {
        values.isEmpty ? [start] : Array(Set(values)).sorted()
    }

    private static func mask(_ values: [Int]) -> UInt64? {
        values.isEmpty ? nil : values.reduce(0) { $0 | 1 << UInt64($1) }
    }
}

/// Limits the steps of a search for a time, so that no rule in a file can block
/// us: a count, not a clock, so that the result is the same on every machine.
///
/// A step is a period looked at or a time found; some 20 to 200 nanoseconds.
struct RecurrenceBudget: Sendable {
    /// Maximum steps of an expansion: 684 years of days, 28 years of hours.
    static let steps = 250_000
    /// Cost of a returned time, so that no answer has more than 80,000.
    static let cost = 2

    private(set) var left = RecurrenceBudget.steps

    mutating func spend(_ steps: Int = 1) throws(RecurrenceError) {
        left -= steps
        if left < 0 { throw RecurrenceError(.tooExpensive) }
    }
}
