/// Parses times of day: "5pm", "17:00", "half past three", "halb drei", and ranges of them.
extension PhraseGrammar {
    struct ClockMatch {
        var clock: ClockSpec
        var end: Int
        /// Whether it is a time in any context.
        var isSure: Bool

        init(_ clock: ClockSpec, _ end: Int, isSure: Bool) {
            (self.clock, self.end, self.isSure) = (clock, end, isSure)
        }
    }

    /// "am", "p.m.", "a" beside its number.
    private func half(_ index: Int, allowsLetter: Bool) -> Match<ClockSpec.Half>? {
        guard let token = token(index), token.kind == .word else { return nil }
        if token.has(.am) || (token.text == "am" && (token.isGlued || isWord(index + 1, "on"))) {
            return (.am, index + 1)
        }
        if token.has(.pm) { return (.pm, index + 1) }
        guard token.text == "a" || token.text == "p" else { return nil }
        let half: ClockSpec.Half = token.text == "a" ? .am : .pm
        if isSign(index + 1, "."), isGlued(index + 1), isWord(index + 2, "m") {
            let end = isSign(index + 3, ".") && isGlued(index + 3) ? index + 4 : index + 3
            return (half, end)
        }
        if isWord(index + 1, "m"), !isGlued(index + 1) { return (half, index + 2) }
        if token.isGlued, allowsLetter, !isGlued(index + 1) || isAnySign(index + 1) {
            return (half, index + 1)
        }
        return nil
    }

    private func isAnySign(_ index: Int) -> Bool { token(index)?.kind == .sign }

    func hour(_ index: Int) -> Match<Int>? {
        guard let token = token(index) else { return nil }
        if token.kind == .digits, let value = token.value, value <= 24, token.text.utf8.count <= 2 {
            return (value, index + 1)
        }
        guard token.kind == .word, !isOne(index, of: .vagueNumbers), !token.has(.often),
            !token.has(.article) || token.text == "ein" || token.text == "eins"
        else { return nil }
        return wholeNumber(index, in: 1...24)
    }

    /// Minutes in words or digits after an hour in words: "thirty", "oh five".
    private func minutesWord(_ index: Int) -> Match<Int>? {
        if isWord(index, "oh", "o"), let number = number(index + 1), number.value < 10 {
            return (Int(number.value), index + 2)
        }
        guard token(index)?.kind == .word, !isOne(index, of: .vagueNumbers),
            let number = wholeNumber(index, in: 10...59), unit(number.end) == nil
        else { return nil }
        return number
    }

    /// The time of day at `index`, without a preposition.
    func clock(_ index: Int) -> ClockMatch? {
        guard var match = clockCore(index) else { return nil }
        takeHalf(&match, allowsLetter: isDigits(match.end - 1))
        if isWord(match.end, "o"), isWord(match.end + 1, "clock") { match.end += 1 }
        if match.clock.half == nil, has(match.end, .oclock),
            !isWord(match.end, "hundred", "hrs") || match.clock.form == .full
        {
            let isGerman = isWord(match.end, "uhr")
            match.end += 1
            match.isSure = true
            if isGerman {
                takeMinutes(&match)
                match.clock.form = .full
            } else {
                takeHalf(&match, allowsLetter: false)
            }
        }
        // "12:00 noon", "12 midnight"
        if match.clock.half == nil, match.clock.hour == 12, match.clock.minute == 0,
            let part = token(match.end)?.lexeme.part, part == .noon || part == .midnight
        {
            (match.clock.half, match.clock.form) = (.pm, .full)
            match.clock.isMidnight = part == .midnight
            (match.end, match.isSure) = (match.end + 1, true)
        }
        if let end = self.match(Self.exactly, skipSign("-", from: match.end))?.end {
            match.end = end
            match.isSure = match.isSure || isWord(end - 1, "ish", "sharp")
        }
        if match.clock.hour == 24 {
            guard match.clock.minute == 0 else { return nil }
            match.clock = ClockSpec(hour: 0, form: .full, isMidnight: true)
        }
        match.clock = match.clock.settled ?? match.clock
        return match
    }

    private static let exactly = PatternTable("date exactly") { _ in () }

    /// "7 pm", "7 o'clock am"
    private func takeHalf(_ match: inout ClockMatch, allowsLetter: Bool) {
        guard match.clock.half == nil, (1...12).contains(match.clock.hour),
            let half = half(match.end, allowsLetter: allowsLetter)
        else { return }
        match.clock.half = half.value
        match.clock.form = .full
        match.end = half.end
        match.isSure = true
    }

    /// "9 Uhr 30", "neun Uhr dreißig"
    private func takeMinutes(_ match: inout ClockMatch) {
        guard match.clock.minute == 0 else { return }
        let next = match.end + 1
        if let minute = twoDigits(match.end), unit(next) == nil, !isSign(next, ":"),
            !isSign(next, ".")
        {
            (match.clock.minute, match.end) = (minute, next)
        } else if let minute = minutesWord(match.end) {
            (match.clock.minute, match.end) = minute
        }
    }

    private func clockCore(_ index: Int) -> ClockMatch? {
        if let match = namedClock(index) ?? sameTime(index) ?? militaryClock(index)
            ?? spokenClock(index)
        {
            return match
        }
        if isDigits(index) { return digitClock(index) }
        guard let hour = hour(index) else { return nil }
        if let minute = minutesWord(hour.end), hour.value <= 23 {
            return ClockMatch(
                ClockSpec(hour: hour.value, minute: minute.value), minute.end, isSure: false)
        }
        return ClockMatch(
            ClockSpec(hour: hour.value, form: hour.value > 12 ? .full : .bare), hour.end,
            isSure: false)
    }

    /// "this time tomorrow", "same time next week", "morgen um diese Zeit"
    private func sameTime(_ index: Int) -> ClockMatch? {
        let start = skip(.the, from: index)
        guard
            has(start, .this)
                || isWord(start, "same", "gleiche", "gleichen", "dieselbe", "derselben"),
            has(start + 1, .time)
        else { return nil }
        let end = start + 2
        guard
            followsDay(has(index - 1, .at) ? index - 1 : index) || token(end)?.lexeme.offset != nil
                || day(skip(.on, from: end)) != nil
        else { return nil }
        return ClockMatch(ClockSpec(hour: 0, form: .full, isNow: true), end, isSure: true)
    }

    /// "oh eight hundred", "zero six thirty"
    private func militaryClock(_ index: Int) -> ClockMatch? {
        guard isWord(index, "oh", "o", "zero"), let hour = hour(index + 1), hour.value < 10 else {
            return nil
        }
        var minute = isWord(hour.end, "hundred") ? (0, hour.end + 1) : minutesWord(hour.end)
        if isWord(minute?.1 ?? index, "hours") { minute?.1 += 1 }
        return minute.map {
            ClockMatch(ClockSpec(hour: hour.value, minute: $0.0, form: .full), $0.1, isSure: true)
        }
    }

    /// "noon", "12 midnight"
    private func namedClock(_ index: Int) -> ClockMatch? {
        let start = [0, 12].contains(token(index)?.value) ? index + 1 : index
        guard let name = token(start), name.lexeme.weekday == nil, !name.has(.habitual),
            let part = name.lexeme.part, part == .noon || part == .midnight
        else { return nil }
        let clock = ClockSpec(
            hour: part == .noon ? 12 : 0, form: .full, isMidnight: part == .midnight)
        return ClockMatch(clock, start + 1, isSure: true)
    }

    // MARK: Before and after an hour

    private func spokenClock(_ index: Int) -> ClockMatch? {
        if has(index, .halfBefore) { return beside(-30, index + 1) }
        if has(index, .threeQuarters) { return beside(-15, index + 1) }
        if isWord(index, "drei"), isWord(index + 1, "viertel") { return beside(-15, index + 2) }
        if has(index, .half) { return halfHour(index + 1) }
        let start = has(index, .article) ? index + 1 : index
        return has(start, .quarter) ? quarterHour(start) : minutesBeside(index)
    }

    /// The time `minutes` from the hour named at `index`.
    private func beside(_ minutes: Int, _ index: Int, isSure: Bool = true) -> ClockMatch? {
        guard let hour = namedHour(index) else { return nil }
        let total = (hour.value % 24 * 60 + minutes + 1440) % 1440
        // "quarter to one" may also be a quarter before thirteen.
        let isTwelve = total / 60 == 0 && !hour.isNamed
        return ClockMatch(
            ClockSpec(
                hour: isTwelve ? 12 : total / 60, minute: total % 60,
                form: hour.isNamed || hour.value > 12 ? .full : .bare), hour.end, isSure: isSure)
    }

    /// "half past three", British "half three"
    private func halfHour(_ next: Int) -> ClockMatch? {
        if has(next, .past, .after) { return beside(30, next + 1) }
        guard let hour = hour(next), hour.value <= 12, unit(hour.end) == nil else { return nil }
        return beside(30, next, isSure: false)
    }

    /// "quarter to six", "viertel nach drei", "viertel drei"
    private func quarterHour(_ index: Int) -> ClockMatch? {
        let next = index + 1
        if has(next, .past, .after) { return beside(15, next + 1) }
        if has(next, .to, .before, .until) || isWord(next, "of") { return beside(-15, next + 1) }
        return isWord(index, "viertel") && hour(next) != nil ? beside(-45, next) : nil
    }

    /// "ten to six", "5 minutes past 3", "fünf nach halb drei"
    private func minutesBeside(_ index: Int) -> ClockMatch? {
        guard let minutes = wholeNumber(index, in: 1...59) else { return nil }
        let isExplicit = unit(minutes.end)?.unit == .minute
        let next = isExplicit ? minutes.end + 1 : minutes.end
        let (value, isWritten) = (minutes.value, tokens[index].kind == .word)
        guard isExplicit || value % 5 == 0 || isWritten else { return nil }
        let isBeforeHalf = has(next + 1, .halfBefore)
        if has(next, .past) || (has(next, .after) && (isExplicit || isWord(next, "nach"))) {
            return isBeforeHalf ? beside(value - 30, next + 2) : beside(value, next + 1)
        }
        let isVor = isWord(next, "vor")
        guard has(next, .to) || isVor || isWord(next, "till", "til", "of", "before") else {
            return nil
        }
        if isBeforeHalf { return beside(-value - 30, next + 2) }
        guard let hour = namedHour(next + 1), hour.value <= 12 || isVor else { return nil }
        // "9 to 5" is a range; "ten to six" is a time.
        let isSpoken =
            isExplicit || isVor || (isWritten && value % 5 == 0 && value <= 25)
            || (has(index - 1, .at) && [5, 10].contains(value)) || (value % 5 == 0 && value >= 20)
        return isSpoken ? beside(-value, next + 1, isSure: isExplicit || isVor) : nil
    }

    private func namedHour(_ index: Int) -> (value: Int, end: Int, isNamed: Bool)? {
        if let hour = hour(index), hour.value >= 1 { return (hour.value, hour.end, false) }
        switch token(index)?.lexeme.part {
        case .noon: return (12, index + 1, true)
        case .midnight: return (24, index + 1, true)
        default: return nil
        }
    }

    // MARK: In digits

    /// 9, 17:00, 17.00, 17h30, 1730, 0800.
    private func digitClock(_ index: Int) -> ClockMatch? {
        let width = tokens[index].text.utf8.count
        guard let value = tokens[index].value else { return nil }
        if width == 3 || width == 4 { return joinedDigits(index, value) }
        guard width <= 2, value <= 24 else { return nil }
        let next = index + 1
        let isFull = width == 2 && value < 10 || value > 12 || value == 0
        func made(
            _ minute: Int, _ form: ClockSpec.Form, _ end: Int, isSure: Bool
        ) -> ClockMatch {
            ClockMatch(ClockSpec(hour: value, minute: minute, form: form), end, isSure: isSure)
        }
        if isGlued(next), isGlued(next + 1), let minute = twoDigits(next + 1) {
            if isSign(next, ":") || isSign(next, "：") {
                var match = made(minute, isFull ? .full : .colon, next + 2, isSure: true)
                takeSeconds(&match)
                return match
            }
            if isSign(next, "."), !(isSign(next + 2, ".") && isGlued(next + 2)) {
                let isNamed =
                    half(next + 2, allowsLetter: true) != nil
                    || isWord(next + 2, "uhr", "h", "hrs")
                    // "wed 11.45": no month has that number.
                    || minute > 12 && token(index - 1)?.lexeme.weekday != nil
                    // "standup 9.30 daily", but not "wine 4.99 tomorrow"
                    || minute > 12 && minute % 15 == 0 && value > 5 && namesDays(next + 2)
                return made(minute, isFull ? .full : .colon, next + 2, isSure: isNamed)
            }
            if isWord(next, "h") { return made(minute, .full, next + 2, isSure: true) }
        }
        // "15h", "friday 9h"; "2h" may be a length.
        if isWord(next, "h"), isGlued(next) {
            return made(
                0, .full, next + 1, isSure: value > 12 || value > 5 && namesDays(index - 1))
        }
        // Dictated: "6 30 pm".
        if !isGlued(next), let minute = twoDigits(next), (1...12).contains(value),
            half(next + 1, allowsLetter: false) != nil
        {
            return made(minute, .colon, next + 1, isSure: true)
        }
        return made(0, isFull ? .full : .bare, next, isSure: false)
    }

    private func namesDays(_ index: Int) -> Bool {
        guard let token = token(index) else { return false }
        return token.has(.every) || token.lexeme.weekday != nil || token.lexeme.offset != nil
            || token.lexeme.adverb != nil
    }

    /// "fri 1600 hand in the form", but not "fri 1600 steps" or "mon 2026 budget".
    private func isHourAfterWeekday(_ index: Int, _ value: Int) -> Bool {
        guard token(index - 1)?.lexeme.weekday != nil, value % 5 == 0,
            !(1900...2099).contains(value), let next = token(index + 1)
        else { return false }
        return next.text.utf8.count > 1
            && next.text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
            && !next.text.hasSuffix("s") && !next.has(.measure)
    }

    /// 1730, 0800, 530pm
    private func joinedDigits(_ index: Int, _ value: Int) -> ClockMatch? {
        let next = index + 1
        let isFour = tokens[index].text.utf8.count == 4
        let hasHalf = half(next, allowsLetter: true) != nil
        guard value / 100 <= 24, value % 100 < 60,
            isFour || hasHalf || (value % 5 == 0 && value >= 100)
        else { return nil }
        return ClockMatch(
            ClockSpec(
                hour: value / 100, minute: value % 100, form: isFour && !hasHalf ? .full : .colon),
            isWord(next, "hrs", "hours", "h") ? next + 1 : next,
            isSure: isFour && value < 1000 || hasHalf || isWord(next, "hrs", "hours", "uhr", "h")
                || isFour && isHourAfterWeekday(index, value))
    }

    /// The ":30" and the "h" after 17:00.
    private func takeSeconds(_ match: inout ClockMatch) {
        if isSign(match.end, ":"), isGlued(match.end), isGlued(match.end + 1),
            let second = twoDigits(match.end + 1)
        {
            (match.clock.second, match.clock.form) = (second, .full)
            match.end += 2
        }
        if isWord(match.end, "h", "hrs") { match.end += 1 }
    }

    private func twoDigits(_ index: Int) -> Int? {
        guard let token = token(index), token.kind == .digits, token.text.utf8.count == 2,
            let value = token.value, value < 60
        else { return nil }
        return value
    }
}

extension ClockSpec {
    var isValid: Bool { (0...24).contains(hour) && (0...59).contains(minute) }
}
