/// Parses weekends, weeks, months and years, and their beginnings and ends.
extension PhraseGrammar {
    /// "this weekend", "next week", "the week after next", "next april"
    func period(_ index: Int) -> DayMatch? {
        let start = skip(.the, from: index)
        return afterNext(start) ?? weekOf(start) ?? weekNumber(start) ?? weekendAlone(start)
            ?? chosenPeriod(start)
    }

    /// "the week after next", "übernächste Woche"
    private func afterNext(_ start: Int) -> DayMatch? {
        if isWord(start, "week", "weekend"), has(start + 1, .after), has(start + 2, .next) {
            return DayMatch(
                has(start, .weekend) ? .weekend(.afterNext) : .period(.week, 2, .none), start + 3)
        }
        guard isWord(start, "übernächste", "übernächsten", "übernächster", "übernächstes") else {
            return nil
        }
        let next = start + 1
        if let unit = unit(next), unit.unit != .day {
            return DayMatch(.period(unit.unit, 2, .none), next + 1)
        }
        if has(next, .weekend) { return DayMatch(.weekend(.afterNext), next + 1) }
        return token(next)?.lexeme.weekday.map { DayMatch(.weekday($0, .afterNext), next + 1) }
    }

    /// "the week of march 16", "weekend of the 14th"
    private func weekOf(_ start: Int) -> DayMatch? {
        let next = skip(.the, from: start + 2)
        if isWord(start, "week"), isWord(start + 1, "of", "commencing", "beginning", "starting"),
            // Otherwise "the week of the week of …" would be parsed again from each word.
            !isWord(next, "week"), let day = day(next), !day.day.isWholePeriod
        {
            return DayMatch(.weekdayIn(1, day.day), day.end)
        }
        guard has(start, .weekend), isWord(start + 1, "of", "vom"),
            let date = date(next, hasArticle: true) ?? ordinalDay(next, hasArticle: true)
        else { return nil }
        return DayMatch(.weekdayIn(6, date.day), date.end)
    }

    /// "week 12", "KW 12/2026"
    private func weekNumber(_ start: Int) -> DayMatch? {
        guard isWord(start, "week", "kw", "kalenderwoche", "wk"), isDigits(start + 1),
            let week = token(start + 1)?.value, (1...53).contains(week)
        else { return nil }
        let next = start + 2
        let year = isSign(next, "/") || isWord(next, "of") ? self.year(next + 1) : nil
        let end = year?.end ?? next
        let weekday = token(end)?.lexeme.part == nil ? token(end)?.lexeme.weekday : nil
        return DayMatch(
            .isoWeek(week, year: year?.value, weekday: weekday ?? 1),
            weekday == nil ? end : end + 1,
            isWord(start, "kw", "kalenderwoche") ? 2 : 1)
    }

    private func weekendAlone(_ start: Int) -> DayMatch? {
        guard has(start, .weekend), !has(start, .plural) else { return nil }
        return DayMatch(.weekend(.bare), start + 1, 1)
    }

    /// "next week", "this month", "last year", "next christmas"
    private func chosenPeriod(_ start: Int) -> DayMatch? {
        let (offset, choice): (Int, DaySpec.Choice)
        if isWord(start, "heuer") { return DayMatch(.period(.year, 0, .none), start + 1, 1) }
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
        if has(next, .weekend), !isWord(next, "weekends") {
            return DayMatch(.weekend(choice), next + 1)
        }
        if let month = token(next)?.lexeme.month, !isDigits(next + 1), offset >= 0 {
            return DayMatch(
                offset == 1 ? .nextMonth(month) : .month(month, year: nil, .none), next + 1)
        }
        if let feast = feast(next) { return DayMatch(.holiday(feast.value, year: nil), feast.end) }
        guard let unit = unit(next), unit.scale == 1 else { return nil }
        let period = DaySpec.period(unit.unit, offset, .none)
        switch unit.unit {
        case .day:
            return offset == 1 && isWord(next, "day") ? DayMatch(.offset(1), next + 1, 1) : nil
        case .week:
            // "next week on tuesday"
            let name = skipSign(",", from: skip(.on, from: next + 1))
            if let weekday = token(name)?.lexeme.weekday, token(name)?.lexeme.part == nil,
                !has(name, .plural), !tokens[name].isPossessive
            {
                return DayMatch(.weekdayIn(weekday, period), name + 1)
            }
        case .month:
            // "next month on the 3rd"
            let start = skip(.the, from: skip(.on, from: next + 1))
            if start > next + 1, let number = ordinal(start),
                token(number.end)?.lexeme.weekday == nil
            {
                return DayMatch(.monthDay(number.value, monthOffset: offset), number.end)
            }
        case .quarter, .year: break
        default: return nil
        }
        return DayMatch(period, next + 1, offset == 0 ? 1 : 2)
    }

    // MARK: Their edges

    /// "end of the month", "mid april", "early next week", "eow"
    func edge(_ index: Int) -> DayMatch? {
        if let name = match(Self.edges, index) { return DayMatch(name.value, name.end) }
        if isWord(index, "monatsersten") {
            return DayMatch(.monthDay(1, monthOffset: nil), index + 1)
        }
        let word = skip(.the, from: index)
        guard let edge = edgeName(word) else { return nil }
        var next = skipSign("-", from: word + 1)
        let hasOf = has(next, .of, .into)
        if hasOf { next += 1 }
        let hasArticle = has(next, .the)
        if hasArticle { next += 1 }
        if isWord(word, "later"), !has(next, .this), !isWord(next, "in") { return nil }
        if isWord(word, "beginning", "start", "starting", "close", "ending"), !hasOf { return nil }
        let isGerman = isWord(word, "ende", "anfang", "mitte")
        if let month = token(next)?.lexeme.month, !tokens[next].isPossessive {
            let year = year(next + 1)
            return DayMatch(.month(month, year: year?.value, edge), year?.end ?? next + 1)
        }
        if let unit = unit(next), [.week, .month, .quarter, .year].contains(unit.unit),
            hasOf || hasArticle || isGerman || isWord(word, "mid"), unit.scale == 1
        {
            return DayMatch(.period(unit.unit, 0, edge), next + 1)
        }
        if has(next, .weekend) { return DayMatch(.weekend(.this), next + 1, 1) }
        if let period = period(next), case .period(let unit, let offset, .none) = period.day {
            return DayMatch(.period(unit, offset, edge), period.end)
        }
        guard hasOf || isGerman, let year = year(next) else { return nil }
        let (month, day) = edge == .end ? (12, 31) : (1, 1)
        return DayMatch(.date(year: year.value, month: month, day: day, other: false), year.end, 1)
    }

    private func edgeName(_ index: Int) -> DaySpec.Edge? {
        let names: [(Role, DaySpec.Edge)] = [
            (.end, .end), (.late, .late), (.start, .start), (.early, .early), (.middle, .middle),
            (.later, .late),
        ]
        return names.first { has(index, $0.0) }?.1
    }

    static let edges = PatternTable("date edges") { row -> DaySpec? in
        let words = row.split(separator: " ").map(String.init)
        guard let edge = DaySpec.Edge(rawValue: words[0]), let unit = TimeUnit(rawValue: words[1])
        else { return nil }
        return .period(unit, 0, edge)
    }
}
