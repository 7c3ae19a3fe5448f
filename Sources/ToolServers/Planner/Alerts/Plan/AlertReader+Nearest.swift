import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// Finds the nearest alerts of an item with very many: a rule for every minute, or hundreds
/// of alarms. Pure.
///
/// Each ringing of an occurrence (an alarm, one of its repetitions, the due
/// time) is a separate stream at a fixed distance from the occurrences. The
/// streams are searched near one instant, forwards and backwards, and merged;
/// no more is taken from any than is kept.
extension AlertReader {
    /// Maximum number of alerts of an item after the instant, and before it.
    static let nearestLimit = 100
    /// Maximum number of ringings of one occurrence.
    static let ringingLimit = 48

    private struct Ringing {
        var place: Int
        /// Nil for the time it is due or begins.
        var alarm: AlertAlarm?
        /// The number of the repetition.
        var number = 0
    }

    /// Small, since many are examined.
    private struct Candidate {
        var instant: Date
        var first: Date
        var occurrence: Occurrence
    }

    func nearest(
        in series: OccurrenceSeries, _ items: [Item], _ search: inout Search
    ) -> [Alert] {
        let ringings = ringings(items, &search)
        // Starts at the beginning of a minute, so that every scan finds the same alert in
        // it.
        let minute = LocalTime.seconds(of: search.near) / 60 * 60
        let near = max(search.from, Date(timeIntervalSince1970: Double(minute)))
        var later: [Candidate] = []
        // Up to here the result is complete.
        var end = search.to
        for ringing in ringings {
            guard
                let found = look(
                    series, ringing, of: items[ringing.place], from: near, to: end, &search)
            else { continue }
            if let last = found.end { end = min(end, last) }
            later = Self.merged(later, found.candidates).filter {
                $0.instant <= end && $0.instant < search.to
            }
            if later.count > Self.nearestLimit {
                later = Array(later.prefix(Self.nearestLimit))
                end = later[later.count - 1].instant
            }
        }
        if end < search.to {
            search.end = min(search.end ?? end, end)
            // More in a day than can be shown.
            if end < search.near.addingTimeInterval(86_400) { search.isCrowded = true }
        }
        var earlier: [Candidate] = []
        var (high, width) = (near, 60.0)
        // A span that cannot be searched completely is left out: the alerts reported as
        // missed must not depend on how far the search got.
        looking: while high > search.from, earlier.count < Self.nearestLimit {
            let low = max(search.from, high.addingTimeInterval(-width))
            var stretch: [Candidate] = []
            for ringing in ringings {
                guard
                    let found = look(
                        series, ringing, of: items[ringing.place], from: low, to: high, &search)
                else { break looking }
                if found.end != nil {
                    // Too many for one search.
                    width /= 4
                    if width < 1 { break looking }
                    continue looking
                }
                stretch = Self.merged(stretch, found.candidates.filter { $0.instant < high })
            }
            earlier = Array((stretch + earlier).suffix(Self.nearestLimit))
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
            if item.ringsItself { ringings.append(Ringing(place: place)) }
            for alarm in item.alarms {
                if case .at = alarm.trigger, offset(of: alarm, item) == nil { continue }
                ringings += (0...alarm.repeats).map {
                    Ringing(place: place, alarm: alarm, number: $0)
                }
            }
        }
        if ringings.count > Self.ringingLimit { search.isCrowded = true }
        return Array(ringings.prefix(Self.ringingLimit))
    }

    /// The first times of one stream in `from...to`.
    /// - Returns: with `end`, there are more after that instant; nil if the
    ///   stream cannot be followed that far.
    private func look(
        _ series: OccurrenceSeries, _ ringing: Ringing, of item: Item, from: Date, to: Date,
        _ search: inout Search
    ) -> (candidates: [Candidate], end: Date?)? {
        let (offset, slack) = distance(ringing, item, in: series)
        var low = from.addingTimeInterval(-offset - slack)
        // The slack may contain more than is read at once: it is covered in two steps, the first of
        // which allows for a change of the clocks.
        for margin in [3_700.0, 0, 0] where from <= to {
            search.looks -= 1
            guard search.looks >= 0 else { break }
            let occurrences: [Occurrence]
            do throws(RecurrenceError) {
                occurrences = try series.occurrences(
                    from: low, to: to.addingTimeInterval(-offset + slack + 1),
                    limit: Self.nearestLimit + 20, startingThere: true)
            } catch {
                search.looks -= Search.costOfFailure
                break
            }
            let all = occurrences.compactMap { candidate(ringing, $0, item) }
            let found = all.filter { $0.instant >= from && $0.instant <= to }
            guard occurrences.count >= Self.nearestLimit + 20, let last = all.last else {
                return (found, nil)
            }
            if last.instant >= from { return (found, min(last.instant, to)) }
            low = last.occurrence.start.instant(in: local)
                .addingTimeInterval(max(1, from.timeIntervalSince(last.instant) - margin))
        }
        search.isCrowded = true
        return nil
    }

    private func candidate(
        _ ringing: Ringing, _ occurrence: Occurrence, _ item: Item
    ) -> Candidate? {
        guard occurrence.place == ringing.place else { return nil }
        let first =
            if let alarm = ringing.alarm { self.first(alarm, occurrence, item) } else {
                dueInstant(of: occurrence, item)
            }
        guard let first else { return nil }
        let wait = Double(ringing.number) * (ringing.alarm?.interval ?? 0)
        return Candidate(
            instant: first.addingTimeInterval(wait), first: first, occurrence: occurrence)
    }

    /// The distance of a ringing from the start of its occurrence, and the
    /// slack for a change of the clocks.
    private func distance(
        _ ringing: Ringing, _ item: Item, in series: OccurrenceSeries
    ) -> (offset: Double, slack: Double) {
        var length = 0.0
        if let start = series.recurrence?.start, let end = series.end(of: start) {
            length = end.instant(in: local).timeIntervalSince(start.instant(in: local))
        }
        let passed = Double(ringing.number) * (ringing.alarm?.interval ?? 0)
        if let alarm = ringing.alarm, let offset = self.offset(of: alarm, item) {
            return (offset + length + passed, 86_400)
        }
        guard case .offset(let duration, let fromStart)? = ringing.alarm?.trigger else {
            return (item.isEvent ? -settings.eventLead : length, 86_400)
        }
        let offset =
            Double(duration.nominalSeconds) + (fromStart ? 0 : length) + passed
        return (offset, duration.days == 0 && fromStart ? 0 : 7_200)
    }

    /// Both in order, one per minute: an item that rings every second rings
    /// once a minute, always for the same occurrence.
    private static func merged(_ left: [Candidate], _ right: [Candidate]) -> [Candidate] {
        var all = left + right
        all.sort {
            ($0.instant, $0.occurrence.start.clock.secondsAsUTC)
                < ($1.instant, $1.occurrence.start.clock.secondsAsUTC)
        }
        var seen = Set<Int>()
        return all.filter { seen.insert(LocalTime.seconds(of: $0.instant) / 60).inserted }
    }
}
