import AgentCore
import FoundationEssentials
import ICalendar

/// A day or a time as it was typed or given: a day, a clock without a day, or
/// both; in ISO 8601 or in the words of the date language. Pure.
package enum TimeArgument: Sendable, Equatable {
    case day(CivilDate)
    case clock(CivilDateTime)
    case time(ItemTime)

    /// Words that are no time, and which would be.
    package struct Problem: Error, Sendable, Equatable {
        var text: String
        var reason: ISO8601.Failure.Reason

        package var sentence: String {
            let why =
                switch reason {
                case .noSuchDate: "names a day the calendar does not have"
                case .noSuchTime: "names a time the clock does not have"
                case .noSuchOffset: "has an offset from UTC that cannot be read"
                case .notADate, .trailingText: "is no time that can be read"
                }
            return "\"\(text.prefix(60))\" \(why); use \(ISO8601.accepted)"
        }
    }

    package init(
        _ text: String, context: DateContext, parse: (String) -> Reading
    ) throws(Problem) {
        do throws(ISO8601.Failure) {
            switch try ISO8601.parse(text) {
            case .date(let date): self = .day(date)
            case .local(let clock): self = .time(.time(clock, zone: context.local.rules))
            case .instant(let instant): self = .time(ItemTime(instant, in: context.local))
            }
        } catch {
            if let clock = Self.clock(text, on: context.local.civil(at: context.now).date) {
                self = .clock(clock)
                return
            }
            guard error.reason == .notADate, let read = Self.read(parse(text), context) else {
                throw Problem(text: text, reason: error.reason)
            }
            self = read
        }
    }

    /// What a reading says about when; nil where it says nothing, or where
    /// words are left that are no date.
    package static func read(_ reading: Reading, _ context: DateContext) -> TimeArgument? {
        guard !reading.spans.isEmpty, !reading.hasOwnTitle,
            !reading.doubts.contains(.leftover), reading.recurrence == nil
        else { return nil }
        switch reading.start {
        case nil: return nil
        case .date(let date)?: return .day(date)
        case .time(let clock)?:
            let parts = Set(reading.spans.map(\.part))
            if parts.contains(.time), !parts.contains(.date) { return .clock(clock) }
            return .time(time(clock, reading, context))
        }
    }

    /// In the zone the phrase names, else in ours.
    static func time(
        _ clock: CivilDateTime, _ reading: Reading, _ context: DateContext
    ) -> ItemTime {
        guard let zone = reading.zone.flatMap({ context.zones.rules(named: $0) }) else {
            return .time(clock, zone: context.local.rules)
        }
        return ItemTime(context.local.instant(of: clock), in: LocalTime(zone))
    }

    /// `9:00`, `14:30`.
    private static func clock(_ text: String, on day: CivilDate) -> CivilDateTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = Int(parts[0]), let minute = Int(parts[1])
        else { return nil }
        return CivilDateTime(day, hour: hour, minute: minute)
    }

    /// The day it names; today for a clock alone.
    func day(in local: LocalTime) -> CivilDate {
        switch self {
        case .day(let date): date
        case .clock(let clock): clock.date
        case .time(let time): time.day(in: local)
        }
    }
}

/// Start and end as an event keeps them, made from what was said of them.
struct TimeSpan: Sendable, Equatable {
    var start: ItemTime
    /// Exclusive.
    var end: ItemTime?

    /// An event without an end takes that long.
    static let usualLength = CalendarDuration(seconds: 3600)

    /// Of a new event. A clock alone is the next such time; a day as the end
    /// is the last day.
    static func new(
        _ start: TimeArgument, _ end: TimeArgument?, isAllDay: Bool, context: DateContext
    ) -> TimeSpan? {
        let local = context.local
        var first: ItemTime
        switch start {
        case .day(let date): first = .date(date)
        case .time(let time): first = time
        case .clock(let clock):
            first = .time(clock, zone: local.rules)
            if first.instant(in: local) <= context.now {
                first = CalendarDuration(days: 1).added(to: first, in: local)
            }
        }
        if isAllDay { first = .date(first.day(in: local)) }
        guard let last = Self.end(end, after: first, context: context) else { return nil }
        return TimeSpan(start: first, end: last)
    }

    /// nil where the end does not go with the start.
    static func end(
        _ end: TimeArgument?, after start: ItemTime, context: DateContext
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
            let day = start.day(in: context.local)
            let same = ItemTime.time(
                CivilDateTime(
                    secondsAsUTC: day.dayNumber * 86_400 + clock.secondsAsUTC
                        - clock.date.dayNumber * 86_400), zone: context.local.rules)
            // "23:00 to 1:00" ends on the next day.
            return same.instant(in: context.local) > start.instant(in: context.local)
                ? same : CalendarDuration(days: 1).added(to: same, in: context.local)
        }
    }

    /// The new start of an event that there is: a clock keeps its day, a day
    /// keeps its clock.
    static func moved(
        _ event: Event, to start: TimeArgument, isAllDay: Bool, local: LocalTime
    ) -> ItemTime {
        let old = local.civil(at: event.start.instant(in: local))
        let day = start.day(in: local)
        if isAllDay { return .date(day) }
        switch start {
        case .time(let time): return time
        case .day(let date):
            if event.isAllDay { return .date(date) }
            return .time(
                CivilDateTime(
                    secondsAsUTC: date.dayNumber * 86_400 + old.secondsAsUTC
                        - old.date.dayNumber * 86_400), zone: local.rules)
        case .clock(let clock):
            let date = event.start.day(in: local)
            return .time(
                CivilDateTime(
                    secondsAsUTC: date.dayNumber * 86_400 + clock.secondsAsUTC
                        - clock.date.dayNumber * 86_400), zone: local.rules)
        }
    }
}
