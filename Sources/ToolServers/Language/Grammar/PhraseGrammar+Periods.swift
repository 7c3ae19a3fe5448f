import AgentCore

/// Weekends, weeks, months and years, and their beginnings and ends.
extension PhraseGrammar {
    /// "this weekend", "next week", "the week after next", "next april"
    func period(_ index: Int) -> DayMatch? {
        let start = skip(.the, from: index)
        return afterNext(start) ?? weekOf(start) ?? weekNumber(start) ?? weekendAlone(start)
            ?? newYear(start, from: index) ?? chosenPeriod(start)
    }

    /// "the week after next", "übernächste Woche"
    private func afterNext(_ start: Int) -> DayMatch? {
        func made(_ day: DaySpec, _ end: Int) -> DayMatch {
            DayMatch(day: day, end: end, certainty: 2)
        }
        if isWord(start, "week", "weekend"), has(start + 1, .after), has(start + 2, .next) {
            return made(
                has(start, .weekend) ? .weekend(.afterNext) : .period(.week, 2, .none), start + 3)
        }
        guard isWord(start, "übernächste", "übernächsten", "übernächster", "übernächstes") else {
            return nil
        }
        let next = start + 1
        if let unit = unit(next), unit.unit != .day {
            return made(.period(unit.unit, 2, .none), next + 1)
        }
        if has(next, .weekend) { return made(.weekend(.afterNext), next + 1) }
        return token(next)?.lexeme.weekday.map { made(.weekday($0, .afterNext), next + 1) }
    }

    /// "the new year"
    private func newYear(_ start: Int, from index: Int) -> DayMatch? {
        guard start > index, isWord(start, "new"), isWord(start + 1, "year"),
            !tokens[start + 1].isPossessive, isEdge(start + 2)
        else { return nil }
        return DayMatch(day: .period(.year, 1, .none), end: start + 2, certainty: 1)
    }

    /// "the week of march 16", "weekend of the 14th"
    private func weekOf(_ start: Int) -> DayMatch? {
        let next = skip(.the, from: start + 2)
        if isWord(start, "week"), isWord(start + 1, "of", "commencing", "beginning", "starting"),
            // "the week of the week of …" would be read from each of its words.
            !isWord(next, "week"), let day = day(next), !day.day.isWholePeriod
        {
            return DayMatch(day: .weekdayIn(1, day.day), end: day.end, certainty: 2)
        }
        guard has(start, .weekend), isWord(start + 1, "of", "vom"),
            let date = date(next, hasArticle: true) ?? ordinalDay(next, hasArticle: true)
        else { return nil }
        return DayMatch(day: .weekdayIn(6, date.day), end: date.end, certainty: 2)
    }

    /// "week 12", "KW 12/2026"
    private func weekNumber(_ start: Int) -> DayMatch? {
        guard isWord(start, "week", "kw", "kalenderwoche", "wk"), isDigits(start + 1),
            let week = token(start + 1)?.value, (1...53).contains(week)
        else { return nil }
        let next = start + 2
        let year = isSign(next, "/") || isWord(next, "of") ? self.year(next + 1) : nil
        return DayMatch(
            day: .isoWeek(week, year: year?.value, weekday: 1), end: year?.end ?? next,
            certainty: isWord(start, "kw", "kalenderwoche") ? 2 : 1)
    }

    private func weekendAlone(_ start: Int) -> DayMatch? {
        guard has(start, .weekend), !has(start, .plural) else { return nil }
        return DayMatch(day: .weekend(.bare), end: start + 1, certainty: 1)
    }

    /// "next week", "this month", "last year", "next christmas"
    private func chosenPeriod(_ start: Int) -> DayMatch? {
        let (offset, choice): (Int, DaySpec.Choice)
        if has(start, .next) {
            (offset, choice) = (1, .next)
        } else if has(start, .coming) {
            (offset, choice) = (1, .coming)
        } else if has(start, .this) {
            (offset, choice) = (0, .this)
        } else if has(start, .last), !isWord(start, "final") {
            (offset, choice) = (-1, .last)
        } else {
            return nil
        }
        let next = start + 1
        func made(_ day: DaySpec, _ end: Int, _ certainty: Int = 2) -> DayMatch {
            DayMatch(day: day, end: end, certainty: certainty)
        }
        if has(next, .coming), has(next + 1, .weekend) { return made(.weekend(.coming), next + 2) }
        if has(next, .weekend), !isWord(next, "weekends") {
            return made(.weekend(choice), next + 1)
        }
        if let month = token(next)?.lexeme.month, !isDigits(next + 1), offset >= 0 {
            return made(
                offset == 1 ? .nextMonth(month) : .month(month, year: nil, .none), next + 1)
        }
        if let feast = feast(next) { return made(.holiday(feast.value, year: nil), feast.end) }
        guard let unit = unit(next), unit.scale == 1 else { return nil }
        let period = DaySpec.period(unit.unit, offset, .none)
        switch unit.unit {
        case .day:
            return offset == 1 && isWord(next, "day") ? made(.offset(1), next + 1, 1) : nil
        case .week:
            // "next week on tuesday"
            let name = skipSign(",", from: skip(.on, from: next + 1))
            if let weekday = token(name)?.lexeme.weekday, token(name)?.lexeme.part == nil,
                !has(name, .plural), !tokens[name].isPossessive
            {
                return made(.weekdayIn(weekday, period), name + 1)
            }
        case .month:
            // "next month on the 3rd"
            let day = skip(.the, from: skip(.on, from: next + 1))
            if let number = ordinal(day), day > next + 1, number.value <= 31 {
                return made(.monthDay(number.value, monthOffset: offset), number.end)
            }
        case .quarter, .year: break
        default: return nil
        }
        return made(period, next + 1, offset == 0 ? 1 : 2)
    }

    // MARK: Their edges

    /// "end of the month", "mid april", "early next week", "eow"
    func edge(_ index: Int) -> DayMatch? {
        if let day = Self.edges[token(index)?.text ?? ""] {
            return DayMatch(day: day, end: index + 1, certainty: 2)
        }
        var word = skip(.the, from: index)
        if isWord(word, "very"), has(word + 1, .end) || has(word + 1, .start) { word += 1 }
        guard let edge = edgeName(word) else { return nil }
        var next = skipSign("-", from: word + 1)
        let hasOf = has(next, .of) || has(next, .into)
        if hasOf { next += 1 }
        let hasArticle = has(next, .the)
        if hasArticle { next += 1 }
        if isWord(word, "later"), !has(next, .this), !isWord(next, "in") { return nil }
        if isWord(word, "beginning", "start", "starting", "close", "ending"), !hasOf { return nil }
        let isGerman = isWord(word, "ende", "anfang", "mitte")
        func made(_ day: DaySpec, _ end: Int, _ certainty: Int = 2) -> DayMatch {
            DayMatch(day: day, end: end, certainty: certainty)
        }
        if let month = token(next)?.lexeme.month, !tokens[next].isPossessive {
            let year = year(next + 1)
            return made(.month(month, year: year?.value, edge), year?.end ?? next + 1)
        }
        if let unit = unit(next), [.week, .month, .quarter, .year].contains(unit.unit),
            hasOf || hasArticle || isGerman || isWord(word, "mid"), unit.scale == 1
        {
            return made(.period(unit.unit, 0, edge), next + 1)
        }
        if has(next, .weekend) { return made(.weekend(.this), next + 1, 1) }
        if let period = period(next), case .period(let unit, let offset, .none) = period.day {
            return made(.period(unit, offset, edge), period.end)
        }
        guard hasOf || isGerman, let year = year(next) else { return nil }
        let (month, day) = edge == .end ? (12, 31) : (1, 1)
        return made(.date(year: year.value, month: month, day: day, other: nil), year.end, 1)
    }

    private func edgeName(_ index: Int) -> DaySpec.Edge? {
        let names: [(Role, DaySpec.Edge)] = [
            (.end, .end), (.late, .late), (.start, .start), (.early, .early), (.middle, .middle),
            (.later, .late),
        ]
        return names.first { has(index, $0.0) }?.1
    }

    private static let edges: [String: DaySpec] = [
        "eow": .period(.week, 0, .end), "eom": .period(.month, 0, .end),
        "eoq": .period(.quarter, 0, .end), "eoy": .period(.year, 0, .end),
        "monatsende": .period(.month, 0, .end), "monatsletzten": .period(.month, 0, .end),
        "monatsanfang": .period(.month, 0, .start), "jahresende": .period(.year, 0, .end),
        "monatsersten": .monthDay(1, monthOffset: nil),
    ]
}
