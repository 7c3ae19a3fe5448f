import AgentCore

/// When a STANDARD or DAYLIGHT part of a VTIMEZONE begins: its DTSTART, the
/// times of its RDATE, and those of its RRULE from 1900 to 2100.
///
/// Of recurrence it knows what such parts are made of, yearly rules of days in
/// months; another rule makes the part unreadable. Seconds are of the wall
/// clock before the change.
enum ZoneOnsets {
    /// Outlook lets every rule begin in 1601.
    private static let years = 1900...2100

    /// nil where the part cannot be understood. `offset` is what the clocks
    /// show before the change, for rules that end at a time in UTC.
    static func clocks(of part: Component, offset: Int) -> [Int]? {
        guard let start = part.first("DTSTART").flatMap(clock) else { return nil }
        var clocks = part.all("RDATE").flatMap { line in
            CalendarMoment.list(line).compactMap { Self.clock($0, offset: offset) }
        }
        let rules = part.all("RRULE")
        guard rules.count <= 10 else { return nil }
        if start.date.year >= years.lowerBound || rules.isEmpty {
            clocks.append(start.secondsAsUTC)
        }
        for line in rules {
            guard let rule = Yearly(line.value, offset: offset) else { return nil }
            clocks += rule.clocks(from: start, in: years)
        }
        return clocks
    }

    private static func clock(_ line: ContentLine) -> CivilDateTime? {
        // Always a local time (RFC 5545 §3.6.5), whatever is written.
        CalendarMoment(value: String(line.value.prefix(15))).flatMap { moment in
            switch moment {
            case .floating(let clock): clock
            case .date(let date): CivilDateTime(secondsAsUTC: date.dayNumber * 86_400)
            default: nil
            }
        }
    }

    private static func clock(_ moment: CalendarMoment, offset: Int) -> Int? {
        switch moment {
        case .date(let date): date.dayNumber * 86_400
        case .floating(let clock), .zoned(let clock, _): clock.secondsAsUTC
        case .utc(let instant): LocalTime.seconds(of: instant) + offset
        }
    }

    /// `FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU` and its relatives.
    private struct Yearly {
        var interval = 1
        var count = Int.max
        /// Of the wall clock.
        var until = Int.max
        var months: [Int] = []
        var monthDays: [Int] = []
        var weekdays: [(ordinal: Int, day: Int)] = []
        var positions: [Int] = []

        init?(_ text: String, offset: Int) {
            var frequency = ""
            for part in text.uppercased().split(separator: ";") {
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2 else { return nil }
                let value = String(pair[1])
                switch pair[0] {
                case "FREQ": frequency = value
                case "INTERVAL": interval = Int(value) ?? 0
                case "COUNT": count = Int(value) ?? 0
                case "UNTIL":
                    guard let moment = CalendarMoment(value: value),
                        let clock = ZoneOnsets.clock(moment, offset: offset)
                    else { return nil }
                    until = clock + (moment.isDate ? 86_399 : 0)
                case "BYMONTH": months = Self.numbers(value, in: 1...12)
                case "BYMONTHDAY": monthDays = Self.numbers(value, in: -31...31)
                case "BYSETPOS": positions = Self.numbers(value, in: -366...366)
                case "BYDAY": weekdays = value.split(separator: ",").compactMap(Self.weekday)
                case "WKST": break
                default: return nil
                }
                // A list that holds none of what it should.
                if pair[0].hasPrefix("BY"), months.count + monthDays.count + weekdays.count == 0,
                    positions.isEmpty
                {
                    return nil
                }
            }
            // Every twelve months is every year.
            if frequency == "MONTHLY", interval % 12 == 0 {
                interval /= 12
            } else if frequency
                != "YEARLY"
            {
                return nil
            }
            guard (1...1000).contains(interval), count > 0 else { return nil }
        }

        private static func numbers(_ text: String, in range: ClosedRange<Int>) -> [Int] {
            text.split(separator: ",").compactMap { Int($0) }
                .filter { range.contains($0) && $0 != 0 }
        }

        private static func weekday(_ text: Substring) -> (ordinal: Int, day: Int)? {
            guard
                let day = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].firstIndex(of: text.suffix(2))
            else { return nil }
            let ordinal = text.dropLast(2)
            if ordinal.isEmpty { return (0, day) }
            return Int(ordinal).flatMap { (-53...53).contains($0) && $0 != 0 ? ($0, day) : nil }
        }

        func clocks(from start: CivilDateTime, in years: ClosedRange<Int>) -> [Int] {
            let ofDay = start.secondsAsUTC - start.date.dayNumber * 86_400
            // COUNT counts from the start, however long ago that is.
            let first =
                count == .max
                ? max(
                    start.date.year,
                    years.lowerBound - (years.lowerBound - start.date.year) % interval)
                : start.date.year
            var clocks: [Int] = []
            var left = count
            for year in stride(from: first, through: years.upperBound, by: interval) {
                for day in days(in: year, start: start.date) {
                    let clock = day * 86_400 + ofDay
                    guard clock >= start.secondsAsUTC else { continue }
                    guard clock <= until, left > 0 else { return clocks }
                    left -= 1
                    if year >= years.lowerBound { clocks.append(clock) }
                }
            }
            return clocks
        }

        private func days(in year: Int, start: CivilDate) -> [Int] {
            // BYDAY with a number counts within the months, where they are
            // given, else within the year (RFC 5545 §3.3.10).
            let isOfYear = months.isEmpty && monthDays.isEmpty && !weekdays.isEmpty
            let months =
                !months.isEmpty
                ? months
                : isOfYear || !monthDays.isEmpty
                    ? Array(1...12) : [start.month]
            var days: [Int] = []
            for month in Set(months).sorted() {
                let length = CivilDate.days(inMonth: month, of: year)
                for day in 1...length {
                    guard let date = CivilDate(year: year, month: month, day: day) else { continue }
                    let isDay =
                        monthDays.isEmpty
                        ? !weekdays.isEmpty || day == start.day
                        : monthDays.contains(day) || monthDays.contains(day - length - 1)
                    guard isDay,
                        weekdays.isEmpty || isOneOf(date, length: length, isOfYear: isOfYear)
                    else { continue }
                    days.append(date.dayNumber)
                }
            }
            guard !positions.isEmpty else { return days }
            return Set(positions.map { $0 > 0 ? $0 - 1 : days.count + $0 })
                .filter(days.indices.contains).sorted().map { days[$0] }
        }

        private func isOneOf(_ date: CivilDate, length: Int, isOfYear: Bool) -> Bool {
            weekdays.contains { ordinal, day in
                guard date.weekday == day else { return false }
                if ordinal == 0 { return true }
                guard isOfYear, let newYear = CivilDate(year: date.year, month: 1, day: 1) else {
                    return ordinal > 0
                        ? (date.day - 1) / 7 + 1 == ordinal
                        : (length - date.day) / 7 + 1 == -ordinal
                }
                let index = date.dayNumber - newYear.dayNumber
                let size = CivilDate.days(inMonth: 2, of: date.year) + 337
                return ordinal > 0
                    ? index / 7 + 1 == ordinal : (size - 1 - index) / 7 + 1 == -ordinal
            }
        }
    }
}
