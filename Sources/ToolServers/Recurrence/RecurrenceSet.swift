import AgentCore
import FoundationEssentials

/// The times of one recurring item: its start, its rules, the times added
/// (RDATE) and those taken out (EXDATE, EXRULE) (RFC 5545 §3.8.5).
///
/// The start is always the first time, whether or not the rules name it.
/// Rules run on the wall clock of the start's place. Occurrences that were
/// moved or changed one by one are `OccurrenceSeries`' business.
package struct RecurrenceSet: Sendable, Equatable {
    /// DTSTART (of a VTODO without one, DUE): the first time, which the rules
    /// take their clock from.
    package var start: ItemTime
    package var rules: [RecurrenceRule]
    package var added: [ItemTime]
    /// A day takes out every time on that day of the item's own clock.
    package var excluded: [ItemTime]
    /// EXRULE, which RFC 2445 had.
    package var exclusionRules: [RecurrenceRule]
    /// The ends of those added times that were written as a PERIOD.
    package var addedEnds: [ItemTime: ItemTime] = [:]
    /// Rules of the file that could not be read, and are left out.
    package var problems: [RecurrenceError] = []

    package init(
        start: ItemTime, rules: [RecurrenceRule] = [], added: [ItemTime] = [],
        excluded: [ItemTime] = [], exclusionRules: [RecurrenceRule] = []
    ) {
        self.start = start
        self.rules = rules
        self.added = added
        self.excluded = excluded
        self.exclusionRules = exclusionRules
    }

    package var isRecurring: Bool { !rules.isEmpty || !added.isEmpty }

    /// Whether a rule has neither COUNT nor UNTIL.
    package var isEndless: Bool { rules.contains { $0.bound == .none } }

    /// Starts in `from..<to`, in order, at most `limit`.
    /// - Throws: `RecurrenceError` where that takes too long to find.
    package func starts(
        from: Date, to: Date, limit: Int = .max, in local: LocalTime
    ) throws(RecurrenceError) -> [ItemTime] {
        try found(from: Self.roundedUp(from), to: Self.roundedUp(to), limit: limit, in: local)
            .map(\.time)
    }

    /// The first start after that instant; nil when there is none.
    package func next(after: Date, in local: LocalTime) throws(RecurrenceError) -> ItemTime? {
        let from = LocalTime.seconds(of: after) + 1
        return try found(from: from, to: .max, limit: 1, in: local).first?.time
    }

    /// The last start before that instant; nil when there is none.
    package func previous(
        before: Date, in local: LocalTime
    ) throws(RecurrenceError) -> ItemTime? {
        let to = Self.roundedUp(before)
        let first = second(of: start, in: local)
        let earliest = added.reduce(first) { min($0, second(of: $1, in: local)) }
        var budget = RecurrenceBudget()
        // Windows that grow, since a rule is found from a time on, not back
        // from one.
        var (high, width) = (to, guessedGap)
        while high > earliest {
            let low = max(earliest, high - width)
            var starts = RecurrenceStarts(self, from: low, in: local)
            var last: ItemTime?
            while let found = try starts.next(&budget), found.second < high { last = found.time }
            if let last { return last }
            high = low
            width = width > Self.endOfTime ? width : width * 8
        }
        return nil
    }

    /// The first starts of all, at most so many.
    package func first(_ count: Int, in local: LocalTime) throws(RecurrenceError) -> [ItemTime] {
        try found(from: .min, to: .max, limit: count, in: local).map(\.time)
    }

    /// How many starts come after that instant, counted up to `limit`.
    package func remaining(
        after: Date, atMost limit: Int, in local: LocalTime
    ) throws(RecurrenceError) -> Int {
        let from = LocalTime.seconds(of: after) + 1
        return try found(from: from, to: .max, limit: limit, in: local).count
    }

    /// Whether the item starts at exactly that time.
    package func contains(_ time: ItemTime, in local: LocalTime) throws(RecurrenceError) -> Bool {
        let second = second(of: time, in: local)
        return try !found(from: second, to: second + 1, limit: 1, in: local).isEmpty
    }

    /// Starts from that instant on, or all, one by one as they are asked for.
    package func starts(from: Date = .distantPast, in local: LocalTime) -> RecurrenceStarts {
        RecurrenceStarts(self, from: Self.roundedUp(from), in: local)
    }

    func found(
        from: Int, to: Int, limit: Int, in local: LocalTime
    ) throws(RecurrenceError) -> [RecurrenceStarts.Found] {
        var starts = RecurrenceStarts(self, from: from, in: local)
        var budget = RecurrenceBudget()
        var result: [RecurrenceStarts.Found] = []
        while result.count < limit, let found = try starts.next(&budget), found.second < to {
            result.append(found)
        }
        return result
    }

    /// The place whose wall clock the rules run on.
    func zone(in local: LocalTime) -> TimeZoneRules {
        if case .time(_, let zone?) = start { return zone }
        return local.rules
    }

    /// A time without a place is of the item's own place: programs leave the
    /// TZID out of an EXDATE.
    func second(of time: ItemTime, in local: LocalTime) -> Int {
        switch time {
        case .date: LocalTime.seconds(of: time.instant(in: local))
        case .time(let clock, let zone): (zone ?? self.zone(in: local)).second(of: clock)
        }
    }

    private static let endOfTime = RecurrenceExpansion.endOfTime

    /// About two periods of the slowest rule.
    private var guessedGap: Int {
        rules.reduce(86_400) { gap, rule in
            let period =
                switch rule.frequency {
                case .secondly: 1
                case .minutely: 60
                case .hourly: 3600
                case .daily: 86_400
                case .weekly: 7 * 86_400
                case .monthly: 31 * 86_400
                case .yearly: 366 * 86_400
                }
            return max(gap, min(rule.interval, Self.endOfTime / period) * period * 2)
        }
    }

    /// Starts are whole seconds.
    private static func roundedUp(_ instant: Date) -> Int {
        LocalTime.seconds(
            of: Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.up)))
    }
}
