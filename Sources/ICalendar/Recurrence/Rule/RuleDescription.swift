import Base

/// Describes a recurrence rule in words, for lists and echoes: "every other
/// Tuesday", "on the last weekday of every month, 6 times".
///
/// Every rule has a description: one without a phrase of its own is enumerated.
/// `PhraseGrammar` reads such phrases.
package struct RuleDescription: Sendable {
    private let rule: RecurrenceRule
    private let start: ItemTime?
    private let local: LocalTime

    /// - Parameter start: supplies the parts that the rule takes from DTSTART ("weekly" on a
    ///   Tuesday is "every Tuesday").
    package static func of(
        _ rule: RecurrenceRule, start: ItemTime? = nil, in local: LocalTime
    ) -> String {
        RuleDescription(rule: rule, start: start, local: local).text
    }

    /// Describes a rule as written in a file; an unreadable rule is returned unchanged.
    package static func of(_ rule: String, start: ItemTime? = nil, in local: LocalTime) -> String {
        guard let parsed = try? RecurrenceRule(parsing: rule) else { return rule }  // As written.
        return of(parsed, start: start, in: local)
    }

    private var text: String {
        var text = phrase ?? enumeration
        if !clockText.isEmpty { text += " at " + clockText }
        return text + boundText
    }

    // MARK: Rules with a phrase

    /// nil if a part of the rule would be left out.
    private var phrase: String? {
        guard rule.byWeekNumber.isEmpty, rule.byYearDay.isEmpty, hasPlainClock else { return nil }
        return switch rule.frequency {
        case .daily, .weekly: weekPhrase
        case .monthly:
            rule.byMonth.isEmpty ? dayOfMonth.map { "on \($0) of \(each("month"))" } : nil
        case .yearly: yearPhrase
        default: onlyInterval ? every(unit) : nil
        }
    }

    private var onlyInterval: Bool {
        rule.byDay.isEmpty
            && [
                rule.byMonth, rule.byMonthDay, rule.bySetPosition, rule.byHour, rule.byMinute,
                rule.bySecond,
            ].allSatisfy(\.isEmpty)
    }

    private var weekPhrase: String? {
        guard rule.byMonth.isEmpty, rule.byMonthDay.isEmpty, rule.bySetPosition.isEmpty else {
            return nil
        }
        var days = weekdays(rule.byDay)
        if rule.frequency == .daily {
            if days.isEmpty { return every("day") }
            guard rule.interval == 1 else { return nil }
        } else if days.isEmpty {
            guard let start, let own = weekday(of: start) else { return every("week") }
            days = [own]
        }
        let names: String
        switch Set(days) {
        case Self.workdays: names = "weekday"
        case Self.weekend: names = "weekend"
        case let all where all.count == 7: names = "day"
        case let one where one.count == 1: names = Self.name(days[0])
        default:
            let list = Self.list(days.map(Self.shortName))
            return rule.interval == 1 ? "every \(list)" : "\(every("week")) on \(list)"
        }
        switch rule.interval {
        case 1: return names == "day" ? "daily" : "every \(names)"
        case 2 where days.count == 1: return "every other \(names)"
        default:
            let isPlural = days.count > 1
            return
                "\(every("week")) on \(names == "day" ? "every day" : names)\(isPlural && names != "day" ? "s" : "")"
        }
    }

    /// "the 15th", "the first Monday", "the last weekday"; nil for none or if
    /// there is no such phrase.
    private var dayOfMonth: String? {
        if rule.byDay.isEmpty, rule.bySetPosition.isEmpty {
            var days = rule.byMonthDay
            if days.isEmpty, let start { days = [start.civilDate.day] }
            return days.isEmpty ? nil : monthDays(days)
        }
        guard rule.byMonthDay.isEmpty else { return nil }
        let days = rule.byDay
        if rule.bySetPosition.isEmpty, days.allSatisfy({ $0.ordinal != nil }) {
            return "the "
                + Self.list(
                    days.map { Self.ordinalWord($0.ordinal ?? 1) + " " + Self.name($0.weekday) })
        }
        guard days.allSatisfy({ $0.ordinal == nil }) else { return nil }
        if rule.bySetPosition.isEmpty {
            return "every "
                + Self.list(weekdays(days).map(days.count == 1 ? Self.name : Self.shortName))
        }
        let kind: String
        switch Set(weekdays(days)) {
        case Self.workdays: kind = "weekday"
        case Self.weekend: kind = "day of the weekend"
        case let all where all.count == 7: kind = "day"
        case let one where one.count == 1: kind = Self.name(days[0].weekday)
        default: return nil
        }
        return "the " + Self.list(rule.bySetPosition.map(Self.ordinalWord)) + " " + kind
    }

    private var yearPhrase: String? {
        if rule.byDay.isEmpty, rule.bySetPosition.isEmpty {
            var (months, days) = (rule.byMonth, rule.byMonthDay)
            if months.isEmpty, days.isEmpty {
                guard let start else { return every("year") }
                (months, days) = ([start.civilDate.month], [start.civilDate.day])
            } else if let start {
                if days.isEmpty { days = [start.civilDate.day] }
            }
            guard !months.isEmpty, !days.isEmpty, months.count * days.count <= 6 else { return nil }
            if days.allSatisfy({ $0 > 0 }) {
                let dates = months.flatMap { month in days.map { "\($0) \(Self.month(month))" } }
                return "\(every("year", isAdverb: false)) on \(Self.list(dates))"
            }
        }
        guard !rule.byMonth.isEmpty, rule.byMonth.count <= 6, !onlyInterval,
            let day = dayOfMonth
        else { return nil }
        let months = Self.list(
            rule.byMonth.map(rule.byMonth.count == 1 ? Self.longMonth : Self.month))
        return "on \(day) of \(months) \(each("year"))"
    }

    // MARK: Every other rule

    private var enumeration: String {
        var text = every(unit)
        if !rule.byMonth.isEmpty { text += " in \(Self.list(rule.byMonth.map(Self.month)))" }
        if !rule.byWeekNumber.isEmpty {
            text += " in week \(Self.list(rule.byWeekNumber.map(Self.fromEnd)))"
        }
        if !rule.byYearDay.isEmpty {
            text += " on day \(Self.list(rule.byYearDay.map(Self.fromEnd))) of the year"
        }
        if !rule.byMonthDay.isEmpty { text += " on \(monthDays(rule.byMonthDay)) of the month" }
        if !rule.byDay.isEmpty {
            let days = rule.byDay.map { day in
                day.ordinal.map { "the \(Self.ordinalWord($0)) \(Self.name(day.weekday))" }
                    ?? Self.shortName(day.weekday)
            }
            text += (rule.byMonthDay.isEmpty ? " on " : " if that is ") + Self.list(days)
        }
        if !hasPlainClock {
            for (unit, values) in [
                ("in the hour", rule.byHour), ("at minute", rule.byMinute),
                ("at second", rule.bySecond),
            ] where !values.isEmpty {
                let numbers = Self.list(values.map(String.init))
                text += " \(unit)\(values.count == 1 ? "" : "s") \(numbers)"
            }
        }
        if !rule.bySetPosition.isEmpty {
            text += ", only the \(Self.list(rule.bySetPosition.map(Self.ordinalWord))) of these"
        }
        return text
    }

    /// Whether BYHOUR and BYMINUTE can be listed as a few times of day.
    private var hasPlainClock: Bool {
        if rule.byHour.isEmpty && rule.byMinute.isEmpty && rule.bySecond.isEmpty { return true }
        switch rule.frequency {
        case .secondly, .minutely, .hourly: return false
        default: break
        }
        return rule.bySecond.isEmpty && !rule.byHour.isEmpty
            && (!rule.byMinute.isEmpty || start != nil)
            && rule.byHour.count * max(1, rule.byMinute.count) <= 6
    }

    private var clockText: String {
        guard hasPlainClock, !rule.byHour.isEmpty else { return "" }
        let minutes = rule.byMinute.isEmpty ? [start?.clock.minute ?? 0] : rule.byMinute.sorted()
        return Self.list(
            rule.byHour.sorted().flatMap { hour in
                minutes.map { CivilDateTime(secondsAsUTC: hour * 3600 + $0 * 60).clockText }
            })
    }

    private var boundText: String {
        switch rule.bound {
        case .none: return ""
        case .count(1): return ", once"
        case .count(let count): return ", \(count) times"
        case .until(let moment):
            let day = untilDay(moment)
            return " until \(day.day) \(Self.month(day.month)) \(day.year)"
        }
    }

    private func untilDay(_ moment: CalendarMoment) -> CivilDate {
        switch moment {
        case .date(let date): return date
        case .floating(let clock), .zoned(let clock, _, _): return clock.date
        case .utc(let instant):
            guard let start else { return local.civil(at: instant).date }
            let second = LocalTime.seconds(of: instant)
            // The day on the rule's clock.
            return start.isDate
                ? CivilDateTime(secondsAsUTC: second).date
                : (start.zone ?? local.rules).civil(atSecond: second).date
        }
    }

    // MARK: Words

    private var unit: String {
        rule.frequency == .daily ? "day" : String(rule.frequency.rawValue.lowercased().dropLast(2))
    }

    /// "daily", "every other day", "every 3 days".
    private func every(_ unit: String, isAdverb: Bool = true) -> String {
        switch rule.interval {
        case 1:
            guard isAdverb else { return "every \(unit)" }
            return switch unit {
            case "day": "daily"
            case "second", "minute": "every \(unit)"
            default: unit + "ly"
            }
        case 2 where unit == "day": return "every other day"
        default: return "every \(rule.interval) \(unit)s"
        }
    }

    /// "every month", "every other month", "every 3rd month".
    private func each(_ unit: String) -> String {
        switch rule.interval {
        case 1: "every \(unit)"
        case 2: "every other \(unit)"
        default: "every \(Self.ordinal(rule.interval)) \(unit)"
        }
    }

    private func monthDays(_ days: [Int]) -> String {
        Self.list(
            days.map { day in
                day > 0
                    ? "the \(Self.ordinal(day))"
                    : day == -1 ? "the last day" : "the \(Self.ordinal(-day)) last day"
            })
    }

    private func weekdays(_ days: [RecurrenceRule.Day]) -> [RecurrenceRule.Weekday] {
        // In the usual order: from Monday on.
        days.map(\.weekday).sorted { ($0.rawValue + 6) % 7 < ($1.rawValue + 6) % 7 }
    }

    private func weekday(of time: ItemTime) -> RecurrenceRule.Weekday? {
        RecurrenceRule.Weekday(rawValue: time.civilDate.weekday)
    }

    private static let workdays: Set<RecurrenceRule.Weekday> = [
        .monday, .tuesday, .wednesday, .thursday, .friday,
    ]
    private static let weekend: Set<RecurrenceRule.Weekday> = [.saturday, .sunday]

    private static func name(_ day: RecurrenceRule.Weekday) -> String {
        ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][day.rawValue]
    }

    private static func shortName(_ day: RecurrenceRule.Weekday) -> String {
        String(name(day).prefix(3))
    }

    private static func longMonth(_ month: Int) -> String {
        // A rule built in code may contain anything.
        (1...12).contains(month) ? CivilDate.longMonthNames[month - 1] : "month \(month)"
    }

    private static func month(_ month: Int) -> String {
        (1...12).contains(month) ? CivilDate.monthNames[month - 1] : longMonth(month)
    }

    /// "first", "last", "2nd last", "12th".
    private static func ordinalWord(_ number: Int) -> String {
        switch number {
        case 1: "first"
        case 2: "second"
        case 3: "third"
        case 4: "fourth"
        case -1: "last"
        case ..<0: "\(ordinal(-number)) last"
        default: ordinal(number)
        }
    }

    private static func ordinal(_ number: Int) -> String {
        let ending =
            switch (number % 100, number % 10) {
            case (11...13, _): "th"
            case (_, 1): "st"
            case (_, 2): "nd"
            case (_, 3): "rd"
            default: "th"
            }
        return "\(number)\(ending)"
    }

    private static func fromEnd(_ number: Int) -> String {
        number > 0 ? "\(number)" : "\(-number) from the end"
    }

    /// "a", "a and b", "a, b and c"; only the first words of very long lists.
    private static func list(_ words: [String]) -> String {
        guard words.count <= 12 else {
            return words.prefix(10).joined(separator: ", ") + " and \(words.count - 10) more"
        }
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
