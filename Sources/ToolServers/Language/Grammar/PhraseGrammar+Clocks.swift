import AgentCore

/// Times of day: "5pm", "17:00", "half past three", "halb drei", and from one
/// to another.
extension PhraseGrammar {
    struct ClockMatch {
        var clock: ClockSpec
        var end: Int
        /// It is a time whatever stands around it.
        var isSure: Bool
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
        guard token.kind == .word, let number = number(index), number.value >= 1,
            number.value <= 24,
            number.value == number.value.rounded(),
            !["couple", "few", "dozen", "several", "paar", "once", "twice", "thrice"].contains(
                token.text),
            !token.has(.often), !token.has(.article) || token.text == "ein" || token.text == "eins"
        else { return nil }
        return (Int(number.value), number.end)
    }

    /// Minutes in words or digits after an hour in words: "thirty", "oh five".
    private func minutesWord(_ index: Int) -> Match<Int>? {
        if isWord(index, "oh", "o"), let number = number(index + 1), number.value < 10 {
            return (Int(number.value), index + 2)
        }
        guard token(index)?.kind == .word, let number = number(index), number.value >= 10,
            number.value < 60,
            unit(number.end) == nil, !isWord(index, "couple", "few", "dozen", "hundred")
        else { return nil }
        return (Int(number.value), number.end)
    }

    /// A time of day at `index`, without the word before it.
    func clock(_ index: Int) -> ClockMatch? {
        guard var match = clockCore(index) else { return nil }
        if match.clock.half == nil, match.clock.form != .full || match.clock.hour <= 12,
            let half = half(match.end, allowsLetter: isDigits(match.end - 1)),
            (1...12).contains(match.clock.hour)
        {
            match.clock.half = half.value
            match.clock.form = .full
            match.end = half.end
            match.isSure = true
        }
        if match.clock.half == nil, has(match.end, .oclock),
            !isWord(match.end, "hundred", "hrs") || match.clock.form == .full
        {
            let isGerman = isWord(match.end, "uhr")
            match.end += 1
            match.isSure = true
            if isGerman {
                if let minute = twoDigits(match.end), match.clock.minute == 0,
                    unit(match.end + 1) == nil,
                    !(isSign(match.end + 1, ":") || isSign(match.end + 1, "."))
                {
                    match.clock.minute = minute
                    match.end += 1
                } else if match.clock.minute == 0, let minute = minutesWord(match.end) {
                    match.clock.minute = minute.value
                    match.end = minute.end
                }
                match.clock.form = .full
            }
            if let half = half(match.end, allowsLetter: false), (1...12).contains(match.clock.hour),
                !isGerman
            {
                match.clock.half = half.value
                match.end = half.end
            }
        }
        if isWord(match.end, "sharp", "ish", "prompt", "pünktlich") {
            match.end += 1
        } else if isSign(match.end, "-"), isWord(match.end + 1, "ish") {
            match.end += 2
        } else if isWord(match.end, "on"), isWord(match.end + 1, "the"),
            isWord(match.end + 2, "dot")
        {
            match.end += 3
        }
        if isWord(match.end - 1, "ish", "sharp") { match.isSure = true }
        if match.clock.hour == 24 {
            guard match.clock.minute == 0 else { return nil }
            match.clock = ClockSpec(hour: 0, form: .full, isMidnight: true)
        }
        if let settled = match.clock.settled { match.clock = settled }
        return match
    }

    private func clockCore(_ index: Int) -> ClockMatch? {
        guard let token = token(index) else { return nil }
        if let named = namedClock(index) ?? sameTime(index) ?? militaryClock(index) {
            return named
        }
        if let spoken = spokenClock(index) { return spoken }
        if token.kind == .digits { return digitClock(index) }
        guard let hour = hour(index) else { return nil }
        if let minute = minutesWord(hour.end), hour.value <= 23, isDigits(index) == false {
            return ClockMatch(
                clock: ClockSpec(hour: hour.value, minute: minute.value), end: minute.end,
                isSure: false)
        }
        return ClockMatch(
            clock: ClockSpec(hour: hour.value, form: hour.value > 12 ? .full : .bare),
            end: hour.end, isSure: false)
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
        return ClockMatch(
            clock: ClockSpec(hour: 0, form: .full, isNow: true), end: end, isSure: true)
    }

    /// "oh eight hundred", "zero six thirty"
    private func militaryClock(_ index: Int) -> ClockMatch? {
        guard isWord(index, "oh", "o", "zero"), let hour = hour(index + 1), hour.value < 10 else {
            return nil
        }
        var minute = isWord(hour.end, "hundred") ? (0, hour.end + 1) : minutesWord(hour.end)
        if isWord(minute?.1 ?? index, "hours") { minute?.1 += 1 }
        return minute.map {
            ClockMatch(
                clock: ClockSpec(hour: hour.value, minute: $0.0, form: .full), end: $0.1,
                isSure: true)
        }
    }

    /// "noon", "12 midnight"
    private func namedClock(_ index: Int) -> ClockMatch? {
        var index = index
        if let value = token(index)?.value, value == 12 || value == 0,
            let part = token(index + 1)?.lexeme.part,
            part == .noon || part == .midnight, !(token(index + 1)?.has(.habitual) ?? false)
        {
            index += 1
        }
        guard let token = token(index), let part = token.lexeme.part, token.lexeme.weekday == nil,
            !token.has(.habitual)
        else { return nil }
        switch part {
        case .noon:
            return ClockMatch(clock: ClockSpec(hour: 12, form: .full), end: index + 1, isSure: true)
        case .midnight:
            return ClockMatch(
                clock: ClockSpec(hour: 0, form: .full, isMidnight: true), end: index + 1,
                isSure: true)
        default: return nil
        }
    }

    /// "half past three", "quarter to six", "ten to six", "halb drei".
    private func spokenClock(_ index: Int) -> ClockMatch? {
        func made(_ minutes: Int, _ hourIndex: Int, isSure: Bool = true) -> ClockMatch? {
            guard let hour = namedHour(hourIndex) else { return nil }
            var clock = ClockSpec(hour: hour.value, form: hour.value > 12 ? .full : .bare)
            if hour.isNamed { clock.form = .full }
            let total = (hour.value % 24 * 60 + minutes + 1440) % 1440
            // "quarter to one" is a quarter before thirteen, too.
            clock.hour = total / 60 == 0 && !hour.isNamed ? 12 : total / 60
            clock.minute = total % 60
            return ClockMatch(clock: clock, end: hour.end, isSure: isSure)
        }
        let start = has(index, .article) && !has(index + 1, .half) ? index + 1 : index
        if has(index, .halfBefore) { return made(-30, index + 1) }
        if has(index, .threeQuarters) { return made(-15, index + 1) }
        if has(index, .half) {
            if has(index + 1, .past) || has(index + 1, .after) { return made(30, index + 2) }
            // British: "half three".
            if let hour = hour(index + 1), hour.value <= 12, unit(hour.end) == nil {
                return made(30, index + 1, isSure: false)
            }
            return nil
        }
        if has(start, .quarter) {
            if has(start + 1, .past) || has(start + 1, .after) { return made(15, start + 2) }
            if has(start + 1, .to) || has(start + 1, .before) || has(start + 1, .until)
                || isWord(start + 1, "of")
            {
                return made(-15, start + 2)
            }
            // "viertel drei": a quarter past two.
            if isWord(start, "viertel"), hour(start + 1) != nil { return made(-45, start + 1) }
            return nil
        }
        guard let minutes = number(index), minutes.value >= 1, minutes.value < 60,
            minutes.value == minutes.value.rounded()
        else {
            return nil
        }
        var next = minutes.end
        let isExplicit = unit(next)?.unit == .minute
        if isExplicit { next += 1 }
        let value = Int(minutes.value)
        guard isExplicit || value % 5 == 0 || token(index)?.kind == .word else { return nil }
        if has(next, .past) || (has(next, .after) && (isExplicit || isWord(next, "nach"))) {
            if has(next + 1, .halfBefore) { return made(value - 30, next + 2) }
            return made(value, next + 1, isSure: true)
        }
        if has(next, .to) || isWord(next, "vor", "till", "til", "of", "before") {
            if has(next + 1, .halfBefore) { return made(-value - 30, next + 2) }
            guard let hour = namedHour(next + 1), hour.value <= 12 || isWord(next, "vor") else {
                return nil
            }
            // "9 to 5" is a range; "ten to six" is a time.
            let isSpoken =
                isExplicit || (token(index)?.kind == .word && value % 5 == 0 && value <= 25)
                || isWord(next, "vor")
            let isAt = has(index - 1, .at) && [5, 10, 20, 25].contains(value)
            return isSpoken || isAt || (value % 5 == 0 && value >= 20)
                ? made(-value, next + 1, isSure: isExplicit || isWord(next, "vor")) : nil
        }
        return nil
    }

    private func namedHour(_ index: Int) -> (value: Int, end: Int, isNamed: Bool)? {
        if let hour = hour(index), hour.value >= 1 { return (hour.value, hour.end, false) }
        switch token(index)?.lexeme.part {
        case .noon: return (12, index + 1, true)
        case .midnight: return (24, index + 1, true)
        default: return nil
        }
    }

    /// 9, 17:00, 17.00, 17h30, 1730, 0800.
    private func digitClock(_ index: Int) -> ClockMatch? {
        guard let token = token(index), let value = token.value else { return nil }
        let width = token.text.utf8.count
        if width == 4 || width == 3 {
            let (hour, minute) = (value / 100, value % 100)
            guard hour <= 24, minute < 60 else { return nil }
            let isPadded = width == 4 && value < 1000
            let isNamed =
                isWord(index + 1, "hrs", "hours", "uhr", "h")
            var end = index + 1
            if isWord(end, "hrs", "hours", "h") { end += 1 }
            let hasHalf = half(index + 1, allowsLetter: true) != nil
            guard width == 4 || hasHalf || (minute % 5 == 0 && hour > 0) else { return nil }
            let form: ClockSpec.Form = width == 4 && !hasHalf ? .full : .colon
            return ClockMatch(
                clock: ClockSpec(hour: hour, minute: minute, form: form), end: end,
                isSure: isPadded || isNamed || hasHalf)
        }
        guard width <= 2, value <= 24 else { return nil }
        let isPadded = width == 2 && value < 10
        let next = index + 1
        if isSign(next, ":") || isSign(next, "："), isGlued(next), isGlued(next + 1),
            let minute = twoDigits(next + 1)
        {
            var clock = ClockSpec(
                hour: value, minute: minute,
                form: isPadded || value > 12 || value == 0 ? .full : .colon)
            var end = next + 2
            if isSign(end, ":"), isGlued(end), isGlued(end + 1), let second = twoDigits(end + 1) {
                clock.second = second
                clock.form = .full
                end += 2
            }
            if isWord(end, "h", "hrs") { end += 1 }
            return ClockMatch(clock: clock, end: end, isSure: true)
        }
        if isSign(next, "."), isGlued(next), isGlued(next + 1), let minute = twoDigits(next + 1),
            !(isSign(next + 2, ".") && isGlued(next + 2))
        {
            let end = next + 2
            let isNamed = half(end, allowsLetter: true) != nil || isWord(end, "uhr", "h", "hrs")
            return ClockMatch(
                clock: ClockSpec(
                    hour: value, minute: minute,
                    form: isPadded || value > 12 || value == 0 ? .full : .colon),
                end: end, isSure: isNamed)
        }
        // Dictated: "6 30 pm".
        if !isGlued(next), let minute = twoDigits(next), half(next + 1, allowsLetter: false) != nil,
            (1...12).contains(value)
        {
            return ClockMatch(
                clock: ClockSpec(hour: value, minute: minute, form: .colon), end: next + 1,
                isSure: true)
        }
        if isWord(next, "h"), isGlued(next) {
            if isGlued(next + 1), let minute = twoDigits(next + 1) {
                return ClockMatch(
                    clock: ClockSpec(hour: value, minute: minute, form: .full), end: next + 2,
                    isSure: true)
            }
            return ClockMatch(
                clock: ClockSpec(hour: value, form: .full), end: next + 1, isSure: false)
        }
        return ClockMatch(
            clock: ClockSpec(
                hour: value, form: value > 12 || isPadded || value == 0 ? .full : .bare), end: next,
            isSure: false)
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
