/// Parses times in context: "at 9", "by around 5pm", "from 9 to 5", "all day", and rejects
/// numbers that only look like times.
extension PhraseGrammar {
    /// The words before a time: "at", "by around", "@".
    private func clockRelation(_ index: Int) -> Preposition {
        var (relation, end, isMarked) = (Piece.Relation.at, index + 1, true)
        let roles: [(Role, Piece.Relation)] = [
            (.at, .at), (.by, .deadline), (.before, .deadline), (.until, .until), (.from, .from),
            (.after, .after),
        ]
        if let phrase = match(Self.relations, index) {
            (relation, end) = phrase
            isMarked = relation != .at
        } else if has(index, .due) {
            relation = .deadline
            isMarked = has(end, .at, .by)
            if isMarked { end += 1 }
        } else if has(index, .starting), !isWord(index, "ab") {
            relation = .starting
            end = skip(.from, from: end)
        } else if let role = roles.first(where: { has(index, $0.0) }) {
            relation = role.1
        } else {
            isMarked = isAlarm(index)
            if !has(index, .span), !has(index, .on), !(isMarked && isWord(index, "auf", "to")) {
                end = index
            }
        }
        if has(end, .at), isMarked { end += 1 }
        if has(end, .about), !isSunday(end) { (end, isMarked) = (end + 1, true) }
        if has(end, .at), end > index { end += 1 }
        return (relation, end, isMarked)
    }

    /// "set an alarm for 7", "wake me up 6:45": the number is when it rings.
    private func isAlarm(_ index: Int) -> Bool {
        var before = index - 1
        while isSign(before, ":") || has(before, .span) || isWord(before, "auf", "up", "me", "mich")
        {
            before -= 1
        }
        return isWord(before, "alarm", "alarms", "wecker", "wake", "weck", "wecke")
    }

    func clockPiece(_ index: Int) -> Piece? {
        let lead = clockRelation(index)
        guard let first = clock(lead.end), first.clock.isValid,
            tokens[first.end - 1].isPossessive == false,
            first.isSure
                || isPlausible(first, from: lead.end, index: index, isMarked: lead.isMarked)
        else { return nil }
        // Numbers next to numbers are telephone numbers.
        if isDigits(lead.end), !first.isSure || tokens[lead.end].text.utf8.count > 2,
            isLoneDigits(lead.end - 1) || isLoneDigits(first.end)
        {
            return nil
        }
        // "the 10 o'clock news" is a thing, and the hour part of its name.
        if lead.end == index, isWord(index - 1, "the", "my", "our"), !taken[index - 1],
            !endsPiece(index), !isPlainEdge(first.end)
        {
            return nil
        }
        // "channel 4" and "room 215" are not times.
        if lead.end == index, isNumbered(index), !first.isSure { return nil }
        let halved = inPart(first).flatMap { moreClock($0.end, hasPart: true) == nil ? nil : $0 }
        var clocks = [halved?.clock ?? first.clock]
        var (end, isChoice) = (halved?.end ?? first.end, false)
        while let more = moreClock(end, hasPart: halved != nil) {
            clocks.append(more.clock)
            end = more.end
            isChoice = isChoice || more.isChoice
        }
        if let half = clocks.last?.half {
            for position in clocks.indices
            where clocks[position].half == nil && clocks[position].form == .bare {
                clocks[position].half = half
                clocks[position] = clocks[position].settled ?? clocks[position]
            }
        }
        return Piece(
            .clock(clocks), index..<end, relation: lead.relation,
            strength: (lead.isMarked ? 2 : 1) + (first.isSure ? 1 : 0), isChoice: isChoice)
    }

    /// "… and 8pm", ", 13:00", "or 4": another time of a list.
    private func moreClock(
        _ end: Int, hasPart: Bool
    ) -> (clock: ClockSpec, end: Int, isChoice: Bool)? {
        guard let joint = joint(end) else { return nil }
        let next = has(joint.end, .at) ? joint.end + 1 : joint.end
        guard var more = clock(next), more.clock.isValid, unit(more.end) == nil,
            token(more.end)?.has(.measure) != true,
            // "tomorrow noon, 12:40" is one time said twice.
            joint.kind != .comma || hasPart || token(end - 1)?.lexeme.part == nil
                || isListGoingOn(more.end)
        else { return nil }
        if hasPart, let half = inPart(more) { more = half }
        let isNumber = isEdge(more.end) && (joint.kind != .comma || isListGoingOn(more.end))
        return more.isSure || isNumber ? (more.clock, more.end, joint.kind == .or) : nil
    }

    /// "9 in the morning" if "and 5 in the evening" follows.
    private func inPart(_ match: ClockMatch) -> ClockMatch? {
        guard match.clock.form == .bare, let piece = partPiece(match.end), piece.more.isEmpty,
            case .part(let part, nil, false) = piece.value, !part.isNight
        else { return nil }
        var match = match
        match.clock.half = part.isLate ? .pm : .am
        match.clock = match.clock.settled ?? match.clock
        match.end = piece.tokens.upperBound
        return match
    }

    private func isListGoingOn(_ index: Int) -> Bool {
        joint(index).map { clock($0.end) != nil } == true
    }

    /// Whether a lone number is plausible as a time: after "at", or next to a day with
    /// nothing nearby that it could count.
    private func isPlausible(
        _ match: ClockMatch, from start: Int, index: Int, isMarked: Bool
    ) -> Bool {
        if isCounting(match.end) { return false }
        if isMarked, isOne(match.end, of: .streets) || isOne(match.end + 1, of: .streets) {
            return false
        }
        let isBesideDay =
            (followsDay(index) && isClauseEnd(match.end))
            || (!isNumbered(start) && partOfDay(after: match.end))
            || (isFirst(index) && isSpokenBritish(start))
        if let width = token(start)?.text.utf8.count, width == 4, isDigits(start) {
            let isAt =
                isMarked
                && (has(start - 1, .at, .by, .about, .until))
            return isAt || isBesideDay
        }
        return isMarked || isBesideDay
    }

    /// Whether a unit, measure or sign makes the number before it a count.
    private func isCounting(_ index: Int) -> Bool {
        guard let next = token(index) else { return false }
        if unit(index) != nil || next.has(.measure) || next.has(.times) { return true }
        if isSign(index, "-"), isGlued(index) { return true }
        if isSign(index, "/") || isSign(index, "%") { return true }
        return isSign(index, ":") && isGlued(index) && isDigits(index + 1)
    }

    private func isLoneDigits(_ index: Int) -> Bool {
        guard let token = token(index), token.kind == .digits, !taken[index] else { return false }
        return found.last?.tokens.contains(index) != true
    }

    /// Whether a phrase in the British manner begins here: "half four", "ten to".
    private func isSpokenBritish(_ index: Int) -> Bool {
        if has(index, .half) { return true }
        // Not "one to one".
        return token(index)?.kind == .word
            && number(index).map { $0.value.truncatingRemainder(dividingBy: 5) == 0 } == true
            && (has(index + 1, .to) || isWord(index + 1, "till", "til"))
    }

    private func isClauseEnd(_ index: Int) -> Bool {
        guard let next = token(index) else { return true }
        return taken[index]
            || next.kind == .sign && [",", ".", ")", ";", "!", "?", "-"].contains(next.text)
            || next.has(.function) || lead(index) != nil || dayPiece(index) != nil
    }

    /// "7 tonight", "9 tomorrow morning", "9 in the morning".
    private func partOfDay(after index: Int) -> Bool {
        guard isWhen(index), token(index)?.kind == .word else { return false }
        if partPiece(index) != nil, !has(index, .span), !has(index, .by) { return true }
        guard let day = dayPiece(index), day.strength > 0 else { return false }
        let next = day.tokens.upperBound
        return token(next)?.lexeme.part != nil && token(next)?.has(.plural) != true
    }

    /// "chapter 7", "room 12": the number names a thing.
    func isNumbered(_ index: Int) -> Bool {
        guard let before = token(index - 1), before.kind == .word else {
            return isSign(index - 1, "#")
        }
        return isOne(index - 1, of: .numbered)
    }

    /// "mit Mia So 15 Uhr", not "so 15 Uhr".
    private func isSunday(_ index: Int) -> Bool {
        index > 0 && tokens[index].lexeme.weekday != nil && tokens[index].isCapitalised
    }

    /// From one time to another on one day: "2-3:30pm", "from 9 to 5".
    func hoursPiece(_ index: Int) -> Piece? {
        let isBetween = has(index, .between)
        let isMarked = isBetween || has(index, .from, .at)
        let hasLead = isMarked || has(index, .span)
        let next = hasLead ? index + 1 : index
        let start = next < tokens.count && isSunday(next) ? next : skip(.about, from: next)
        guard let (first, last) = clockRange(start, isBetween: isBetween, isMarked: isMarked),
            !isCounting(last.end) || isSign(last.end, "/")
        else { return nil }
        let isSure = first.isSure || last.isSure
        if !isSure, !isMarked {
            let isBesideDay =
                (followsDay(index) && isClauseEnd(last.end))
                || (isEdge(last.end) && dayPiece(last.end).map { $0.strength > 0 } == true)
            let isMeeting =
                token(last.end) == nil
                && token(start - 1).map { Lexicon.isAppointment($0.text) } == true
            let isYears =
                first.clock.hour == 20 && first.clock.minute >= 20 && last.clock.hour == 20
            guard !hasLead, isBesideDay || isMeeting, !isNumbered(start), !isYears else {
                return nil
            }
        }
        if token(last.end)?.lexeme.month != nil, !last.isSure { return nil }
        return Piece(
            .hours(first.clock, last.clock), index..<last.end, relation: .from, strength: 3)
    }

    /// Two times joined by "-", "to" or similar.
    func clockRange(
        _ start: Int, isBetween: Bool = false, isMarked: Bool = false
    ) -> (ClockMatch, ClockMatch)? {
        guard let first = clock(start), first.clock.isValid else { return nil }
        let isJoined =
            isSign(first.end, "-") || has(first.end, .to, .until)
            || isBetween && has(first.end, .and) || isMarked && isWord(first.end, "bis")
        let next = first.end + 1
        guard isJoined,
            let second = clock(has(next, .about, .at) ? next + 1 : next), second.clock.isValid,
            unit(second.end) == nil
        else { return nil }
        // "555-1234"
        let widths = [start, next].map { isDigits($0) ? tokens[$0].text.utf8.count : 0 }
        return widths.contains(3) && !first.isSure && !second.isSure ? nil : (first, second)
    }

    func allDayPiece(_ index: Int) -> Piece? {
        let isParenthesis = isSign(index, "(")
        let start = isParenthesis ? index + 1 : skipSign(",", from: index)
        guard let match = match(Self.allDay, start),
            !isWord(start, "all") || isEdge(match.end) || isWhen(match.end)
        else { return nil }
        let end = isParenthesis ? skipSign(")", from: match.end) : match.end
        return Piece(.allDay, index..<end)
    }

    private static let allDay = PatternTable("date all day") { _ in () }

    /// Times without a clear hour or day: "later", "in a bit", "irgendwann".
    func vaguePiece(_ index: Int) -> Piece? {
        guard let match = match(Self.vague, index),
            isEdge(match.end) || isFirst(index) || isWhen(match.end),
            // "gleich nach dem Essen", "3 days later"
            !has(match.end, .after), !has(match.end, .before),
            token(index - 1)?.lexeme.unit == nil, !isWord(index - 1, "no", "not", "so", "very")
        else { return nil }
        return Piece(.vague, index..<match.end)
    }

    private static let vague = PatternTable("date vague") { _ in () }
}
