import Base
import Foundation
import ICalendar

@testable import DateLanguage

/// What of a reading is what the phrase says.
///
/// The same rules stand in `Benchmarks/dates.py`, which grades programs that
/// are not ours.
struct PhraseGrade {
    var isStartRight: Bool
    var isRuleRight: Bool
    var isTitleRight: Bool
    /// What the notes ask for besides, by name.
    var extras: [String: Bool] = [:]

    var isWhenRight: Bool { isStartRight && isRuleRight }

    init(_ reading: ParsedPhrase, of phrase: PhraseSet.Phrase, in local: LocalTime) {
        isStartRight =
            phrase.starts.contains { Self.isStart(reading.start, $0) }
            || phrase.hours.map { Self.isWithin($0, reading.start, of: phrase.starts[0]) } == true
        let rule = reading.recurrence.map { Self.parts($0, in: local) } ?? [:]
        isRuleRight = phrase.rules.contains { Self.isRule(rule, Self.parts($0)) }
        let title = Self.folded(reading.title)
        isTitleRight = phrase.titles.contains { Self.folded($0) == title }
        for (name, value) in phrase.extras {
            extras[name] = Self.isExtra(name, value, reading)
        }
    }

    /// A day accepts any time of it; a time is compared by the minute.
    private static func isStart(_ start: ParsedPhrase.Moment?, _ expected: String) -> Bool {
        guard let wanted = PhraseSet.moment(expected) else { return start == nil }
        switch (wanted, start) {
        case (_, nil): return false
        case (.date(let date), .some(let start)): return start.date == date
        case (.time(let wanted), .time(let clock)):
            return wanted.date == clock.date && wanted.clockText == clock.clockText
        case (.time, .date): return false
        }
    }

    private static func isWithin(
        _ hours: ClosedRange<Int>, _ start: ParsedPhrase.Moment?, of expected: String
    ) -> Bool {
        guard case .time(let clock) = start, let day = PhraseSet.moment(expected)?.date,
            clock.date == day
        else { return false }
        let minutes = clock.hour * 60 + clock.minute
        return (hours.lowerBound * 60...hours.upperBound * 60).contains(minutes)
    }

    // MARK: Rules

    private static func isRule(
        _ rule: [String: Set<String>], _ expected: [String: Set<String>]
    ) -> Bool {
        var rule = rule
        // An hour in the rule only repeats the start, unless there are several.
        if expected["BYHOUR"] == nil {
            rule["BYHOUR"] = nil
            rule["BYMINUTE"] = expected["BYMINUTE"] == nil ? nil : rule["BYMINUTE"]
        } else if expected["BYMINUTE"] == nil {
            rule["BYMINUTE"] = nil
        }
        rule["BYSECOND"] = nil
        return rule == expected
    }

    /// `-` has none. The order says nothing, and INTERVAL=1 neither.
    static func parts(_ text: String) -> [String: Set<String>] {
        var parts: [String: Set<String>] = [:]
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, part != "INTERVAL=1" else { continue }
            let values = pair[1].split(separator: ",").map(String.init)
            parts[pair[0]] = pair[0] == "UNTIL" ? [String(pair[1].prefix(8))] : Set(values)
        }
        return parts
    }

    static func parts(_ rule: RecurrenceRule, in local: LocalTime) -> [String: Set<String>] {
        var parts: [String: Set<String>] = ["FREQ": [rule.frequency.rawValue]]
        if rule.interval != 1 { parts["INTERVAL"] = ["\(rule.interval)"] }
        switch rule.bound {
        case .none: break
        case .count(let count): parts["COUNT"] = ["\(count)"]
        case .until(let moment):
            let day =
                switch moment {
                case .date(let date): date
                case .floating(let clock), .zoned(let clock, _, _): clock.date
                case .utc(let instant): local.civil(at: instant).date
                }
            parts["UNTIL"] = [day.isoText.filter { $0 != "-" }]
        }
        let numbers = [
            "BYSECOND": rule.bySecond, "BYMINUTE": rule.byMinute, "BYHOUR": rule.byHour,
            "BYMONTHDAY": rule.byMonthDay, "BYYEARDAY": rule.byYearDay,
            "BYWEEKNO": rule.byWeekNumber, "BYMONTH": rule.byMonth,
            "BYSETPOS": rule.bySetPosition,
        ]
        for (name, values) in numbers where !values.isEmpty {
            parts[name] = Set(values.map { "\($0)" })
        }
        if !rule.byDay.isEmpty {
            parts["BYDAY"] = Set(
                rule.byDay.map { ($0.ordinal.map { "\($0)" } ?? "") + $0.weekday.code })
        }
        return parts
    }

    // MARK: Titles and the rest

    /// Without case, repeated spaces and punctuation at the end.
    static func folded(_ title: String) -> String {
        var words = title.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        while let last = words.last, " .,!;:".contains(last) { words.removeLast() }
        return words
    }

    private static func isExtra(_ name: String, _ value: String, _ reading: ParsedPhrase) -> Bool {
        switch name {
        case "end": isStart(reading.end, value)
        case "kind": reading.kind.rawValue == value
        case "alarm":
            reading.hasNoAlarm == (value == "none")
                && reading.alarm.map { $0.days * 86_400 + $0.seconds }
                    == CalendarDuration(value).map { $0.days * 86_400 + $0.seconds }
        case "priority": reading.priority.map { "\($0)" } == value
        case "tags": Set(reading.categories) == Set(value.split(separator: ",").map(String.init))
        case "list": reading.list == value
        default: false
        }
    }
}
