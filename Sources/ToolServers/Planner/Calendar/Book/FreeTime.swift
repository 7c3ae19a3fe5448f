import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials

/// Computes when the user is busy and when free: merged intervals, and the gaps in the
/// hours considered. Pure.
package enum FreeTime {
    /// The times taken by busy events, merged where they meet.
    package static func busy(_ events: [Event], in local: LocalTime) -> [Range<Date>] {
        let intervals = events.filter(\.isBusy).map { $0.interval(in: local) }
            .filter { !$0.isEmpty }
            .sorted { $0.lowerBound < $1.lowerBound }
        var merged: [Range<Date>] = []
        for interval in intervals {
            if let last = merged.last, interval.lowerBound <= last.upperBound {
                merged[merged.count - 1] =
                    last.lowerBound..<max(last.upperBound, interval.upperBound)
            } else {
                merged.append(interval)
            }
        }
        return merged
    }

    /// The hours of those days as instants, with their actual length on a day
    /// when the clocks change.
    package static func windows(
        _ days: ClosedRange<CivilDate>, _ hours: DayHours, in local: LocalTime
    ) -> [Range<Date>] {
        (days.lowerBound.dayNumber...days.upperBound.dayNumber).map { number in
            func instant(_ minutes: Int) -> Date {
                local.instant(
                    of: CivilDateTime(secondsAsUTC: number * 86_400 + minutes * 60))
            }
            let from = instant(hours.from)
            // Hours such as 22:00–2:00 end on the next day.
            let to = instant(hours.to <= hours.from ? hours.to + 24 * 60 : hours.to)
            return from..<max(from, to)
        }
    }

    /// The free parts of the windows, in pieces of at least `minimum`.
    package static func free(
        in windows: [Range<Date>], busy: [Range<Date>], after now: Date, minimum: Double
    ) -> [Range<Date>] {
        windows.flatMap { window in
            var pieces: [Range<Date>] = []
            var from = max(window.lowerBound, now)
            for interval in busy where interval.upperBound > from {
                if interval.lowerBound >= window.upperBound { break }
                if interval.lowerBound > from { pieces.append(from..<interval.lowerBound) }
                from = max(from, interval.upperBound)
            }
            if from < window.upperBound { pieces.append(from..<window.upperBound) }
            return pieces.filter {
                $0.upperBound.timeIntervalSince($0.lowerBound) >= max(minimum, 60)
            }
        }
    }

    /// The next full quarter of an hour: people do not meet at 14:03.
    package static func nextQuarter(after now: Date) -> Date {
        Date(timeIntervalSince1970: (now.timeIntervalSince1970 / 900).rounded(.up) * 900)
    }

    /// The indexes of the events that overlap each event, in order, at most `limit`.
    package static func conflicts(
        among events: [Event], limit: Int, in local: LocalTime
    ) -> [[Int]] {
        let intervals = events.map { $0.isBusy ? $0.interval(in: local) : nil }
        let order = events.indices.filter { intervals[$0]?.isEmpty == false }
            .sorted {
                intervals[$0]?.lowerBound ?? .distantPast < intervals[$1]?.lowerBound
                    ?? .distantPast
            }
        var found = events.map { _ in [Int]() }
        // Events still in progress when the next one begins.
        var open: [(place: Int, end: Date)] = []
        for place in order {
            guard let interval = intervals[place] else { continue }
            open.removeAll { $0.end <= interval.lowerBound }
            for (other, _) in open where events[other].uid != events[place].uid {
                if found[place].count < limit { found[place].append(other) }
                if found[other].count < limit { found[other].append(place) }
            }
            open.append((place, interval.upperBound))
        }
        return found.map { $0.sorted() }
    }

    /// The events that overlap that interval; an event without length takes no time.
    package static func conflicts(
        with event: Event, among events: [Event], in local: LocalTime
    ) -> [Event] {
        guard event.isBusy else { return [] }
        let own = event.interval(in: local)
        guard !own.isEmpty else { return [] }
        return events.filter { other in
            other.isBusy && other.uid != event.uid && other.interval(in: local).overlaps(own)
        }
    }
}
