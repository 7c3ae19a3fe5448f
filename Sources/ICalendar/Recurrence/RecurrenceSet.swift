import Base
import FoundationEssentials

/// The times of one recurring item: its start, its rules, the added times
/// (RDATE) and the excluded ones (EXDATE, EXRULE) (RFC 5545 §3.8.5).
///
/// The start is always the first time, whether or not the rules name it. Rules
/// use the wall clock of the start's zone. Occurrences that were moved or
/// changed one by one are handled by `OccurrenceSeries`.
package struct RecurrenceSet: Sendable, Equatable {
    /// DTSTART (for a VTODO without one, DUE): the first time, which provides
    /// the rules' clock time.
    package var start: ItemTime
    package var rules: [RecurrenceRule]
    package var added: [ItemTime]
    /// EXDATE: the times that are left out. A date leaves out every time on that day of the
    /// item's own clock.
    package var excluded: [ItemTime]
    /// EXRULE, from RFC 2445.
    package var exclusionRules: [RecurrenceRule]
    /// The ends of the added times that were written as a PERIOD.
    package var addedEnds: [ItemTime: ItemTime] = [:]
    /// Unreadable rules of the file, which are left out.
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

    /// Starts in `from..<to`, in order, at most `limit`.
    /// - Throws: `RecurrenceError` if that takes too long to find.
    package func starts(
        from: Date, to: Date, limit: Int = .max, in local: LocalTime
    ) throws(RecurrenceError) -> [ItemTime] {
        try times(from: Self.roundedUp(from), to: Self.roundedUp(to), limit: limit, in: local)
    }

    /// The first start after that instant, or nil.
    package func next(after: Date, in local: LocalTime) throws(RecurrenceError) -> ItemTime? {
        let from = LocalTime.seconds(of: after) + 1
        return try times(from: from, to: .max, limit: 1, in: local).first
    }

    /// The last start before that instant, or nil.
    package func previous(
        before: Date, in local: LocalTime
    ) throws(RecurrenceError) -> ItemTime? {
        let to = Self.roundedUp(before)
        let first = second(of: start, in: local)
        let earliest = added.reduce(first) { min($0, second(of: $1, in: local)) }
        var budget = RecurrenceBudget()
        // Growing windows, since a rule is searched forward only; a dense
        // window is halved.
        var (low, high, width) = (to, to, 3600)
        var last: ItemTime?
        while last == nil ? high > earliest : high - low > 1 {
            let middle = last == nil ? max(earliest, high - width) : low + (high - low) / 2
            var starts = RecurrenceStarts(self, from: middle, to: high, in: local)
            var count = 0
            var found: RecurrenceStarts.Found?
            while count < 64, let next = try starts.next(&budget), next.second < high {
                (found, count) = (next, count + 1)
            }
            if let found {
                (low, last) = (found.second, starts.time(of: found))
                if count < 64 { break }
            } else {
                high = middle
                width = min(width * 8, RecurrenceExpansion.endOfTime)
            }
        }
        return last
    }

    /// The first starts, at most `count`.
    package func first(_ count: Int, in local: LocalTime) throws(RecurrenceError) -> [ItemTime] {
        try times(from: .min, to: .max, limit: count, in: local)
    }

    /// Whether the item starts at exactly that time.
    package func contains(_ time: ItemTime, in local: LocalTime) throws(RecurrenceError) -> Bool {
        let second = second(of: time, in: local)
        return try !times(from: second, to: second + 1, limit: 1, in: local).isEmpty
    }

    /// Starts from that instant on, or all, computed on demand.
    package func starts(from: Date = .distantPast, in local: LocalTime) -> RecurrenceStarts {
        RecurrenceStarts(self, from: Self.roundedUp(from), in: local)
    }

    private func times(
        from: Int, to: Int, limit: Int, in local: LocalTime
    ) throws(RecurrenceError) -> [ItemTime] {
        var starts = RecurrenceStarts(self, from: from, to: to, in: local)
        var budget = RecurrenceBudget()
        var result: [ItemTime] = []
        while result.count < limit, let found = try starts.next(&budget), found.second < to {
            result.append(starts.time(of: found))
        }
        return result
    }

    /// The zone whose wall clock the rules use.
    func zone(in local: LocalTime) -> TimeZoneRules {
        if case .time(_, let zone?) = start { return zone }
        return local.rules
    }

    /// A time without a zone is in the item's own zone: programs leave the TZID
    /// out of an EXDATE.
    package func second(of time: ItemTime, in local: LocalTime) -> Int {
        switch time {
        case .date: LocalTime.seconds(of: time.instant(in: local))
        case .time(let clock, let zone): (zone ?? self.zone(in: local)).second(of: clock)
        }
    }

    /// Starts are whole seconds.
    private static func roundedUp(_ instant: Date) -> Int {
        LocalTime.seconds(
            of: Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.up)))
    }
}
