import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// A VEVENT (RFC 5545 §3.6.1) as a person thinks of it: what, from when until
/// when, where. One of a series, or the only one.
///
/// Which times a series has is `EventSeries`' business, changing one is
/// `EventEditor`'s.
package struct Event: CalendarItem {
    package enum Status: String, Sendable {
        case tentative = "TENTATIVE"
        case confirmed = "CONFIRMED"
        case cancelled = "CANCELLED"
    }

    package var fields: ItemFields
    package var start: ItemTime
    /// Exclusive; for a day the day after the last one.
    package var end: ItemTime
    package var status = Status.confirmed
    /// It takes no time: the user is still free then.
    package var isTransparent = false
    /// Of one occurrence of a series: the time the series gives it, which
    /// names it wherever it was moved.
    package var recurrenceID: ItemTime?
    /// This occurrence was changed apart from its series.
    package var isOverride = false
    /// When it rings next, where that was asked for (`EventBook.ringing`) and it does.
    package var rings: Date?
    /// It stands for more of its series than can be listed.
    package var repeatsTooOften = false

    package init(uid: String, title: String, start: ItemTime, end: ItemTime) {
        fields = ItemFields(uid: uid, title: title)
        self.start = start
        self.end = end
    }

    /// nil where the component has no start, which makes it no event of any
    /// day.
    package init?(_ component: Component, zones: ZoneResolver) {
        fields = ItemFields(component, zones)
        guard let start = fields.time("DTSTART", of: component, zones) else { return nil }
        self.start = start
        fields.time("DTEND", of: component, zones)
        end = fields.length(of: component, from: start, zones).end(of: start, in: zones.local)
        status =
            component.first("STATUS").flatMap { Status(rawValue: $0.value.uppercased()) }
            ?? .confirmed
        isTransparent = component.first("TRANSP")?.value.uppercased() == "TRANSPARENT"
        recurrenceID = component.first("RECURRENCE-ID").flatMap(CalendarMoment.init).map {
            zones.time($0).time
        }
        isOverride = recurrenceID != nil
    }

    /// Whether it is on no day, or stands for no occurrence that can be told.
    static func isLost(_ component: Component) -> Bool {
        component.first("DTSTART").flatMap(CalendarMoment.init) == nil
            || component.first("RECURRENCE-ID").map { CalendarMoment($0) == nil } == true
    }

    /// Why there is no event of that component.
    static func problem(_ component: Component) -> String {
        guard let start = component.first("DTSTART") else { return CalendarStore.Problem.noStart }
        let isRead = CalendarMoment(start) != nil
        return CalendarStore.Problem.unreadable(
            isRead ? component.first("RECURRENCE-ID") ?? start : start)
    }

    package var isAllDay: Bool { start.isDate }

    /// See `ItemText.marks`.
    var marks: String {
        ItemText.marks(repeats: repeats, rings: !fields.alarms.isEmpty)
    }

    /// It is one of several.
    var repeats: Bool { fields.isRecurring || isOverride }

    /// The user is busy then.
    package var isBusy: Bool { !isAllDay && !isTransparent && status != .cancelled }

    /// From the first instant to the end, as clocks here count them.
    package func interval(in local: LocalTime) -> Range<Date> {
        let from = start.instant(in: local)
        return from..<max(from, end.instant(in: local))
    }

    /// Whether any of it lies in there. An event without length counts at its
    /// instant.
    package func touches(_ window: Range<Date>, in local: LocalTime) -> Bool {
        let own = interval(in: local)
        if own.isEmpty { return window.contains(own.lowerBound) }
        return own.lowerBound < window.upperBound && own.upperBound > window.lowerBound
    }

    /// The days here that it touches, in order: for one that ends at midnight
    /// the day that begins then is not one.
    package func days(in local: LocalTime) -> ClosedRange<CivilDate> {
        let first = start.day(in: local)
        let last: CivilDate
        if isAllDay {
            last = end.civilDate.adding(days: -1)
        } else {
            let own = interval(in: local)
            last =
                own.isEmpty
                ? first : local.civil(at: own.upperBound.addingTimeInterval(-1)).date
        }
        return first...max(first, last)
    }

    /// The order of lists: whole days first on their day, then by time.
    package static func isBefore(
        _ left: Event, _ right: Event, in local: LocalTime
    ) -> Bool {
        let (first, second) = (left.start.instant(in: local), right.start.instant(in: local))
        if first != second { return first < second }
        if left.isAllDay != right.isAllDay { return left.isAllDay }
        let (end, other) = (left.end.instant(in: local), right.end.instant(in: local))
        if end != other { return end < other }
        return (left.fields.title, left.uid) < (right.fields.title, right.uid)
    }
}
