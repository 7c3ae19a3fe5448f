import AgentCore

/// Numbers and stretches of time: "two and a half hours", "1h30m", "a couple
/// of weeks", "anderthalb Stunden".
extension PhraseGrammar {
    typealias Match<Value> = (value: Value, end: Int)

    /// A whole or decimal number, in digits or words.
    func number(_ index: Int) -> Match<Double>? {
        guard let token = token(index) else { return nil }
        if token.kind == .digits {
            guard let value = token.value else { return nil }
            if isSign(index + 1, ".") || isSign(index + 1, ","), isGlued(index + 1),
                isGlued(index + 2), let fraction = self.token(index + 2), fraction.kind == .digits,
                let digits = fraction.value, fraction.text.utf8.count <= 3
            {
                var scale = 1.0
                for _ in fraction.text.utf8 { scale *= 10 }
                return (Double(value) + Double(digits) / scale, index + 3)
            }
            if isSign(index + 1, "/"), isGlued(index + 1), isGlued(index + 2),
                let divisor = self.token(index + 2)?.value, (2...4).contains(divisor),
                value < divisor
            {
                return (Double(value) / Double(divisor), index + 3)
            }
            // "1 1/2 hours"
            if let top = self.token(index + 1)?.value, top > 0, top < 4, isSign(index + 2, "/"),
                isGlued(index + 2), isGlued(index + 3), let base = self.token(index + 3)?.value,
                (2...4).contains(base), top < base
            {
                return (Double(value) + Double(top) / Double(base), index + 4)
            }
            if let part = Self.fraction(self.token(index + 1)) {
                return (Double(value) + part, index + 2)
            }
            return (Double(value), index + 1)
        }
        if let part = Self.fraction(token) { return (part, index + 1) }
        guard token.kind == .word, let value = token.lexeme.number else { return nil }
        var end = index + 1
        if token.text == "couple" || token.text == "dozen" { end = skip(.of, from: end) }
        if value >= 20, value < 100, value.truncatingRemainder(dividingBy: 10) == 0 {
            let next = isSign(end, "-") && isGlued(end) ? end + 1 : end
            if let ones = self.token(next)?.lexeme.number, ones >= 1, ones <= 9,
                self.token(next)?.kind == .word
            {
                return (value + ones, next + 1)
            }
        }
        return (value, end)
    }

    private static func fraction(_ token: Token?) -> Double? {
        switch token?.text {
        case "½": 0.5
        case "¼": 0.25
        case "¾": 0.75
        default: nil
        }
    }

    func unit(_ index: Int) -> (unit: TimeUnit, scale: Double)? {
        guard let token = token(index), token.kind == .word, let unit = token.lexeme.unit else {
            return nil
        }
        // A letter is a unit only beside its number: "5d".
        if token.text.utf8.count == 1, !(token.isGlued && isDigits(index - 1)) { return nil }
        return (unit, token.lexeme.scale)
    }

    /// A number of units, several of them joined. `isBare` allows a unit
    /// without a number ("week from friday").
    func amount(_ index: Int) -> Match<Amount>? {
        guard var sum = oneAmount(index) else { return nil }
        while true {
            var next = sum.end
            let isJoined = has(next, .and) || isSign(next, ",")
            if isJoined { next += 1 }
            // "an hour and a half"
            if isJoined, let last = lastUnit(before: sum.end) {
                let half = has(next, .article) ? next + 1 : next
                if has(half, .half), unit(half + 1) == nil, !has(half + 1, .article) {
                    sum = (sum.value + Amount(0.5 * last.scale, last.unit), half + 1)
                    continue
                }
                if has(half, .quarter), unit(half + 1) == nil, !has(half + 1, .of),
                    !has(half + 1, .article)
                {
                    sum = (sum.value + Amount(0.25 * last.scale, last.unit), half + 1)
                    continue
                }
            }
            // "1h30"
            if isGlued(sum.end), unit(sum.end - 1)?.unit == .hour, let minutes = token(sum.end),
                minutes.kind == .digits, let value = minutes.value, value < 60,
                unit(sum.end + 1) == nil
            {
                return (sum.value + Amount(Double(value), .minute), sum.end + 1)
            }
            guard let more = oneAmount(next), more.end > next, !isOrdinalUse(next) else { break }
            sum = (sum.value + more.value, more.end)
        }
        return sum
    }

    private func isOrdinalUse(_ index: Int) -> Bool { has(index, .every) }

    private func lastUnit(before end: Int) -> (unit: TimeUnit, scale: Double)? { unit(end - 1) }

    private func oneAmount(_ index: Int) -> Match<Amount>? {
        var start = index
        if has(start, .about) { start += 1 }
        if has(start, .the), has(start + 1, .next) { return nil }
        // "half an hour", "a half hour", "einer halben Stunde"
        let half = has(start, .article) ? start + 1 : start
        if has(half, .half) {
            var next = half + 1
            next = skipSign("-", from: next)
            next = skip(.of, from: next)
            next = skip(.article, from: next)
            next = skip(.the, from: next)
            if let unit = unit(next) { return (Amount(0.5 * unit.scale, unit.unit), next + 1) }
        }
        if has(half, .quarter) {
            var next = half + 1
            next = skipSign("-", from: next)
            next = skip(.of, from: next)
            next = skip(.article, from: next)
            if let unit = unit(next), unit.unit == .hour || unit.unit == .year {
                return (Amount(0.25 * unit.scale, unit.unit), next + 1)
            }
        }
        if number(start)?.value == 3, has(start + 1, .quarter), has(start + 2, .of) {
            let next = skip(.article, from: start + 3)
            if let unit = unit(next) { return (Amount(0.75 * unit.scale, unit.unit), next + 1) }
        }
        if has(start, .article) {
            if let unit = unit(start + 1) {
                return (Amount(unit.scale, unit.unit), start + 2)
            }
            if let number = token(start + 1)?.lexeme.number,
                isWord(start + 1, "couple", "few", "dozen", "paar")
            {
                let next = skip(.of, from: start + 2)
                if let unit = unit(next) {
                    return (Amount(number * unit.scale, unit.unit), next + 1)
                }
            }
            if token(start)?.lexeme.number == nil { return nil }
        }
        guard var number = number(start) else { return nil }
        // "two and a half hours"
        if has(number.end, .and) {
            let next = skip(.article, from: number.end + 1)
            if has(next, .half), unit(next + 1) != nil { number = (number.value + 0.5, next + 1) }
            if has(next, .quarter), unit(next + 1) != nil {
                number = (number.value + 0.25, next + 1)
            }
        }
        if isWord(number.end, "more", "full", "weitere", "whole") { number.end += 1 }
        let next = isSign(number.end, "-") && isGlued(number.end) ? number.end + 1 : number.end
        if isWord(next, "business", "working", "work"), token(next + 1)?.lexeme.unit == .day {
            return nil
        }
        guard let unit = unit(next) else { return nil }
        return (Amount(number.value * unit.scale, unit.unit), next + 1)
    }

    /// From now: "in 2 hours", "10 days from now", "20 minutes later".
    func elapsedPiece(_ index: Int) -> Piece? {
        var start = index
        var isIn = false
        if has(start, .into) || isWord(start, "nach") {
            isIn = true
            start += 1
            if isWord(start, "the", "den", "der"), isWord(start + 1, "next", "nächsten") {
                start += 2
            }
            if isWord(start, "exactly", "just", "genau", "another", "weiteren") { start += 1 }
        } else if has(start, .after), !isWord(start, "nach") {
            isIn = true
            start += 1
        } else if has(start, .span) {
            start += 1
        }
        // "within the hour"
        if isIn, let unit = unit(start), [.hour, .minute].contains(unit.unit),
            has(start - 1, .next) || has(start - 1, .the)
        {
            return Piece(
                value: .elapsed(Amount(unit.scale, unit.unit)), tokens: index..<(start + 1),
                strength: 3)
        }
        if isIn, let minutes = bareMinutes(start) {
            return Piece(
                value: .elapsed(Amount(Double(minutes), .minute)), tokens: index..<(start + 1),
                strength: 2)
        }
        guard let amount = amount(start) else { return workingDays(start, from: index, isIn: isIn) }
        var end = amount.end
        if isSign(end, "'"), isGlued(end) { end += 1 }
        if has(end, .time), isIn { end += 1 }
        var isComplete = isIn
        if has(end, .from), has(end + 1, .now) {
            isComplete = true
            end += 2
        } else if has(end, .from), token(end + 1)?.lexeme.offset == 0,
            token(end + 1)?.lexeme.part == nil
        {
            isComplete = true
            end += 2
        } else if has(end, .later), !isWord(end, "hence") || true {
            isComplete = true
            end += 1
        }
        // "set a timer for 20 minutes"
        if !isComplete, amount.value.isExact, token(end) == nil || has(end, .to),
            found.contains(where: { $0.isLead && $0.tokens.upperBound == start })
        {
            isComplete = isWord(start - 1, "for") || isWord(start - 2, "timer")
        }
        guard isComplete else { return nil }
        if has(index, .after), !amount.value.isExact { return nil }
        if isWord(end, "or"), isWord(end + 1, "so") { end += 2 }
        // "in two weeks from friday" is read with the day.
        let value: Piece.Value =
            amount.value.isExact ? .elapsed(amount.value) : .day(.shift(amount.value, .offset(0)))
        return Piece(value: value, tokens: index..<end, strength: 3)
    }

    /// "remind me in 10": of minutes.
    private func bareMinutes(_ index: Int) -> Int? {
        guard isDigits(index), let value = token(index)?.value, (2...90).contains(value),
            found.contains(where: \.isLead),
            token(index + 1) == nil || has(index + 1, .to) || isWord(index + 1, "about", "that")
        else { return nil }
        return value
    }

    /// "in 3 working days"
    private func workingDays(_ start: Int, from index: Int, isIn: Bool) -> Piece? {
        guard isIn, let number = number(start), number.value >= 1, number.value <= 500 else {
            return nil
        }
        let isPair = isWord(number.end, "business", "working", "work")
        let end = isPair ? number.end + 1 : number.end
        let isWorkday = isPair ? token(end)?.lexeme.unit == .day : has(end, .workdays)
        guard isWorkday else { return nil }
        return Piece(
            value: .day(.workdays(Int(number.value))), tokens: index..<(end + 1), strength: 3)
    }

    /// "for 45 minutes", "lasting an hour", "zwei Stunden lang".
    func durationPiece(_ index: Int) -> Piece? {
        var start = index
        var isMarked = false
        if has(start, .span) || isWord(start, "lasting", "lasts", "takes", "dauert") {
            isMarked = true
            start += 1
        } else if isSign(start, "("), token(start + 1)?.kind == .digits {
            guard let amount = amount(start + 1), isSign(amount.end, ")"), amount.value.isExact
            else { return nil }
            return Piece(value: .duration(amount.value), tokens: index..<(amount.end + 1))
        }
        if isWord(index - 1, "block", "reserve", "book"), let amount = amount(start),
            amount.value.isExact
        {
            return Piece(value: .duration(amount.value), tokens: index..<amount.end)
        }
        if !isMarked, followsClock(start), let amount = amount(start), amount.value.isExact,
            isEdge(amount.end), amount.value.seconds >= 300
        {
            return Piece(value: .duration(amount.value), tokens: index..<amount.end)
        }
        if !isMarked, isFirst(index), let amount = amount(start), namesMeeting(amount) {
            return Piece(value: .duration(amount.value), tokens: index..<amount.end)
        }
        guard isMarked || isDigits(start) || token(start)?.lexeme.number != nil,
            var amount = amount(start)
        else { return nil }
        if !isMarked {
            guard isWord(amount.end, "lang", "long") else { return nil }
            amount.end += 1
        } else if isWord(amount.end, "lang", "long") {
            amount.end += 1
        }
        // "for a second opinion", "for two days' work"
        guard isEdge(amount.end) || followsClock(index) || followsDay(index) else { return nil }
        return Piece(value: .duration(amount.value), tokens: index..<amount.end)
    }

    /// "30 min call with Ben at 3pm": how long the meeting takes that is named
    /// right after it, where its time is said, too.
    private func namesMeeting(_ amount: Match<Amount>) -> Bool {
        guard amount.value.isExact, (300...43_200).contains(amount.value.seconds),
            amount.value.days == 0, amount.value.months == 0,
            let noun = token(amount.end), noun.kind == .word,
            Lexicon.isAppointment(noun.text)
                || ["call", "review", "sync", "chat", "slot", "catchup"].contains(noun.text)
        else { return false }
        return (amount.end..<tokens.count).contains { clock($0)?.isSure == true || has($0, .at) }
    }

    /// "10 times", "for 5 sessions", "5x".
    func countPiece(_ index: Int) -> Piece? {
        let start = skip(.span, from: index)
        guard let number = number(start), number.value >= 1, number.value <= 10_000,
            number.value == number.value.rounded(), has(number.end, .times)
        else { return nil }
        var end = number.end + 1
        // "3 times a week" is a frequency.
        let isFrequency =
            has(end, .article) || isWord(end, "per", "pro", "am")
            || (has(end, .every) && (self.number(end + 1)?.value ?? 1) < 2
                && token(end + 1)?.lexeme.weekday == nil)
        if isFrequency { return nil }
        if isWord(end, "only", "insgesamt", "total") { end += 1 }
        return Piece(value: .count(Int(number.value)), tokens: index..<end)
    }
}
