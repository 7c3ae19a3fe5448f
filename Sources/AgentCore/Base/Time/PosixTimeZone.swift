/// A rule for local time in POSIX TZ syntax (`CET-1CEST,M3.5.0,M10.5.0/3`), which also ends
/// every zone file (RFC 8536 §3.3).
///
/// Pure. Zone names are not parsed here; `TimeZoneDatabase` looks them up.
package struct PosixTimeZone: Sendable, Hashable {
    /// The day and time of a clock change.
    package struct Change: Sendable, Hashable {
        package enum Day: Sendable, Hashable {
            /// `Jn`: 1…365, 29 February is never counted.
            case julian(Int)
            /// `n`: 0…365, 29 February is counted.
            case zeroBased(Int)
            /// `Mm.w.d`: the week 5 is the last; 0 is Sunday.
            case weekday(month: Int, week: Int, day: Int)
        }

        package var day: Day
        /// Seconds after midnight, −167 to 167 hours (RFC 8536 §3.3.1).
        package var second: Int

        /// The second of the change in that year, in the local time before it.
        package func wallSecond(in year: Int) -> Int {
            guard let newYear = CivilDate(year: year, month: 1, day: 1) else { return 0 }
            let isLeap = CivilDate.days(inMonth: 2, of: year) == 29
            let number: Int
            switch day {
            case .julian(let day):
                number = newYear.dayNumber + day - 1 + (isLeap && day >= 60 ? 1 : 0)
            case .zeroBased(let day): number = newYear.dayNumber + day
            case .weekday(let month, let week, let day):
                guard let first = CivilDate(year: year, month: month, day: 1) else { return 0 }
                let offset = (day - first.weekday + 7) % 7 + (week - 1) * 7
                let length = CivilDate.days(inMonth: month, of: year)
                number = first.dayNumber + (offset >= length ? offset - 7 : offset)
            }
            return number * 86_400 + second
        }
    }

    package struct Daylight: Sendable, Hashable {
        package var name: String
        package var offset: Int
        package var start: Change
        package var end: Change
    }

    package var name: String
    /// Seconds east of UTC.
    package var offset: Int
    package var daylight: Daylight?

    /// Nil if the text is not a rule.
    init?(_ text: String) {
        var reader = Reader(bytes: Array(text.utf8)[...])
        guard let name = reader.name(), let west = reader.offset() else { return nil }
        self.name = name
        offset = -west
        if reader.bytes.isEmpty { return }
        guard let daylightName = reader.name() else { return nil }
        var daylightOffset = offset + 3600
        if let first = reader.bytes.first, first != Reader.comma {
            guard let west = reader.offset() else { return nil }
            daylightOffset = -west
        }
        // Without rules, the dates of the United States apply, as in glibc.
        var start = Change(day: .weekday(month: 3, week: 2, day: 0), second: 7200)
        var end = Change(day: .weekday(month: 11, week: 1, day: 0), second: 7200)
        if !reader.bytes.isEmpty {
            guard reader.take(Reader.comma), let from = reader.change(),
                reader.take(Reader.comma), let to = reader.change(), reader.bytes.isEmpty
            else { return nil }
            (start, end) = (from, to)
        }
        daylight = Daylight(name: daylightName, offset: daylightOffset, start: start, end: end)
    }

    package func state(at second: Int) -> TimeZoneRules.State {
        let standard = TimeZoneRules.State(
            offset: offset, isDaylight: false, abbreviation: name)
        guard let daylight else { return standard }
        // The latest change so far decides. If both happen at one instant, the start wins:
        // "0/0,J365/25" is daylight time all year (RFC 8536 §3.3.1).
        var (latest, isDaylight) = (Int.min, false)
        for year in years(around: second) {
            let start = daylight.start.wallSecond(in: year) - offset
            let end = daylight.end.wallSecond(in: year) - daylight.offset
            if end <= second, end > latest { (latest, isDaylight) = (end, false) }
            if start <= second, start >= latest { (latest, isDaylight) = (start, true) }
        }
        guard isDaylight else { return standard }
        return TimeZoneRules.State(
            offset: daylight.offset, isDaylight: true, abbreviation: daylight.name)
    }

    /// The first change after that second, within the next year.
    package func change(after second: Int) -> Int? {
        guard let daylight else { return nil }
        var first: Int?
        for year in years(around: second) {
            for change in [
                daylight.start.wallSecond(in: year) - offset,
                daylight.end.wallSecond(in: year) - daylight.offset,
            ]
            where change > second && change < first ?? .max
                && state(at: change - 1) != state(at: change)
            {
                first = change
            }
        }
        return first
    }

    /// That year and its neighbours: a change on 31 December can be 167 hours later.
    private func years(around second: Int) -> ClosedRange<Int> {
        let year = CivilDateTime(secondsAsUTC: second + offset).date.year
        return max(1, year - 1)...min(9999, year + 1)
    }

    private struct Reader {
        static let comma = UInt8(ascii: ",")
        var bytes: ArraySlice<UInt8>

        mutating func take(_ byte: UInt8) -> Bool {
            guard bytes.first == byte else { return false }
            bytes.removeFirst()
            return true
        }

        /// Letters, or anything in angle brackets; at least three characters.
        mutating func name() -> String? {
            let text: ArraySlice<UInt8>
            if take(UInt8(ascii: "<")) {
                text = bytes.prefix { $0 != UInt8(ascii: ">") }
                bytes = bytes.dropFirst(text.count)
                guard take(UInt8(ascii: ">")) else { return nil }
            } else {
                text = bytes.prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
                bytes = bytes.dropFirst(text.count)
            }
            return text.count >= 3 ? String(decoding: text, as: UTF8.self) : nil
        }

        mutating func number(atMost limit: Int) -> Int? {
            let digits = bytes.prefix { $0 &- 0x30 < 10 }.prefix(4)
            guard !digits.isEmpty else { return nil }
            bytes = bytes.dropFirst(digits.count)
            let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            return number <= limit ? number : nil
        }

        /// `[+-]hh[:mm[:ss]]`, as seconds.
        mutating func offset(hours limit: Int = 24) -> Int? {
            let sign = take(UInt8(ascii: "-")) ? -1 : 1
            if sign == 1 { _ = take(UInt8(ascii: "+")) }
            guard var seconds = number(atMost: limit).map({ $0 * 3600 }) else { return nil }
            for unit in [60, 1] where take(UInt8(ascii: ":")) {
                guard let part = number(atMost: 59) else { return nil }
                seconds += part * unit
            }
            return sign * seconds
        }

        mutating func change() -> Change? {
            let day: Change.Day
            if take(UInt8(ascii: "M")) {
                guard let month = number(atMost: 12), month > 0, take(UInt8(ascii: ".")),
                    let week = number(atMost: 5), week > 0, take(UInt8(ascii: ".")),
                    let weekday = number(atMost: 6)
                else { return nil }
                day = .weekday(month: month, week: week, day: weekday)
            } else if take(UInt8(ascii: "J")) {
                guard let number = number(atMost: 365), number > 0 else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(atMost: 365) else { return nil }
                day = .zeroBased(number)
            }
            guard take(UInt8(ascii: "/")) else { return Change(day: day, second: 7200) }
            guard let second = offset(hours: 167) else { return nil }
            return Change(day: day, second: second)
        }
    }
}
