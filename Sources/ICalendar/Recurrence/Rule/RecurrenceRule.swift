import Base
import FoundationEssentials

/// A recurrence rule (RECUR, RFC 5545 §3.3.10) as a value. Pure.
///
/// `RecurrenceSet` computes its times.
package struct RecurrenceRule: Sendable, Hashable {
    package enum Frequency: String, Sendable, CaseIterable {
        case secondly = "SECONDLY"
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    package enum Weekday: Int, Sendable, CaseIterable {
        // Counted like `CivilDate.weekday`.
        case sunday, monday, tuesday, wednesday, thursday, friday, saturday

        /// `MO`.
        package var code: String {
            ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][rawValue]
        }
    }

    /// An element of BYDAY: `2MO`, `-1FR`; without an ordinal every such day.
    package struct Day: Sendable, Hashable {
        package var ordinal: Int?
        package var weekday: Weekday

        package init(_ weekday: Weekday, ordinal: Int? = nil) {
            self.weekday = weekday
            self.ordinal = ordinal
        }
    }

    package enum Bound: Sendable, Hashable {
        case none
        case count(Int)
        /// Inclusive. A date, a UTC time, or a local time, as written.
        case until(CalendarMoment)
    }

    package var frequency: Frequency
    package var interval = 1
    package var bound = Bound.none
    package var bySecond: [Int] = []
    package var byMinute: [Int] = []
    package var byHour: [Int] = []
    package var byDay: [Day] = []
    package var byMonthDay: [Int] = []
    package var byYearDay: [Int] = []
    package var byWeekNumber: [Int] = []
    package var byMonth: [Int] = []
    package var bySetPosition: [Int] = []
    package var weekStart = Weekday.monday

    package init(_ frequency: Frequency, interval: Int = 1) {
        self.frequency = frequency
        self.interval = interval
    }
}

/// Adjusts the form of UNTIL, which depends on the start (RFC 5545 §3.3.10).
extension RecurrenceRule {
    /// The rule with UNTIL as a day if the start is a day, and in UTC if it has
    /// a zone.
    package func bounded(like start: ItemTime, in local: LocalTime) -> RecurrenceRule {
        guard case .until(let moment) = bound else { return self }
        var rule = self
        switch (start, moment) {
        case (.date, .utc(let instant)):
            rule.bound = .until(.date(local.civil(at: instant).date))
        case (.date, .floating(let clock)), (.date, .zoned(let clock, _, _)):
            rule.bound = .until(.date(clock.date))
        case (.time(_, nil), .date(let date)):
            rule.bound = .until(.floating(Self.endOfDay(date)))
        case (.time(_, let zone?), .date(let date)):
            // The whole last day counts.
            rule.bound = .until(.utc(LocalTime(zone).instant(of: Self.endOfDay(date))))
        case (.time(_, let zone?), .floating(let clock)):
            rule.bound = .until(.utc(LocalTime(zone).instant(of: clock)))
        default: break
        }
        return rule
    }

    private static func endOfDay(_ date: CivilDate) -> CivilDateTime {
        CivilDateTime(secondsAsUTC: date.dayNumber * 86_400 + 86_399)
    }
}

/// The reason why a rule cannot be used.
package struct RecurrenceError: Error, Sendable, Equatable {
    package enum Reason: String, Sendable {
        /// Invalid by RFC 5545, or with a value out of range.
        case invalidRule
        /// Computing its times would take too long.
        case tooExpensive
        /// More than `RecurrenceSet.ruleLimit` rules, a longer one than `ruleBytes`, more times
        /// than `CalendarMoment.listLimit`.
        case tooManyRules, tooLong, tooManyTimes
    }

    package var reason: Reason
    /// The invalid part of the rule.
    package var part: String

    package init(_ reason: Reason, part: String = "") {
        self.reason = reason
        self.part = part
    }
}
