import AgentCore

/// A recurrence rule in words: "every 2 weeks on Tue", "monthly on the last
/// Fri, 10 times". Pure.
enum RuleWords {
    /// nil for a rule with parts that have no short words.
    static func text(_ rule: String, start: CivilDate?, text: EventText) -> String? {
        let parts = RuleText(rule)
        let known: Set<String> = [
            "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "WKST",
            "BYSETPOS",
        ]
        guard parts.names.allSatisfy(known.contains), let unit = units[parts["FREQ"] ?? ""],
            let interval = Int(parts["INTERVAL"] ?? "1")
        else { return nil }
        var words = interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
        if interval == 2, unit == "day" || unit == "week" { words = "every other \(unit)" }
        if let days = parts["BYDAY"] {
            guard let said = self.days(days, position: parts["BYSETPOS"], isWeekly: unit == "week")
            else { return nil }
            words = said == "every weekday" && interval == 1 ? said : "\(words) on \(said)"
        } else if parts["BYSETPOS"] != nil {
            return nil
        }
        if let days = parts["BYMONTHDAY"] {
            let numbers = days.split(separator: ",").map { $0 == "-1" ? "last day" : "\($0)." }
            guard !days.contains("-") || days == "-1" else { return nil }
            words += " on the " + numbers.joined(separator: ", ")
        }
        if let months = parts["BYMONTH"] {
            let names = months.split(separator: ",").map { part in
                Int(part).flatMap { (1...12).contains($0) ? EventText.months[$0 - 1] : nil }
            }
            guard !names.contains(nil) else { return nil }
            words += " in " + names.compactMap { $0 }.joined(separator: ", ")
        }
        if let count = parts["COUNT"] { words += ", \(count) times" }
        if let until = parts["UNTIL"].flatMap({ CalendarMoment(value: $0) }) {
            let day: CivilDate =
                switch until {
                case .date(let date): date
                case .utc(let instant): text.local.civil(at: instant).date
                case .floating(let clock), .zoned(let clock, _): clock.date
                }
            words += " until \(text.day(day))"
        }
        return words
    }

    private static let units = [
        "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year", "HOURLY": "hour",
        "MINUTELY": "minute",
    ]

    private static func days(_ list: String, position: String?, isWeekly: Bool) -> String? {
        let codes = RecurrenceRule.Weekday.allCases.map(\.code)
        let days = list.uppercased().split(separator: ",").map(String.init)
        if let position {
            guard Set(days) == ["MO", "TU", "WE", "TH", "FR"] else { return nil }
            return ordinals[position].map { "the \($0) working day" }
        }
        if isWeekly, days.count == 5, Set(days) == ["MO", "TU", "WE", "TH", "FR"] {
            return "every weekday"
        }
        let said = days.map { day -> String? in
            guard let index = codes.firstIndex(of: String(day.suffix(2))) else { return nil }
            let name = EventText.weekdays[index]
            if day.count == 2 { return name }
            return ordinals[String(day.dropLast(2))].map { "the \($0) \(name)" }
        }
        return said.contains(nil) ? nil : said.compactMap { $0 }.joined(separator: ", ")
    }

    private static let ordinals = [
        "1": "first", "+1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth",
        "-1": "last", "-2": "second to last",
    ]
}
