import AgentCore
import FoundationEssentials
import ICalendar

/// Values of one field as a person or a model gives them: a date in ISO 8601
/// or in words, a rule or its words, a time to be alerted at. Pure but for the
/// clock in its context.
struct WhenWords: Sendable {
    let context: DateContext
    let parse: @Sendable (String, DateContext) -> Reading

    /// Why a text is no value of its field.
    struct Problem: Error, Equatable {
        var sentence: String
    }

    /// What clears a field.
    static func isNone(_ text: String) -> Bool {
        ["", "none", "null", "never"].contains(TextValue.oneLine(text).lowercased())
    }

    // MARK: - Dates

    /// ISO 8601 alone: what a model is asked for.
    func iso(_ text: String) throws(Problem) -> ItemTime {
        let value: ISO8601.Value
        do throws(ISO8601.Failure) {
            value = try ISO8601.parse(text)
        } catch {
            let why =
                switch error.reason {
                case .noSuchDate: "names a day the calendar does not have"
                case .noSuchTime: "names a time the clock does not have"
                case .noSuchOffset: "has an offset from UTC that cannot be read"
                case .notADate, .trailingText: "is no date that can be read"
                }
            throw Problem(sentence: "\"\(text.prefix(60))\" \(why); use \(ISO8601.accepted)")
        }
        switch value {
        case .date(let date): return .date(date)
        case .local(let clock): return .time(clock, zone: context.local.rules)
        case .instant(let instant): return ItemTime(instant, in: context.local)
        }
    }

    /// ISO 8601, else words that hold a date and nothing else.
    func due(_ text: String) throws(Problem) -> ItemTime {
        let isoProblem: Problem
        do throws(Problem) {
            return try iso(text)
        } catch {
            isoProblem = error
        }
        // What begins like a date was meant as one.
        let head = text.utf8.prefix(5)
        if head.count == 5, head.last == UInt8(ascii: "-"),
            head.dropLast().allSatisfy({ $0 &- UInt8(ascii: "0") < 10 })
        {
            throw isoProblem
        }
        let reading = parse(text, context)
        guard let start = reading.start, Self.isOnlyDate(reading) else {
            throw Problem(
                sentence: """
                    "\(text.prefix(60))" is no date that can be read; use words such as \
                    "tomorrow at 5pm", or \(ISO8601.accepted)
                    """)
        }
        if reading.doubts.contains(.ambiguous), let other = reading.alternatives.first?.start {
            throw Problem(
                sentence:
                    "\"\(text.prefix(60))\" may be \(start.isoText) or \(other.isoText); say which")
        }
        return ItemTime(start, in: context.local)
    }

    private static func isOnlyDate(_ reading: Reading) -> Bool {
        !reading.hasOwnTitle && !reading.doubts.contains(.leftover)
    }

    // MARK: - Rules

    struct Repetition: Equatable {
        var rule: RecurrenceRule
        /// Where the words name the first time.
        var start: ItemTime?
        var isFromCompletion = false
    }

    /// An RRULE as files have it.
    func rule(_ text: String) throws(Problem) -> RecurrenceRule {
        do throws(RecurrenceError) {
            return try RecurrenceRule(parsing: text)
        } catch {
            throw Problem(
                sentence: """
                    "\(text.prefix(80))" is no rule that can be read\
                    \(error.part.isEmpty ? "" : " (\(error.part))"); \
                    use RFC 5545, such as FREQ=WEEKLY;INTERVAL=2;BYDAY=TU
                    """)
        }
    }

    /// An RRULE, else words such as "every other tuesday".
    func repetition(_ text: String) throws(Problem) -> Repetition {
        if text.uppercased().contains("FREQ=") { return Repetition(rule: try rule(text)) }
        let reading = parse(text, context)
        guard let rule = reading.recurrence, Self.isOnlyDate(reading) else {
            throw Problem(
                sentence: """
                    "\(text.prefix(60))" is no repetition that can be read; use words such as \
                    "every other tuesday", or FREQ=WEEKLY;INTERVAL=2;BYDAY=TU
                    """)
        }
        return Repetition(
            rule: rule, start: reading.start.map { ItemTime($0, in: context.local) },
            isFromCompletion: reading.repeatsFromCompletion)
    }

    // MARK: - Alarms and stretches of time

    /// `15m`, `1h30m`, `2d`, `1w` before; `0` at the due time; `9:00` on the
    /// due day; `-PT15M`.
    func alarm(_ text: String, due: ItemTime?) throws(Problem) -> CalendarDuration {
        let word = TextValue.oneLine(text).lowercased()
        if let duration = CalendarDuration(word.uppercased()) { return duration }
        if let clock = Self.clock(word) {
            guard due?.isDate ?? true else {
                throw Problem(
                    sentence:
                        "\"\(text)\" is an hour, for a reminder without one; use 15m or 1h30m")
            }
            return CalendarDuration(seconds: clock)
        }
        guard let before = DurationParser.duration(of: word) else {
            throw Problem(
                sentence:
                    "\"\(text.prefix(40))\" is no time before; use 15m, 1h30m, 2d or, for a day, 9:00"
            )
        }
        return -before
    }

    /// Seconds after midnight of `9:00`.
    private static func clock(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
            (0...59).contains(minute)
        else { return nil }
        return hour * 3600 + minute * 60
    }

    /// The instant that words such as "an hour", "10 min" or "tomorrow at 9"
    /// lead to from now; a day means its morning.
    func later(_ text: String) -> Date? {
        let word = TextValue.oneLine(text).lowercased()
        if let stretch = DurationParser.duration(of: word), stretch != .zero {
            return stretch.added(to: ItemTime(context.now, in: context.local), in: context.local)
                .instant(in: context.local)
        }
        // A stretch of time is read from now on.
        for phrase in ["in " + word, word] {
            guard
                let moment = parse(phrase, context).start.flatMap({ start in
                    Self.isOnlyDate(parse(phrase, context)) ? start : nil
                })
            else { continue }
            switch moment {
            case .time(let clock): return context.local.instant(of: clock)
            case .date(let date):
                return context.local.instant(
                    of: CivilDateTime(
                        secondsAsUTC: date.dayNumber * 86_400 + context.hours.morning * 3600))
            }
        }
        // ISO 8601, as the last thing a person would say.
        guard let time = try? iso(text), !time.isDate else { return nil }
        return time.instant(in: context.local)
    }
}
