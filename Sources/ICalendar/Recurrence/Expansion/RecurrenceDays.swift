import Base

/// The days of a month that a rule allows (BYMONTH, BYWEEKNO, BYYEARDAY,
/// BYMONTHDAY, BYDAY, with DTSTART's values as defaults), as one bit per day.
///
/// Expanding and limiting (RFC 5545 §3.3.10, the table) are the same here: a
/// period starts with all its days, and each part removes those it does not
/// name. Only the scope of an ordinal depends on the frequency.
struct RecurrenceDays: Sendable {
    private enum Scope { case none, month, year }

    private var months: UInt16
    /// Bit n for BYMONTHDAY=n, and for BYMONTHDAY=-n.
    private var monthDays: UInt32 = 0
    private var monthDaysFromEnd: UInt32 = 0
    /// Bit n for the weekday n, without an ordinal.
    private(set) var weekdays: UInt8 = 0
    private var ordinals: [RecurrenceRule.Day] = []
    private var scope = Scope.none
    private var yearDays: [Int] = []
    private var weekNumbers: [Int] = []
    private let weekStart: Int

    private static let allMonths: UInt16 = 0x1FFE

    init(_ rule: RecurrenceRule, start: CivilDateTime) {
        weekStart = rule.weekStart.rawValue
        months = rule.byMonth.reduce(0) { $0 | 1 << UInt16($1) }
        for day in rule.byMonthDay {
            if day > 0 {
                monthDays |= 1 << UInt32(day)
            } else {
                monthDaysFromEnd |= 1 << UInt32(-day)
            }
        }
        yearDays = rule.byYearDay
        weekNumbers = rule.byWeekNumber
        switch rule.frequency {
        case .yearly: scope = rule.byMonth.isEmpty ? .year : .month
        case .monthly: scope = .month
        default: break
        }
        for day in rule.byDay {
            // An ordinal in a rule of weeks or less is ignored (dateutil).
            if day.ordinal == nil || scope == .none {
                weekdays |= 1 << UInt8(day.weekday.rawValue)
            } else {
                ordinals.append(day)
            }
        }
        takeMissing(from: start.date, rule)
        if months == 0 { months = Self.allMonths }
    }

    /// Takes the parts missing from the rule from DTSTART.
    private mutating func takeMissing(from start: CivilDate, _ rule: RecurrenceRule) {
        guard rule.byDay.isEmpty, rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty else { return }
        switch rule.frequency {
        case .yearly where !rule.byWeekNumber.isEmpty, .weekly where rule.byWeekNumber.isEmpty:
            weekdays = 1 << UInt8(start.weekday)
        case .yearly:
            if months == 0 { months = 1 << UInt16(start.month) }
            monthDays = 1 << UInt32(start.day)
        case .monthly where rule.byWeekNumber.isEmpty: monthDays = 1 << UInt32(start.day)
        default: break
        }
    }

    /// Whether it allows every day.
    var isEverything: Bool { isWeekdaysOnly && weekdays == 0 }

    /// Whether the weekday alone decides.
    var isWeekdaysOnly: Bool {
        months == Self.allMonths && monthDays == 0 && monthDaysFromEnd == 0 && ordinals.isEmpty
            && yearDays.isEmpty && weekNumbers.isEmpty
    }

    /// Bit 0 is the first of the month. `first` is the day number of that day.
    func bits(year: Int, month: Int, first: Int) -> UInt32 {
        guard months >> UInt16(month) & 1 == 1 else { return 0 }
        let length = CivilDate.days(inMonth: month, of: year)
        let all = UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(length)) - 1)
        var bits = all
        if monthDays != 0 || monthDaysFromEnd != 0 {
            var named = monthDays >> 1
            for day in 1...length where monthDaysFromEnd >> UInt32(day) & 1 == 1 {
                named |= 1 << UInt32(length - day)
            }
            bits &= named
        }
        if weekdays != 0 || !ordinals.isEmpty {
            bits &= weekdayBits(first) | ordinalBits(year: year, first: first, length: length)
        }
        if !yearDays.isEmpty { bits &= yearDayBits(year: year, first: first, length: length) }
        if !weekNumbers.isEmpty {
            for index in 0..<length where bits >> UInt32(index) & 1 == 1 {
                if !isInNamedWeek(first + index) { bits &= ~(1 << UInt32(index)) }
            }
        }
        return bits
    }

    /// Every seventh bit: the days of one weekday, if the first is one.
    private static let everySeventh: UInt32 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28

    private func weekdayBits(_ first: Int) -> UInt32 {
        guard weekdays != 0 else { return 0 }
        let firstWeekday = Self.weekday(first)
        return (0..<7).reduce(0) { bits, weekday in
            weekdays >> UInt8(weekday) & 1 == 1
                ? bits | Self.everySeventh << UInt32((weekday - firstWeekday + 7) % 7) : bits
        }
    }

    private func ordinalBits(year: Int, first: Int, length: Int) -> UInt32 {
        var bits: UInt32 = 0
        let (from, count) =
            scope == .year
            ? (Self.dayNumber(year: year, month: 1), Self.days(in: year)) : (first, length)
        for day in ordinals {
            guard let ordinal = day.ordinal else { continue }
            let offset = (day.weekday.rawValue - Self.weekday(from) + 7) % 7
            let index =
                ordinal > 0
                ? offset + (ordinal - 1) * 7
                : offset + (count - 1 - offset) / 7 * 7 + (ordinal + 1) * 7
            guard index >= 0, index < count else { continue }
            let inMonth = from + index - first
            if inMonth >= 0, inMonth < length { bits |= 1 << UInt32(inMonth) }
        }
        return bits
    }

    private func yearDayBits(year: Int, first: Int, length: Int) -> UInt32 {
        let newYear = Self.dayNumber(year: year, month: 1)
        let count = Self.days(in: year)
        return yearDays.reduce(0) { bits, day in
            guard abs(day) <= count else { return bits }
            let inMonth = newYear + (day > 0 ? day - 1 : count + day) - first
            return inMonth >= 0 && inMonth < length ? bits | 1 << UInt32(inMonth) : bits
        }
    }

    /// Week 1 is the first with four days in the year (ISO 8601, with WKST's
    /// first day of the week), so days of late December and early January can
    /// be in a week of the other year.
    private func isInNamedWeek(_ day: Int) -> Bool {
        let fourth = day - (Self.weekday(day) - weekStart + 7) % 7 + 3
        let year = CivilDate(dayNumber: fourth).year
        let newYear = Self.dayNumber(year: year, month: 1)
        let number = (fourth - newYear) / 7 + 1
        // The fourth day of a year's last week is one of the year's last seven days.
        let weeks = number + (newYear + Self.days(in: year) - 1 - fourth) / 7
        return weekNumbers.contains(number) || weekNumbers.contains(number - weeks - 1)
    }

    static func weekday(_ day: Int) -> Int {
        let remainder = (day + 4) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    static func days(in year: Int) -> Int { CivilDate.days(inMonth: 2, of: year) + 337 }

    /// The number of the first day of that month; like `CivilDate.dayNumber`,
    /// for years known to be 1…9999.
    static func dayNumber(year: Int, month: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }
}
