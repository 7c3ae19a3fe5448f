import AgentCore
import FoundationEssentials
import ICalendar

/// Finds the one event that a title, a part of one or an id means; where more
/// than one fits, it says so and never picks.
///
/// Events to come win over past ones: who moves "the dentist" means the next.
/// Case, accents and spacing do not matter.
package enum EventMatcher {
    package enum Match: Sendable {
        case none
        case one(EventSeries, Event)
        case several([Event])
    }

    /// Shorter starts of an id are too likely to be a word.
    private static let shortestID = 4

    /// - Parameter time: the occurrence must start then, or on that day. What
    ///   does not repeat need only be going on.
    package static func match(
        _ query: String, in series: [EventSeries], after now: Date, at time: TimeArgument? = nil,
        in local: LocalTime
    ) -> Match {
        let named = named(query, in: series)
        if let time {
            let day = time.day(in: local)
            let window = local.start(of: day)..<local.start(of: day.adding(days: 1))
            let all = occurrences(of: named, in: window)
            let starting = all.filter { series, event in
                if case .time(let start) = time, !event.start.isDate, series.isRecurring {
                    return EventSeries.isSame(event.start, start, in: local)
                }
                return event.start.day(in: local) == day
            }
            return verdict(starting.isEmpty ? all.filter { !$0.series.isRecurring } : starting)
        }
        let coming = coming(named, after: now)
        if !coming.isEmpty { return verdict(coming) }
        return verdict(
            named.map { series in
                (series, ((try? series.last(before: now)) ?? nil) ?? series.subject)
            })
    }

    /// Those that a message names, with their next occurrence.
    static func coming(
        _ title: String, in series: [EventSeries], after now: Date
    ) -> [(series: EventSeries, event: Event)] {
        coming(
            named(title, in: series).filter { NamedInWords.fits(title, title: $0.subject.title) },
            after: now)
    }

    static func coming(
        _ series: [EventSeries], after now: Date
    ) -> [(series: EventSeries, event: Event)] {
        series.compactMap { series in
            // A series whose rule cannot be read is left out.
            ((try? series.next(after: now)) ?? nil).map { (series, $0) }
        }
    }

    static func occurrences(
        of series: [EventSeries], in window: Range<Date>
    ) -> [(series: EventSeries, event: Event)] {
        series.flatMap { series in
            // A series whose rule cannot be read is left out.
            ((try? series.occurrences(in: window)) ?? []).map { (series, $0) }
        }
    }

    /// Those whose id or title it is; else those it is a part of. Of a series
    /// in which only some occurrences have such a title, these.
    static func named(_ query: String, in series: [EventSeries]) -> [EventSeries] {
        let wanted = SearchText.folded(query)
        guard !wanted.isEmpty else { return [] }
        let ids = series.filter { SearchText.folded($0.uid) == wanted }
        if !ids.isEmpty { return ids }
        let exact = series.compactMap { series in
            series.narrowed { SearchText.folded($0.title) == wanted }
        }
        if !exact.isEmpty { return exact }
        return series.compactMap { series in
            if wanted.utf8.count >= shortestID, SearchText.folded(series.uid).hasPrefix(wanted) {
                return series
            }
            return series.narrowed { SearchText.folded($0.title).firstRange(of: wanted) != nil }
        }
    }

    /// Whether any of the words a person looks for is there: in title, notes,
    /// place and categories.
    static func contains(_ wanted: String, _ event: Event) -> Bool {
        ([event.title, event.notes ?? "", event.location ?? ""] + event.categories).contains {
            SearchText.folded($0).firstRange(of: wanted) != nil
        }
    }

    /// The shortest start of each id, of eight letters or more, that no other
    /// has: what lists show and `match` understands.
    package static func shortIDs(_ uids: [String]) -> [String: String] {
        let uids = Set(uids).sorted()
        var result: [String: String] = [:]
        for (index, uid) in uids.enumerated() {
            let before = index > 0 ? commonPrefix(uids[index - 1], uid) : 0
            let after = index + 1 < uids.count ? commonPrefix(uid, uids[index + 1]) : 0
            // A foreign id may hold line breaks; `match` folds them alike.
            result[uid] = TextValue.oneLine(String(uid.prefix(max(8, before + 1, after + 1))))
        }
        return result
    }

    private static func verdict(_ found: [(EventSeries, Event)]) -> Match {
        switch found.count {
        case 0: .none
        case 1: .one(found[0].0, found[0].1)
        default: .several(found.map(\.1))
        }
    }

    private static func commonPrefix(_ left: String, _ right: String) -> Int {
        zip(left, right).prefix { $0 == $1 }.count
    }
}
