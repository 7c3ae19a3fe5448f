import Base
import FoundationEssentials
import ICalendar

/// Parses the item fields that hold a time, a rule or an alarm, as a user or a model writes
/// them: in ISO 8601 or RFC 5545, or in plain words. Pure apart from the clock in its
/// context.
///
/// Lengths of time are parsed by `DurationParser`. Above 400 lines because every field falls back
/// to the same plain words.
package struct DateFieldParser: Sendable {
    package let context: DateContext
    package let parse: @Sendable (String) -> ParsedPhrase

    package init(context: DateContext, parse: @escaping @Sendable (String) -> ParsedPhrase) {
        (self.context, self.parse) = (context, parse)
    }
    private var local: LocalTime { context.local }

    /// The reason why a text is not a valid value for its field.
    package struct Problem: Error, Sendable, Equatable {
        package var sentence: String
    }

    /// Whether the text clears a field.
    package static func isNone(_ text: String) -> Bool {
        ["", "none", "null", "never"].contains(text.oneLine.lowercased())
    }

    // MARK: - Dates

    /// Parses ISO 8601 only, the form that models are asked for.
    package func iso(_ text: String) throws(Problem) -> ItemTime {
        do throws(ISO8601.Failure) {
            return ItemTime(try ISO8601.parse(text), in: local)
        } catch {
            throw problem(text, error.reason)
        }
    }

    /// Parses ISO 8601, a clock time, or words that give a time and nothing else.
    package func time(_ text: String) throws(Problem) -> DateField { try time(text, isPast: false) }

    private func time(_ text: String, isPast: Bool) throws(Problem) -> DateField {
        do throws(ISO8601.Failure) {
            let time = ItemTime(try ISO8601.parse(text), in: local)
            return time.isDate ? .day(time.civilDate) : .time(time)
        } catch {
            let today = local.civil(at: context.now).date
            if let seconds = Self.clock(text) {
                return .clock(CivilDateTime(secondsAsUTC: today.dayNumber * 86_400 + seconds))
            }
            // Report the ISO 8601 error for text that starts like a date.
            guard error.reason == .notADate, let field = DateField(parse(text), context) else {
                throw problem(
                    text, error.reason, words: isPast ? "yesterday at 5pm" : "tomorrow at 5pm",
                    isPast: isPast)
            }
            return field
        }
    }

    /// The days that words name: a period such as "next week" or "december", or one day.
    package func days(_ text: String) throws(Problem) -> ClosedRange<CivilDate> {
        if let days = Period.whole(text, context: context, parse: parse) { return days }
        let day = try time(text).day(in: local)
        return day...day
    }

    /// The time when something is due: like `time`, but ambiguous phrases are an error.
    package func due(_ text: String) throws(Problem) -> ItemTime {
        let time = try time(text).next(in: context)
        let reading = parse(text)
        if reading.doubts.contains(.ambiguous), let start = reading.start,
            // A time in ISO 8601 has only one reading; any other text fails to parse.
            let other = reading.alternatives.first?.start, (try? iso(text)) == nil
        {
            throw Problem(
                sentence:
                    "\"\(text.prefix(60))\" may be \(start.isoText) or \(other.isoText); say which")
        }
        return time
    }

    /// The start of a stretch that ends now: a length of time is counted back, and words that
    /// would name a coming day or hour name the last one: "2 hours ago", "7d", "monday", "24
    /// december".
    package func past(_ text: String) throws(Problem) -> Date {
        let words = text.oneLine.lowercased()
        let length =
            words.hasSuffix(" ago")
            ? words.dropLast(4) : words.hasPrefix("vor ") ? words.dropFirst(4) : words[...]
        if !words.hasPrefix("in "),
            let length = DurationParser.duration(of: String(length), bare: nil)
        {
            let then = (-length).added(to: ItemTime(context.now, in: local), in: local)
                .instant(in: local)
            return length.seconds == 0 ? local.start(of: local.civil(at: then).date) : then
        }
        let found = start(of: try time(text, isPast: true))
        if found <= context.now { return found }
        // Words that make no sense after "last" name no weekday.
        let earlier = [(try? time("last " + words)).map(start(of:)), lastYear(text)]
        guard let last = earlier.compactMap(\.self).first(where: { $0 <= context.now }) else {
            throw Problem(sentence: "\"\(text.prefix(60))\" is in the future")
        }
        return last
    }

    /// The date of the year before; nil for words that are relative to today.
    private func lastYear(_ text: String) -> Date? {
        func date(daysLater days: Int) -> Date? {
            var context = context
            context.now = context.now.addingTimeInterval(Double(days) * 86_400)
            return DateField(DateParser(context).parse(text), context).map(start(of:))
        }
        guard let coming = date(daysLater: 0), coming == date(daysLater: -7) else { return nil }
        return date(daysLater: -365)
    }

    private func start(of field: DateField) -> Date {
        switch field {
        case .day(let day): local.start(of: day)
        case .time(let time): time.instant(in: local)
        case .clock(let clock):
            [clock, clock.on(clock.date.adding(days: -1))].map(local.instant(of:))
                .first { $0 <= context.now } ?? context.now
        }
    }

    /// The new time of an item that is at `time`. A day keeps the item's clock time. A clock time
    /// keeps the item's day and, unless the phrase says which half of the day, is the one nearest
    /// to the item's time. If that is in the past, the time is used as parsed; nil if it is in the
    /// past, too.
    ///
    /// - Parameter isCorrection: whether a clock time given with a day is treated the same
    ///   way.
    package func moved(_ time: ItemTime?, to phrase: String, isCorrection: Bool) -> ItemTime? {
        let phrase = MessageInterpreter.time(phrase, context)
        if Self.lacksHour(phrase), let time, !time.isDate {
            let now = time.instant(in: local)
            let hour = local.civil(at: now).hour
            return [hour, hour + 1].compactMap {
                moved(time, to: "\(phrase) \(($0 + 11) % 12 + 1)", isCorrection: isCorrection)
            }.min {
                abs($0.instant(in: local).timeIntervalSince(now))
                    < abs($1.instant(in: local).timeIntervalSince(now))
            }
        }
        // Words that give no time move nothing.
        guard let field = try? self.time(phrase) else { return nil }
        guard let time else { return field.next(in: context) }
        var wanted = field.moving(time, in: local)
        // Of an item in some weeks, "monday" is the one nearest to it.
        let days = time.day(in: local).dayNumber - local.civil(at: context.now).date.dayNumber
        if isCorrection, days > 7, case .day(let day) = field,
            Tokenizer.tokens(of: phrase, language: .english).allSatisfy({ $0.lexeme.weekday != nil }
            )
        {
            let weeks = (time.day(in: local).dayNumber - day.dayNumber + 3) / 7
            return DateField.day(day.adding(days: 7 * weeks)).moving(time, in: local)
        }
        if let (part, isDay) = Self.part(phrase), !time.isDate, !wanted.isDate {
            if isDay { wanted = field.next(in: context) }
            // "tonight" keeps a clock time of the night.
            let kept = DateField.day(wanted.day(in: local)).moving(time, in: local)
            let hour = local.civil(at: kept.instant(in: local)).hour
            return (part.start..<part.end).contains(hour) ? kept : wanted
        }
        switch field {
        case .time where !isCorrection, .day: return wanted
        case .clock, .time: break
        }
        guard !wanted.isDate, !time.isDate else { return wanted }
        let (old, new) = (
            local.civil(at: time.instant(in: local)), local.civil(at: wanted.instant(in: local))
        )
        let hours = Self.leavesHalfOpen(phrase) ? [new.hour % 12 + 12, new.hour % 12] : [new.hour]
        // Choose an hour of the night only if the item is already at night, or late in the evening.
        let nearest =
            hours.filter {
                $0 >= 6 && ($0 < 22 || $0 - old.hour < 5) || old.hour < 6 || hours.count == 1
            }.min {
                abs($0 - old.hour) < abs($1 - old.hour)
            } ?? new.hour
        let kept = CivilDateTime(new.date, hour: nearest, minute: new.minute).map {
            ItemTime($0, on: new.date, in: local)
        }
        return [kept, wanted].compactMap(\.self).first { $0.instant(in: local) > context.now }
            ?? field.next(in: context)
    }

    /// "half past", "Viertel vor": minutes of an hour that is not named.
    static func lacksHour(_ phrase: String) -> Bool {
        ["past", "to", "nach", "vor"].contains(phrase.split(separator: " ").last?.lowercased())
    }

    /// The part of the day in words without a clock time: "tonight".
    private static func part(_ phrase: String) -> (window: (start: Int, end: Int), isDay: Bool)? {
        let tokens = Tokenizer.tokens(of: phrase, language: .english)
        guard tokens.allSatisfy({ $0.kind != .digits && $0.lexeme.number == nil }),
            let part = tokens.lazy.compactMap(\.lexeme.part).first
        else { return nil }
        return (part.window, tokens.contains { $0.lexeme.offset != nil })
    }

    /// Whether the half of the day is open: "8", "half past 8", but not "8pm", "20:00",
    /// "08:00", "8 in the evening".
    private static func leavesHalfOpen(_ phrase: String) -> Bool {
        let tokens = Tokenizer.tokens(of: phrase, language: .english)
        let number = tokens.first { $0.kind == .digits || $0.lexeme.number != nil }
        let hour = number.flatMap { Int($0.text).map(Double.init) ?? $0.lexeme.number }
        return hour.map { (1...12).contains($0) } == true && number?.text.first != "0"
            && tokens.allSatisfy {
                !$0.has(.am) && !$0.has(.pm) && $0.lexeme.part == nil && $0.lexeme.unit == nil
            }
    }

    private func problem(
        _ text: String, _ reason: ISO8601.Failure.Reason, words: String? = nil,
        isPast: Bool = false
    ) -> Problem {
        let why =
            switch reason {
            case .noSuchDate: "names a day the calendar does not have"
            case .noSuchTime: "names a time the clock does not have"
            case .noSuchOffset: "has an offset from UTC that cannot be read"
            case .notADate, .trailingText: "is not a date or time I understand"
            }
        let hint = reason == .notADate ? words.map { "words such as \"\($0)\", or " } ?? "" : ""
        let example = isPast ? context.pastExample : context.example
        return Problem(
            sentence: "\"\(text.prefix(60))\" \(why); use \(hint)"
                + "a date such as \(example.prefix(10)), \(example) (local time) "
                + "or \(example):00+01:00")
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

    // MARK: - Rules

    package struct Repetition: Equatable {
        package var rule: RecurrenceRule
        /// The first time, if the words name one.
        package var start: ItemTime?
        package var isFromCompletion = false
        /// Whether the words name the start apart from the rule.
        package var hasOwnStart = false
    }

    /// Parses an RRULE as written in files.
    package func rule(_ text: String) throws(Problem) -> RecurrenceRule {
        do throws(RecurrenceError) {
            return try RecurrenceRule(parsing: text)
        } catch {
            throw Problem(
                sentence: """
                    "\(text.prefix(80))" is not a rule I understand\
                    \(error.part.isEmpty ? "" : " (\(error.part))"); \
                    use RFC 5545, such as FREQ=WEEKLY;INTERVAL=2;BYDAY=TU
                    """)
        }
    }

    /// Parses an RRULE, or words such as "every other tuesday" or "friday".
    package func repetition(_ text: String) throws(Problem) -> Repetition {
        if text.uppercased().contains("FREQ=") { return Repetition(rule: try rule(text)) }
        for phrase in [text, "every " + text] {
            let reading = parse(phrase)
            guard let rule = reading.recurrence, reading.isOnlyDate else { continue }
            return Repetition(
                rule: rule, start: reading.start.map { ItemTime($0, in: local) },
                isFromCompletion: reading.repeatsFromCompletion,
                hasOwnStart: reading.spans.contains { $0.part == .date })
        }
        throw Problem(
            sentence: """
                "\(text.prefix(60))" is not a repetition I understand; use words such as \
                "every other tuesday", or FREQ=WEEKLY;INTERVAL=2;BYDAY=TU
                """)
    }

    // MARK: - Alarms and lengths of time

    /// Parses an alarm: `15m`, `1h30m`, `2d`, `1w` before; `0` at the time itself; `9:00`
    /// on the day; `-PT15M`.
    package func alarm(_ text: String, for time: ItemTime?) throws(Problem) -> CalendarDuration {
        var word = text.oneLine.lowercased()
        if let duration = CalendarDuration(word.uppercased()) { return duration }
        if let clock = Self.clock(word) {
            guard time?.isDate ?? true else {
                throw Problem(
                    sentence: "\"\(text)\" is an hour, but the item has a time; use 15m or 1h30m")
            }
            return CalendarDuration(seconds: clock)
        }
        if word.hasSuffix(" before") { word.removeLast(7) }
        guard let before = DurationParser.duration(of: word) else {
            throw Problem(
                sentence: """
                    "\(text.prefix(40))" is not a valid alarm offset; use 15m, 1h30m, 2d, none \
                    or, for a day, 9:00
                    """)
        }
        return -before
    }

    /// The instant that words such as "an hour", "10 min" or "tomorrow at 9" lead to from
    /// now; a day means its morning.
    package func later(_ text: String) -> Date? {
        let word = text.oneLine.lowercased()
        if let stretch = DurationParser.duration(of: word), stretch != .zero {
            return stretch.added(to: ItemTime(context.now, in: local), in: local)
                .instant(in: local)
        }
        // Try the words as a length of time first, counted from now.
        for phrase in ["in " + word, word] {
            let reading = parse(phrase)
            if let start = reading.start, reading.isOnlyDate {
                return morning(ItemTime(start, in: local))
            }
        }
        // Last try: ISO 8601, which people rarely type.
        guard let time = try? iso(text), !time.isDate else { return nil }
        return time.instant(in: local)
    }

    /// The instant of a time; a day means its morning.
    package func morning(_ time: ItemTime) -> Date {
        guard time.isDate else { return time.instant(in: local) }
        return local.instant(
            of: CivilDateTime(
                secondsAsUTC: time.clock.secondsAsUTC + context.hours.morning * 3600))
    }
}

/// A day, a clock time or both, as entered.
package enum DateField: Sendable, Equatable {
    case day(CivilDate)
    /// A clock time, on the date found in the words or else on today's.
    case clock(CivilDateTime)
    case time(ItemTime)

    /// The day or time of a parsed phrase; nil if it has none, or if words are left over
    /// that are not a date.
    init?(_ reading: ParsedPhrase, _ context: DateContext) {
        guard let start = reading.start, reading.isOnlyDate, reading.recurrence == nil else {
            return nil
        }
        switch start {
        case .date(let date): self = .day(date)
        case .time(let clock):
            let parts = Set(reading.spans.map(\.part))
            self =
                parts.contains(.time) && !parts.contains(.date)
                ? .clock(clock) : .time(ItemTime(start, of: reading, in: context))
        }
    }

    /// The named day; today for a clock time alone.
    package func day(in local: LocalTime) -> CivilDate {
        switch self {
        case .day(let date): date
        case .clock(let clock): clock.date
        case .time(let time): time.day(in: local)
        }
    }

    /// The new time of an item at `time`: a clock time keeps its day, a day its clock time.
    package func moving(
        _ time: ItemTime, isAllDay: Bool = false, in local: LocalTime
    ) -> ItemTime {
        if isAllDay { return .date(day(in: local)) }
        return switch self {
        case .time(let time): time
        case .day(let day) where time.isDate: .date(day)
        case .day(let day):
            ItemTime(local.civil(at: time.instant(in: local)), on: day, in: local)
        case .clock(let clock): ItemTime(clock, on: time.day(in: local), in: local)
        }
    }

    /// The next occurrence; a clock time alone is the next such time.
    package func next(in context: DateContext) -> ItemTime {
        switch self {
        case .day(let date): return .date(date)
        case .time(let time): return time
        case .clock(let clock):
            let time = ItemTime.time(clock, zone: context.local.rules)
            return time.instant(in: context.local) > context.now
                ? time : CalendarDuration(days: 1).added(to: time, in: context.local)
        }
    }
}

extension ParsedPhrase {
    /// Whether the phrase gives a time or a frequency, and nothing else.
    var isOnlyDate: Bool { !hasOwnTitle && !doubts.contains(.leftover) }
}

extension ItemTime {
    init(_ value: ISO8601.Value, in local: LocalTime) {
        switch value {
        case .date(let date): self = .date(date)
        case .local(let clock): self = .time(clock, zone: local.rules)
        case .instant(let instant): self = ItemTime(instant, in: local)
        }
    }

    /// A wall-clock time in the reader's own zone.
    package init(_ moment: ParsedPhrase.Moment, in local: LocalTime) {
        switch moment {
        case .date(let date): self = .date(date)
        case .time(let clock): self = .time(clock, zone: local.rules)
        }
    }

    /// A time kept in the zone that the phrase names: nine in London stays nine there.
    package init(_ moment: ParsedPhrase.Moment, of reading: ParsedPhrase, in context: DateContext) {
        self.init(moment, in: context.local)
        guard !isDate, let zone = reading.zone.flatMap({ context.zones.rules(named: $0) }) else {
            return
        }
        self = ItemTime(instant(in: context.local), in: LocalTime(zone))
    }

    /// The time of `clock` on `day`, in the reader's own zone.
    package init(_ clock: CivilDateTime, on day: CivilDate, in local: LocalTime) {
        self = .time(clock.on(day), zone: local.rules)
    }
}

extension CivilDateTime {
    /// The clock time on another day.
    package func on(_ day: CivilDate) -> CivilDateTime {
        CivilDateTime(
            secondsAsUTC: (day.dayNumber - date.dayNumber) * 86_400 + secondsAsUTC)
    }
}
