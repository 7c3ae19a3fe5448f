import AgentCore

/// A recurrence rule (RECUR, RFC 5545 §3.3.10) as a value. Pure.
///
/// Which times it gives is `RecurrenceSet`'s business.
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
        // As `CivilDate.weekday` counts.
        case sunday, monday, tuesday, wednesday, thursday, friday, saturday

        /// `MO`.
        package var code: String {
            ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][rawValue]
        }
    }

    /// `2MO`, `-1FR`; without an ordinal every such day.
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

/// Why a rule cannot be used.
package struct RecurrenceError: Error, Sendable, Equatable {
    package enum Reason: String, Sendable {
        /// Not in the words of RFC 5545, or with a value out of range.
        case invalidRule
        /// Finding its times would take longer than we are willing to.
        case tooExpensive
    }

    package var reason: Reason
    /// The part of the rule that is wrong.
    package var part: String

    package init(_ reason: Reason, part: String = "") {
        self.reason = reason
        self.part = part
    }
}
