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
        return Piece(
            value: .part(part, day.day, isEveryDay: false), tokens: index..<(day.end + 1))
    }

    private func onePart(_ index: Int) -> Piece? {
        if let early = earlyOrLate(index) { return early }
        var end = index
        var relation = Piece.Relation.at
        var isMarked = false
        var day: DaySpec?
        if has(end, .by) || has(end, .before) || isWord(end, "spätestens") {
            (relation, end, isMarked) = (.deadline, end + 1, true)
        } else if has(end, .until) {
            (relation, end, isMarked) = (.until, end + 1, true)
        } else if has(end, .into) || has(end, .at) || has(end, .on) || has(end, .about)
            || isWord(end, "over", "during", "towards", "zu", "for", "zum")
        {
            (end, isMarked) = (end + 1, true)
        } else if has(end, .from) || has(end, .starting) {
            (relation, end, isMarked) = (.from, end + 1, true)
        }
        if let special = specialPart(end, isMarked: isMarked)
            ?? (isMarked ? specialPart(index, isMarked: false) : nil)
        {
            return Piece(
                value: .part(special.value, nil, isEveryDay: false), tokens: index..<special.end,
                relation: relation, strength: 2)
        }
        // "am" and "im" have the article in them.
        let hasArticle = has(end, .the) || isWord(index, "am", "im")
        if has(end, .the) { end += 1 }
        if has(end, .this) || isWord(end, "heute", "today") {
            day = .offset(0)
            end += 1
            isMarked = true
        } else if isWord(end, "gestern") || has(end, .last) && token(end + 1)?.lexeme.part != nil {
            day = .offset(-1)
            end += 1
            isMarked = true
        } else if has(end, .next) || has(end, .coming), let weekday = token(end + 1)?.lexeme.weekday
        {
            return weekdayPart(
                index, end + 1, weekday, has(end, .next) ? .next : .coming, relation)
        } else if has(end, .next),
            token(end + 1)?.lexeme.part == .morning || token(end + 1)?.lexeme.part == .evening
        {
            day = .offset(1)
            end += 1
            isMarked = true
        }
        var modifier: Role?
        if has(end, .early) || has(end, .late) || has(end, .middle) || has(end, .later)
            || isWord(end, "spät", "früh", "später", "frühen", "späten")
        {
            modifier =
                has(end, .late) || has(end, .later) || isWord(end, "spät", "späten", "später")
                ? .late : has(end, .middle) ? .middle : .early
            if token(end + 1)?.lexeme.part != nil
                || (isSign(end + 1, "-") && token(end + 2)?.lexeme.part != nil)
                || has(end + 1, .this)
            {
                end += isSign(end + 1, "-") ? 2 : 1
                if has(end, .this) { (day, end) = (.offset(0), end + 1) }
                if modifier == .early, isWord(end - 1, "früh") { modifier = nil; end -= 1 }
            } else {
                modifier = nil
            }
        }
        if isWord(end, "late"), isWord(end + 1, "at"), token(end + 2)?.lexeme.part == .night {
            (modifier, end) = (.late, end + 2)
        }
        guard let token = token(end), token.kind == .word else { return nil }
        if let weekday = token.lexeme.weekday {
            return weekdayPart(index, end, weekday, day == nil ? nil : .this, relation)
        }
        var part = token.lexeme.part
        if token.text == "morgen",
            day != nil || (isMarked && isWord(end - 1, "am")) || followsDay(end)
        {
            part = .morning
        }
        if token.text == "morgen", part != .morning || (day == nil && !isMarked && !followsDay(end))
        {
            return nil
        }
        guard var part, !token.isPossessive else { return nil }
        if token.text == "feierabend", !isMarked { return nil }
        if token.text == "eve", !followsDay(index) { return nil }
        if part == .noon || part == .midnight, day == nil, !token.has(.habitual) { return nil }
        let isTonight = token.lexeme.offset == 0
        if isTonight { day = .offset(0) }
        end += 1
        let isFree =
            isMarked || isTonight || followsDay(index) || followsClock(index)
            || followsNumberWord(index) || token.has(.habitual) || token.has(.plural)
            || modifier != nil
        guard
            isFree || token.text == "eod" || token.text == "cob"
                || token.text.hasSuffix("time") && isEdge(end)
        else { return nil }
        // "morning run", "night shift", "at night school"
        if day == nil, !followsDay(index), !followsClock(index), !isEdge(end), !hasArticle,
            !token.has(.habitual)
        {
            return nil
        }
        if (isTonight || day != nil) && isArticleBefore(index) { return nil }
        if token.has(.plural), !isMarked, !followsDay(index), !followsClock(index), !isEdge(end) {
            return nil
        }
        switch (part, modifier) {
        case (.morning, .some(.early)): part = .earlyMorning
        case (.morning, .some(.late)), (.morning, .some(.middle)): part = .lateMorning
        case (.afternoon, .some(.early)): part = .earlyAfternoon
        case (.afternoon, .some(.late)): part = .lateAfternoon
        case (.evening, .some(.early)): part = .earlyEvening
        case (.evening, .some(.late)), (.night, .some(.late)): part = .lateNight
        default: break
        }
        // "tonight" said of a part already given by the clock is only a day.
        return Piece(
            value: .part(part, day, isEveryDay: token.has(.plural)), tokens: index..<end,
            relation: relation,
            strength: isTonight ? 3 : 2)
    }

    func followsNumberWord(_ index: Int) -> Bool {
        followsPiece(index) { if case .part = $0 { true } else { false } }
    }

    /// "Mittwochabend", "nächsten Freitagmorgen": a day and its part in a word.
    private func weekdayPart(
        _ index: Int, _ end: Int, _ weekday: Int, _ choice: DaySpec.Choice?,
        _ relation: Piece.Relation
    ) -> Piece? {
        guard let part = tokens[end].lexeme.part, !tokens[end].has(.plural) else { return nil }
        return Piece(
            value: .part(part, .weekday(weekday, choice ?? .bare), isEveryDay: false),
            tokens: index..<(end + 1), relation: relation, strength: 3)
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
            return isToday ? Piece(value: .noise, tokens: index..<(index + 1)) : nil
        }
        guard token.lexeme.offset != nil || token.lexeme.weekday != nil, token.lexeme.part == nil,
            !token.has(.plural)
        else { return nil }
        let isLate = isWord(index, "late", "spät")
        return Piece(
            value: .part(isLate ? .lateAfternoon : .earlyMorning, nil, isEveryDay: false),
            tokens: index..<(index + 1), strength: 2)
    }

    /// "end of day", "first thing", "after work", "before bed", "at lunch"
    func specialPart(_ index: Int, isMarked: Bool) -> Match<DayPart>? {
        let start = skip(.the, from: index)
        if let fixed = Self.fixedParts.match(tokens, at: start),
            isWord(start, "first", "last") || isEdge(fixed.end)
        {
            return fixed
        }
        return partAfter(start) ?? partBefore(start)
            ?? (isMarked || followsDay(start) ? partAt(start, from: index) : nil)
    }

    private static let fixedParts = PhraseTable<DayPart>([
        ("end of day|end of the day|end of business|end of business day|end of today", .endOfDay),
        ("end of work|end of the work day|end of the workday|close of business", .endOfDay),
        ("close of play|ende des tages|ende des arbeitstages", .endOfDay),
        ("first thing|first thing in the morning", .firstThing),
        ("last thing|last thing at night", .lateNight),
    ])

    /// "after work", "right after lunch"; "right after lunch with Ida" is none.
    private func partAfter(_ index: Int) -> Match<DayPart>? {
        let isRight = isWord(index, "right", "straight", "shortly", "just", "direkt", "gleich")
        let start = isRight ? index + 1 : index
        let next = isWord(start + 1, "der", "dem") ? start + 2 : start + 1
        guard has(start, .after), isEdge(next + 1), !(isRight && isWord(next + 1, "with", "mit"))
        else { return nil }
        return Self.afterThings.match(tokens, at: next)
    }

    private static let afterThings = PhraseTable<DayPart>([
        ("work|school|office|arbeit|schule|feierabend", .afterWork),
        ("lunch|lunchtime|mittagessen", .afterLunch), ("breakfast|frühstück", .morning),
        ("dinner|supper|abendessen|tea", .night),
    ])

    /// "before bed", "before going to bed", "vor dem Frühstück"
    private func partBefore(_ index: Int) -> Match<DayPart>? {
        let isHere = isWord(index, "before", "vor")
        guard isHere || isWord(index - 1, "before", "vor") else { return nil }
        var next = isHere ? index + 1 : index
        if isWord(next, "dem", "der", "going") { next += 1 }
        if isWord(next, "to"), isWord(next + 1, "bed") { next += 1 }
        guard let match = Self.beforeThings.match(tokens, at: next),
            match.value == .bedtime || isEdge(match.end)
        else { return nil }
        return match
    }

    private static let beforeThings = PhraseTable<DayPart>([
        ("bed|bedtime|sleep|schlafengehen|schlafen", .bedtime),
        ("work|school|arbeit|schule", .earlyMorning), ("breakfast|frühstück", .breakfast),
        ("lunch|lunchtime|mittagessen", .lateMorning),
        ("dinner|supper|abendessen|dark", .lateAfternoon),
    ])

    /// "at lunch", "around dinner time"; "for lunch" is what is done.
    private func partAt(_ start: Int, from index: Int) -> Match<DayPart>? {
        let isTime = isWord(start + 1, "time")
        let end = isTime ? start + 2 : start + 1
        guard isEdge(end),
            isTime || isWord(index - 1, "at", "around", "about", "during", "over", "@", "beim"),
            let part = Self.meals.match(tokens, at: start)?.value, part != .bedtime || isTime
        else { return nil }
        return (part, end)
    }

    private static let meals = PhraseTable<DayPart>([
        ("lunch", .lunch), ("breakfast", .breakfast), ("dinner|supper|tea", .dinner),
        ("bed", .bedtime),
    ])
}
