import AgentCore
import FoundationEssentials

/// The nearest alerts of an item that asks for very many: a rule by the
/// minute, or alarms by the hundred. Pure.
///
/// Each ringing of an occurrence (an alarm, one of its repetitions, the time
/// it is due) is a stream of its own, as far from the occurrences as it is. The
/// streams are looked into near one instant, on and back from it, and merged;
/// of none more is taken than is kept.
extension AlertReader {
    /// Of an item, after the instant and before it.
    static let nearestLimit = 100
    /// Ringings of one occurrence.
    static let ringingLimit = 48

    private struct Ringing {
        var place: Int
        /// Nil for the time it is due.
        var alarm: AlertAlarm?
        /// Which repetition.
        var number = 0
    }

    /// Small, since many are looked at.
    private struct Candidate {
        var instant: Date
        var first: Date
        var occurrence: Occurrence
    }

    func nearest(
        in series: OccurrenceSeries, _ items: [Item], _ search: inout Search
    ) -> [Alert] {
        let ringings = ringings(items, &search)
        var later: [Candidate] = []
        var isCut = false
        for ringing in ringings {
            // What comes after all that are kept is of no interest.
            let to = later.count < Self.nearestLimit ? search.to : later[later.count - 1].instant
            let found = look(
                series, ringing, items[ringing.place], from: search.near, to: to, &search)
            later = Self.merged(later, found)
            isCut = isCut || later.count > Self.nearestLimit || found.count >= Self.nearestLimit
            later = Array(later.prefix(Self.nearestLimit))
        }
        if isCut, let last = later.last?.instant {
            search.end = min(search.end ?? last, last)
            // More a day than anybody can be told of.
            if last < search.near.addingTimeInterval(86_400) { search.isCrowded = true }
        }
        var earlier: [Candidate] = []
        var (high, width) = (search.near, 60.0)
        while high > search.from, earlier.count < Self.nearestLimit, search.looks > 0 {
            let low = max(search.from, high.addingTimeInterval(-width))
            for ringing in ringings {
                let found = look(
                    series, ringing, items[ringing.place], from: low, to: high, &search)
                earlier = Array(Self.merged(found, earlier).suffix(Self.nearestLimit))
            }
            (high, width) = (low, width * 8)
        }
        return (earlier + later).map { found in
            let item = items[found.occurrence.place]
            return alert(
                item, name(of: found.occurrence), at: found.instant, first: found.first,
                item.isDue ? found.occurrence.end : found.occurrence.start)
        }
    }

    private func ringings(_ items: [Item], _ search: inout Search) -> [Ringing] {
        var ringings: [Ringing] = []
        for (place, item) in items.enumerated() where item.isOpen {
            if item.isDue { ringings.append(Ringing(place: place)) }
            for alarm in item.alarms {
                guard case .offset = alarm.trigger else { continue }
                ringings += (0...alarm.repeats).map {
                    Ringing(place: place, alarm: alarm, number: $0)
                }
            }
        }
        if ringings.count > Self.ringingLimit { search.isCrowded = true }
        return Array(ringings.prefix(Self.ringingLimit))
    }

    /// The first of one stream in `from..<to`.
    private func look(
        _ series: OccurrenceSeries, _ ringing: Ringing, _ item: Item, from: Date, to: Date,
        _ search: inout Search
    ) -> [Candidate] {
        guard from < to else { return [] }
        search.looks -= 1
        guard search.looks >= 0 else {
            search.isCrowded = true
            return []
        }
        let (offset, slack) = distance(ringing, in: series)
        let occurrences: [Occurrence]
        do throws(RecurrenceError) {
            occurrences = try series.occurrences(
                from: from.addingTimeInterval(-offset - slack),
                to: to.addingTimeInterval(-offset + slack), limit: Self.nearestLimit + 20,
                startingThere: true)
        } catch {
            search.isCrowded = true
            return []
        }
        return occurrences.compactMap { occurrence in
            guard occurrence.place == ringing.place else { return nil }
            let first =
                if let alarm = ringing.alarm { self.first(alarm, occurrence) } else {
                    dueInstant(of: occurrence, item)
                }
            guard let first else { return nil }
            let instant = first.addingTimeInterval(
                Double(ringing.number) * (ringing.alarm?.interval ?? 0))
            guard instant >= from, instant < to else { return nil }
            return Candidate(instant: instant, first: first, occurrence: occurrence)
        }
    }

    /// How long after its occurrence starts it rings, and what a change of the
    /// clocks may add or take.
    private func distance(
        _ ringing: Ringing, in series: OccurrenceSeries
    ) -> (offset: Double, slack: Double) {
        var length = 0.0
        if let start = series.recurrence?.start, let end = series.end(of: start) {
            length = end.instant(in: local).timeIntervalSince(start.instant(in: local))
        }
        guard case .offset(let duration, let fromEnd)? = ringing.alarm?.trigger else {
            return (length, 86_400)
        }
        let offset =
            Double(duration.days * 86_400 + duration.seconds) + (fromEnd ? length : 0)
            + Double(ringing.number) * (ringing.alarm?.interval ?? 0)
        return (offset, duration.days == 0 && !fromEnd ? 0 : 7_200)
    }

    /// Both in order, one for each instant: what rings for many occurrences at
    /// once is told of once, and always for the same of them.
    private static func merged(_ left: [Candidate], _ right: [Candidate]) -> [Candidate] {
        var all = left + right
        all.sort {
            ($0.instant, $0.occurrence.start.clock.secondsAsUTC)
                < ($1.instant, $1.occurrence.start.clock.secondsAsUTC)
        }
        var seen = Set<Int>()
        return all.filter { seen.insert(LocalTime.seconds(of: $0.instant)).inserted }
    }
}
