import Base

/// Calendar arithmetic for spoken dates: months later, the nth Friday of a month, the week
/// of a date. Pure.
enum DateArithmetic {
    /// The date `months` later; the day is clamped to the end of the month.
    static func adding(months: Int, to date: CivilDate) -> CivilDate {
        let index = date.year * 12 + date.month - 1 + months
        let year = min(max(index / 12, 1), 9999)
        let month = index < 12 ? 1 : index % 12 + 1
        return CivilDate(
            year: year, month: month,
            day: min(date.day, CivilDate.days(inMonth: month, of: year))) ?? date
    }

    static func adding(_ amount: Amount, to date: CivilDate) -> CivilDate {
        let moved = amount.months == 0 ? date : adding(months: amount.months, to: date)
        return moved.adding(days: amount.days)
    }

    /// The nth such weekday of a month, counted from the end if negative.
    static func nth(_ ordinal: Int, weekday: Int, month: Int, year: Int) -> CivilDate? {
        guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
        let days = CivilDate.days(inMonth: month, of: year)
        let offset = (weekday - first.weekday + 7) % 7
        if ordinal > 0 {
            return CivilDate(year: year, month: month, day: offset + 1 + (ordinal - 1) * 7)
        }
        let last = offset + 1 + (days - offset - 1) / 7 * 7
        return CivilDate(year: year, month: month, day: last + (ordinal + 1) * 7)
    }

    static func lastDay(ofMonthOf date: CivilDate) -> CivilDate {
        CivilDate(
            year: date.year, month: date.month,
            day: CivilDate.days(inMonth: date.month, of: date.year)) ?? date
    }

    static func firstDay(ofMonthOf date: CivilDate) -> CivilDate {
        CivilDate(year: date.year, month: date.month, day: 1) ?? date
    }

    /// The first day of the week that contains `date`.
    static func weekStart(of date: CivilDate, firstWeekday: Int) -> CivilDate {
        date.adding(days: -((date.weekday - firstWeekday + 7) % 7))
    }

    /// The first such weekday after `date`, or on it.
    static func next(_ weekday: Int, from date: CivilDate, orSame: Bool) -> CivilDate {
        let days = (weekday - date.weekday + 7) % 7
        return date.adding(days: days == 0 && !orSame ? 7 : days)
    }

    /// A day of an ISO 8601 week; `weekday` counts from Sunday.
    static func isoWeek(_ week: Int, year: Int, weekday: Int) -> CivilDate? {
        guard (1...53).contains(week), let fourth = CivilDate(year: year, month: 1, day: 4) else {
            return nil
        }
        return weekStart(of: fourth, firstWeekday: 1)
            .adding(days: (week - 1) * 7 + (weekday + 6) % 7)
    }
}
