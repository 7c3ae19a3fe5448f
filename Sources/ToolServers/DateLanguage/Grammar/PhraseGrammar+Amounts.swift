/// Parses numbers and lengths of time: "two and a half hours", "1h30m", "a couple of
/// weeks", "anderthalb Stunden". Above 400 lines because lengths of time are built of numbers
/// in both languages.
extension PhraseGrammar {
    typealias Match<Value> = (value: Value, end: Int)

    // MARK: Numbers

    /// A whole or decimal number, in digits or words.
    func number(_ index: Int) -> Match<Double>? {
        guard let token = token(index) else { return nil }
        if token.kind == .sign, let part = Self.fractions[token.text] { return (part, index + 1) }
        return token.kind == .digits ? numberInDigits(index) : numberInWords(index)
    }

    func wholeNumber(_ index: Int, in range: ClosedRange<Int>) -> Match<Int>? {
        guard let number = number(index), let value = Int(exactly: number.value),
            range.contains(value)
        else { return nil }
        return (value, number.end)
    }

    private static let fractions = ["½": 0.5, "¼": 0.25, "¾": 0.75]

    /// "12", "1.5", "3/4", "1 1/2", "2½"
    private func numberInDigits(_ index: Int) -> Match<Double>? {
        guard let value = token(index)?.value.map(Double.init) else { return nil }
        let next = index + 1
        if isSign(next, ".") || isSign(next, ","), isGlued(next), isGlued(next + 1),
            let fraction = token(next + 1), let digits = fraction.value,
            fraction.text.utf8.count <= 3
        {
            let scale = fraction.text.utf8.reduce(1.0) { scale, _ in scale * 10 }
            return (value + Double(digits) / scale, next + 2)
        }
        if let ratio = ratio(index) { return ratio }
        if let ratio = ratio(next) { return (value + ratio.value, ratio.end) }
        if let part = token(next), part.kind == .sign, let share = Self.fractions[part.text] {
            return (value + share, next + 1)
        }
        return (value, next)
    }

    private func ratio(_ index: Int) -> Match<Double>? {
        guard let top = token(index)?.value, isSign(index + 1, "/"), isGlued(index + 1),
            isGlued(index + 2), let base = token(index + 2)?.value, (2...4).contains(base),
            top < base
        else { return nil }
        return (Double(top) / Double(base), index + 3)
    }

    /// "seven", "thirty-five", "a couple of"
    private func numberInWords(_ index: Int) -> Match<Double>? {
        guard let token = token(index), token.kind == .word, let value = token.lexeme.number else {
            return nil
        }
        if ["couple", "dozen"].contains(token.text) { return (value, skip(.of, from: index + 1)) }
        let next = isGlued(index + 1) ? skipSign("-", from: index + 1) : index + 1
        if [20, 30, 40, 50, 60, 70, 80, 90].contains(value), self.token(next)?.kind == .word,
            let ones = self.token(next)?.lexeme.number, (1...9).contains(ones)
        {
            return (value + ones, next + 1)
        }
        return (value, index + 1)
    }

    // MARK: Units

    func unit(_ index: Int) -> (unit: TimeUnit, scale: Double)? {
        guard let token = token(index), token.kind == .word, let unit = token.lexeme.unit,
            !isSign(index + 1, "/")
        else { return nil }
        // A single letter is a unit only next to its number: "5d", and "2 h".
        if token.text.utf8.count == 1,
            !(isDigits(index - 1) && (token.isGlued || token.text == "h" || isLength))
        {
            return nil
        }
        return (unit, token.lexeme.scale)
    }

    /// `number` times the unit at `index`.
    private func counted(_ number: Double, _ index: Int) -> Match<Amount>? {
        unit(index).map { (Amount(number * $0.scale, $0.unit), index + 1) }
    }

    // MARK: Amounts

    /// A number of units, or several joined.
    func amount(_ index: Int) -> Match<Amount>? {
        guard var sum = oneAmount(index) else { return nil }
        while let more = addition(sum.end) { sum = (sum.value + more.value, more.end) }
        return sum
    }

    /// A continuation of an amount: "and a half", ", 5 minutes", "30" after "1h".
    private func addition(_ end: Int) -> Match<Amount>? {
        let joint = joint(end)
        let next = joint?.end ?? end
        guard joint?.kind != .or, !has(next, .every) else { return nil }
        if joint != nil, let unit = unit(end - 1) {
            let half = skip(.article, from: next)
            let share = has(half, .half) ? 0.5 : has(half, .quarter) ? 0.25 : nil
            if let share, self.unit(half + 1) == nil, !has(half + 1, .article),
                !has(half + 1, .of)
            {
                return (Amount(share * unit.scale, unit.unit), half + 1)
            }
        }
        return oneAmount(next) ?? bareAddition(next, after: end)
    }

    /// "1h30", "2 hours 15": a bare number counts the next smaller unit.
    private func bareAddition(_ index: Int, after end: Int) -> Match<Amount>? {
        let smaller: TimeUnit
        switch unit(end - 1)?.unit {
        case .hour: smaller = .minute
        case .minute: smaller = .second
        default: return nil
        }
        // "zwei Stunden zehn"
        if smaller == .minute, token(index)?.kind == .word, !isOne(index, of: .vagueNumbers),
            let words = wholeNumber(index, in: 5...59), isPlainEdge(words.end),
            unit(words.end) == nil, clock(index)?.isSure != true
        {
            return (Amount(Double(words.value), .minute), words.end)
        }
        guard let value = token(index)?.value, isDigits(index), value < 60,
            unit(index + 1) == nil
        else { return nil }
        let isAlone =
            isEdge(index + 1) && token(index + 1)?.lexeme.month == nil
            && !isSign(index + 1, "-") && clock(index)?.isSure != true && smaller == .minute
            && tokens[index].text.utf8.count == 2
        return isGlued(index) || isAlone ? (Amount(Double(value), smaller), index + 1) : nil
    }

    private func oneAmount(_ index: Int) -> Match<Amount>? {
        let start = skip(.about, from: index)
        // "0530 hours" and "1900 hrs" are clock times.
        if let token = token(start), token.text.utf8.count == 4, let value = token.value,
            value < 2400, value % 100 < 60,
            token.text.hasPrefix("0") || unit(start + 1)?.unit == .hour
        {
            return nil
        }
        return shareOfUnit(start) ?? unitWithArticle(start) ?? countedUnit(start)
    }

    /// "half an hour", "a half hour", "three quarters of an hour"
    private func shareOfUnit(_ start: Int) -> Match<Amount>? {
        var next = skip(.article, from: start)
        let share: Double
        if number(start)?.value == 3, has(start + 1, .quarter), has(start + 2, .of) {
            (share, next) = (0.75, start + 2)
        } else if has(next, .half, .quarter, .threeQuarters) {
            (share, next) = (has(next, .half) ? 0.5 : has(next, .quarter) ? 0.25 : 0.75, next + 1)
        } else {
            return nil
        }
        next = skipSign("-", from: next)
        for role: Role in [.of, .article, .the] { next = skip(role, from: next) }
        guard share == 0.5 || [.hour, .year].contains(unit(next)?.unit) else { return nil }
        return counted(share, next)
    }

    /// "an hour", "a couple of days"
    private func unitWithArticle(_ start: Int) -> Match<Amount>? {
        guard has(start, .article) else { return nil }
        if let one = counted(1, start + 1) { return one }
        guard isOne(start + 1, of: .vagueNumbers), let number = number(start + 1) else {
            return nil
        }
        return counted(number.value, skip(.of, from: number.end))
    }

    /// "2 hours", "two and a half hours", "45-minute"
    private func countedUnit(_ start: Int) -> Match<Amount>? {
        guard var number = number(start) else { return nil }
        if has(number.end, .and) {
            let next = skip(.article, from: number.end + 1)
            let share = has(next, .half) ? 0.5 : has(next, .quarter) ? 0.25 : nil
            if let share, unit(next + 1) != nil { number = (number.value + share, next + 1) }
        }
        if isWord(number.end, "more", "full", "weitere", "whole") { number.end += 1 }
        return counted(
            number.value, isGlued(number.end) ? skipSign("-", from: number.end) : number.end)
    }

    /// The whole phrase as an amount, or as a number of `bare`; used by `DurationParser`.
    func length(bare: TimeUnit?) -> Amount? {
        var start = has(0, .into, .span) ? 1 : 0
        if isWord(start, "another", "noch", "weitere") { start += 1 }
        if let amount = amount(start), amount.end == tokens.count { return amount.value }
        guard let bare, let number = number(start), number.end == tokens.count else { return nil }
        return Amount(number.value, bare)
    }

    // MARK: From now

    /// A time counted from now: "in 2 hours", "10 days from now", "20 minutes later".
    func elapsedPiece(_ index: Int) -> Piece? {
        let (start, isIn) = elapsedLead(index)
        if isIn, let short = unitAlone(start) ?? bareMinutes(start) {
            return Piece(.elapsed(short.value), index..<short.end, strength: 3)
        }
        let choice = isIn ? amountChoice(start) : nil
        guard let amount = choice.map({ ($0.value[0], $0.end) }) ?? amount(start) else {
            return nil
        }
        guard amount.value.isExact || !has(index, .after) else { return nil }
        var end = amount.end
        if isIn {
            // "in two weeks' time"
            if isSign(end, "'"), isGlued(end) { end += 1 }
            end = skip(.time, from: end)
        }
        if has(end, .from), has(end + 1, .now) || isToday(end + 1) {
            end += 2
        } else if has(end, .later),
            isFirst(index) || !amount.value.isExact || !isWord(end, "later", "später")
        {
            // "coffee an hour later" moves an existing item.
            end += 1
        } else if !isIn {
            guard amount.value.isExact,
                isTimer(start, end) || isAsked(start, end, amount.value)
            else {
                return nil
            }
        }
        if isWord(end, "or"), isWord(end + 1, "so") { end += 2 }
        // "in two weeks from friday" is parsed with the day.
        let values: [Piece.Value] = (choice?.value ?? [amount.value]).map {
            $0.isExact ? .elapsed($0) : .day(.shift($0, .offset(0)))
        }
        return Piece(
            values[0], index..<end, strength: 3, more: Array(values.dropFirst()),
            isChoice: choice != nil)
    }

    /// "an hour or two", "2-3 days"
    private func amountChoice(_ index: Int) -> Match<[Amount]>? {
        if let first = oneAmount(index), let unit = unit(first.end - 1),
            isWord(first.end, "or", "oder"),
            let second = number(first.end + 1), self.unit(second.end) == nil
        {
            return ([first.value, Amount(second.value * unit.scale, unit.unit)], second.end)
        }
        guard let first = number(index),
            separator(first.end) != nil || isWord(first.end, "or", "oder"),
            let second = oneAmount(first.end + 1), let unit = unit(second.end - 1)
        else { return nil }
        return ([Amount(first.value * unit.scale, unit.unit), second.value], second.end)
    }

    /// "the next two weeks": a length, not a date.
    private func isNextFew(_ index: Int) -> Bool {
        let next = has(index + 1, .the) ? index + 2 : index + 1
        return has(next, .next) && (number(next + 1)?.value ?? 0) >= 2
    }

    private func elapsedLead(_ index: Int) -> (end: Int, isIn: Bool) {
        guard has(index, .into, .after) else {
            return (isWord(index, "auf") ? index + 1 : skip(.span, from: index), false)
        }
        var start = index + 1
        if has(start, .the), has(start + 1, .next) { start += 2 }
        if isWord(start, "exactly", "just", "genau", "another", "weiteren") { start += 1 }
        return (start, true)
    }

    private func isToday(_ index: Int) -> Bool {
        token(index)?.lexeme.offset == 0 && token(index)?.lexeme.part == nil
    }

    /// "remind me 20 min to check the oven", "don't let me forget the muffins, 18 minutes"
    private func isAsked(_ start: Int, _ end: Int, _ amount: Amount) -> Bool {
        isSign(start - 1, ",") && token(end) == nil && amount.seconds < 3_600
            && found.allSatisfy { [.reminder, .task].contains($0.lead) }
            && !found.isEmpty
            || (token(end) == nil || has(end, .to)) && taken.prefix(start).allSatisfy { $0 }
                && start > 0
    }

    /// "set a timer for 20 minutes", "start a 10 minute timer": the amount is what the
    /// timer runs.
    private func isTimer(_ start: Int, _ end: Int) -> Bool {
        // "roast needs 2 hours, set a timer", "set a timer for the laundry, 40 minutes"
        if isPlainEdge(end),
            found.contains(where: {
                $0.lead == .timer && ($0.tokens.lowerBound >= end || isSign(start - 1, ","))
            })
        {
            return true
        }
        var before = start - 1
        if isWord(end, "timer", "countdown") {
            if has(before, .article) { before -= 1 }
            return isFirst(before + 1)
                || isWord(before, "set", "start", "stell", "stelle", "starte")
        }
        while has(before, .span, .on) || isSign(before, ":") || isSign(before, ",")
            || isWord(before, "auf", "of", "to", "von")
        {
            before -= 1
        }
        // "nap alarm 25 mins"; next to a time, the amount is an offset before it.
        return isWord(before, "timer", "countdown", "kurzzeitwecker", "eieruhr")
            || isWord(before, "alarm", "wecker") && token(end) == nil && !has(before - 1, .owner)
                && found.allSatisfy { $0.day == nil && $0.clocks.isEmpty }
    }

    /// "within the hour"
    private func unitAlone(_ index: Int) -> Match<Amount>? {
        let start = skip(.the, from: index)
        let isShort = [.hour, .minute].contains(unit(start)?.unit)
        return isShort && has(start - 1, .next, .the) ? counted(1, start) : nil
    }

    /// "remind me in 10": minutes are meant.
    private func bareMinutes(_ index: Int) -> Match<Amount>? {
        guard isDigits(index), let value = token(index)?.value, (2...90).contains(value),
            found.contains(where: \.isLead),
            token(index + 1) == nil || has(index + 1, .to) || isWord(index + 1, "about", "that")
        else { return nil }
        return (Amount(Double(value), .minute), index + 1)
    }

    /// The end of "workdays" or "working days".
    func workdays(_ index: Int) -> Int? {
        if has(index, .workdays) { return index + 1 }
        let isPair =
            isWord(index, "working", "business", "work", "school")
            && token(index + 1)?.lexeme.unit == .day
        return isPair ? index + 2 : nil
    }

    /// "for 45 minutes", "lasting an hour", "zwei Stunden lang".
    func durationPiece(_ index: Int) -> Piece? {
        let (start, isMarked) = durationLead(index)
        guard let amount = amount(start) else { return nil }
        func made(_ end: Int) -> Piece {
            Piece(
                .duration(amount.value), index..<end,
                relation: has(start - 1, .next) ? .starting : .at)
        }
        let isExact = amount.value.isExact
        if isSign(index, "(") {
            return isExact && isSign(amount.end, ")") ? made(amount.end + 1) : nil
        }
        let isSlot = isExact && isWord(index - 1, "block", "reserve", "book")
        // "lunch 12:30 with Idris, an hour"
        let isLast = isSign(index - 1, ",") && token(amount.end) == nil
        let isAfterClock =
            (followsClock(start) && isEdge(amount.end) || isLast) && isExact
            && amount.value.seconds >= 300
        if isSlot
            || !isMarked
                && (isAfterClock || isFirst(index) && namesMeeting(amount)
                    || isBeforeTime(amount, index))
        {
            return made(amount.end)
        }
        let isLong = isWord(amount.end, "lang", "long", "only")
        let end = isLong ? amount.end + 1 : amount.end
        guard isMarked || (isLong && number(start) != nil) else { return nil }
        // "for a second opinion", "for two days' work"
        return isEdge(end) || followsClock(index) || followsDay(index) ? made(end) : nil
    }

    private func durationLead(_ index: Int) -> (end: Int, isMarked: Bool) {
        let next = index + 1
        if has(index, .span)
            || isWord(index, "lasting", "lasts", "takes", "allow", "dauert", "dauer", "duration")
        {
            let isNext = has(next, .the) && (has(next + 1, .next, .coming))
            return (isNext ? next + 2 : next, true)
        }
        if has(index, .the) || isWord(index, "over", "during"), isNextFew(index) {
            return (has(next, .next) ? next + 1 : next + 2, true)
        }
        return (isSign(index, "(") && isDigits(next) ? next : index, false)
    }

    /// "coaching 45 mins tomorrow 12.15pm": a length between a title and a day with its time.
    private func isBeforeTime(_ amount: Match<Amount>, _ index: Int) -> Bool {
        guard amount.value.isExact, amount.value.days == 0, amount.value.months == 0,
            (300...43_200).contains(amount.value.seconds), number(index) != nil,
            let before = token(index - 1), before.kind == .word, let day = dayPiece(amount.end)
        else { return false }
        return (day.tokens.upperBound..<tokens.count).contains { clock($0)?.isSure == true }
    }

    /// "30 min call with Ben at 3pm": the length of a meeting that is named right after it
    /// and also has its time.
    private func namesMeeting(_ amount: Match<Amount>) -> Bool {
        guard amount.value.isExact, (300...43_200).contains(amount.value.seconds),
            amount.value.days == 0, amount.value.months == 0,
            // "two hour site meeting"
            tokens[amount.end...].prefix(3).prefix(while: {
                $0.kind == .word && !Lexicon.has(.prepositions, $0.text)
            }).contains(where: {
                Lexicon.isAppointment($0.text)
                    || ["call", "review", "sync", "chat", "slot", "catchup"].contains($0.text)
            })
        else { return false }
        return (amount.end..<tokens.count).contains { clock($0)?.isSure == true || has($0, .at) }
    }

    /// "10 times", "for 5 sessions", "5x", "aber nur sechsmal".
    func countPiece(_ index: Int) -> Piece? {
        var start = skip(.span, from: index)
        if isWord(start, "but", "aber") { start += 1 }
        let isOnly = isWord(start, "only", "just", "nur")
        if isOnly { start += 1 }
        let times: Int
        var end: Int
        if let number = wholeNumber(start, in: 1...10_000), has(number.end, .times) {
            (times, end) = (number.value, number.end + 1)
        } else if isOnly, has(start, .often), let often = wholeNumber(start, in: 1...10) {
            (times, end) = (often.value, often.end)
        } else {
            return nil
        }
        // "3 times a week" is a frequency.
        let isFrequency =
            has(end, .article) || isWord(end, "per", "pro", "am")
            || (has(end, .every) && (self.number(end + 1)?.value ?? 1) < 2
                && token(end + 1)?.lexeme.weekday == nil)
        if isFrequency { return nil }
        if isWord(end, "only", "insgesamt", "total") { end += 1 }
        return Piece(.count(times), index..<end)
    }
}
