import AgentCore

/// Stretches of days: "march 17 to 19", "17-19 march", "monday to wednesday".
extension PhraseGrammar {
    /// "march 17 to 19", "17-19 march", "monday to wednesday".
    func daysPiece(_ index: Int) -> Piece? {
        var start = index
        var isMarked = false
        if has(start, .from) || has(start, .between) || isWord(start, "vom") || has(start, .on) {
            isMarked = !has(start, .on)
            start += 1
        }
        start = skip(.the, from: start)
        // "17-19 march", "17 to 19 march"
        if let first = dayNumber(start),
            let separator = separator(first.end) ?? consecutive(first),
            let second = dayNumber(skip(.the, from: separator)),
            first.value < second.value || true
        {
            var next = second.end
            if has(next, .of) { next += 1 }
            if let month = token(next)?.lexeme.month,
                CivilDate(year: 2024, month: month, day: first.value) != nil,
                CivilDate(year: 2024, month: month, day: second.value) != nil,
                first.value < second.value
            {
                let year = year(next + 1)
                return Piece(
                    value: .days(
                        .date(year: year?.value, month: month, day: first.value, other: nil),
                        .date(year: year?.value, month: month, day: second.value, other: nil)),
                    tokens: index..<(year?.end ?? next + 1), relation: .from, strength: 4)
            }
            // "the 5th to the 8th", "5.-8.3."
            if isSign(first.end - 1, "."), let end = numericDate(separator),
                case .date(let year, let month, _, _) = end.day,
                CivilDate(year: year ?? 2024, month: month, day: first.value) != nil
            {
                return Piece(
                    value: .days(
                        .date(year: year, month: month, day: first.value, other: nil), end.day),
                    tokens: index..<end.end, relation: .from, strength: 4)
            }
            if ordinal(start) != nil, ordinal(skip(.the, from: separator)) != nil,
                isMarked || has(start - 1, .the) || has(index, .on), first.value < second.value
            {
                return Piece(
                    value: .days(
                        .monthDay(first.value, monthOffset: nil),
                        .monthDay(second.value, monthOffset: nil)), tokens: index..<second.end,
                    relation: .from, strength: 3)
            }
        }
        guard let first = day(start, hasArticle: true), first.certainty > 0 || isMarked,
            let separator = separator(first.end)
                ?? (has(index, .between) && has(first.end, .and) ? first.end + 1 : nil)
        else {
            return nil
        }
        let next = skip(.the, from: separator)
        // "march 17 to 19", "march 17-19"
        if case .date(let year, let month, let day, _) = first.day, let last = dayNumber(next),
            token(last.end)?.lexeme.month == nil, last.value > day,
            CivilDate(year: year ?? 2024, month: month, day: last.value) != nil,
            !(isSign(last.end, ".") && isDigits(last.end + 1)), !(isSign(last.end, ":")),
            unit(last.end) == nil, !has(last.end, .am), !has(last.end, .pm),
            !(isSign(last.end, "/")), !(isSign(last.end, ".") && isGlued(last.end))
        {
            let year2 = self.year(last.end)
            return Piece(
                value: .days(
                    .date(year: year2?.value ?? year, month: month, day: day, other: nil),
                    .date(year: year2?.value ?? year, month: month, day: last.value, other: nil)),
                tokens: index..<(year2?.end ?? last.end), relation: .from, strength: 4)
        }
        guard let second = day(next, hasArticle: true), second.certainty > 0 || isMarked else {
            return nil
        }
        if token(second.end - 1)?.isPossessive == true { return nil }
        if case .month = first.day, !isMarked { return nil }
        if case .offset = first.day, has(first.end, .to), !isMarked, second.certainty < 2,
            !isEdge(second.end)
        {
            return nil
        }
        // The year at the end is that of both.
        if case .date(nil, let month, let day, let other) = first.day,
            case .date(let year?, let lastMonth, let lastDay, _) = second.day,
            (month, day) <= (lastMonth, lastDay)
        {
            return Piece(
                value: .days(.date(year: year, month: month, day: day, other: other), second.day),
                tokens: index..<second.end, relation: .from, strength: 4)
        }
        // "friday until 6pm" is a clock's.
        return Piece(
            value: .days(first.day, second.day), tokens: index..<second.end, relation: .from,
            strength: 4)
    }

    /// "17 and 18 march" is a stretch of two days.
    private func consecutive(_ first: Match<Int>) -> Int? {
        guard has(first.end, .and),
            let second = dayNumber(skip(.the, from: first.end + 1)),
            second.value == first.value + 1,
            token(has(second.end, .of) ? second.end + 1 : second.end)?.lexeme.month != nil
        else { return nil }
        return first.end + 1
    }

    func dayNumber(_ index: Int) -> Match<Int>? {
        if let ordinal = ordinal(index) { return ordinal }
        guard let token = token(index), token.kind == .digits, let value = token.value,
            (1...31).contains(value),
            token.text.utf8.count <= 2
        else { return nil }
        return (value, index + 1)
    }

    /// The index after "-", "to", "until", "through".
    func separator(_ index: Int) -> Int? {
        if isSign(index, "-") || has(index, .to) || has(index, .until) {
            return isWord(index + 1, "zum", "to") ? index + 2 : index + 1
        }
        return nil
    }
}
