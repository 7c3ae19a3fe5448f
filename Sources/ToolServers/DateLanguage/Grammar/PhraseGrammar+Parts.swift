/// Parses parts of the day: "tonight", "in the morning", "end of day", "after work".
extension PhraseGrammar {
    /// "tonight", "in the morning", "this evening", "by end of day", "after
    /// work", "first thing".
    func partPiece(_ index: Int) -> Piece? {
        guard var piece = onePart(index) else { return nil }
        // "this afternoon or tomorrow morning"
        while let joint = joint(piece.tokens.upperBound), joint.kind != .comma,
            let other = onePart(joint.end), canEnd(other.tokens.upperBound)
        {
            piece.more.append(other.value)
            piece.isChoice = joint.kind == .or
            piece.tokens = piece.tokens.lowerBound..<other.tokens.upperBound
        }
        return piece
    }

    /// "in the evening", "tomorrow morning": a part of the day, with the day if given.
    private func onePart(_ index: Int) -> Piece? {
        if let early = earlyOrLate(index) { return early }
        let lead = partRelation(index)
        var (end, isMarked) = (lead.end, lead.end > index)
        func made(_ part: DayPart, _ day: DaySpec?, isEveryDay: Bool = false) -> Piece {
            Piece(
                .part(part, day, isEveryDay: isEveryDay), index..<end, relation: lead.relation,
                strength: 2)
        }
        if let special = specialPart(end, isMarked: isMarked)
            ?? (isMarked ? specialPart(index, isMarked: false) : nil)
        {
            end = special.end
            return made(special.value, nil)
        }
        // "am" and "im" include the article.
        let hasArticle = has(end, .the) || isWord(index, "am", "im")
        end = skip(.the, from: end)
        var day = dayOfPart(&end)
        isMarked = isMarked || day != nil
        let modifier = partModifier(&end, &day)
        guard let name = token(end), name.kind == .word, !name.isPossessive else { return nil }
        if name.lexeme.weekday != nil {
            return weekdayPart(index, end, day == nil ? .bare : .this, lead.relation)
        }
        let isMorning =
            name.text == "morgen"
            && (day != nil || (isMarked && isWord(end - 1, "am")) || followsDay(end))
        guard let part = isMorning ? .morning : name.lexeme.part else { return nil }
        let isTonight = name.lexeme.offset == 0
        if isTonight { day = .offset(0) }
        end += 1
        let isBeside = followsDay(index) || followsClock(index)
        let isFree =
            isMarked || isTonight || isBeside || followsPart(index) || name.has(.habitual)
            || name.has(.plural) || modifier != nil || ["eod", "cob"].contains(name.text)
            || name.text.hasSuffix("time") && isEdge(end)
        // "morning run", "night shift", "at night school"
        let isAlone = day != nil || isBeside || isEdge(end) || hasArticle || name.has(.habitual)
        guard isFree, isAlone, day == nil || !isArticleBefore(index) else { return nil }
        switch name.text {
        case "feierabend" where !isMarked: return nil
        case "eve" where !followsDay(index): return nil
        case _ where name.has(.plural) && !isMarked && !isBeside && !isEdge(end): return nil
        // "tomorrow noon, 12:40"
        case _ where isBeside && clock(skip(.at, from: skipSign(",", from: end))) != nil: break
        case _ where [.noon, .midnight].contains(part) && day == nil && !name.has(.habitual):
            return nil
        default: break
        }
        return made(part.modified(by: modifier), day, isEveryDay: name.has(.plural))
    }

    private func partRelation(_ index: Int) -> (relation: Piece.Relation, end: Int) {
        let next = index + 1
        if has(index, .by, .before) || isWord(index, "spätestens") { return (.deadline, next) }
        if has(index, .until) { return (.until, next) }
        if has(index, .into, .at, .on, .about)
            || isWord(index, "over", "during", "towards", "zu", "for", "zum")
        {
            return (.at, next)
        }
        return has(index, .from, .starting) ? (.from, next) : (.at, index)
    }

    /// "this", "heute", "last", "next" before a part of the day.
    private func dayOfPart(_ index: inout Int) -> DaySpec? {
        let isToday = has(index, .this) || isWord(index, "heute", "today")
        let isLast = has(index, .last) && token(index + 1)?.lexeme.part != nil
        guard isToday || isLast || isWord(index, "gestern") else { return nil }
        index += 1
        return .offset(isToday ? 0 : -1)
    }

    /// "early", "late", "mid-", "später" before a part of the day.
    private func partModifier(_ index: inout Int, _ day: inout DaySpec?) -> Role? {
        let role: Role
        if has(index, .late, .later) || isWord(index, "spät", "späten", "später") {
            role = .late
        } else if has(index, .middle, .early) || isWord(index, "früh", "frühen") {
            role = has(index, .middle) ? .middle : .early
        } else {
            return nil
        }
        let next = skipSign("-", from: index + 1)
        guard token(next)?.lexeme.part != nil || has(next, .this) && next == index + 1,
            !isWord(index, "früh")
        else { return nil }
        index = next
        if has(index, .this) { (day, index) = (.offset(0), index + 1) }
        return role
    }

    private func followsPart(_ index: Int) -> Bool {
        followsPiece(index) { if case .part = $0 { true } else { false } }
    }

    /// "Mittwochabend", "nächsten Freitagmorgen": a day and part of the day in one word.
    private func weekdayPart(
        _ index: Int, _ end: Int, _ choice: DaySpec.Choice, _ relation: Piece.Relation
    ) -> Piece? {
        guard let weekday = tokens[end].lexeme.weekday, let part = tokens[end].lexeme.part,
            !tokens[end].has(.plural)
        else { return nil }
        return Piece(
            .part(part, .weekday(weekday, choice), isEveryDay: false), index..<(end + 1),
            relation: relation, strength: 3)
    }

    /// "early tomorrow", "late on friday", "later today"; a part of the day may follow.
    private func earlyOrLate(_ index: Int) -> Piece? {
        guard has(index, .early) || isWord(index, "late", "later", "früh", "spät", "später"),
            !isWord(index, "start", "beginning")
        else { return nil }
        let next = has(index + 1, .on) ? index + 2 : index + 1
        guard let token = token(next), token.kind == .word, !token.isPossessive else { return nil }
        if has(index, .later) {
            let isToday = token.lexeme.offset == 0
            return isToday ? Piece(.noise, index..<(index + 1)) : nil
        }
        guard token.lexeme.offset != nil || token.lexeme.weekday != nil, token.lexeme.part == nil,
            !token.has(.plural)
        else { return nil }
        let isLate = isWord(index, "late", "spät")
        return Piece(
            .part(isLate ? .lateAfternoon : .earlyMorning, nil, isEveryDay: false),
            index..<(index + 1), strength: 2)
    }

    /// "end of day", "first thing", "after work", "before bed", "at lunch". "Right after
    /// lunch with Ida" names an event, and "for lunch" a task.
    func specialPart(_ index: Int, isMarked: Bool) -> Match<DayPart>? {
        let start = skip(.the, from: index)
        let isRight = isWord(start, "right", "straight", "shortly", "just", "direkt", "gleich")
        if let part = match(Self.specialParts, start),
            isWord(start, "first", "last") || part.value == .bedtime || isEdge(part.end),
            !isRight || !isWord(part.end, "with", "mit")
        {
            return part
        }
        guard isMarked || followsDay(start), let meal = match(Self.meals, start),
            isEdge(meal.end), isWord(meal.end - 1, "time") || isMealtime(index - 1)
        else { return nil }
        return meal
    }

    private func isMealtime(_ index: Int) -> Bool {
        isWord(index, "at", "around", "about", "during", "over", "@", "beim")
    }

    private static let specialParts = PatternTable("parts") { DayPart(rawValue: $0) }
    private static let meals = PatternTable("meals") { DayPart(rawValue: $0) }
}
