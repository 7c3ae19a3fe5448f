import AgentCore
import FoundationEssentials
import ICalendar

/// An event as a person thinks of it: what, from when until when, where.
/// One of a series, or the only one; read from a VEVENT by `EventComponent`.
///
/// A snapshot for showing and choosing; changes go to the file, through
/// `EventBook`.
package struct Event: Sendable, Equatable {
    package enum Status: String, Sendable {
        case tentative = "TENTATIVE"
        case confirmed = "CONFIRMED"
        case cancelled = "CANCELLED"
    }

    /// A VALARM's TRIGGER.
    package enum Alarm: Sendable, Equatable {
        /// From the start, before it when negative.
        case fromStart(CalendarDuration)
        case fromEnd(CalendarDuration)
        case at(Date)
    }

    package var uid: String
    package var title: String
    package var start: ItemTime
    /// Exclusive; for a day the day after the last one.
    package var end: ItemTime
    package var location: String?
    package var notes: String?
    package var categories: [String] = []
    package var status = Status.confirmed
    /// Takes no time: the person is free all the same.
    package var isTransparent = false
    /// The RRULE as it is written.
    package var rule: String?
    package var isRecurring = false
    package var alarms: [Alarm] = []
    /// Others are invited, or it is an invitation.
    package var hasAttendees = false
    /// The folder it lies in.
    package var calendar = ""
    package var path = ""
    /// Of one occurrence of a series: the time the series gives it, which
    /// names it wherever it was moved.
    package var recurrenceID: ItemTime?
    /// This occurrence was changed apart from its series.
    package var isOverride = false
    /// It stands for more of its series than can be listed.
    package var repeatsTooOften = false
    /// The file names a zone that nobody knows; its times are read as ours.
    package var unknownZone: String?
    /// What of its times cannot be followed, in words.
    package var problems: [String] = []

    package init(uid: String, title: String, start: ItemTime, end: ItemTime) {
        self.uid = uid
        self.title = title
        self.start = start
        self.end = end
    }

    package var isAllDay: Bool { start.isDate }

    /// The title, or words for none: other programs allow it to be missing.
    package var name: String { title.isEmpty ? "(no title)" : title }

    /// See `EventText.marks`.
    var marks: String {
        EventText.marks(repeats: isRecurring || isOverride, rings: !alarms.isEmpty)
    }

    /// Makes the person busy.
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
        return (left.title, left.uid) < (right.title, right.uid)
    }
}

/// What a new event is made of.
package struct EventDraft: Sendable, Equatable {
    package var title: String
    package var start: ItemTime
    /// Exclusive.
    package var end: ItemTime
    package var location: String?
    package var notes: String?
    package var categories: [String] = []
    package var rule: RecurrenceRule?
    /// From the start.
    package var alarm: CalendarDuration?
    package var calendar: String?

    package init(title: String, start: ItemTime, end: ItemTime) {
        self.title = title
        self.start = start
        self.end = end
    }
}
