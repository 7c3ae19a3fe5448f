import Base

/// The text of a recurrence rule after `RRULE:`: read leniently (order, case,
/// spaces, a semicolon at the end), written in one form.
///
/// Some rules that RFC 5545 forbids, but that occur in practice and are
/// understood by other programs (an ordinal in a weekly rule, BYWEEKNO outside
/// of YEARLY), are accepted; docs/recurrence.md says what they mean.
extension RecurrenceRule {
    /// - Throws: `RecurrenceError` of reason `invalidRule` with the name of the
    ///   invalid part.
    package init(parsing text: String) throws(RecurrenceError) {
        var body = text[...].trimming(while: \.isWhitespace)
        if body.prefix(6).uppercased() == "RRULE:" { body = body.dropFirst(6) }
        // If a part is given twice, the last one counts, as in dateutil.
        var parts: [String: Substring] = [:]
        for piece in body.split(separator: ";") {
            let piece = piece.trimming(while: \.isWhitespace)
            guard !piece.isEmpty else { continue }
            guard let equals = piece.firstIndex(of: "=") else {
                throw Self.invalid(String(piece.prefix(40)))
            }
            let name = piece[..<equals].trimming(while: \.isWhitespace).uppercased()
            parts[name] = piece[piece.index(after: equals)...].trimming(while: \.isWhitespace)
        }
        guard let word = parts["FREQ"], let frequency = Frequency(rawValue: word.uppercased())
        else { throw Self.invalid("FREQ") }
        self.init(frequency)
        for name in parts.keys.sorted() {
            guard let value = parts[name] else { continue }
            try read(name, value)
        }
    }

    /// `FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,-1FR;COUNT=6`.
    package var text: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        for (name, values) in [
            ("BYMONTH", byMonth), ("BYWEEKNO", byWeekNumber), ("BYYEARDAY", byYearDay),
            ("BYMONTHDAY", byMonthDay),
        ] where !values.isEmpty {
            parts.append(Self.part(name, values.map(String.init)))
        }
        if !byDay.isEmpty { parts.append(Self.part("BYDAY", byDay.map(\.text))) }
        for (name, values) in [
            ("BYHOUR", byHour), ("BYMINUTE", byMinute), ("BYSECOND", bySecond),
            ("BYSETPOS", bySetPosition),
        ] where !values.isEmpty {
            parts.append(Self.part(name, values.map(String.init)))
        }
        if weekStart != .monday { parts.append("WKST=\(weekStart.code)") }
        switch bound {
        case .none: break
        case .count(let count): parts.append("COUNT=\(count)")
        case .until(let moment): parts.append("UNTIL=\(Self.text(moment))")
        }
        return parts.joined(separator: ";")
    }

    private static func part(_ name: String, _ values: [String]) -> String {
        name + "=" + values.joined(separator: ",")
    }

    private static func text(_ moment: CalendarMoment) -> String {
        switch moment {
        case .date(let date): CalendarMoment.text(date)
        case .utc(let instant): CalendarMoment.utcText(instant)
        case .floating(let clock), .zoned(let clock, _, _):
            clock.isoText.filter { $0 != "-" && $0 != ":" }
        }
    }

    private static func invalid(_ part: String) -> RecurrenceError {
        RecurrenceError(.invalidRule, part: part)
    }

    private mutating func read(_ name: String, _ value: Substring) throws(RecurrenceError) {
        switch name {
        case "FREQ": break
        case "INTERVAL": interval = try Self.number(value, name, in: 1...Self.largestNumber)
        case "COUNT":
            // Both bounds together are forbidden, and it is unclear which one
            // was intended.
            guard bound == .none else { throw Self.invalid(name) }
            bound = .count(try Self.number(value, name, in: 1...Self.largestNumber))
        case "UNTIL":
            guard bound == .none, let moment = CalendarMoment(unzoned: value) else {
                throw Self.invalid(name)
            }
            bound = .until(moment)
        case "BYSECOND": bySecond = try Self.numbers(value, name, in: 0...60)
        case "BYMINUTE": byMinute = try Self.numbers(value, name, in: 0...59)
        case "BYHOUR": byHour = try Self.numbers(value, name, in: 0...23)
        case "BYMONTH": byMonth = try Self.numbers(value, name, in: 1...12)
        case "BYMONTHDAY": byMonthDay = try Self.numbers(value, name, in: -31...31, orZero: false)
        case "BYYEARDAY": byYearDay = try Self.numbers(value, name, in: -366...366, orZero: false)
        case "BYWEEKNO": byWeekNumber = try Self.numbers(value, name, in: -53...53, orZero: false)
        case "BYSETPOS":
            bySetPosition = try Self.numbers(value, name, in: -366...366, orZero: false)
        case "BYDAY": byDay = try Self.days(value)
        case "WKST":
            guard let day = Self.weekday(value) else { throw Self.invalid(name) }
            weekStart = day
        // RFC 7529: Gregorian is the only calendar we support, and omitting the
        // only way to skip days that do not exist.
        case "RSCALE" where value.uppercased() == "GREGORIAN": break
        case "SKIP" where value.uppercased() == "OMIT": break
        case _ where name.hasPrefix("X-"): break
        default: throw Self.invalid(String(name.prefix(40)))
        }
    }

    /// The largest number of ten digits, above any relevant count of days or seconds.
    private static let largestNumber = 9_999_999_999

    private static func number(
        _ text: Substring, _ name: String, in range: ClosedRange<Int>
    ) throws(RecurrenceError) -> Int {
        let digits = text.drop { $0 == "+" || $0 == "-" }
        guard text.count - digits.count <= 1, !digits.isEmpty, digits.count <= 10,
            digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }), let number = Int(text),
            range.contains(number)
        else { throw invalid(name) }
        return number
    }

    private static func numbers(
        _ text: Substring, _ name: String, in range: ClosedRange<Int>, orZero: Bool = true
    ) throws(RecurrenceError) -> [Int] {
        var numbers: [Int] = []
        var seen: Set<Int> = []
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            let value = try number(piece.trimming(while: \.isWhitespace), name, in: range)
            guard value != 0 || orZero else { throw invalid(name) }
            if seen.insert(value).inserted { numbers.append(value) }
        }
        return numbers
    }

    private static func days(_ text: Substring) throws(RecurrenceError) -> [Day] {
        var days: [Day] = []
        var seen: Set<Day> = []
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            let piece = piece.trimming(while: \.isWhitespace)
            guard let weekday = weekday(piece.suffix(2)) else { throw invalid("BYDAY") }
            var day = Day(weekday)
            let ordinal = piece.dropLast(2).trimming(while: \.isWhitespace)
            if !ordinal.isEmpty {
                day.ordinal = try number(ordinal, "BYDAY", in: -53...53)
                guard day.ordinal != 0 else { throw invalid("BYDAY") }
            }
            if seen.insert(day).inserted { days.append(day) }
        }
        return days
    }

    private static func weekday(_ text: Substring) -> Weekday? {
        let code = text.uppercased()
        return Weekday.allCases.first { $0.code == code }
    }
}

extension RecurrenceRule.Day {
    /// `-1FR`, `MO`.
    package var text: String { (ordinal.map(String.init) ?? "") + weekday.code }
}
