import Base
import FoundationEssentials

/// All components of one UID combined: a master with its rules, and the
/// overrides (RECURRENCE-ID) that move, change or cancel single occurrences, or
/// one and all that follow (RANGE=THISANDFUTURE).
///
///     let series = OccurrenceSeries(components: file.components("VEVENT"), resolver: resolver)
///     for each in try series.occurrences(from: monday, to: sunday) {
///         // each.start ..< each.end, described by each.component
///     }
///
/// An override counts at the time it was moved to. One with a RECURRENCE-ID
/// that the rules do not produce, or that an EXDATE removes, still occurs; so
/// do overrides without a master. Of several revisions of one component the
/// newest is used (`ItemRevision`). The servers read the remaining properties.
package struct OccurrenceSeries: Sendable {
    private struct Master: Sendable {
        var component: Component
        var place: Int
        var set: RecurrenceSet
        var length: OccurrenceLength
        /// An upper bound for the length of an occurrence, in seconds.
        var reach: Int
    }

    private struct Override: Sendable {
        /// The occurrence it replaces, and its original time.
        var id: ItemTime
        var idSecond: Int
        var start: ItemTime
        var component: Component
        var place: Int
        var revision: ItemRevision
        var length: OccurrenceLength
        var isCancelled: Bool
    }

    /// The effect of an override with a RANGE on later occurrences.
    private struct Change: Sendable {
        var override: Override
        /// Seconds on the wall clock.
        var shift: Int
    }

    private let local: LocalTime
    /// One, except in files that contain a task both as done and as open under one UID; overrides
    /// belong to the first.
    private var masters: [Master] = []
    private var overrides: [Override] = []
    /// The changes in the order of the occurrences they change.
    private var changes: [Change] = []
    private var overriddenSeconds: Set<Int> = []
    private var overriddenDays: Set<Int> = []
    /// The days of all overrides.
    private var namedDays: Set<Int> = []

    /// Ignores components without a time.
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
        // The master with recurrence rules is the series.
        if let index = masters.firstIndex(where: \.set.isRecurring) { masters.swapAt(0, index) }
        for (place, component) in components.enumerated() {
            guard let line = component.first("RECURRENCE-ID") else { continue }
            add(override: component, at: place, line, resolver)
        }
        changes.sort { $0.override.idSecond < $1.override.idSecond }
    }

    /// The rules of the master.
    package var recurrence: RecurrenceSet? { masters.first?.set }

    /// The indexes of the overrides in effect.
    package var overridePlaces: [Int] { overrides.map(\.place) }

    /// Occurrences that overlap `from..<to`, ordered by start, at most `limit`.
    /// One of zero length overlaps where it starts. CANCELLED overrides are
    /// left out; those of a cancelled master are included.
    /// - Parameter startingThere: whether to return only those that start
    ///   within the interval.
    /// - Throws: `RecurrenceError` if that takes too long to find.
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
            // Shifts may change the order, so all have to be checked.
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

    /// The first occurrence that starts after that instant; nil after the last.
    /// - Throws: `RecurrenceError` if that takes too long to find.
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

    /// The end of an occurrence of the series itself with that start; nil
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
        // A day of the series is a day on the series' own clock.
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
        // A day refers to the same occurrence as a time on it.
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
                other.id.isDate || id.isDate
                    ? other.id.civilDate == id.civilDate : other.idSecond == override.idSecond
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

    /// The occurrence at a start of the series; nil if an override replaces or
    /// cancels it.
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

    /// The largest shifts to earlier and later (seconds, ≤ 0 and ≥ 0), with a
    /// day of margin for changes of the clocks and of the zone.
    private var shifts: (earlier: Int, later: Int) {
        guard !changes.isEmpty else { return (0, 0) }
        return changes.reduce((0, 0)) {
            (min($0.0, $1.shift - 86_400), max($0.1, $1.shift + 86_400))
        }
    }

    private var longestChange: Int { changes.map(\.override.length.longest).max() ?? 0 }

    /// The wall clock of `place` at that time.
    private func clock(of time: ItemTime, second: Int, where place: ItemTime) -> CivilDateTime {
        if time.isDate || place.isDate || time.zone == place.zone { return time.clock }
        return (place.zone ?? local.rules).civil(atSecond: second)
    }

    private func second(of time: ItemTime) -> Int { LocalTime.seconds(of: time.instant(in: local)) }

    private func idSecond(_ id: ItemTime) -> Int {
        masters.first?.set.second(of: id, in: local) ?? second(of: id)
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
