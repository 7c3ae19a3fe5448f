/// Parses days as people name them: "tomorrow", "next friday", "a week from monday", "the
/// end of next month", and parts of a day. Above 400 lines because each form tries the others
/// as its continuation.
extension PhraseGrammar {
    typealias Preposition = (relation: Piece.Relation, end: Int, isMarked: Bool)

    struct DayMatch {
        var day: DaySpec
        var end: Int
        /// 0: a date only with a preposition; 1: at the edge of a clause; 2: anywhere.
        var certainty: Int

        init(_ day: DaySpec, _ end: Int, _ certainty: Int = 2) {
            (self.day, self.end, self.certainty) = (day, end, certainty)
        }
    }

    /// Phrases that alone set the relation of a time: "no later than", "bis spätestens".
    static let relations = PatternTable("date relations") { Piece.Relation(rawValue: $0) }

    /// The words before a day: "on", "by", "starting from", "no later than".
    func dayRelation(_ index: Int) -> Preposition {
        if let phrase = match(Self.relations, index) { return (phrase.value, phrase.end, true) }
        if has(index, .due) {
            var end = skipSign(":", from: index + 1)
            if has(end, .on, .by, .at, .before) { end += 1 }
            return (.deadline, isWord(end, "date") ? end + 1 : end, true)
        }
        var end = index + 1
        if has(index, .starting), !has(end, .of), !isWord(end, "der", "des", "dieses", "nächster") {
            if has(end, .on, .from, .at, .into) { end += 1 }
            return (.starting, end, true)
        }
        let roles: [(Role, Piece.Relation)] = [
            (.until, .until), (.by, .deadline), (.before, .deadline), (.from, .from),
            (.after, .after), (.on, .at), (.into, .at), (.span, .at), (.at, .at),
        ]
        for (role, relation) in roles where has(index, role) { return (relation, end, true) }
        return (.at, token(index)?.lexeme.weekday == nil ? skip(.about, from: index) : index, false)
    }

    func dayPiece(_ index: Int) -> Piece? {
        let lead = dayRelation(index)
        let article = lead.end > index ? skip(.about, from: lead.end) : lead.end
        let hasArticle = has(article, .the)
        guard
            let match = day(skip(.the, from: article), hasArticle: hasArticle) ?? day(lead.end),
            match.end > lead.end, !isPossessiveUse(match)
        else { return nil }
        let isAtEdge = isEdge(match.end)
        let isWeekday = if case .weekday = match.day { true } else { false }
        var strength = match.certainty
        if lead.isMarked {
            strength = max(strength, 1) + 2
            if hasArticle, match.certainty == 1, !isAtEdge, isWeekday { return nil }
        } else if match.certainty == 2 {
            if !isAtEdge, isOwned(index) || isArticleBefore(index) { return nil }
        } else {
            // "the friday meeting", "sunday roast": not dates without further evidence.
            if hasArticle && isWeekday || isOwned(index) || isTitleCase(index, match.end)
                || match.certainty == 0
            {
                return nil
            }
            if !isAtEdge, !isFirst(index), !followsClock(index), !isPieceNext(match.end) {
                return Piece(.day(match.day), index..<match.end, strength: 0)
            }
        }
        var end = match.end
        // "friday (20 march)" is one day, and includes the closing parenthesis.
        if isSign(index - 1, "("), isSign(end, ")") { end += 1 }
        var piece = Piece(
            .day(match.day), index..<end, relation: lead.relation, strength: strength)
        addMoreDays(to: &piece)
        end = piece.tokens.upperBound
        if isWord(end, "at"), has(end + 1, .the), isWord(end + 2, "latest") { end += 3 }
        if isWord(end, "latest", "spätestens") { end += 1 }
        piece.tokens = piece.tokens.lowerBound..<end
        return piece
    }

    /// "… and again on friday", "…, tuesday and friday", "… or sunday".
    private func addMoreDays(to piece: inout Piece) {
        var (days, end): ([DaySpec], Int) = ([], piece.tokens.upperBound)
        while let joint = joint(end) {
            let start = has(joint.end, .on) ? joint.end + 1 : joint.end
            guard let other = day(skip(.the, from: start), hasArticle: has(start, .the)),
                other.certainty > 0, !isPossessiveUse(other), !other.day.isWholePeriod,
                isPlainEdge(other.end) || isPieceNext(other.end)
                    || isOne(other.end, of: .openings)
                    || ((joint.kind == .or || startsTask(other.end))
                        && isFirst(piece.tokens.lowerBound))
            else { return }
            days.append(Self.inMonth(of: piece.value, other.day))
            end = other.end
            guard joint.kind != .comma else { continue }
            piece.more = days.map { .day($0) }
            piece.isChoice = joint.kind == .or
            piece.tokens = piece.tokens.lowerBound..<end
        }
    }

    /// "the 3rd and 17th of it": both are in the month named for the first.
    private static func inMonth(of first: Piece.Value, _ other: DaySpec) -> DaySpec {
        guard case .day(let day) = first, case .monthDay(let number, nil) = other else {
            return other
        }
        switch day {
        case .monthDay(_, let offset): return .monthDay(number, monthOffset: offset)
        case .date(let year, let month, _, _):
            return .date(year: year, month: month, day: number, other: false)
        default: return other
        }
    }

    enum Joint { case comma, and, or }

    /// The word or sign that joins one day or time to the next of the same item.
    func joint(_ index: Int) -> (kind: Joint, end: Int)? {
        var end = skipSign(",", from: index)
        var kind: Joint?
        if end > index { kind = .comma }
        if has(end, .and) {
            (kind, end) = (.and, end + 1)
            if isWord(end, "again", "then", "also", "wieder", "nochmal", "auch", "dann") {
                end += 1
            }
        } else if isWord(end, "or", "oder") {
            (kind, end) = (.or, end + 1)
        }
        return kind.map { ($0, end) }
    }

    /// "Saturday Night Live": capitals that go on make a name.
    private func isTitleCase(_ start: Int, _ end: Int) -> Bool {
        guard start > 0, tokens[start].isCapitalised, !tokens[start].isAllCapitals,
            !isFirst(start), token(end)?.isCapitalised == true
        else { return false }
        let after = token(token(end)?.lexeme.part == nil ? end : end + 1)
        return after?.isCapitalised == true && after?.lexeme.isTemporal == false
    }

    func isArticleBefore(_ index: Int) -> Bool {
        isWord(index - 1, "the", "a", "an") && !taken[index - 1]
    }

    func isPieceNext(_ index: Int) -> Bool {
        guard let token = token(index) else { return false }
        // "saturday half ten"
        if token.has(.half) || token.has(.halfBefore) || token.has(.quarter) {
            return clock(index).map { isEdge($0.end) } == true
        }
        // "sunday eleven thirty"
        if token.kind == .word, token.lexeme.number != nil {
            return clock(index).map { $0.end > index + 1 && isPlainEdge($0.end) } == true
        }
        guard token.kind == .digits else { return false }
        if clock(index)?.isSure == true { return true }
        if let both = clockRange(index) { return isEdge(both.1.end) }
        // "friday 9", "tomorrow 1730"
        return token.text.utf8.count <= 4 && clock(index).map { isPlainEdge($0.end) } == true
    }

    /// Whether a verb that begins tasks is at `index`.
    func startsTask(_ index: Int) -> Bool {
        guard let token = token(index), token.kind == .word else { return false }
        return Lexicon.isTaskVerb(token.text)
    }

    func isOwned(_ index: Int) -> Bool {
        guard let before = token(index - 1), before.kind == .word, !taken[index - 1] else {
            return false
        }
        // "dinner at Luigi's saturday": "Luigi's" is a place and owns no date.
        return before.has(.owner)
            || before.isPossessive && !isWord(index - 2, "at", "to", "bei", "zu", "from")
    }

    func isPossessiveUse(_ match: DayMatch) -> Bool {
        guard let last = token(match.end - 1), last.isPossessive else { return false }
        // "New Year's" and "Valentine's" have a possessive ending of their own.
        if case .holiday = match.day { return !isEdge(match.end) }
        return true
    }

    // MARK: The day itself

    /// `depth` bounds "a week after a week after …".
    func day(_ index: Int, hasArticle: Bool = false, depth: Int = 0) -> DayMatch? {
        guard depth < 3 else { return nil }
        var best: DayMatch?
        func consider(_ match: DayMatch?) {
            if let match, match.end > best?.end ?? 0 { best = match }
        }
        consider(date(index, hasArticle: hasArticle))
        consider(holiday(index))
        consider(ordinalDay(index, hasArticle: hasArticle))
        consider(relativeDay(index))
        consider(weekday(index, depth))
        consider(period(index))
        consider(edge(index))
        consider(shifted(index, depth))
        return best
    }

    private static let typedTomorrow = PatternTable("date tomorrow") { _ in () }

    func relativeDay(_ index: Int) -> DayMatch? {
        if let typed = match(Self.typedTomorrow, index) {
            return DayMatch(.offset(1), typed.end)
        }
        // "in 3 working days"
        if has(index - 1, .into), let count = wholeNumber(index, in: 1...60),
            let end = workdays(count.end)
        {
            return DayMatch(.workday(count.value, of: .offset(0)), end)
        }
        // "the day after tomorrow", "day before yesterday"
        if token(index)?.lexeme.unit == .day {
            let offset = token(index + 2)?.lexeme.offset
            if has(index + 1, .after), offset == 1 { return DayMatch(.offset(2), index + 3) }
            if has(index + 1, .before), offset == -1 { return DayMatch(.offset(-2), index + 3) }
        }
        guard let token = token(index), token.kind == .word, let offset = token.lexeme.offset,
            token.lexeme.part == nil
        else { return nil }
        if token.text == "morgen", has(index - 1, .the) || isGermanPart(index) { return nil }
        if token.has(.doubtful), index == 0 || token.isCapitalised || !isEdge(index + 1) {
            return nil
        }
        let next = index + 1
        // "tomorrow week"; "a week tomorrow" is parsed with the shifted days.
        if isWord(next, "week", "fortnight"), isEdge(next + 1), let unit = unit(next) {
            return DayMatch(.shift(Amount(unit.scale, .week), .offset(offset)), next + 1)
        }
        // "heute in einer Woche", "tomorrow in a week"
        if has(next, .into), let amount = amount(next + 1), !amount.value.isExact {
            return DayMatch(.shift(amount.value, .offset(offset)), amount.end)
        }
        return DayMatch(.offset(offset), next)
    }

    /// Whether "Morgen" is the part of the day: "Montag Morgen", "heute Morgen", "am
    /// Morgen".
    func isGermanPart(_ index: Int) -> Bool {
        if isWord(index - 1, "heute", "am", "jeden", "diesen", "gestern", "übermorgen") {
            return true
        }
        return token(index - 1)?.lexeme.weekday != nil && followsDay(index)
    }

    func weekday(_ index: Int, _ depth: Int = 0) -> DayMatch? {
        let (choice, start) = weekdayChoice(skip(.the, from: index))
        guard let token = token(start), let weekday = token.lexeme.weekday,
            token.lexeme.part == nil
        else { return nil }
        // "sat", "sun" and "wed" are also ordinary words; so are "so" and "do".
        if choice == .bare,
            token.has(.plural) || (token.has(.doubtful) && !isDoubtfulDay(start))
        {
            return nil
        }
        var end = start + 1
        if token.text.utf8.count <= 3, isSign(end, "."), isGlued(end), self.token(end + 1) != nil {
            end += 1
        }
        if isWord(end, "coming") { return DayMatch(.weekday(weekday, .coming), end + 1) }
        let day = DaySpec.weekday(weekday, choice)
        let isOpen = [.bare, .coming, .this].contains(choice)
        return (isOpen ? weekdayOfWeek(weekday, day, end) : nil)
            ?? (isOpen || choice == .next ? weekdayWithDate(weekday, end) : nil)
            ?? (choice == .bare ? weekdayBeside(weekday, end, depth) : nil)
            ?? DayMatch(day, end, [.bare, .last].contains(choice) ? 1 : 2)
    }

    private func weekdayChoice(_ index: Int) -> (DaySpec.Choice, Int) {
        let next = index + 1
        // "gran coming sunday": the verb of the title.
        if isWord(index, "coming"), let before = token(index - 1), before.kind == .word,
            !taken[index - 1], !before.has(.function), !before.has(.the)
        {
            return (.bare, index)
        }
        if has(index, .this) { return has(next, .coming) ? (.coming, next + 1) : (.this, next) }
        let choices: [(Role, DaySpec.Choice)] = [
            (.next, .next), (.coming, .coming), (.last, .last),
        ]
        return choices.first { has(index, $0.0) }.map { ($0.1, next) } ?? (.bare, index)
    }

    /// "friday after next", "friday week", "friday of next week", "monday in
    /// two weeks"
    private func weekdayOfWeek(_ weekday: Int, _ day: DaySpec, _ end: Int) -> DayMatch? {
        if has(end, .after), has(end + 1, .next) {
            let isWeek = isWord(end + 2, "week")
            if isWeek || token(end + 2)?.lexeme.unit == nil {
                return DayMatch(.weekday(weekday, .afterNext), end + (isWeek ? 3 : 2))
            }
        }
        if let unit = unit(end), unit.unit == .week, isWord(end, "week", "fortnight") {
            return DayMatch(.shift(Amount(unit.scale, .week), day), end + 1)
        }
        var next = skipSign(",", from: end)
        if isWord(next, "in", "of", "der", "during", "on") { next += 1 }
        if let week = period(skip(.the, from: next)), case .period(.week, _, .none) = week.day {
            return DayMatch(.weekdayIn(weekday, week.day), week.end)
        }
        guard has(end, .into), let amount = amount(end + 1), !amount.value.isExact,
            amount.value.days >= 7 || amount.value.months > 0
        else { return nil }
        let stop = skip(.time, from: skipSign("'", from: amount.end))
        return DayMatch(.weekdayIn(weekday, .shift(amount.value, .offset(0))), stop)
    }

    /// "friday the 13th", "friday, march 20", "friday 20.3.", "friday (20 march)"
    private func weekdayWithDate(_ weekday: Int, _ end: Int) -> DayMatch? {
        var next = skipSign(",", from: end)
        let isParenthesis = isSign(next, "(")
        next = isParenthesis ? next + 1 : skip(.the, from: next)
        let hasArticle = has(next - 1, .the)
        guard let date = date(next, hasArticle: true) ?? ordinalDay(next, hasArticle: hasArticle),
            date.certainty > 0 || hasArticle
        else { return nil }
        if case .month = date.day { return nil }
        let stop = isParenthesis ? skipSign(")", from: date.end) : date.end
        return DayMatch(.named(weekday, date.day), stop)
    }

    /// "the friday before easter"
    func weekdayBeside(_ weekday: Int, _ end: Int, _ depth: Int) -> DayMatch? {
        guard has(end, .before, .after),
            let other = day(skip(.the, from: end + 1), depth: depth + 1),
            other.day.bareWeekday == nil
        else { return nil }
        return DayMatch(.weekdayBeside(weekday, isBefore: has(end, .before), other.day), other.end)
    }

    /// Whether a short weekday that is also an ordinary word counts: after "on" or at an
    /// edge.
    func isDoubtfulDay(_ index: Int) -> Bool {
        let token = tokens[index]
        // "Mo-Fr", "mon to wed", "Mo 15.6."
        if let next = separator(index + 1), self.token(next)?.lexeme.weekday != nil { return true }
        if separator(index - 1) == index, self.token(index - 2)?.lexeme.weekday != nil {
            return true
        }
        if numericDate(index + 1) != nil { return true }
        // "Sat 24 Oct"
        let day = ordinal(index + 1)?.end ?? (isDigits(index + 1) ? index + 2 : index)
        if day > index, self.token(day)?.lexeme.month != nil { return true }
        // "Friseur Sa 11 Uhr"
        let next = index > 0 && has(index + 1, .at, .from) ? index + 2 : index + 1
        if token.isCapitalised, ["so", "do", "mi", "di", "mo", "fr", "sa"].contains(token.text),
            clock(next)?.isSure == true || hoursPiece(index + 1) != nil
                || self.token(index + 1)?.lexeme.part != nil
        {
            return true
        }
        // "lecture mo 10-12"
        if clockRange(index + 1).map({ isPlainEdge($0.1.end) }) == true { return true }
        if token.isCapitalised, index > 0, !isEdge(index + 1) { return false }
        if has(index - 1, .on, .by, .until, .every) { return true }
        if ["so", "do", "die", "mi", "di", "mo", "su", "tu"].contains(token.text) {
            return isSign(index + 1, ".") || isSign(index + 1, ",")
                || clock(index + 1)?.isSure == true
                || (token.isCapitalised && index > 0 && isDigits(index + 1))
        }
        let isBeforeThing =
            startsTask(index + 1) || Lexicon.isAppointment(self.token(index + 1)?.text ?? "")
        if isFirst(index), isBeforeThing { return true }
        if followsClock(index) || isSign(index - 1, ",") || isSign(index - 1, "(") { return true }
        if clock(index + 1)?.isSure == true || has(index + 1, .at) || isSign(index + 1, "@")
            || self.token(index + 1)?.lexeme.part != nil
        {
            return true
        }
        if self.token(index + 1)?.lexeme.month != nil || (isDigits(index + 1)) { return true }
        return self.token(index + 1) == nil && index > 0 && token.text != "sun"
    }

    /// "a week from friday", "two days before christmas", "the day after
    /// easter", "3 weeks on tuesday".
    func shifted(_ index: Int, _ depth: Int) -> DayMatch? {
        let start = skip(.into, from: index)
        var amount = self.amount(start)
        if amount == nil, let unit = unit(start),
            isWord(start, "week", "fortnight", "day", "month", "year", "tag", "woche", "monat")
        {
            amount = (Amount(unit.scale, unit.unit), start + 1)
        }
        guard let amount, !amount.value.isExact else { return nil }
        let isWeeks = amount.value.days % 7 == 0 && amount.value.days > 0
        var next = skipSign("'", from: amount.end)
        let isBefore = has(next, .before) || isWord(next, "prior")
        if isBefore {
            next += isWord(next + 1, "to") ? 2 : 1
        } else if has(next, .after) || has(next, .from) && !has(index - 1, .span)
            || isWord(next, "past", "following")
        {
            next += 1
        } else if isWeeks, isWord(next, "on"), !has(index, .into), !has(index - 1, .into) {
            next += 1
        } else if !isWeeks || isWord(index, "week")
            || (token(next)?.lexeme.offset ?? token(next)?.lexeme.weekday) == nil
        {
            // "a week tomorrow", "a week friday" continue without a preposition.
            return nil
        }
        let anchor = skip(.the, from: next)
        guard let day = day(anchor, hasArticle: anchor > next, depth: depth + 1),
            !isPossessiveUse(day)
        else { return nil }
        return DayMatch(.shift(isBefore ? -amount.value : amount.value, day.day), day.end)
    }
}
