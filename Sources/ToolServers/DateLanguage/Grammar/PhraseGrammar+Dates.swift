import Base

/// Parses calendar dates: "2026-03-20", "20.3.", "5/3", "march 20th", "the 15th of next
/// month", "the first monday of april", holidays. Above 400 lines because the forms share
/// months, ordinals and years.
extension PhraseGrammar {
    /// 1…31 as "15th", "15.", "fifteenth", "twenty first".
    func ordinal(_ index: Int) -> Match<Int>? {
        guard let token = token(index) else { return nil }
        if token.kind == .digits, let value = token.value, token.text.utf8.count <= 2 {
            if isGlued(index + 1), isWord(index + 1, "st", "nd", "rd", "th") {
                return (value, index + 2)
            }
            if isSign(index + 1, "."), isGlued(index + 1),
                !isDigits(index + 2) || !isGlued(index + 2)
            {
                return (value, index + 2)
            }
            return nil
        }
        guard token.kind == .word else { return nil }
        if let value = token.lexeme.ordinal { return (value, index + 1) }
        if let tens = token.lexeme.number, tens == 20 || tens == 30 {
            let next = isSign(index + 1, "-") ? index + 2 : index + 1
            if let ones = self.token(next)?.lexeme.ordinal, ones < 10 {
                return (Int(tens) + ones, next + 1)
            }
        }
        return nil
    }

    /// A year of four digits, or of two after an apostrophe.
    func year(_ index: Int) -> Match<Int>? {
        if isSign(index, "'"), let short = digits(index + 1, 2...2) {
            return (2000 + short, index + 2)
        }
        let index = isSign(index, ",") ? index + 1 : index
        guard let token = token(index), token.kind == .digits, token.text.utf8.count == 4,
            let value = token.value, (1900...2199).contains(value),
            !(isSign(index + 1, ":") && isGlued(index + 1)), !isWord(index + 1, "hrs", "uhr", "h")
        else { return nil }
        return (value, index + 1)
    }

    func date(_ index: Int, hasArticle: Bool) -> DayMatch? {
        numericDate(index) ?? dayFirst(index) ?? monthFirst(index)
    }

    // MARK: In numbers

    /// "2026-03-20", "20.3.", "5/3/26", "2026-W12", "20260320"
    func numericDate(_ index: Int) -> DayMatch? {
        if let all = digits(index, 8...8), (1900...2099).contains(all / 10_000) {
            return exactDate(all / 10_000, all / 100 % 100, all % 100, end: index + 1, certainty: 1)
        }
        guard isGlued(index + 1), let sign = token(index + 1)?.text,
            ["-", "/", "."].contains(sign)
        else { return nil }
        if let week = isoWeek(index) { return week }
        guard isGlued(index + 2) || sign == ".", let b = digits(index + 2, 1...2) else {
            return nil
        }
        let isLonger = isSign(index + 3, sign) && isGlued(index + 3)
        let third = isLonger && (isGlued(index + 4) || sign == ".") ? digits(index + 4, 1...4) : nil
        if let year = digits(index, 4...4) {
            guard let third else { return nil }
            // 2026-03-20T08:00: the clock grammar continues after the T.
            let isTimed = isWord(index + 5, "t") && isGlued(index + 5) && isDigits(index + 6)
            return exactDate(year, b, third, end: index + (isTimed ? 6 : 5), certainty: 2)
        }
        guard let a = digits(index, 1...2) else { return nil }
        if let third, digits(index + 4, 4...4) ?? digits(index + 4, 2...2) != nil,
            isGlued(index + 4) || third > 99
        {
            let year = third > 99 ? third : 2000 + third
            return dayMonth(a, b, year: year, sign, end: index + 5, certainty: 2)
        }
        switch sign {
        // 5.3 may be a number; 5.3. is a date.
        case "." where isLonger: return dayMonth(a, b, sign, end: index + 4, certainty: 2)
        case ".": return isDottedDay(index, b) ? dayMonth(a, b, sign, end: index + 3) : nil
        case _ where isLonger: return nil
        case "-":
            // "12-24" is a day only where it cannot be a range of hours.
            guard digits(index, 2...2) != nil, digits(index + 2, 2...2) != nil, max(a, b) > 12,
                !isNumbered(index), isEdge(index + 3), !followsDay(index), a != b
            else { return nil }
            return dayMonth(a, b, sign, end: index + 3)
        default:
            // 24/7 and fractions are not dates: "dose 1/2" has no date, "on 1/2" has.
            let isMarked = has(index - 1, .on, .by, .until, .before, .after, .from, .starting)
            if (a, b) == (24, 7) || has(index + 3, .measure) || unit(index + 3) != nil
                || isWord(index + 3, "of")
                || isNumbered(index) && !(max(a, b) > 12 && clock(index + 3)?.isSure == true)
                || isOwned(index) && !isMarked
            {
                return nil
            }
            return dayMonth(a, b, sign, end: index + 3)
        }
    }

    /// The value of digits if their number is within `width`.
    private func digits(_ index: Int, _ width: ClosedRange<Int>) -> Int? {
        guard let token = token(index), token.kind == .digits,
            width.contains(token.text.utf8.count)
        else { return nil }
        return token.value
    }

    /// "2026-W12-3"
    private func isoWeek(_ index: Int) -> DayMatch? {
        guard let year = digits(index, 4...4), isSign(index + 1, "-"), isWord(index + 2, "w"),
            let week = token(index + 3)?.value
        else { return nil }
        return DateArithmetic.isoWeek(week, year: year, weekday: 1).map { _ in
            DayMatch(.isoWeek(week, year: year, weekday: 1), index + 4)
        }
    }

    private func exactDate(
        _ year: Int, _ month: Int, _ day: Int, end: Int, certainty: Int
    ) -> DayMatch? {
        CivilDate(year: year, month: month, day: day).map { _ in
            DayMatch(.date(year: year, month: month, day: day, other: false), end, certainty)
        }
    }

    /// "am 5.3" is a day, "version 5.3" is not.
    private func isDottedDay(_ index: Int, _ month: Int) -> Bool {
        let before = index - 1
        let isPlaced =
            has(before, .on, .until, .by, .from, .before, .after)
            || isWord(before, "den", "der", "dem")
            || token(before)?.lexeme.weekday != nil
        return isPlaced && month <= 12 && isGlued(index + 2)
            && !(isDigits(index + 4) && isGlued(index + 4))
            && !isWord(index + 3, "pm", "am", "p", "uhr", "a")
    }

    /// In the order of the locale, or in the other order if only that gives a valid day.
    private func dayMonth(
        _ a: Int, _ b: Int, year: Int? = nil, _ sign: String, end: Int, certainty: Int = 1
    ) -> DayMatch? {
        let isMonthFirst = sign != "." && locale.isMonthFirst
        func isValid(_ month: Int, _ day: Int) -> Bool {
            CivilDate(year: year ?? 2024, month: month, day: day) != nil
        }
        var (month, day) = isMonthFirst ? (a, b) : (b, a)
        let isSwapped = !isValid(month, day)
        if isSwapped { (month, day) = (day, month) }
        guard isValid(month, day) else { return nil }
        let isOpen = !isSwapped && sign != "." && month != day && isValid(day, month)
        return DayMatch(
            .date(
                year: year, month: month, day: day,
                other: isOpen), end, certainty)
    }

    // MARK: With a month's name

    private func monthName(_ index: Int) -> Int? {
        guard let token = token(index), token.kind == .word, !token.isPossessive else { return nil }
        return token.lexeme.month
    }

    /// A day of a month, with the year if one follows.
    private func dated(_ month: Int, _ day: Int, end: Int, certainty: Int = 2) -> DayMatch {
        let year = isSign(end, "-") && isGlued(end) ? year(end + 1) : year(end)
        return DayMatch(
            .date(year: year?.value, month: month, day: day, other: false), year?.end ?? end,
            year == nil ? certainty : 2)
    }

    /// A day of the month in digits or words, not as an ordinal.
    private func plainDay(_ index: Int) -> Match<Int>? {
        guard let token = token(index), token.kind == .word || digits(index, 1...2) != nil,
            !isOne(index, of: .vagueNumbers)
        else { return nil }
        return wholeNumber(index, in: 1...31)
    }

    /// "20 march", "20th of march", "twenty first of march", "20. März"
    private func dayFirst(_ index: Int) -> DayMatch? {
        guard let number = ordinal(index) ?? plainDay(index) else { return nil }
        var next = number.end
        if isWord(next, "day"), has(next + 1, .of) { next += 1 }
        if !isWord(next, "im") { next = skip(.of, from: next) }
        if isGlued(next) { next = skipSign("-", from: next) }
        // "31 april" is also recognised, so that it is not taken for another day.
        guard let month = monthName(next), (1...31).contains(number.value) else { return nil }
        return dated(month, number.value, end: afterDot(next))
    }

    /// The index after a name and the dot of its abbreviation ("20 mar. 2026").
    private func afterDot(_ index: Int) -> Int {
        let isShort = tokens[index].text.utf8.count <= 4 && !isWord(index, "may", "mai")
        let next = index + 1
        return isShort && isSign(next, ".") && isGlued(next) && token(next + 1) != nil
            ? next + 1 : next
    }

    /// "march 20", "march 20th, 2026", "may the fourth", "march 2027", "in march"
    private func monthFirst(_ index: Int) -> DayMatch? {
        guard let month = monthName(index) else { return nil }
        let name = tokens[index]
        let afterName = afterDot(index)
        var next = skip(.the, from: afterName)
        if isDigits(next + 1) { next = skipSign("-", from: next) }
        if let day = dayAfterMonth(next), (1...31).contains(day.value) {
            let isName = name.has(.doubtful) && token(next)?.kind == .word && ordinal(next) == nil
            return dated(month, day.value, end: day.end, certainty: isName ? 1 : 2)
        }
        if let year = year(afterName), !isSign(afterName, ",") {
            return DayMatch(.month(month, year: year.value, .none), year.end)
        }
        return monthAlone(index, month)
    }

    private func dayAfterMonth(_ index: Int) -> Match<Int>? {
        if let ordinal = ordinal(index) {
            return isSign(ordinal.end - 1, ".") ? (ordinal.value, ordinal.end - 1) : ordinal
        }
        let next = index + 1
        if isDigits(index) {
            // Hours and decimals are not dates.
            let isClock =
                isGlued(next) && (isSign(next, ":") || isWord(next, "a", "p", "h"))
                || isWord(next, "am", "pm")
            let isDecimal =
                isSign(next, ".") && isGlued(next) && isDigits(next + 1) && isGlued(next + 1)
            return isClock || isDecimal ? nil : digits(index, 1...2).map { ($0, next) }
        }
        return plainDay(index)
    }

    /// "in march": a month alone needs a preposition or the end of the clause.
    private func monthAlone(_ index: Int, _ month: Int) -> DayMatch? {
        let (name, before) = (tokens[index], index - 1)
        let isIn = has(before, .into)
        let isPlaced =
            isIn || has(before, .by, .before, .until, .from, .starting)
            || isOne(before, of: .beforeMonths)
        // "ask May", "meet April": people; "in April" is a month.
        let isMonth = isIn || isOne(before, of: .surelyBeforeMonths)
        let isPerson =
            name.has(.doubtful)
            && (name.isCapitalised || !isPlaced
                || isWord(before, "for", "from", "by", "before", "after", "of"))
        if isPerson, !(isMonth && isEdge(index + 1)) { return nil }
        if index == 0, name.isCapitalised || !isEdge(index + 1) { return nil }
        return DayMatch(
            .month(month, year: nil, .none), index + 1, isPlaced || token(index + 1) == nil ? 1 : 0)
    }

    // MARK: By order

    /// "the 15th", "the 3rd of next month", "first monday of april", "last day
    /// of march", "second week of june".
    func ordinalDay(_ index: Int, hasArticle: Bool) -> DayMatch? {
        guard let rank = rank(index),
            !(isWord(index, "first", "ersten", "erste") && isWord(index + 1, "and", "thing"))
        else { return nil }
        if let weekday = token(rank.end)?.lexeme.weekday, token(rank.end)?.lexeme.part == nil,
            abs(rank.value) <= 5, tokens[rank.end].isPossessive == false
        {
            return nthWeekday(index, rank, weekday)
        }
        if workdays(rank.end) != nil || nthUnit(index, rank) != nil { return nthUnit(index, rank) }
        guard (1...31).contains(rank.value) else { return nil }
        guard let month = monthReference(rank.end) else {
            return bareMonthDay(index, rank, hasArticle: hasArticle)
        }
        switch month.day {
        case .month(let name, let year, _):
            return exactDate(2024, name, rank.value, end: month.end, certainty: 2).map { _ in
                DayMatch(.date(year: year, month: name, day: rank.value, other: false), month.end)
            }
        case .period(.month, let offset, _):
            // "of the month" means whichever comes next.
            return DayMatch(
                .monthDay(rank.value, monthOffset: month.isAny ? nil : offset), month.end)
        default: return nil
        }
    }

    /// "first monday of april", "the last sunday"
    private func nthWeekday(_ index: Int, _ rank: Match<Int>, _ weekday: Int) -> DayMatch? {
        let next = rank.end + 1
        // "the second sunday after easter"
        if rank.value > 0, let first = weekdayBeside(weekday, next, 1) {
            let weeks = Double(has(next, .before) ? 1 - rank.value : rank.value - 1)
            return DayMatch(
                weeks == 0 ? first.day : .shift(Amount(weeks, .week), first.day), first.end)
        }
        if let month = monthReference(next) {
            return DayMatch(.nth(rank.value, weekday: weekday, of: month.day), month.end)
        }
        // "on the last sunday" of whatever month it is
        let isOnThe =
            has(index - 1, .the) && (has(index - 2, .on, .by))
            || isWord(index - 1, "am")
        guard isOnThe, isEdge(next) || isFirst(index - 2) else { return nil }
        return DayMatch(.nth(rank.value, weekday: weekday, of: .period(.month, 0, .none)), next)
    }

    /// "last working day of march", "last day of the month", "first week of june"
    private func nthUnit(_ index: Int, _ rank: Match<Int>) -> DayMatch? {
        let (value, unit) = (rank.value, token(rank.end)?.lexeme.unit)
        if let end = workdays(rank.end) {
            guard let month = monthReference(end), abs(value) == 1 else { return nil }
            return DayMatch(
                .workday(value, of: month.day), month.end)
        }
        guard let month = monthReference(rank.end + 1) else {
            // "every quarter on the first day"
            guard unit == .day, has(index - 1, .the), abs(value) == 1, let unit = repeatedUnit
            else { return nil }
            let period = DaySpec.period(unit, 0, .none)
            return DayMatch(period.at(value == 1 ? .start : .end), rank.end + 1)
        }
        switch unit {
        case .day where (-5 ... -1).contains(value):
            let last = month.day.at(.end)
            return DayMatch(
                value == -1 ? last : .shift(Amount(Double(value + 1), .day), last), month.end)
        case .week where value == 1: return DayMatch(month.day.at(.start), month.end)
        default: return nil
        }
    }

    /// The unit of the monthly or yearly repetition found before this piece.
    private var repeatedUnit: TimeUnit? {
        for piece in found {
            guard case .recurrence(let spec) = piece.value else { continue }
            if spec.unit == .month { return spec.interval == 3 ? .quarter : .month }
        }
        return nil
    }

    /// "the 15th", "on the twentieth", "am 15." without a month.
    private func bareMonthDay(_ index: Int, _ number: Match<Int>, hasArticle: Bool) -> DayMatch? {
        // "the 3rd floor"
        if isOne(number.end, of: .ranked) { return nil }
        let isSpelled = tokens[index].kind == .word
        let isDotted = isSign(number.end - 1, ".")
        let article = has(index - 1, .the) ? index - 1 : index
        // "am Montag, den 10."
        let isAfterComma = isSign(article - 1, ",") && token(article - 2)?.lexeme.weekday != nil
        let before = isAfterComma ? article - 2 : article - 1
        let hasPreposition =
            has(before, .on, .by, .until, .before, .from, .starting, .due)
            || isWord(before, "zum", "am", "bis", "for", "since")
        let isMarked = hasArticle || hasPreposition || article < index
        let isDay: Bool
        if token(index - 1)?.lexeme.weekday != nil || token(before)?.lexeme.weekday != nil {
            isDay = isMarked || !isSpelled && !isDotted
        } else if isDotted {
            isDay = hasPreposition
        } else if isSpelled {
            // "the second", "first" are ordinary words unless marked as days.
            isDay =
                hasPreposition && (article < index || has(index - 1, .on))
                && (isEdge(number.end) || (number.value > 4 && isFirst(before)))
                // "alle drei Monate am ersten"
                || hasPreposition && endsPiece(before) && repeatedUnit != nil
                // "the twenty-ninth at 9am"
                || number.value > 4 && article < index && isFirst(article) && isEdge(number.end)
        } else {
            isDay = hasPreposition || isEdge(number.end) || isFirst(article)
        }
        guard isDay else { return nil }
        return DayMatch(
            .monthDay(number.value, monthOffset: nil), number.end, isMarked || !isSpelled ? 1 : 0)
    }

    /// "of april", "in june 2027", "of next month", "of the month", "of each
    /// month".
    func monthReference(_ index: Int) -> Month? {
        var next = index
        let isJoined = has(next, .of, .into) || isWord(next, "on")
        if isJoined { next += 1 }
        if isWord(next, "a") { next += 1 }
        next = skip(.the, from: next)
        if let month = token(next)?.lexeme.month, isJoined || !has(next, .doubtful) {
            let year = year(next + 1)
            return (.month(month, year: year?.value, .none), year?.end ?? next + 1, false)
        }
        let units: [TimeUnit] = [.month, .quarter, .year]
        if let unit = unit(next), units.contains(unit.unit), unit.scale == 1, isJoined {
            return (.period(unit.unit, 0, .none), next + 1, true)
        }
        guard let period = period(next), case .period(let unit, _, .none) = period.day,
            units.contains(unit)
        else { return nil }
        return (period.day, period.end, false)
    }

    // MARK: Feast days

    func feast(_ index: Int) -> Match<Holiday>? {
        Holiday.named(words, at: index, isAmerican: locale.isMonthFirst)
    }

    func holiday(_ index: Int) -> DayMatch? {
        guard let match = feast(index) else { return nil }
        let end = match.end
        if let year = year(end) {
            return DayMatch(.holiday(match.value, year: year.value), year.end)
        }
        // "buy christmas presents": a holiday alone counts only at the end of a clause.
        let isPlaced =
            isEdge(end) || isPieceNext(end)
            || (isFirst(index) && (end > index + 1 || startsTask(end)))
        return DayMatch(.holiday(match.value, year: nil), end, isPlaced ? 1 : 0)
    }
}
