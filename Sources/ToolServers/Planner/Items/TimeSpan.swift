import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Start and end as stored in an event, computed from the given fields.
struct TimeSpan: Sendable, Equatable {
    var start: ItemTime
    /// Exclusive.
    var end: ItemTime

    /// Default length of an event without an end.
    static let usualLength = CalendarDuration(seconds: 3600)
    /// The longest event, in seconds, whose end is read as a time of the next day.
    private static let longestNight = 12.0 * 3600

    /// The span of a new event. A clock time alone is its next occurrence; a
    /// day as the end is the last day.
    static func new(
        _ start: DateField, _ end: DateField?, isAllDay: Bool, context: DateContext
    ) -> TimeSpan? {
        let local = context.local
        var first = start.next(in: context)
        if isAllDay { first = .date(first.day(in: local)) }
        guard let last = Self.end(end, after: first, context: context) else { return nil }
        return TimeSpan(start: first, end: last)
    }

    /// The end for a start, by default after the usual length; nil if the given one does not
    /// fit the start.
    static func end(
        _ end: DateField?, after start: ItemTime, context: DateContext
    ) -> ItemTime? {
        if case .date(let day) = start {
            switch end {
            case nil: return .date(day.adding(days: 1))
            case .day(let last)?: return .date(last.adding(days: 1))
            case .clock?, .time?: return nil
            }
        }
        switch end {
        case nil: return usualLength.added(to: start, in: context.local)
        case .day?: return nil
        case .time(let time)?: return time
        case .clock(let clock)?:
            let same = ItemTime(clock, on: start.day(in: context.local), in: context.local)
            let local = context.local
            if same.instant(in: local) > start.instant(in: local) { return same }
            // "23:00 to 1:00" ends on the next day; "17:00 to 14:00" is a mistake.
            let next = CalendarDuration(days: 1).added(to: same, in: local)
            let length = next.instant(in: local).timeIntervalSince(start.instant(in: local))
            return length <= longestNight || clock.clockText == "00:00" ? next : nil
        }
    }
}

extension ItemEdit {
    /// An event from a phrase; nil without a time.
    init?(event reading: ParsedPhrase, in context: DateContext) {
        guard let moment = reading.start else { return nil }
        let (start, end): (ItemTime, ItemTime)
        switch moment {
        case .date(let date):
            start = .date(date)
            // The last day, inclusive.
            end = .date(max(date, reading.end?.date ?? date).adding(days: 1))
        case .time:
            start = ItemTime(moment, of: reading, in: context)
            switch reading.end {
            case .time(let clock)?: end = ItemTime(.time(clock), of: reading, in: context)
            case .date?, nil: end = TimeSpan.usualLength.added(to: start, in: context.local)
            }
        }
        self.init(reading)
        (self.start, self.end) = (start, end)
    }
}
