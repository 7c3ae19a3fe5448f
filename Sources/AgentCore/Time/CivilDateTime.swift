/// A day and a time of day as a wall clock shows them, in no time zone.
package struct CivilDateTime: Sendable, Hashable, Comparable {
    package let date: CivilDate
    /// 0…23.
    package let hour: Int
    /// 0…59.
    package let minute: Int
    /// 0…59: a leap second is written as 59.
    package let second: Int

    /// nil when the clock has no such time.
    package init?(_ date: CivilDate, hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
            return nil
        }
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// What a clock in UTC shows that many seconds after the start of 1970.
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

    /// Seconds since the start of 1970 if this were a clock in UTC.
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
