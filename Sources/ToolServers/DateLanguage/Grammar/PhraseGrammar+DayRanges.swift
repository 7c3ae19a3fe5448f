import Base

/// Parses ranges of days: "march 17 to 19", "17-19 march", "monday to wednesday", "saturday
/// 2pm till sunday 5pm".
extension PhraseGrammar {
    private typealias Stretch = (first: DaySpec, last: DaySpec, end: Int)

    func daysPiece(_ index: Int) -> Piece? {
        let isMarked = has(index, .from, .between)
        let start = skip(.the, from: isMarked ? index + 1 : skip(.on, from: index))
        if let timed = timedDays(start) {
            return Piece(timed.value, index..<timed.end, relation: .from, strength: 4)
        }
        guard
            let stretch = numberedDays(start, isMarked: isMarked || start > index)
                ?? namedDays(start, isMarked: isMarked, isBetween: has(index, .between))
        else { return nil }
        return Piece(
            .days(stretch.first, stretch.last), index..<stretch.end, relation: .from, strength: 4)
    }

    /// "saturday 2pm till sunday 5pm"
    private func timedDays(_ start: Int) -> Match<Piece.Value>? {
        guard let first = dayAndClock(start), let next = separator(first.end),
            let last = dayAndClock(next)
        else { return nil }
        return (.stretch(first.day, first.clock, last.day, last.clock), last.end)
    }

    private func dayAndClock(_ index: Int) -> (day: DaySpec, clock: ClockSpec, end: Int)? {
        guard let day = day(skip(.the, from: index)), day.certainty > 0 else { return nil }
        let next = skipSign(",", from: day.end)
        guard let clock = clock(skip(.at, from: next)), clock.clock.isValid,
            clock.isSure || has(next, .at)
        else { return nil }
        return (day.day, clock.clock, clock.end)
    }

    /// "17-19 march", "5.-8.3.", "the 5th to the 8th"
    private func numberedDays(_ start: Int, isMarked: Bool) -> Stretch? {
        guard let first = dayNumber(start),
            let next = separator(first.end) ?? consecutive(first),
            let last = dayNumber(skip(.the, from: next))
        else { return nil }
        let name = skip(.of, from: last.end)
        if let month = token(name)?.lexeme.month {
            let year = year(name + 1)
            let end = year?.end ?? name + 1
            if let both = inMonth(month, year?.value, first.value, last.value, end) { return both }
        }
        if isSign(first.end - 1, "."), let to = numericDate(next),
            case .date(let year, let month, let day, _) = to.day,
            let both = inMonth(month, year, first.value, day, to.end)
        {
            return both
        }
        guard ordinal(start) != nil, ordinal(skip(.the, from: next)) != nil, isMarked,
            first.value < last.value
        else { return nil }
        return (
            .monthDay(first.value, monthOffset: nil), .monthDay(last.value, monthOffset: nil),
            last.end
        )
    }

    /// "17 and 18 march" is a range of two days.
    private func consecutive(_ first: Match<Int>) -> Int? {
        guard has(first.end, .and),
            let second = dayNumber(skip(.the, from: first.end + 1)),
            second.value == first.value + 1,
            token(skip(.of, from: second.end))?.lexeme.month != nil
        else { return nil }
        return first.end + 1
    }

    private func namedDays(_ start: Int, isMarked: Bool, isBetween: Bool) -> Stretch? {
        guard let first = day(start, hasArticle: true), first.certainty > 0 || isMarked,
            let separator = separator(first.end)
                ?? (isBetween && has(first.end, .and) ? first.end + 1 : nil)
        else { return nil }
        let next = skip(.the, from: separator)
        if let stretch = lastOfMonth(first, next) { return stretch }
        guard let last = day(next, hasArticle: true), last.certainty > 0 || isMarked,
            tokens[last.end - 1].isPossessive == false
        else { return nil }
        switch (first.day, last.day) {
        case (.month, _) where !isMarked: return nil
        // The year at the end applies to both.
        case (
            .date(nil, let month, let day, let other),
            .date(let year?, let lastMonth, let lastDay, _)
        ) where (month, day) <= (lastMonth, lastDay):
            return (.date(year: year, month: month, day: day, other: other), last.day, last.end)
        // "mon to wed next week"
        case (.weekday(let weekday, .bare), .weekdayIn(_, let week)):
            return (.weekdayIn(weekday, week), last.day, last.end)
        default: return (first.day, last.day, last.end)
        }
    }

    /// "march 17 to 19", "march 17-19"
    private func lastOfMonth(_ first: DayMatch, _ next: Int) -> Stretch? {
        guard case .date(let year, let month, let day, _) = first.day,
            let last = dayNumber(next), token(last.end)?.lexeme.month == nil,
            !(isSign(last.end, ".") && (isGlued(last.end) || isDigits(last.end + 1))),
            !isSign(last.end, ":"), !isSign(last.end, "/"),
            unit(last.end) == nil, !has(last.end, .am), !has(last.end, .pm)
        else { return nil }
        let named = self.year(last.end)
        return inMonth(month, named?.value ?? year, day, last.value, named?.end ?? last.end)
    }

    private func inMonth(
        _ month: Int, _ year: Int?, _ first: Int, _ last: Int, _ end: Int
    ) -> Stretch? {
        guard first < last, CivilDate(year: year ?? 2024, month: month, day: last) != nil else {
            return nil
        }
        func date(_ day: Int) -> DaySpec {
            .date(year: year, month: month, day: day, other: false)
        }
        return (date(first), date(last), end)
    }

    private func dayNumber(_ index: Int) -> Match<Int>? {
        if let ordinal = ordinal(index) { return ordinal }
        guard let token = token(index), token.kind == .digits, let value = token.value,
            (1...31).contains(value), token.text.utf8.count <= 2
        else { return nil }
        return (value, index + 1)
    }

    /// The index after "-", "to", "until", "through".
    func separator(_ index: Int) -> Int? {
        guard isSign(index, "-") || has(index, .to, .until) else { return nil }
        return isWord(index + 1, "zum", "to") ? index + 2 : index + 1
    }
}
