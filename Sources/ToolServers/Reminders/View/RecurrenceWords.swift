import AgentCore
import FoundationEssentials

/// A recurrence rule in words: "every other Tuesday", "the last weekday of
/// every month". Pure.
///
/// A rule that words would not carry exactly is given as it is written, since
/// a wrong description is worse than none.
package enum RecurrenceWords {
    /// Of a rule as a file has it.
    package static func text(_ rule: String) -> String {
        // A rule that cannot be read is shown as it is.
        guard let parsed = try? RecurrenceRule(parsing: rule) else { return rule }
        return text(parsed)
    }

    package static func text(_ rule: RecurrenceRule) -> String {
        guard let core = core(rule) else { return rule.text }
        switch rule.bound {
        case .none: return core
        case .count(let count): return "\(core), \(count) \(count == 1 ? "time" : "times")"
        case .until(let moment):
            let date =
                switch moment {
                case .date(let date): date
                // The day that clocks in UTC show; good enough for a glance.
                case .utc(let instant):
                    CivilDateTime(secondsAsUTC: LocalTime.seconds(of: instant)).date
                case .floating(let clock), .zoned(let clock, _): clock.date
                }
            return "\(core) until \(date.day) \(months[date.month - 1]) \(date.year)"
        }
    }

    static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func core(_ rule: RecurrenceRule) -> String? {
        guard rule.bySecond.isEmpty, rule.byWeekNumber.isEmpty, rule.byYearDay.isEmpty else {
            return nil
        }
        let day: String?
        switch rule.frequency {
        case .secondly, .minutely, .hourly: day = short(rule)
        case .daily: day = daily(rule)
        case .weekly: day = weekly(rule)
        case .monthly: day = monthly(rule)
        case .yearly: day = yearly(rule)
        }
        guard let day else { return nil }
        if rule.byHour.isEmpty { return rule.byMinute.isEmpty ? day : nil }
        if [.secondly, .minutely, .hourly].contains(rule.frequency) { return nil }
        guard rule.byMinute.count <= 1 else { return nil }
        let clocks = rule.byHour.sorted().map { hour in
            rule.byMinute.first.map { clock(hour, $0) } ?? "\(hour) h"
        }
        return "\(day) at \(list(clocks))"
    }

    private static func clock(_ hour: Int, _ minute: Int) -> String {
        "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    private static func every(_ interval: Int, _ unit: String) -> String {
        switch interval {
        case 1: "every \(unit)"
        case 2: "every other \(unit)"
        default: "every \(interval) \(unit)s"
        }
    }

    private static func short(_ rule: RecurrenceRule) -> String? {
        guard rule.byDay.isEmpty, rule.byMonthDay.isEmpty, rule.byMonth.isEmpty,
            rule.bySetPosition.isEmpty
        else { return nil }
        let unit: String
        switch rule.frequency {
        case .secondly: unit = "second"
        case .minutely: unit = "minute"
        default: unit = "hour"
        }
        return rule.interval == 1 ? "every \(unit)" : "every \(rule.interval) \(unit)s"
    }

    private static func daily(_ rule: RecurrenceRule) -> String? {
        guard rule.byMonthDay.isEmpty, rule.byMonth.isEmpty, rule.bySetPosition.isEmpty else {
            return nil
        }
        if rule.byDay.isEmpty { return every(rule.interval, "day") }
        guard rule.interval == 1 else { return nil }
        return days(rule).map { "every \($0)" }
    }

    private static func weekly(_ rule: RecurrenceRule) -> String? {
        guard rule.byMonthDay.isEmpty, rule.byMonth.isEmpty, rule.bySetPosition.isEmpty else {
            return nil
        }
        if rule.byDay.isEmpty { return every(rule.interval, "week") }
        guard let days = days(rule) else { return nil }
        switch rule.interval {
        case 1: return "every \(days)"
        case 2 where rule.byDay.count == 1: return "every other \(days)"
        default: return "\(every(rule.interval, "week")) on \(days)"
        }
    }

    private static func monthly(_ rule: RecurrenceRule) -> String? {
        guard rule.byMonth.isEmpty else { return nil }
        let period = every(rule.interval, "month")
        if rule.byDay.isEmpty, rule.byMonthDay.isEmpty {
            return rule.bySetPosition.isEmpty ? period : nil
        }
        return dayOfMonth(rule).map { "\($0) of \(period)" }
    }

    private static func yearly(_ rule: RecurrenceRule) -> String? {
        let period = every(rule.interval, "year")
        if rule.byMonth.isEmpty {
            return rule.byDay.isEmpty && rule.byMonthDay.isEmpty && rule.bySetPosition.isEmpty
                ? period : nil
        }
        guard rule.byMonth.allSatisfy({ (1...12).contains($0) }) else { return nil }
        let names = list(rule.byMonth.sorted().map { months[$0 - 1] })
        if rule.byDay.isEmpty, rule.byMonthDay.isEmpty {
            return rule.bySetPosition.isEmpty ? "\(period) in \(names)" : nil
        }
        if rule.byDay.isEmpty, rule.bySetPosition.isEmpty, rule.byMonthDay.count == 1,
            rule.byMonthDay[0] > 0
        {
            return "\(period) on \(rule.byMonthDay[0]) \(names)"
        }
        return dayOfMonth(rule).map { "\($0) of \(names), \(period)" }
    }

    /// "the first Monday", "the 1st and 15th", "the last weekday".
    private static func dayOfMonth(_ rule: RecurrenceRule) -> String? {
        if rule.byDay.isEmpty {
            guard rule.bySetPosition.isEmpty else { return nil }
            return "the "
                + list(rule.byMonthDay.map { $0 == -1 ? "last day" : ordinal($0) })
        }
        guard rule.byMonthDay.isEmpty else { return nil }
        if rule.bySetPosition.isEmpty {
            guard rule.byDay.allSatisfy({ $0.ordinal != nil }) else { return nil }
            return "the "
                + list(
                    rule.byDay.map {
                        ordinalWord($0.ordinal ?? 1) + " " + weekdays[$0.weekday.rawValue]
                    })
        }
        guard rule.bySetPosition.count == 1, let days = days(rule) else { return nil }
        return "the \(ordinalWord(rule.bySetPosition[0])) \(days)"
    }

    /// Weekdays without ordinals: "weekday", "weekend day", "Monday and Friday".
    private static func days(_ rule: RecurrenceRule) -> String? {
        guard rule.byDay.allSatisfy({ $0.ordinal == nil }) else { return nil }
        let set = Set(rule.byDay.map(\.weekday))
        if set == [.monday, .tuesday, .wednesday, .thursday, .friday] { return "weekday" }
        if set == [.saturday, .sunday] { return "weekend day" }
        if set.count == 7 { return "day" }
        // Monday first, as the rule's own weeks begin.
        let order = set.sorted { ($0.rawValue + 6) % 7 < ($1.rawValue + 6) % 7 }
        return list(order.map { weekdays[$0.rawValue] })
    }

    private static func ordinalWord(_ number: Int) -> String {
        switch number {
        case -1: "last"
        case 1: "first"
        case 2: "second"
        case 3: "third"
        case 4: "fourth"
        case 5: "fifth"
        default: ordinal(number)
        }
    }

    private static func ordinal(_ number: Int) -> String {
        if number < 0 { return ordinal(-number) + "-to-last" }
        let suffix =
            switch (number % 10, number % 100) {
            case (_, 11...13): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return "\(number)\(suffix)"
    }

    private static func list(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
