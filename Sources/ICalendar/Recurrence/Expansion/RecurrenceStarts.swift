import Base
import FoundationEssentials

/// The starts of a `RecurrenceSet` one after the other, each computed on
/// demand: rules and added times merged in the order of their instants, each
/// instant once, without the excluded ones.
///
/// As a sequence it ends at an error, which is then in `error`; `nextStart`
/// throws it. The budget applies to finding one start.
package struct RecurrenceStarts: Sequence, IteratorProtocol, Sendable {
    /// A start during the search. It is small, since a search passes many and returns few as
    /// `ItemTime`.
    struct Found: Sendable {
        var second: Int
        /// Seconds of a clock in UTC.
        var clock: Int
        fileprivate var isSecondPass = false
        /// The start's index among the added times, if it is one.
        fileprivate var added: Int?

        var dayNumber: Int { (clock - (clock % 86_400 + 86_400) % 86_400) / 86_400 }
    }

    package private(set) var error: RecurrenceError?
    private var sources: [Source]
    private var exclusions: [Exclusion]
    private let start: ItemTime
    private let addedTimes: [ItemTime]
    /// DTSTART and the added times, the last first.
    private var added: [Found]
    private let excludedSeconds: Set<Int>
    private let excludedDays: Set<Int>
    private var latest: Int?

    private struct Source: Sendable {
        var stream: RecurrenceStream
        var head: RecurrenceStream.Element?
        var hasEnded = false

        mutating func peek(
            _ budget: inout RecurrenceBudget
        ) throws(RecurrenceError) -> RecurrenceStream.Element? {
            if head == nil, !hasEnded {
                head = try stream.next(&budget)
                hasEnded = head == nil
            }
            return head
        }
    }

    private typealias Exclusion = Source

    /// - Parameter to: the search ends at about this second.
    init(_ set: RecurrenceSet, from: Int, to: Int = .max, in local: LocalTime) {
        start = set.start
        let zone = set.zone(in: local)
        let streams = { (rules: [RecurrenceRule], isExclusion: Bool) in
            rules.map {
                Source(
                    stream: RecurrenceStream(
                        $0, start: set.start, zone: zone, from: from, to: to,
                        isExclusion: isExclusion))
            }
        }
        sources = streams(set.rules, false)
        exclusions = streams(set.exclusionRules, true)
        var added: [Found] = []
        addedTimes = set.added
        for (index, time) in set.added.enumerated() {
            let second = set.second(of: time, in: local)
            guard second >= from, second < to else { continue }
            added.append(
                Found(second: second, clock: time.clock.secondsAsUTC, added: index))
        }
        let own = set.second(of: set.start, in: local)
        if own >= from { added.append(Found(second: own, clock: set.start.clock.secondsAsUTC)) }
        if added.count > 1 { added.sort { $0.second > $1.second } }
        self.added = added
        var (seconds, days): (Set<Int>, Set<Int>) = ([], [])
        for time in set.excluded {
            if time.isDate || set.start.isDate {
                days.insert(time.civilDate.dayNumber)
            } else {
                seconds.insert(set.second(of: time, in: local))
            }
        }
        (excludedSeconds, excludedDays) = (seconds, days)
    }

    package mutating func next() -> ItemTime? {
        do {
            return try nextStart()
        } catch {
            self.error = error
            return nil
        }
    }

    /// - Throws: `RecurrenceError` if it takes too long to find; again on every
    ///   later call.
    package mutating func nextStart() throws(RecurrenceError) -> ItemTime? {
        if let error { throw error }
        var budget = RecurrenceBudget()
        return try next(&budget).map(time)
    }

    mutating func next(_ budget: inout RecurrenceBudget) throws(RecurrenceError) -> Found? {
        while let found = try nextCandidate(&budget) {
            try budget.spend(RecurrenceBudget.cost)
            guard found.second != latest else { continue }
            latest = found.second
            if excludedSeconds.contains(found.second) { continue }
            if !excludedDays.isEmpty, excludedDays.contains(found.dayNumber) { continue }
            if try isExcludedByRule(found.second, &budget) { continue }
            return found
        }
        return nil
    }

    private mutating func nextCandidate(
        _ budget: inout RecurrenceBudget
    ) throws(RecurrenceError) -> Found? {
        var (best, element): (Int?, RecurrenceStream.Element?) = (nil, nil)
        for index in sources.indices {
            guard let head = try sources[index].peek(&budget) else { continue }
            if head.second < element?.second ?? .max { (best, element) = (index, head) }
        }
        // An added time precedes a rule's time, since it may have its own end.
        if let first = added.last, first.second <= element?.second ?? .max {
            added.removeLast()
            return first
        }
        guard let best, let element else { return nil }
        sources[best].head = nil
        return Found(
            second: element.second, clock: element.clock, isSecondPass: element.isSecondPass)
    }

    private mutating func isExcludedByRule(
        _ second: Int, _ budget: inout RecurrenceBudget
    ) throws(RecurrenceError) -> Bool {
        for index in exclusions.indices {
            while let head = try exclusions[index].peek(&budget), head.second <= second {
                if head.second == second { return true }
                exclusions[index].head = nil
            }
        }
        return false
    }

    func time(of found: Found) -> ItemTime {
        if let index = found.added { return addedTimes[index] }
        return found.isSecondPass
            ? .time(CivilDateTime(secondsAsUTC: found.second), zone: .utc)
            : start.with(CivilDateTime(secondsAsUTC: found.clock))
    }
}
