/// A day of the proleptic Gregorian calendar, as on a wall calendar, in no time zone.
///
/// Arithmetic uses day numbers, independent of libraries and zones. Instants are `Date`;
/// `LocalTime` converts between the two.
package struct CivilDate: Sendable, Hashable, Comparable {
    package let year: Int
    /// 1…12.
    package let month: Int
    /// 1…31, within the month.
    package let day: Int

    /// Nil if the calendar has no such day (31 February), or the year is not one of 1…9999, which
    /// can be written with four digits.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that many days after 1 January 1970; the nearest valid day if that is outside the
    /// years 1…9999.
    package init(dayNumber: Int) {
        // Eras of 400 years begin on 1 March, so that the leap day comes last.
        let clamped = min(max(dayNumber, -719_162), 2_932_896)
        let shifted = clamped + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1 January 1970.
    package var dayNumber: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// 0 is Sunday, 6 is Saturday.
    package var weekday: Int {
        // 1 January 1970 was a Thursday.
        let remainder = (dayNumber + 4) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    package func adding(days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// `2026-11-22`.
    package var isoText: String {
        "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }
}

/// Days as shown everywhere in lists, confirmations and alerts: "Sun 22 Nov", "tomorrow, Sun 22
/// Nov".
extension CivilDate {
    /// The names in the order of `weekday`, which counts from Sunday.
    package static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    package static let monthNames = longMonthNames.map { String($0.prefix(3)) }
    package static let longMonthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// `Sun 22 Nov`, with the year if it differs from today's.
    package func text(asOf today: CivilDate) -> String {
        // A weekday is 0…6, a month 1…12.
        let text = "\(Self.weekdayNames[weekday]) \(day) \(Self.monthNames[month - 1])"
        return year == today.year ? text : "\(text) \(year)"
    }

    /// `tomorrow, Sun 22 Nov`; for other days without the name.
    package func nearText(asOf today: CivilDate) -> String {
        (nearName(asOf: today).map { $0 + ", " } ?? "") + text(asOf: today)
    }

    /// `Tomorrow, Sun 22 Nov`.
    package func heading(asOf today: CivilDate) -> String {
        let text = nearText(asOf: today)
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// `today`, `tomorrow`, `yesterday`.
    package func nearName(asOf today: CivilDate) -> String? {
        switch dayNumber - today.dayNumber {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        default: nil
        }
    }
}

/// A day and a time of day as on a wall clock, in no time zone.
package struct CivilDateTime: Sendable, Hashable, Comparable {
    package let date: CivilDate
    /// 0…23.
    package let hour: Int
    /// 0…59.
    package let minute: Int
    /// 0…59: a leap second is written as 59.
    package let second: Int

    /// Nil for an invalid time.
    package init?(_ date: CivilDate, hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
            return nil
        }
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The time that a UTC clock shows that many seconds after the start of 1970.
    package init(secondsAsUTC seconds: Int) {
        var days = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        date = CivilDate(dayNumber: days)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    /// Seconds since the start of 1970 if this were a UTC clock.
    package var secondsAsUTC: Int {
        date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second
    }

    package static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
        left.secondsAsUTC < right.secondsAsUTC
    }

    /// `2026-11-22T09:00:00`.
    package var isoText: String {
        "\(date.isoText)T\(clockText):\(second.padded(to: 2))"
    }

    /// `09:00`.
    package var clockText: String {
        "\(hour.padded(to: 2)):\(minute.padded(to: 2))"
    }
}

extension ClosedRange<CivilDate> {
    /// Number of days.
    package var count: Int { upperBound.dayNumber - lowerBound.dayNumber + 1 }
}
