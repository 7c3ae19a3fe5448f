/// Decides which hour of the day a time means: "at 9", "8 in the morning", "tonight at 10".
struct ClockResolver {
    /// What the title implies about the time of day.
    enum Hint { case none, early, late, timetable }

    let hours: PartsOfDay
    let hint: Hint

    struct Settled {
        var hour: Int
        var minute: Int
        var second = 0
        /// 1 if midnight or an hour of the night falls on the next date.
        var dayShift = 0
        /// The same hour in the other half of the day, if both are likely.
        var other: Int?
        var isAmbiguous = false

        var otherHalf: Settled? {
            other.map { Settled(hour: $0, minute: minute, second: second, dayShift: dayShift) }
        }
        /// The time moved by `seconds`; the other half of the day keeps its distance.
        func shifted(by seconds: Int) -> Settled {
            let day = 86_400
            let moved = self.seconds + seconds
            let rest = (moved % day + day) % day
            var settled = self
            (settled.hour, settled.minute) = (rest / 3600, rest / 60 % 60)
            (settled.second, settled.dayShift) = (rest % 60, (moved - rest) / day)
            settled.other = other == nil ? nil : (settled.hour + 12) % 24
            return settled
        }

        /// Seconds from the midnight that begins its day.
        var seconds: Int { secondOfDay + dayShift * 86_400 }
        var secondOfDay: Int { hour * 3600 + minute * 60 + second }
    }

    func settle(_ clock: ClockSpec, part: DayPart?) -> Settled {
        let settled = unshifted(clock, part: part)
        return clock.shift == 0 ? settled : settled.shifted(by: clock.shift)
    }

    private func unshifted(_ clock: ClockSpec, part: DayPart?) -> Settled {
        var settled = Settled(hour: clock.hour % 24, minute: clock.minute, second: clock.second)
        if clock.isMidnight {
            (settled.hour, settled.dayShift) = (0, 1)
            return settled
        }
        if clock.form == .full,
            clock.half != nil || clock.hour > 12 || clock.hour == 0 || part == nil
        {
            if let part, part.isNight, settled.hour < 5, clock.half != .pm {
                (settled.dayShift, settled.isAmbiguous) = (1, clock.half == nil)
            }
            return settled
        }
        guard (1...12).contains(clock.hour) else { return settled }
        if let part { return inPart(clock, part) }
        let base = clock.hour % 12
        let isPM: Bool
        switch hint {
        case .early: isPM = clock.hour == 12
        case .late: isPM = true
        // "train tomorrow 5:52"
        case .timetable where clock.form == .colon: isPM = clock.hour == 12
        case .timetable, .none:
            // Seven to eleven in the morning, noon, one to six in the afternoon; "6:45" is
            // in the style of a 24-hour clock.
            let morning = clock.form == .colon ? 6...11 : 7...11
            isPM = !morning.contains(clock.hour)
        }
        (settled.hour, settled.other) = (base + (isPM ? 12 : 0), base + (isPM ? 0 : 12))
        return settled
    }

    private func inPart(_ clock: ClockSpec, _ part: DayPart) -> Settled {
        var settled = Settled(hour: clock.hour % 24, minute: clock.minute, second: clock.second)
        let base = clock.hour % 12
        if part.isNight {
            if base < 5 {
                (settled.hour, settled.dayShift, settled.isAmbiguous) = (base, 1, base != 0)
            } else {
                settled.hour = base + 12
            }
        } else if part.isLate {
            settled.hour = base + 12
        } else if part == .noon || part == .lunch {
            settled.hour = base < 4 ? base + 12 : clock.hour
        } else {
            settled.hour = clock.hour == 12 && part != .midnight ? 12 : base
        }
        return settled
    }

    /// The hour that a part of the day stands for, and the hour at which it ends.
    func window(_ part: DayPart) -> (start: Int, end: Int) {
        let start =
            switch part {
            case .morning, .firstThing: hours.morning
            case .noon: hours.noon
            case .afternoon: hours.afternoon
            case .endOfDay: hours.endOfDay
            case .evening: hours.evening
            case .night: hours.night
            default: part.window.start
            }
        return (start, part.window.end)
    }

    /// The time for a part of the day alone.
    func usual(_ part: DayPart) -> Settled {
        Settled(hour: window(part).start, minute: 0, dayShift: part == .midnight ? 1 : 0)
    }

    /// Both ends of a range of hours; a half of the day given for one also applies to the
    /// other if that fits.
    func settle(from first: ClockSpec, to second: ClockSpec, part: DayPart?) -> (
        start: Settled, end: Settled
    ) {
        var start: Settled
        let isOpen = first.half == nil && first.form != .full && (1...12).contains(first.hour)
        if isOpen, second.half != nil, !second.isMidnight {
            let end = settle(second, part: nil)
            let (early, late) = (first.hour % 12, first.hour % 12 + 12)
            func isBefore(_ hour: Int) -> Bool {
                hour * 3600 + first.minute * 60 < end.secondOfDay
            }
            // "11-1pm" begins before noon; so does "9 to 12pm".
            let isLate = second.half == .pm ? isBefore(late) : !isBefore(early)
            start = Settled(hour: isLate ? late : early, minute: first.minute)
        } else if isOpen, second.form == .full, second.half == nil, second.hour > 12, part == nil {
            start = settle(first, part: part)
            if start.hour * 60 + first.minute >= second.hour * 60 + second.minute {
                start.hour = first.hour % 12
            }
        } else {
            start = settle(first, part: part)
        }
        var end = Settled(hour: second.hour % 24, minute: second.minute, second: second.second)
        // Both are 24-hour times: "13:00 to 12:00".
        let isWhole = first.half == nil && first.hour > 12 && second.form == .colon
        let isEndOpen =
            second.half == nil && second.form != .full && !isWhole
            && (1...12).contains(second.hour)
        if second.isMidnight {
            end.dayShift = 1
            return (start, end)
        }
        if isEndOpen {
            end.hour = second.hour % 12
            if end.secondOfDay <= start.secondOfDay { end.hour += 12 }
            // "22:00 to 6:00" ends in the morning.
            if end.secondOfDay <= start.secondOfDay { end.hour -= 12 }
        }
        end.dayShift = start.dayShift
        if end.secondOfDay <= start.secondOfDay { end.dayShift += 1 }
        return (start, end)
    }
}
