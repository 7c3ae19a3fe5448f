import Base
import FoundationEssentials
import ICalendar

@testable import DateLanguage

extension FuzzTarget {
    /// A length of time, and each field of an item: what was read is inside of its bounds, and what
    /// is written in ISO 8601 is read as the same.
    static let fields = FuzzTarget("fields") { bytes in
        let text = String(decoding: bytes.prefix(400), as: UTF8.self)
        for bare in [nil, TimeUnit.minute] {
            guard let length = DurationParser.duration(of: text, bare: bare) else { continue }
            try demand(
                length.days >= 0 && length.seconds >= 0 && length.days <= 3_660,
                "a length out of bounds")
        }
        let context = DateContext(
            now: Date(timeIntervalSince1970: 1_790_000_000), local: here,
            zones: TimeZoneDatabase(), locale: .british)
        let (phrases, fields) = (
            DateParser(context), DateFieldParser(context: context, parse: DateParser(context).parse)
        )
        if let time = try? fields.iso(text) {
            let said = time.isoText(in: here)
            try demand(
                (try? fields.iso(said))?.isoText(in: here) == said, "another time: \(said)")
        }
        if let days = try? fields.days(text) {
            try demand(days.lowerBound <= days.upperBound, "an end before the start")
        }
        if let rule = try? fields.rule(text) {
            try demand(
                (try? RecurrenceRule(parsing: rule.text)) == rule, "another rule: \(rule.text)")
        }
        _ = (try? fields.time(text), try? fields.due(text), try? fields.past(text))
        _ = (try? fields.repetition(text), fields.later(text))
        _ = (try? fields.alarm(text, for: nil), phrases.parse(text).title)
    }
}
