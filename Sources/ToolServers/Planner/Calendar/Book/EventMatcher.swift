import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Finds the occurrence that a title or an id refers to.
///
/// Future events take precedence over past ones: "move the dentist" refers to the next one.
package enum EventMatcher {
    typealias Found = (series: EventSeries, event: Event)

    /// - Parameter time: the occurrence must start then, or on that day. A
    ///   single event only needs to be in progress.
    static func match(
        _ query: String, in series: [EventSeries], after now: Date, at time: DateField? = nil,
        in local: LocalTime
    ) -> [Found] {
        let named = ItemMatcher.named(query, in: series)
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
            return starting.isEmpty ? all.filter { !$0.series.isRecurring } : starting
        }
        let coming = coming(named, after: now)
        if !coming.isEmpty { return coming }
        return named.map { series in
            // Without computable times it refers to the series itself.
            (series, ((try? series.last(before: now)) ?? nil) ?? series.subject)
        }
    }

    /// The series named in a message, with their next occurrence.
    static func coming(
        _ title: String, in series: [EventSeries], after now: Date
    ) -> [Found] {
        coming(
            ItemMatcher.named(title, in: series).filter {
                NamedInWords.fits(title, title: $0.subject.title)
            },
            after: now)
    }

    /// The times at which the next occurrences of those events begin.
    @Sendable package static func starts(
        _ title: String, in store: CalendarStore, _ context: DateContext
    ) async throws -> [ItemTime] {
        let files = try await store.files(CalendarStore.Selection(kind: "VEVENT")).files
        let series = files.flatMap { EventSeries.series(in: $0, context) }
        return coming(title, in: series, after: context.now).map(\.event.start)
    }

    static func coming(
        _ series: [EventSeries], after now: Date
    ) -> [Found] {
        series.compactMap { series in
            // A series whose rule cannot be read is left out.
            ((try? series.next(after: now)) ?? nil).map { (series, $0) }
        }
    }

    static func occurrences(
        of series: [EventSeries], in window: Range<Date>
    ) -> [Found] {
        series.flatMap { series in
            // A series whose rule cannot be read is left out.
            ((try? series.occurrences(in: window)) ?? []).map { (series, $0) }
        }
    }
}
