import AgentCore

/// Weekends, weeks, months and years, and their beginnings and ends.
extension PhraseGrammar {
    /// "this weekend", "next week", "end of next month", "the new year"
    func period(_ index: Int) -> DayMatch? {
        var start = index
        if has(start, .the) { start += 1 }
        if isWord(start, "week", "weekend"), has(start + 1, .after), has(start + 2, .next) {
            let isWeekend = has(start, .weekend)
            return DayMatch(
                day: isWeekend ? .weekend(.afterNext) : .period(.week, 2, .none), end: start + 3,
                certainty: 2)
        }
        if isWord(start, "übernächste", "übernächsten", "übernächster", "übernächstes") {
            if let unit = unit(start + 1), unit.unit != .day {
                return DayMatch(day: .period(unit.unit, 2, .none), end: start + 2, certainty: 2)
            }
            if has(start + 1, .weekend) {
                return DayMatch(day: .weekend(.afterNext), end: start + 2, certainty: 2)
            }
            if let weekday = token(start + 1)?.lexeme.weekday {
                return DayMatch(day: .weekday(weekday, .afterNext), end: start + 2, certainty: 2)
            }
        }
        if isWord(start, "new"), isWord(start + 1, "year"), token(start + 1)?.isPossessive == false,
            has(index, .the), isEdge(start + 2)
        {
            return DayMatch(day: .period(.year, 1, .none), end: start + 2, certainty: 1)
        }
        // "the week of march 16"
        if isWord(start, "week"), isWord(start + 1, "of", "commencing", "beginning", "starting"),
            // "the week of the week of …" would be read from each of its words.
            !isWord(skip(.the, from: start + 2), "week"),
            let day = day(skip(.the, from: start + 2)), !day.day.isWholePeriod
        {
            return DayMatch(day: .weekdayIn(1, day.day), end: day.end, certainty: 2)
        }
        if isWord(start, "week", "kw", "kalenderwoche", "wk"), let week = token(start + 1)?.value,
            (1...53).contains(week), token(start + 1)?.kind == .digits
        {
            var end = start + 2
            var year: Int?
            if isSign(end, "/") || isWord(end, "of"), let value = token(end + 1)?.value,
                (1900...2200).contains(value)
            {
                (year, end) = (value, end + 2)
            }
            return DayMatch(
                day: .isoWeek(week, year: year, weekday: 1), end: end,
                certainty: isWord(start, "kw", "kalenderwoche") ? 2 : 1)
        }
        if has(start, .weekend), isWord(start + 1, "of", "vom"),
            let date = date(skip(.the, from: start + 2), hasArticle: true)
                ?? ordinalDay(skip(.the, from: start + 2), hasArticle: true)
        {
            return DayMatch(day: .weekdayIn(6, date.day), end: date.end, certainty: 2)
        }
        if has(start, .weekend), !has(start, .plural) {
            // "weekend trip": only with a word before it, or at the end.
            return DayMatch(day: .weekend(.bare), end: start + 1, certainty: 1)
        }
        var choice: Int?
        var spec = DaySpec.Choice.this
        if has(start, .next) || has(start, .coming) {
            (choice, spec) = (1, .next)
            if has(start, .coming) { spec = .coming }
        } else if has(start, .this) {
            choice = 0
        } else if has(start, .last), !isWord(start, "final") {
            (choice, spec) = (-1, .last)
        }
        guard let choice else { return nil }
        if has(start + 1, .coming), has(start + 2, .weekend) {
            return DayMatch(day: .weekend(.coming), end: start + 3, certainty: 2)
        }
        if has(start + 1, .weekend),
            !has(start + 1, .plural) || isWord(start + 1, "weekends") == false
        {
            return DayMatch(day: .weekend(spec), end: start + 2, certainty: 2)
        }
        // "next april", "this march"
        if let month = token(start + 1)?.lexeme.month, !isDigits(start + 2), choice >= 0 {
            let day: DaySpec =
                choice == 1 ? .nextMonth(month) : .month(month, year: nil, .none)
            return DayMatch(day: day, end: start + 2, certainty: 2)
        }
        if let feast = feast(start + 1) {
            return DayMatch(
                day: .holiday(feast.value, year: nil), end: feast.end, certainty: 2)
        }
        guard let unit = unit(start + 1),
            [.week, .month, .quarter, .year, .day].contains(unit.unit), unit.scale == 1
        else { return nil }
        if unit.unit == .day {
            return choice == 1 && isWord(start + 1, "day")
                ? DayMatch(day: .offset(1), end: start + 2, certainty: 1) : nil
        }
        let week = DaySpec.period(unit.unit, choice, .none)
        // "next week tuesday", "next week on tuesday"
        if unit.unit == .week {
            let next =
                has(start + 2, .on) ? start + 3 : (isSign(start + 2, ",") ? start + 3 : start + 2)
            if let weekday = token(next)?.lexeme.weekday, token(next)?.lexeme.part == nil,
                token(next)?.has(.plural) == false, !tokens[next].isPossessive
            {
                return DayMatch(day: .weekdayIn(weekday, week), end: next + 1, certainty: 2)
            }
        }
        // "next month on the 3rd", "next month the 3rd"
        if unit.unit == .month {
            var next = has(start + 2, .on) ? start + 3 : start + 2
            next = skip(.the, from: next)
            if let number = ordinal(next), next > start + 2, number.value <= 31 {
                return DayMatch(
                    day: .monthDay(number.value, monthOffset: choice), end: number.end, certainty: 2
                )
            }
        }
        return DayMatch(day: week, end: start + 2, certainty: choice == 0 ? 1 : 2)
    }

    /// "end of the month", "mid april", "early next week", "eow"
    func edge(_ index: Int) -> DayMatch? {
        if let day = Self.edges[token(index)?.text ?? ""] {
            return DayMatch(day: day, end: index + 1, certainty: 2)
        }
        var start = index
        if has(start, .the) { start += 1 }
        if isWord(start, "very"), has(start + 1, .end) || has(start + 1, .start) { start += 1 }
        var edge: DaySpec.Edge
        if has(start, .end), !isWord(start, "late") {
            edge = .end
        } else if has(start, .late) {
            edge = .late
        } else if has(start, .start) {
            edge = .start
        } else if has(start, .early) {
            edge = .early
        } else if has(start, .middle) {
            edge = .middle
        } else if has(start, .later) {
            edge = .late
        } else {
            return nil
        }
        let word = start
        var next = start + 1
        if isSign(next, "-") { next += 1 }
        let hasOf = has(next, .of) || has(next, .into)
        if hasOf { next += 1 }
        let hasArticle = has(next, .the)
        if hasArticle { next += 1 }
        if isWord(word, "later"), !has(next, .this) && !isWord(next, "in") { return nil }
        if isWord(word, "beginning", "start", "starting", "close", "ending"), !hasOf { return nil }
        if let month = token(next)?.lexeme.month, tokens[next].isPossessive == false {
            let year = year(next + 1)
            return DayMatch(
                day: .month(month, year: year?.value, edge), end: year?.end ?? next + 1,
                certainty: 2)
        }
        if let unit = unit(next), [.week, .month, .quarter, .year].contains(unit.unit),
            hasOf || hasArticle || isWord(word, "mid", "ende", "anfang", "mitte"), unit.scale == 1
        {
            return DayMatch(day: .period(unit.unit, 0, edge), end: next + 1, certainty: 2)
        }
        if has(next, .weekend) {
            return DayMatch(day: .weekend(.this), end: next + 1, certainty: 1)
        }
        if let period = period(next), case .period(let unit, let offset, .none) = period.day {
            return DayMatch(day: .period(unit, offset, edge), end: period.end, certainty: 2)
        }
        if hasOf || isWord(word, "ende", "anfang", "mitte"), let number = token(next)?.value,
            token(next)?.text.utf8.count == 4, (1900...2200).contains(number)
        {
            let month = edge == .end ? 12 : 1
            return DayMatch(
                day: .date(year: number, month: month, day: edge == .end ? 31 : 1, other: nil),
                end: next + 1, certainty: 1)
        }
        return nil
    }

    private static let edges: [String: DaySpec] = [
        "eow": .period(.week, 0, .end), "eom": .period(.month, 0, .end),
        "eoq": .period(.quarter, 0, .end), "eoy": .period(.year, 0, .end),
        "monatsende": .period(.month, 0, .end), "monatsletzten": .period(.month, 0, .end),
        "monatsanfang": .period(.month, 0, .start), "jahresende": .period(.year, 0, .end),
        "monatsersten": .monthDay(1, monthOffset: nil),
    ]
}
