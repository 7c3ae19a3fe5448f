import AgentCore

/// Parts of the day: "tonight", "in the morning", "end of day", "after work".
extension PhraseGrammar {
    /// "tonight", "in the morning", "this evening", "by end of day", "after
    /// work", "first thing".
    func partPiece(_ index: Int) -> Piece? {
        guard var piece = onePart(index) else { return nil }
        // "this afternoon or tomorrow morning"
        while let joint = joint(piece.tokens.upperBound), joint.kind != .comma,
            let other = dayAndPart(joint.end), canEnd(other.tokens.upperBound)
        {
            piece.more.append(other.value)
            piece.isChoice = joint.kind == .or
            piece.tokens = piece.tokens.lowerBound..<other.tokens.upperBound
        }
        return piece
    }

    /// "in the evening", "tomorrow morning": a part with its day, if any.
    private func dayAndPart(_ index: Int) -> Piece? {
        if let part = onePart(index) { return part }
        guard let day = relativeDay(index), let part = partName(day.end) else { return nil }
        return Piece(.part(part, day.day, isEveryDay: false), index..<(day.end + 1))
    }

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
        // "am" and "im" have the article in them.
        let hasArticle = has(end, .the) || isWord(index, "am", "im")
        end = skip(.the, from: end)
        if has(end, .next, .coming), token(end + 1)?.lexeme.weekday != nil {
            return weekdayPart(
                index, end + 1, has(end, .next) ? .next : .coming, lead.relation)
        }
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
        case _ where [.noon, .midnight].contains(part) && day == nil && !name.has(.habitual):
            return nil
        default: break
        }
        var piece = made(
            part.modified(by: modifier), day, isEveryDay: name.has(.plural))
        if isTonight { piece.strength = 3 }
        return piece
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

    /// "this", "heute", "last", "next" before a part.
    private func dayOfPart(_ index: inout Int) -> DaySpec? {
        let part = token(index + 1)?.lexeme.part
        let offset: Int
        if has(index, .this) || isWord(index, "heute", "today") {
            offset = 0
        } else if isWord(index, "gestern") || has(index, .last) && part != nil {
            offset = -1
        } else if has(index, .next), part == .morning || part == .evening {
            offset = 1
        } else {
            return nil
        }
        index += 1
        return .offset(offset)
    }

    /// "early", "late", "mid-", "später" before a part.
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

    /// "Mittwochabend", "nächsten Freitagmorgen": a day and its part in a word.
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

    /// "early tomorrow", "late on friday", "later today"; the part of the day
    /// may follow.
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

    /// "end of day", "first thing", "after work", "before bed", "at lunch"
    func specialPart(_ index: Int, isMarked: Bool) -> Match<DayPart>? {
        let start = skip(.the, from: index)
        if let fixed = match(Self.fixedParts, start),
            isWord(start, "first", "last") || isEdge(fixed.end)
        {
            return fixed
        }
        return partAfter(start) ?? partBefore(start)
            ?? (isMarked || followsDay(start) ? partAt(start, from: index) : nil)
    }

    private static let fixedParts = PatternTable("parts fixed") { DayPart(rawValue: $0) }
    private static let partsAfter = PatternTable("parts after") { DayPart(rawValue: $0) }
    private static let partsBefore = PatternTable("parts before") { DayPart(rawValue: $0) }
    private static let partsAt = PatternTable("parts at") { DayPart(rawValue: $0) }

    /// "after work", "right after lunch"; "right after lunch with Ida" is none.
    private func partAfter(_ index: Int) -> Match<DayPart>? {
        let isRight = isWord(index, "right", "straight", "shortly", "just", "direkt", "gleich")
        let start = isRight ? index + 1 : index
        let next = isWord(start + 1, "der", "dem") ? start + 2 : start + 1
        guard has(start, .after), isEdge(next + 1), !(isRight && isWord(next + 1, "with", "mit"))
        else { return nil }
        return match(Self.partsAfter, next)
    }

    /// "before bed", "before going to bed", "vor dem Frühstück"
    private func partBefore(_ index: Int) -> Match<DayPart>? {
        let isHere = isWord(index, "before", "vor")
        guard isHere || isWord(index - 1, "before", "vor") else { return nil }
        var next = isHere ? index + 1 : index
        if isWord(next, "dem", "der", "going") { next += 1 }
        if isWord(next, "to"), isWord(next + 1, "bed") { next += 1 }
        guard let match = match(Self.partsBefore, next),
            match.value == .bedtime || isEdge(match.end)
        else { return nil }
        return match
    }

    /// "at lunch", "around dinner time"; "for lunch" is what is done.
    private func partAt(_ start: Int, from index: Int) -> Match<DayPart>? {
        let isTime = isWord(start + 1, "time")
        let end = isTime ? start + 2 : start + 1
        guard isEdge(end),
            isTime || isWord(index - 1, "at", "around", "about", "during", "over", "@", "beim"),
            let part = self.match(Self.partsAt, start)?.value, part != .bedtime || isTime
        else { return nil }
        return (part, end)
    }
}
