import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// A reading as JSON and as an aligned table. Pure.
struct ReadingText: Sendable {
    let context: DateContext

    /// Every field is always present; times are wall-clock times of the
    /// context's zone, and a day stands alone without a time.
    static func json(_ readings: [ParsedPhrase], _ understanding: Understanding) -> JSONValue {
        func objects(_ readings: [ParsedPhrase]) -> JSONValue {
            .array(readings.map { .object(JSONObject(fields($0))) })
        }
        var object = readings.first.map(fields) ?? []
        object.append(.init("alternatives", objects(readings.first?.alternatives ?? [])))
        // More than one if a message names several times or tasks.
        object.append(.init("items", objects(readings)))
        object.append(.init("unused", .array(understanding.unused.map(JSONValue.string))))
        object.append(
            .init(
                "action",
                [
                    "online": .string(understanding.online.rawValue),
                    "offline": .string(understanding.offline.rawValue),
                    "server": understanding.server.map {
                        .string($0 == .event ? "calendar" : "reminders")
                    } ?? .null,
                    "target": understanding.target.map(JSONValue.string) ?? .null,
                ]))
        return .object(JSONObject(object))
    }

    private static func fields(_ reading: ParsedPhrase) -> [JSONObject.Member] {
        func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
        return [
            .init("start", text(reading.start?.isoText)),
            .init("end", text(reading.end?.isoText)),
            .init("rrule", text(reading.recurrence?.text)),
            .init("title", .string(reading.title)),
            .init("kind", .string(reading.kind.rawValue)),
            .init("alarm", text(reading.hasNoAlarm ? "none" : reading.alarm?.text)),
            .init("timezone", text(reading.zone)),
            .init("priority", reading.priority.map { JSONValue($0) } ?? .null),
            .init("categories", .array(reading.categories.map(JSONValue.string))),
            .init("list", text(reading.list)),
            .init("confidence", JSONValue(rounded(reading.confidence))),
        ]
    }

    /// The confidence with two digits; more would not be meaningful.
    private static func rounded(_ confidence: Double) -> Double {
        (confidence * 100).rounded() / 100
    }

    func lines(_ reading: ParsedPhrase, _ understanding: Understanding) -> [StyledLine] {
        let words = ItemText(context)
        func time(_ moment: ParsedPhrase.Moment?) -> String? {
            moment.map { words.fullTime(ItemTime($0, in: context.local)) }
        }
        func alarm(_ offset: CalendarDuration, _ reading: ParsedPhrase) -> String {
            let isDay = if case .date? = reading.start { true } else { false }
            return ItemText.alarm(offset, isDay: isDay)
        }
        func rule(_ reading: ParsedPhrase) -> String? {
            reading.recurrence.map { rule in
                let start = reading.start.map { ItemTime($0, in: context.local) }
                return RuleDescription.of(rule, start: start, in: context.local)
                    + (reading.repeatsFromCompletion ? " from when it is done" : "")
            }
        }
        let percent = Int((reading.confidence * 100).rounded())
        var rows: [(String, String?)] = [
            ("title", reading.title.isEmpty ? "(none)" : reading.title),
            ("kind", reading.kind == .todo ? "reminder" : "event"),
            ("start", time(reading.start) ?? "no date"), ("end", time(reading.end)),
            ("repeats", rule(reading)),
            ("rule", reading.recurrence?.text),
            (
                "alert",
                reading.hasNoAlarm
                    ? "none" : reading.alarm.map { $0 == .zero ? "then" : alarm($0, reading) }
            ),
            ("zone", reading.zone), ("priority", reading.priority.map(String.init)),
            (
                "tags",
                reading.categories.isEmpty
                    ? nil : reading.categories.map { "#\($0)" }.joined(separator: " ")
            ),
            ("list", reading.list), ("sure", "\(percent) %"),
        ]
        for doubt in reading.doubts {
            let text =
                switch doubt {
                case .past: "that time is over"
                case .ambiguous: "it can be read in several ways"
                case .leftover: "a part was not understood"
                case .contradictory: "its parts do not fit together"
                case .unclaimed: "nothing says that it is an item"
                }
            rows.append(("but", text))
        }
        for other in reading.alternatives {
            let start = time(other.start) ?? "no date"
            let rule = rule(other).map { ", " + $0 } ?? ""
            rows.append(("or", "\(other.title) · \(start)\(rule)"))
        }
        if !understanding.unused.isEmpty {
            rows.append(("unused", understanding.unused.joined(separator: ", ")))
        }
        rows.append(
            (
                "action",
                understanding.online == understanding.offline
                    ? understanding.online.rawValue
                    : "\(understanding.online.rawValue), without a model "
                        + understanding.offline.rawValue
            ))
        return rows.compactMap { name, value in
            value.map {
                StyledLine([.init(DisplayWidth.pad(name, to: 10), .dim), .init($0)])
            }
        }
    }
}
