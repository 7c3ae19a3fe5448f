import Base
import FoundationEssentials

/// All components of one UID put together: a master with its rules, and the
/// overrides (RECURRENCE-ID) that move, change or cancel single occurrences,
/// or one and all that follow (RANGE=THISANDFUTURE).
///
///     let series = OccurrenceSeries(components: file.components("VEVENT"), resolver: resolver)
///     for each in try series.occurrences(from: monday, to: sunday) {
///         // each.start ..< each.end, described by each.component
///     }
///
/// An override counts where it was moved to. One of a RECURRENCE-ID that the
/// rules do not give, or that an EXDATE takes out, is there all the same; so
/// are overrides without a master. Of several revisions of one component the
/// newest holds (`ItemRevision`). What else the components say is for
/// the servers to read.
package struct OccurrenceSeries: Sendable {
    private struct Master: Sendable {
        var component: Component
        var place: Int
        var set: RecurrenceSet
        var length: OccurrenceLength
        /// No occurrence lasts longer, in seconds.
        var reach: Int
    }

    private struct Override: Sendable {
        /// What it stands for, and when that would have been.
        var id: ItemTime
        var idSecond: Int
        var start: ItemTime
        var component: Component
        var place: Int
        var revision: ItemRevision
        var length: OccurrenceLength
        var isCancelled: Bool
    }

    /// What an override with a RANGE does to those after it.
    private struct Change: Sendable {
        var override: Override
        /// Seconds on the wall clock.
        var shift: Int
    }

    private let local: LocalTime
    /// One, but for files that hold a task as done and as open under one UID;
    /// overrides belong to the first.
    private var masters: [Master] = []
    private var overrides: [Override] = []
    /// In the order of what they change.
    private var changes: [Change] = []
    private var overriddenSeconds: Set<Int> = []
    private var overriddenDays: Set<Int> = []
    /// Of all overrides.
    private var namedDays: Set<Int> = []

    /// Components without a time are left out.
    package init(components: [Component], resolver: ZoneResolver) {
        local = resolver.local
        for place in components.mainPlaces {
            let component = components[place]
            guard let set = RecurrenceSet(component: component, resolver: resolver) else {
                continue
            }
            let length = OccurrenceLength(component, start: set.start, resolver: resolver)
            var reach = length.longest
            for (start, end) in set.addedEnds {
                reach = max(reach, second(of: end) - second(of: start))
            }
            masters.append(
                Master(
                    component: component, place: place, set: set, length: length, reach: reach))
        }
        // The series is the one that repeats.
        if let index = masters.firstIndex(where: \.set.isRecurring) { masters.swapAt(0, index) }
        for (place, component) in components.enumerated() {
            guard let line = component.first("RECURRENCE-ID") else { continue }
            add(override: component, at: place, line, resolver)
        }
        changes.sort { $0.override.idSecond < $1.override.idSecond }
    }

    /// The rules of the master.
    package var recurrence: RecurrenceSet? { masters.first?.set }

    /// The places of the overrides that hold.
    package var overridePlaces: [Int] { overrides.map(\.place) }

    /// Occurrences that overlap `from..<to`, in the order of their starts, at
    /// most `limit`. One that lasts no time overlaps where it starts. Overrides
    /// that say CANCELLED are left out; those of a cancelled master are there.
    /// - Parameter startingThere: only those that start in the stretch of time.
    /// - Throws: `RecurrenceError` where that takes too long to find.
    package func occurrences(
        from: Date, to: Date, limit: Int = .max, startingThere: Bool = false
    ) throws(RecurrenceError) -> [Occurrence] {
        let (low, high) = (LocalTime.seconds(of: from), LocalTime.seconds(of: to))
        var result: [(second: Int, occurrence: Occurrence)] = []
        var budget = RecurrenceBudget()
        for (index, master) in masters.enumerated() {
            let (earlier, later) = index == 0 ? shifts : (0, 0)
            let longest = index == 0 ? max(master.reach, longestChange) : master.reach
            let reach = startingThere ? 0 : longest
            var starts = RecurrenceStarts(
                master.set, from: low - reach - later, to: high - earlier, in: local)
            var count = 0
            // Shifts may change the order, so that all have to be seen.
            while count < limit || !(earlier == 0 && later == 0),
                let found = try starts.next(&budget), found.second < high - earlier
            {
                guard let each = occurrence(found, starts.time(of: found), of: index),
                    overlaps(each, low, high), !startingThere || second(of: each.start) >= low
                else { continue }
                result.append((second(of: each.start), each))
                count += 1
            }
        }
        for override in overrides where !override.isCancelled {
            let each = occurrence(override)
            if startingThere, second(of: each.start) < low { continue }
            if overlaps(each, low, high) { result.append((second(of: each.start), each)) }
        }
        result.sort { $0.second < $1.second }
        return result.prefix(limit).map(\.occurrence)
    }

    /// The first occurrence that starts after that instant; nil for none.
    /// - Throws: `RecurrenceError` where that takes too long to find.
    package func next(after: Date) throws(RecurrenceError) -> Occurrence? {
        let low = LocalTime.seconds(of: after)
        var best: (second: Int, occurrence: Occurrence)?
        for override in overrides where !override.isCancelled {
            let second = second(of: override.start)
            if second > low, second < best?.second ?? .max { best = (second, occurrence(override)) }
        }
        var budget = RecurrenceBudget()
        for (index, master) in masters.enumerated() {
            let (earlier, later) = index == 0 ? shifts : (0, 0)
            var starts = RecurrenceStarts(master.set, from: low + 1 - later, in: local)
            while let found = try starts.next(&budget) {
                if let best, found.second + earlier > best.second { break }
                guard let each = occurrence(found, starts.time(of: found), of: index)
                else { continue }
                let second = second(of: each.start)
                if second > low, second < best?.second ?? .max { best = (second, each) }
            }
        }
        return best?.occurrence
    }

    /// The end of an occurrence of the series itself that starts then; nil
    /// without a master.
    package func end(of start: ItemTime) -> ItemTime? {
        guard let master = masters.first else { return nil }
        return master.set.addedEnds[start] ?? master.length.end(of: start, in: local)
    }

    // MARK: Putting together

    private mutating func add(
        override component: Component, at place: Int, _ line: ContentLine,
        _ resolver: ZoneResolver
    ) {
        guard let moment = CalendarMoment(line) else { return }
        // A day of the series is one of its own clock.
        let named = resolver.time(moment).time
        let id =
            masters.first.map {
                $0.set.start.isDate ? named : named.onClock(of: $0.set.start.zone, in: local)
            }
            ?? named
        let start = RecurrenceSet(component: component, resolver: resolver)?.start ?? id
        let override = Override(
            id: id, idSecond: idSecond(id), start: start, component: component, place: place,
            revision: ItemRevision(component, at: place),
            length: OccurrenceLength(component, start: start, resolver: resolver),
            isCancelled: component.first("STATUS")?.value.uppercased() == "CANCELLED")
        let day = id.civilDate.dayNumber
        let isKnown: Bool
        // A day names the same as a time on it.
        if id.isDate || masters.first?.set.start.isDate == true {
            isKnown = namedDays.contains(day)
            overriddenDays.insert(day)
        } else {
            isKnown =
                overriddenSeconds.contains(override.idSecond) || overriddenDays.contains(day)
            overriddenSeconds.insert(override.idSecond)
        }
        namedDays.insert(day)
        if isKnown {
            let isSame = { (other: Override) in
                Self.isSame(other.id, other.idSecond, id, override.idSecond)
            }
            if overrides.contains(where: { isSame($0) && $0.revision > override.revision }) {
                return
            }
            overrides.removeAll(where: isSame)
            changes.removeAll { isSame($0.override) }
        }
        overrides.append(override)
        guard line.parameter("RANGE")?.uppercased() == "THISANDFUTURE" else { return }
        let shift =
            start.clock.secondsAsUTC
            - clock(of: id, second: override.idSecond, where: start).secondsAsUTC
        changes.append(Change(override: override, shift: shift))
    }

    private func occurrence(_ override: Override) -> Occurrence {
        Occurrence(
            start: override.start, end: override.length.end(of: override.start, in: local),
            recurrenceID: override.id, component: override.component, place: override.place,
            isOverride: true)
    }

    /// nil where an override stands for it.
    private func occurrence(
        _ found: RecurrenceStarts.Found, _ time: ItemTime, of index: Int
    ) -> Occurrence? {
        let master = masters[index]
        let id = master.set.isRecurring ? time : nil
        if index == 0, !overrides.isEmpty {
            if overriddenSeconds.contains(found.second)
                || overriddenDays.contains(found.dayNumber)
            {
                return nil
            }
            if let change = changes.last(where: { $0.override.idSecond < found.second }) {
                if change.override.isCancelled { return nil }
                let clock = clock(
                    of: time, second: found.second, where: change.override.start)
                let start = change.override.start.with(
                    CivilDateTime(secondsAsUTC: clock.secondsAsUTC + change.shift))
                return Occurrence(
                    start: start, end: change.override.length.end(of: start, in: local),
                    recurrenceID: id, component: change.override.component,
                    place: change.override.place, isOverride: true)
            }
        }
        return Occurrence(
            start: time,
            end: master.set.addedEnds[time]
                ?? master.length.end(of: time, in: local),
            recurrenceID: id, component: master.component, place: master.place,
            isOverride: false)
    }

    /// How much earlier and later (seconds, ≤ 0 and ≥ 0) a change moves, with
    /// a day for the change of the clocks and of the zone.
    private var shifts: (earlier: Int, later: Int) {
        guard !changes.isEmpty else { return (0, 0) }
        return changes.reduce((0, 0)) {
            (min($0.0, $1.shift - 86_400), max($0.1, $1.shift + 86_400))
        }
    }

    private var longestChange: Int { changes.map(\.override.length.longest).max() ?? 0 }

    /// What the wall clock of `place` shows then.
    private func clock(of time: ItemTime, second: Int, where place: ItemTime) -> CivilDateTime {
        if time.isDate || place.isDate || time.zone == place.zone { return time.clock }
        return (place.zone ?? local.rules).civil(atSecond: second)
    }

    private func second(of time: ItemTime) -> Int { LocalTime.seconds(of: time.instant(in: local)) }

    private func idSecond(_ id: ItemTime) -> Int {
        masters.first?.set.second(of: id, in: local) ?? second(of: id)
    }

    private static func isSame(
        _ left: ItemTime, _ leftSecond: Int, _ right: ItemTime, _ rightSecond: Int
    )
        -> Bool
    {
        if left.isDate || right.isDate { return left.civilDate == right.civilDate }
        return leftSecond == rightSecond
    }

    private func overlaps(_ each: Occurrence, _ low: Int, _ high: Int) -> Bool {
        let start = second(of: each.start)
        guard start < high else { return false }
        var end = second(of: each.end)
        if end <= start, each.start.isDate {
            end = second(of: .date(each.start.civilDate.adding(days: 1)))
        }
        return end > low || (end <= start && start >= low)
    }
}
