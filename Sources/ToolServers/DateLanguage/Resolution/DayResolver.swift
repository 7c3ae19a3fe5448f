import Base

/// Resolves a worded day to a calendar day, starting from today.
struct DayResolver {
    struct Answer {
        var date: CivilDate
        /// Other days it may mean, most likely first.
        var others: [CivilDate] = []
        /// Whether the words name a day in the past.
        var isPast = false
        /// Whether people disagree about the words.
        var isAmbiguous = false
        /// Whether a weekday was named that does not match the date.
        var isContradictory = false
    }

    let today: CivilDate
    let firstWeekday: Int
    /// Whether a time was given, and whether it is still ahead today.
    let hasTime: Bool
    let isTimeAhead: Bool

    private var isTodayOver: Bool { hasTime && !isTimeAhead }
    private var years: ClosedRange<Int> { today.year...today.year + 1 }
    private var month: CivilDate { DateArithmetic.firstDay(ofMonthOf: today) }

    /// A day that the words name exactly, even in the past.
    private func exactly(_ date: CivilDate?) -> Answer? {
        date.map { Answer(date: $0, isPast: $0 < today) }
    }

    /// Whether the date is not over; today counts while the given time is ahead.
    private func isOpen(_ date: CivilDate) -> Bool {
        date > today || (date == today && !isTodayOver)
    }

    private func firstOpen(_ dates: some Sequence<CivilDate?>) -> Answer? {
        dates.first { $0.map(isOpen) == true }.flatMap { $0 }.map { Answer(date: $0) }
    }

    func resolve(_ spec: DaySpec, depth: Int = 0) -> Answer? {
        guard depth < 6 else { return nil }
        switch spec {
        case .offset(let days):
            return exactly(today.adding(days: days))
        case .weekday(let weekday, let choice): return self.weekday(weekday, choice)
        case .weekdayIn(let weekday, let week):
            guard let anchor = resolve(week, depth: depth + 1) else { return nil }
            let start = DateArithmetic.weekStart(of: anchor.date, firstWeekday: firstWeekday)
            return exactly(start.adding(days: (weekday - firstWeekday + 7) % 7))
        case .weekend(let choice): return weekend(choice)
        case .shift(let amount, let anchor):
            guard var answer = resolve(anchor, depth: depth + 1) else { return nil }
            answer.date = DateArithmetic.adding(amount, to: answer.date)
            answer.others = answer.others.map { DateArithmetic.adding(amount, to: $0) }
            // "5 weeks after march 1" may count from a past day, and on Boxing Day "two
            // days before christmas" is next year's.
            let moved = years.lazy.compactMap { year in
                anchor.date(in: year).map { DateArithmetic.adding(amount, to: $0) }
            }
            if let date = moved.first(where: { $0 >= today }) { return Answer(date: date) }
            answer.isPast = answer.date < today
            return answer
        case .period(let unit, let offset, let edge): return period(unit, offset, edge)
        case .month(let month, let year, let edge): return self.month(month, year, edge)
        case .nextMonth(let month):
            let year = today.year + (month > today.month ? 0 : 1)
            return CivilDate(year: year, month: month, day: 1).map { Answer(date: $0) }
        case .date(let year, let month, let day, let other): return date(year, month, day, other)
        case .monthDay(let day, let offset): return monthDay(day, offset)
        case .nth(let ordinal, let weekday, let month):
            return inMonth(month) {
                DateArithmetic.nth(ordinal, weekday: weekday, month: $0.month, year: $0.year)
            }
        case .workday(let count, .offset):
            return Answer(
                date: (0..<count).reduce(today) { day, _ in
                    workday(day.adding(days: 1), step: 1)
                })
        case .workday(let ordinal, let month):
            return inMonth(month) {
                workday(ordinal < 0 ? DateArithmetic.lastDay(ofMonthOf: $0) : $0, step: ordinal)
            }
        case .isoWeek(let week, let year, let weekday):
            func day(_ year: Int) -> CivilDate? {
                DateArithmetic.isoWeek(week, year: year, weekday: weekday)
            }
            if let year { return exactly(day(year)) }
            return exactly(years.lazy.compactMap(day).first { $0 >= today })
        case .holiday(let holiday, let year?): return exactly(holiday.date(in: year))
        case .holiday(let holiday, nil): return firstOpen(years.lazy.map(holiday.date))
        case .weekdayBeside(let weekday, let isBefore, let anchor):
            guard let other = resolve(anchor, depth: depth + 1) else { return nil }
            let date =
                isBefore
                ? DateArithmetic.next(weekday, from: other.date.adding(days: -7), orSame: true)
                : DateArithmetic.next(weekday, from: other.date, orSame: false)
            return exactly(date)
        case .named(let weekday, let date): return named(weekday, date, depth)
        }
    }

    /// The day, or the next working day in that direction.
    private func workday(_ day: CivilDate, step: Int) -> CivilDate {
        var day = day
        while day.weekday == 0 || day.weekday == 6 { day = day.adding(days: step) }
        return day
    }

    // MARK: Weeks

    private func weekday(_ weekday: Int, _ choice: DaySpec.Choice) -> Answer {
        let nearest = DateArithmetic.next(weekday, from: today, orSame: true)
        let later = DateArithmetic.next(weekday, from: today, orSame: false)
        let week = DateArithmetic.weekStart(of: today, firstWeekday: firstWeekday)
        let inNextWeek = week.adding(days: 7 + (weekday - firstWeekday + 7) % 7)
        switch choice {
        case .bare:
            if nearest == today {
                // "wednesday" on a Wednesday is a week later, unless its time is still
                // ahead today.
                return hasTime && isTimeAhead
                    ? Answer(date: today, others: [later])
                    : Answer(date: later, others: hasTime ? [] : [today])
            }
            return Answer(date: nearest)
        case .this:
            if nearest == today, isTodayOver { return Answer(date: later) }
            return Answer(date: nearest, others: nearest == today ? [later] : [])
        case .coming: return Answer(date: later)
        case .next:
            return Answer(
                date: inNextWeek, others: later == inNextWeek ? [] : [later],
                isAmbiguous: later != inNextWeek)
        case .afterNext:
            return Answer(date: inNextWeek.adding(days: 7), others: [inNextWeek], isAmbiguous: true)
        case .last:
            return Answer(date: nearest.adding(days: -7), isPast: true)
        }
    }

    private func weekend(_ choice: DaySpec.Choice) -> Answer {
        let saturday = DateArithmetic.next(6, from: today, orSame: true)
        switch choice {
        case .bare, .this:
            return Answer(
                date: today.weekday == 0 ? today : saturday,
                others: [(today.weekday == 0 ? saturday : saturday.adding(days: 1))])
        case .coming: return Answer(date: DateArithmetic.next(6, from: today, orSame: false))
        case .next:
            if today.weekday == 0 { return Answer(date: saturday) }
            return Answer(
                date: saturday.adding(days: 7), others: today.weekday == 6 ? [] : [saturday],
                isAmbiguous: today.weekday != 6)
        case .afterNext:
            return Answer(
                date: saturday.adding(days: 14), others: [saturday.adding(days: 7)],
                isAmbiguous: true)
        case .last: return Answer(date: saturday.adding(days: -7), isPast: true)
        }
    }

    // MARK: Periods

    private func period(_ unit: TimeUnit, _ offset: Int, _ edge: DaySpec.Edge) -> Answer? {
        if unit == .week { return week(offset, edge) }
        return first(unit, offset).map { inside($0.date, months: $0.months, offset, edge) }
    }

    /// The first day of the month, quarter or year at that offset, and its length in
    /// months.
    private func first(_ unit: TimeUnit, _ offset: Int) -> (date: CivilDate, months: Int)? {
        let (months, over): (Int, Int)
        switch unit {
        case .month: (months, over) = (1, 0)
        case .quarter: (months, over) = (3, (today.month - 1) % 3)
        case .year: (months, over) = (12, today.month - 1)
        default: return nil
        }
        return (DateArithmetic.adding(months: offset * months - over, to: self.month), months)
    }

    private func week(_ offset: Int, _ edge: DaySpec.Edge) -> Answer {
        let start = DateArithmetic.weekStart(of: today, firstWeekday: firstWeekday).adding(
            days: offset * 7)
        let monday = start.adding(days: (1 - firstWeekday + 7) % 7)
        let isThursdayOver = offset == 0 && today >= monday.adding(days: 3)
        let (day, others): (Int, [Int]) =
            switch edge {
            case .none: (offset == 0 ? 4 : 0, [])
            case .start, .early: (0, [1])
            case .middle: (2, [])
            case .late: (isThursdayOver ? 4 : 3, [4])
            case .end: (4, [6, 5])
            }
        var answer = Answer(date: monday.adding(days: day), others: others.map(monday.adding))
        if answer.date < today, offset == 0 {
            let sunday = monday.adding(days: 6)
            answer =
                (edge == .end || edge == .none || edge == .late) && sunday >= today
                ? Answer(date: sunday) : Answer(date: answer.date.adding(days: 7))
        }
        answer.isPast = answer.date < today
        return answer
    }

    private func inside(
        _ first: CivilDate, months: Int, _ offset: Int, _ edge: DaySpec.Edge
    ) -> Answer {
        func pick(_ first: CivilDate) -> CivilDate {
            let last = DateArithmetic.lastDay(
                ofMonthOf: DateArithmetic.adding(months: months - 1, to: first))
            return switch edge {
            case .none: offset == 0 ? last : first
            case .start, .early: first
            case .middle where months == 1: first.adding(days: 14)
            case .middle: DateArithmetic.adding(months: months / 2, to: first)
            case .late where months == 1: first.adding(days: 24)
            case .late: DateArithmetic.adding(months: months - 1, to: first)
            case .end: last
            }
        }
        var date = pick(first)
        if date < today, offset == 0 {
            date = pick(DateArithmetic.adding(months: months, to: first))
        }
        return Answer(date: date, isPast: date < today)
    }

    private func month(_ month: Int, _ year: Int?, _ edge: DaySpec.Edge) -> Answer? {
        func pick(_ year: Int) -> CivilDate? {
            let day =
                switch edge {
                case .none, .start, .early: 1
                case .middle: 15
                case .late: 25
                case .end: CivilDate.days(inMonth: month, of: year)
                }
            return CivilDate(year: year, month: month, day: day)
        }
        guard let date = pick(year ?? today.year) else { return nil }
        if let year {
            if edge == .none, year == today.year, month == today.month {
                return Answer(date: max(date, today))
            }
            return Answer(date: date, isPast: date < today)
        }
        if date >= today { return Answer(date: date) }
        // "in march" in March is the rest of it.
        let next = pick(today.year + 1)
        if edge == .none, month == today.month {
            return Answer(date: today, others: [next].compactMap { $0 })
        }
        return next.map { Answer(date: $0) }
    }

    // MARK: Dates

    private func date(_ year: Int?, _ month: Int, _ day: Int, _ other: Bool) -> Answer? {
        func find(_ month: Int, _ day: Int) -> Answer? {
            func date(_ year: Int) -> CivilDate? { CivilDate(year: year, month: month, day: day) }
            // Leap days are eight years apart at most.
            return year.map { exactly(date($0)) }
                ?? firstOpen((today.year...today.year + 8).lazy.map(date))
        }
        guard var answer = find(month, day) else { return nil }
        if other, let second = find(day, month) {
            (answer.others, answer.isAmbiguous) = ([second.date], true)
        }
        return answer
    }

    /// That day of the month at the given offset.
    private func day(_ day: Int, months: Int) -> CivilDate? {
        let month = DateArithmetic.adding(months: months, to: self.month)
        return CivilDate(year: month.year, month: month.month, day: day)
    }

    private func monthDay(_ day: Int, _ offset: Int?) -> Answer? {
        if let offset { return exactly(self.day(day, months: offset)) }
        return firstOpen((0...3).lazy.map { self.day(day, months: $0) })
    }

    /// A day counted within a month; if it is past and no year was given, the one in the
    /// next period.
    private func inMonth(_ month: DaySpec, _ pick: (CivilDate) -> CivilDate?) -> Answer? {
        switch month {
        case .month(let name, let year, _):
            func day(_ year: Int) -> CivilDate? {
                CivilDate(year: year, month: name, day: 1).flatMap(pick)
            }
            return year.map { exactly(day($0)) } ?? firstOpen(years.map(day))
        case .period(let unit, let offset, _):
            guard let first = first(unit, offset) ?? first(.month, offset),
                let date = pick(first.date)
            else { return nil }
            return exactly(
                offset != 0 || isOpen(date)
                    ? date : pick(DateArithmetic.adding(months: first.months, to: first.date)))
        default: return nil
        }
    }

    /// "friday 20 march", "friday the 13th": the date that falls on that weekday.
    private func named(_ weekday: Int, _ spec: DaySpec, _ depth: Int) -> Answer? {
        guard var answer = resolve(spec, depth: depth + 1) else { return nil }
        if answer.date.weekday == weekday {
            answer.isAmbiguous = false
            return answer
        }
        // "tuesday 11/3" where 3 November is the Tuesday: it is unclear which is wrong.
        if let other = answer.others.first(where: { $0.weekday == weekday }) {
            return Answer(date: other, others: [answer.date], isContradictory: true)
        }
        if case .monthDay(let day, nil) = spec,
            let date = (1...14).lazy.compactMap({ self.day(day, months: $0) })
                .first(where: { $0.weekday == weekday })
        {
            return Answer(
                date: date, others: [answer.date], isContradictory: date > answer.date)
        }
        // The two do not match; the date is more reliable.
        answer.others.append(DateArithmetic.next(weekday, from: today, orSame: false))
        answer.isContradictory = true
        return answer
    }
}
