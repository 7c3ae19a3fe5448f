import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// A VEVENT (RFC 5545 §3.6.1) as the user sees it: what, from when until when,
/// where. One of a series, or a single one.
///
/// `EventSeries` computes the times of a series, and `EventEditor` changes one.
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
    /// Whether the user is still free then.
    package var isTransparent = false
    /// The original time of an occurrence in its series, which identifies it
    /// even after it was moved.
    package var recurrenceID: ItemTime?
    /// Whether this occurrence was changed separately from its series.
    package var isOverride = false
    /// The time at which it rings next, if it does; only set by `EventBook.ringing`.
    package var rings: Date?
    /// Whether it represents more occurrences than can be listed.
    package var repeatsTooOften = false

    package init(uid: String, title: String, start: ItemTime, end: ItemTime) {
        fields = ItemFields(uid: uid, title: title)
        self.start = start
        self.end = end
    }

    /// nil if the component has no start, so that it is not an event of any day.
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

    /// Whether it has no readable day, or belongs to no identifiable occurrence.
    static func isLost(_ component: Component) -> Bool {
        component.first("DTSTART").flatMap(CalendarMoment.init) == nil
            || component.first("RECURRENCE-ID").map { CalendarMoment($0) == nil } == true
    }

    /// The reason why that component is not an event.
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

    /// Whether it is one of several.
    var repeats: Bool { fields.isRecurring || isOverride }

    /// Whether the user is busy then.
    package var isBusy: Bool { !isAllDay && !isTransparent && status != .cancelled }

    /// The interval from the first instant to the end, by the local clock.
    package func interval(in local: LocalTime) -> Range<Date> {
        let from = start.instant(in: local)
        return from..<max(from, end.instant(in: local))
    }

    /// Whether any of it is within the window. An event without length counts
    /// at its instant.
    package func touches(_ window: Range<Date>, in local: LocalTime) -> Bool {
        let own = interval(in: local)
        if own.isEmpty { return window.contains(own.lowerBound) }
        return own.lowerBound < window.upperBound && own.upperBound > window.lowerBound
    }

    /// The local days that it touches, in order; if it ends at midnight,
    /// without the day that begins then.
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

    /// The sort order of lists: all-day events first on their day, then by time.
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
