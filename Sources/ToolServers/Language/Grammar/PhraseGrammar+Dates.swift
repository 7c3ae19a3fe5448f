import AgentCore

/// Dates of the calendar: "2026-03-20", "20.3.", "5/3", "march 20th", "the
/// 15th of next month", "the first monday of april", feast days.
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
        let index = isSign(index, ",") ? index + 1 : index
        if isSign(index, "'") || isSign(index, "’"), let value = token(index + 1)?.value,
            token(index + 1)?.text.utf8.count == 2
        {
            return (2000 + value, index + 2)
        }
        guard let token = token(index), token.kind == .digits, token.text.utf8.count == 4,
            let value = token.value, (1900...2199).contains(value),
            !(isSign(index + 1, ":") && isGlued(index + 1)), !isWord(index + 1, "hrs", "uhr", "h")
        else { return nil }
        return (value, index + 1)
    }

    /// Whether a word that is a month is meant as one here.
    func isMonthWord(_ index: Int, marked: Bool) -> Bool {
        guard let token = token(index), token.lexeme.month != nil, token.kind == .word else {
            return false
        }
        return !token.isPossessive
    }

    func date(_ index: Int, hasArticle: Bool) -> DayMatch? {
        numericDate(index) ?? monthDate(index, hasArticle: hasArticle)
    }

    // MARK: In numbers

    func numericDate(_ index: Int) -> DayMatch? {
        guard let first = token(index), first.kind == .digits, let a = first.value else {
            return nil
        }
        let width = first.text.utf8.count
        if width == 8, first.text.hasPrefix("20") || first.text.hasPrefix("19") {
            let date = CivilDate(year: a / 10_000, month: a / 100 % 100, day: a % 100)
            return date.map {
                DayMatch(
                    day: .date(year: $0.year, month: $0.month, day: $0.day, other: nil),
                    end: index + 1, certainty: 1)
            }
        }
        guard isGlued(index + 1), let separator = token(index + 1)?.text,
            ["-", "/", "."].contains(separator)
        else { return nil }
        // 2026-W12-3
        if width == 4, separator == "-", let week = token(index + 2), week.text == "w",
            let number = token(index + 3)?.value
        {
            var end = index + 4
            var weekday = 1
            if isSign(end, "-"), let value = token(end + 1)?.value, (1...7).contains(value) {
                (weekday, end) = (value % 7, end + 2)
            }
            return DateArithmetic.isoWeek(number, year: a, weekday: weekday) == nil
                ? nil
                : DayMatch(day: .isoWeek(number, year: a, weekday: weekday), end: end, certainty: 2)
        }
        guard isGlued(index + 2) || separator == ".", let second = token(index + 2),
            second.kind == .digits, let b = second.value,
            second.text.utf8.count <= 2
        else { return nil }
        let hasThird = isSign(index + 3, separator) && isGlued(index + 3)
        let third =
            hasThird && isGlued(index + 4) || (hasThird && separator == ".")
            ? token(index + 4) : nil
        if width == 4 {
            guard let third, third.kind == .digits, let c = third.value,
                let date = CivilDate(year: a, month: b, day: c)
            else { return nil }
            var end = index + 5
            // 2026-03-20T08:00: the clock's grammar goes on after the T.
            if isWord(end, "t"), isGlued(end), isDigits(end + 1) { end += 1 }
            return DayMatch(
                day: .date(year: date.year, month: date.month, day: date.day, other: nil), end: end,
                certainty: 2)
        }
        guard width <= 2 else { return nil }
        if let third, third.kind == .digits, let c = third.value,
            third.text.utf8.count == 4 || third.text.utf8.count == 2,
            !(separator == "." && !isGlued(index + 4) && third.text.utf8.count == 2)
        {
            let year = third.text.utf8.count == 2 ? 2000 + c : c
            return dayMonth(a, b, year: year, separator: separator, end: index + 5, certainty: 2)
        }
        // 5.3 may be a number; 5.3. is a date.
        if separator == "." {
            guard hasThird else {
                guard !isDigits(index + 4),
                    has(index - 1, .on) || has(index - 1, .until) || has(index - 1, .by)
                        || has(index - 1, .from) || token(index - 1)?.lexeme.weekday != nil
                        || has(index - 1, .before) || has(index - 1, .after)
                        || isWord(index - 1, "den", "der", "dem"), second.text.utf8.count <= 2,
                    b <= 12,
                    !isWord(index + 3, "pm", "am", "p", "uhr", "a"), isGlued(index + 2)
                else { return nil }
                return dayMonth(a, b, year: nil, separator: ".", end: index + 3, certainty: 1)
            }
            return dayMonth(a, b, year: nil, separator: ".", end: index + 4, certainty: 2)
        }
        guard !hasThird else { return nil }
        if separator == "-" {
            // "12-24" is a day only where it can be no stretch of hours.
            guard width == 2, second.text.utf8.count == 2, max(a, b) > 12, !isNumbered(index),
                isEdge(index + 3), !followsDay(index), a != b
            else { return nil }
            return dayMonth(a, b, year: nil, separator: "-", end: index + 3, certainty: 1)
        }
        // 24/7, 9/11 and fractions are words.
        if a == 24, b == 7 { return nil }
        if token(index + 3)?.has(.measure) == true || unit(index + 3) != nil { return nil }
        return dayMonth(a, b, year: nil, separator: separator, end: index + 3, certainty: 1)
    }

    private func dayMonth(
        _ a: Int, _ b: Int, year: Int?, separator: String, end: Int, certainty: Int
    ) -> DayMatch? {
        let isMonthFirst = separator != "." && locale.isMonthFirst
        func isValid(_ month: Int, _ day: Int) -> Bool {
            CivilDate(year: year ?? 2024, month: month, day: day) != nil
        }
        let (month, day) = isMonthFirst ? (a, b) : (b, a)
        if isValid(month, day) {
            let other =
                separator != "." && month != day && isValid(day, month)
                ? DaySpec.MonthDay(month: day, day: month) : nil
            return DayMatch(
                day: .date(year: year, month: month, day: day, other: other), end: end,
                certainty: certainty)
        }
        guard isValid(day, month) else { return nil }
        return DayMatch(
            day: .date(year: year, month: day, day: month, other: nil), end: end,
            certainty: certainty)
    }

    // MARK: With a month's name

    private func monthDate(_ index: Int, hasArticle: Bool) -> DayMatch? {
        if let month = token(index)?.lexeme.month, isMonthWord(index, marked: hasArticle) {
            return monthFirst(index, month)
        }
        // "20 march", "20th of march", "twenty first of march", "20. März"
        let number: Match<Int>? =
            ordinal(index)
            ?? token(index).flatMap { token in
                guard
                    token.kind == .digits
                        || token.lexeme.number.map({ $0 >= 1 && $0 <= 31 }) == true,
                    let number = self.number(index), number.value <= 31, number.value >= 1,
                    number.value == number.value.rounded(),
                    token.text.utf8.count <= 2 || token.kind == .word
                else { return nil }
                return (Int(number.value), number.end)
            }
        guard let number else { return nil }
        var next = number.end
        if isWord(next, "day"), has(next + 1, .of) { next += 1 }
        if has(next, .of), !isWord(next, "im") { next += 1 }
        if isSign(next, "-"), isGlued(next), token(next + 1)?.lexeme.month != nil { next += 1 }
        // "31 april" is read, too: it is no day, and must not pass for another.
        guard let month = token(next)?.lexeme.month, token(next)?.kind == .word,
            (1...31).contains(number.value)
        else { return nil }
        if token(next)?.isPossessive == true { return nil }
        // "2 may": the verb of "12 may come" is not worth the month.
        var end = next + 1
        if isSign(end, "."), isGlued(end),
            token(next).map({ $0.text.utf8.count <= 4 && $0.text != "may" && $0.text != "mai" })
                == true, token(end + 1) != nil
        {
            end += 1
        }
        if isSign(end, "-"), isGlued(end), let year = year(end + 1) {
            return DayMatch(
                day: .date(year: year.value, month: month, day: number.value, other: nil),
                end: year.end, certainty: 2)
        }
        if let year = yearAfterDay(end) {
            return DayMatch(
                day: .date(year: year.value, month: month, day: number.value, other: nil),
                end: year.end, certainty: 2)
        }
        return DayMatch(
            day: .date(year: nil, month: month, day: number.value, other: nil), end: end,
            certainty: 2)
    }

    private func yearAfterDay(_ index: Int) -> Match<Int>? {
        if let year = year(index) { return year }
        if isWord(index, "next"), isWord(index + 1, "year") { return nil }
        return nil
    }

    private func monthFirst(_ index: Int, _ month: Int) -> DayMatch? {
        let name = tokens[index]
        var next = index + 1
        if isSign(next, "."), isGlued(next), name.text.utf8.count <= 4, token(next + 1) != nil {
            next += 1
        }
        let afterName = next
        next = skip(.the, from: next)
        if isSign(next, "-"), isDigits(next + 1) { next += 1 }
        var day: Match<Int>?
        if let ordinal = ordinal(next) {
            day = isSign(ordinal.end - 1, ".") ? (ordinal.value, ordinal.end - 1) : ordinal
        } else if let token = token(next), token.kind == .digits, let value = token.value,
            token.text.utf8.count <= 2,
            !(isSign(next + 1, ":") && isGlued(next + 1)),
            !(isWord(next + 1, "am", "pm") || isGlued(next + 1) && isWord(next + 1, "a", "p", "h"))
        {
            if !(isSign(next + 1, ".") && isGlued(next + 1) && isDigits(next + 2)
                && isGlued(next + 2))
            {
                day = (value, next + 1)
            }
        } else if token(next)?.kind == .word, let number = number(next), number.value >= 1,
            number.value <= 31, number.value == number.value.rounded(),
            !["couple", "few", "several", "dozen"].contains(token(next)?.text)
        {
            day = (Int(number.value), number.end)
        }
        if let day, (1...31).contains(day.value) {
            if let year = yearAfterDay(day.end) {
                return DayMatch(
                    day: .date(year: year.value, month: month, day: day.value, other: nil),
                    end: year.end, certainty: 2)
            }
            let isName = name.has(.doubtful) && token(next)?.kind == .word && ordinal(next) == nil
            return DayMatch(
                day: .date(year: nil, month: month, day: day.value, other: nil), end: day.end,
                certainty: isName ? 1 : 2)
        }
        if let year = year(afterName), !isSign(afterName, ",") {
            return DayMatch(
                day: .month(month, year: year.value, .none), end: year.end, certainty: 2)
        }
        // A month alone: only after "in", "by", … or alone at the end.
        let isPlaced =
            has(index - 1, .into) || has(index - 1, .by) || has(index - 1, .before)
            || has(index - 1, .until) || has(index - 1, .from) || has(index - 1, .starting)
            || isWord(
                index - 1, "for", "of", "come", "next", "this", "after", "around", "during", "since"
            )
        if name.has(.doubtful),
            name.isCapitalised || !isPlaced
                || isWord(index - 1, "for", "from", "by", "before", "after", "of")
        {
            // "ask May", "meet April": people; "in April" is a month.
            guard
                has(index - 1, .into)
                    || isWord(
                        index - 1, "by", "before", "until", "till", "through", "ab", "bis",
                        "starting", "mid", "during", "this", "next", "end", "since", "from", "of"),
                index > 0, isEdge(index + 1)
            else { return nil }
        }
        if index == 0, name.isCapitalised || !isEdge(index + 1) { return nil }
        return DayMatch(
            day: .month(month, year: nil, .none), end: index + 1,
            certainty: isPlaced ? 1 : (isEdge(index + 1) && token(index + 1) == nil ? 1 : 0))
    }

    // MARK: By order

    /// "the 15th", "the 3rd of next month", "first monday of april", "last day
    /// of march", "second week of june".
    func ordinalDay(_ index: Int, hasArticle: Bool) -> DayMatch? {
        guard let number = rank(index) else { return nil }
        if isWord(index, "first", "ersten", "erste"), isWord(index + 1, "and", "thing") {
            return nil
        }
        // … weekday of a month
        if let weekday = token(number.end)?.lexeme.weekday, token(number.end)?.lexeme.part == nil,
            abs(number.value) <= 5, token(number.end)?.isPossessive == false
        {
            if let month = monthReference(number.end + 1) {
                return DayMatch(
                    day: .nth(number.value, weekday: weekday, of: month.day), end: month.end,
                    certainty: 2)
            }
            // "first monday after easter"
            if has(number.end + 1, .after), number.value > 0,
                let other = day(skip(.the, from: number.end + 2))
            {
                return DayMatch(
                    day: .shift(
                        Amount(Double(number.value - 1), .week),
                        .weekdayBeside(weekday, isBefore: false, other.day)), end: other.end,
                    certainty: 2)
            }
            // "on the last sunday" of whatever month it is
            let isOnThe =
                has(index - 1, .the) && (has(index - 2, .on) || has(index - 2, .by))
                || isWord(index - 1, "am")
            if isOnThe, isEdge(number.end + 1) || isFirst(index - 2) {
                return DayMatch(
                    day: .nth(number.value, weekday: weekday, of: .period(.month, 0, .none)),
                    end: number.end + 1, certainty: 2)
            }
            return nil
        }
        if let end = workdays(number.end) {
            guard let month = monthReference(end), abs(number.value) == 1 else { return nil }
            return DayMatch(
                day: number.value == -1 ? .lastWorkday(month.day) : .firstWorkday(month.day),
                end: month.end, certainty: 2)
        }
        if token(number.end)?.lexeme.unit == .day, let month = monthReference(number.end + 1) {
            switch number.value {
            case -1: return DayMatch(day: .lastDay(month.day), end: month.end, certainty: 2)
            case -5 ... -2:
                let days = Amount(Double(number.value + 1), .day)
                return DayMatch(
                    day: .shift(days, .lastDay(month.day)), end: month.end, certainty: 2)
            case 1...31:
                return DayMatch(
                    day: .shift(Amount(Double(number.value - 1), .day), .firstDay(month.day)),
                    end: month.end, certainty: 2)
            default: return nil
            }
        }
        // "every quarter on the first day"
        if token(number.end)?.lexeme.unit == .day, has(index - 1, .the), abs(number.value) == 1,
            let unit = repeatedUnit
        {
            let period = DaySpec.period(unit, 0, .none)
            return DayMatch(
                day: number.value == 1 ? .firstDay(period) : .lastDay(period), end: number.end + 1,
                certainty: 2)
        }
        if token(number.end)?.lexeme.unit == .week, let month = monthReference(number.end + 1),
            abs(number.value) <= 5
        {
            return DayMatch(
                day: .nthWeek(number.value, of: month.day), end: month.end, certainty: 2)
        }
        if has(number.end, .weekend), let month = monthReference(number.end + 1),
            abs(number.value) <= 5
        {
            return DayMatch(
                day: .nth(number.value, weekday: 6, of: month.day), end: month.end, certainty: 2)
        }
        guard (1...31).contains(number.value) else { return nil }
        if let month = monthReference(number.end) {
            switch month.day {
            case .month(let name, let year, _):
                guard CivilDate(year: 2024, month: name, day: number.value) != nil else {
                    return nil
                }
                return DayMatch(
                    day: .date(year: year, month: name, day: number.value, other: nil),
                    end: month.end, certainty: 2)
            case .period(.month, let offset, _):
                // "of the month" is whichever comes next.
                return DayMatch(
                    day: .monthDay(number.value, monthOffset: month.isAny ? nil : offset),
                    end: month.end, certainty: 2)
            default: return nil
            }
        }
        return bareMonthDay(index, number, hasArticle: hasArticle)
    }

    /// The period that a repetition before this has.
    private var repeatedUnit: TimeUnit? {
        for piece in found {
            guard case .recurrence(let spec) = piece.value else { continue }
            if spec.unit == .month { return spec.interval == 3 ? .quarter : .month }
            if spec.unit == .year { return .year }
        }
        return nil
    }

    /// "the 15th", "on the twentieth", "am 15." without a month.
    private func bareMonthDay(_ index: Int, _ number: Match<Int>, hasArticle: Bool) -> DayMatch? {
        let isSpelled = token(index)?.kind == .word
        let isDotted = isSign(number.end - 1, ".")
        let article = has(index - 1, .the) ? index - 1 : index
        let hasPreposition =
            has(article - 1, .on) || has(article - 1, .by) || has(article - 1, .until)
            || has(article - 1, .before) || has(article - 1, .from) || has(article - 1, .starting)
            || has(article - 1, .due) || isWord(article - 1, "zum", "am", "bis", "for", "since")
        let isMarked = hasArticle || hasPreposition || article < index
        if isThing(number.end) { return nil }
        let match = DayMatch(
            day: .monthDay(number.value, monthOffset: nil), end: number.end,
            certainty: hasPreposition || article < index || hasArticle || !isSpelled ? 1 : 0)
        if token(index - 1)?.lexeme.weekday != nil || token(article - 1)?.lexeme.weekday != nil {
            return isMarked || !isSpelled && !isDotted ? match : nil
        }
        if isDotted { return hasPreposition ? match : nil }
        // "the second", "first" are words before they are days.
        if isSpelled {
            guard hasPreposition, article < index || has(index - 1, .on) else { return nil }
            return isEdge(number.end) || (number.value > 4 && isFirst(article - 1)) ? match : nil
        }
        if hasPreposition { return match }
        return isEdge(number.end) || isFirst(article) ? match : nil
    }

    /// "the 3rd floor": what is counted.
    private func isThing(_ index: Int) -> Bool {
        isWord(
            index, "floor", "try", "attempt", "row", "day", "page", "time", "round", "edition",
            "grade", "place", "street", "avenue", "birthday", "anniversary", "episode", "season",
            "chapter", "draft", "version", "part", "century", "week", "month", "year", "quarter",
            "half", "hand", "coat", "dose", "opinion", "one", "party", "person", "game", "shot",
            "semester", "trimester", "etage", "stock", "mal", "geburtstag", "kapitel", "wedding",
            "graders", "graders'", "st", "ave")
    }

    /// "of april", "in june 2027", "of next month", "of the month", "of each
    /// month".
    func monthReference(_ index: Int) -> (day: DaySpec, end: Int, isAny: Bool)? {
        var next = index
        let isJoined = has(next, .of) || has(next, .into) || isWord(next, "des", "im", "vom", "on")
        if isJoined { next += 1 }
        if isWord(next, "a") { next += 1 }
        next = skip(.the, from: next)
        if let month = token(next)?.lexeme.month, isJoined || token(next)?.has(.doubtful) == false {
            if let year = year(next + 1) {
                return (.month(month, year: year.value, .none), year.end, false)
            }
            return (.month(month, year: nil, .none), next + 1, false)
        }
        if let unit = unit(next), unit.unit == .month, unit.scale == 1, isJoined {
            return (.period(.month, 0, .none), next + 1, true)
        }
        if let unit = unit(next), unit.unit == .year || unit.unit == .quarter, unit.scale == 1,
            isJoined
        {
            return (.period(unit.unit, 0, .none), next + 1, true)
        }
        if let period = period(next), case .period(let unit, _, .none) = period.day,
            unit == .month || unit == .year || unit == .quarter
        {
            return (period.day, period.end, false)
        }
        return nil
    }

    // MARK: Feast days

    func feast(_ index: Int) -> Match<Holiday>? {
        Holiday.named(tokens, at: index, isAmerican: locale.isMonthFirst)
    }

    func holiday(_ index: Int) -> DayMatch? {
        guard let match = feast(index) else { return nil }
        let end = match.end
        if let year = year(end) {
            return DayMatch(
                day: .holiday(match.value, year: year.value), end: year.end, certainty: 2)
        }
        // "buy christmas presents": alone, only at the end of a clause.
        let isPlaced =
            isEdge(end) || isPieceNext(end)
            || (isFirst(index) && (end > index + 1 || startsTask(end)))
        return DayMatch(
            day: .holiday(match.value, year: nil), end: end, certainty: isPlaced ? 1 : 0)
    }
}
