/// Finds the parts of a phrase that say when: at each token, the longest match of any of
/// the grammars.
///
/// Which of them count, and what they mean, is decided by `Selection` and `Resolver`.
struct PhraseGrammar {
    let tokens: [Token]
    /// Texts of the tokens, for `WordPattern`.
    let words: [String]
    let locale: DateLocale
    /// Pieces found so far, in order.
    var found: [Piece] = []
    /// Tokens consumed as something other than a date before the main pass.
    var taken: [Bool]
    /// Whether a lead-in may follow times.
    var findsLateLeads = true
    /// Whether the phrase is a length of time alone, where "10 m" is one.
    var isLength = false
    /// The phrase, for names that keep their case.
    let source: [UInt8]

    init(_ tokens: [Token], source: [UInt8], locale: DateLocale) {
        (self.source, self.tokens, self.locale) = (source, tokens, locale)
        words = tokens.map(\.text)
        taken = [Bool](repeating: false, count: tokens.count)
    }

    mutating func pieces() -> [Piece] {
        readExtras()
        var index = 0
        while index < tokens.count {
            // "remind me at 7pm not to eat anything after 8"
            if isWord(index, "not"), isWord(index + 1, "to"),
                found.contains(where: { !$0.clocks.isEmpty }), found.contains(where: \.isLead)
            {
                break
            }
            if taken[index] || !canBegin(index) {
                index += 1
                continue
            }
            guard let piece = timePiece(at: index) else {
                index += 1
                continue
            }
            found.append(piece)
            index = piece.tokens.upperBound
        }
        found.sort { $0.tokens.lowerBound < $1.tokens.lowerBound }
        dropDenied()
        joinRules()
        countTimes()
        return found
    }

    /// "not monday but tuesday", "nicht um drei, erst um vier", "thursday not friday": drops
    /// a denied time next to another of its kind.
    private mutating func dropDenied() {
        guard !found.contains(where: { $0.unit != nil }) else { return }
        for index in found.indices {
            // "not friday" has the form of an exception, and so has "but tuesday".
            func day(_ index: Int) -> DaySpec? {
                guard found.indices.contains(index) else { return nil }
                if case .except(let days) = found[index].value { return days.first }
                return found[index].day
            }
            let piece = found[index].tokens
            let isWhole = day(index) != nil && isWord(piece.lowerBound, "not", "nicht")
            let not = isWhole ? piece.lowerBound : piece.lowerBound - 1
            guard isWord(not, "not", "nicht"), !taken[not] else { continue }
            func isOther(_ other: Int) -> Bool {
                found.indices.contains(other)
                    && (day(index) != nil && day(other) != nil
                        || !found[index].clocks.isEmpty && !found[other].clocks.isEmpty)
            }
            let end = skipSign(",", from: piece.upperBound)
            if isOther(index + 1), isOne(end, of: .contrasts) {
                let next = found[index + 1].tokens
                guard next.lowerBound == end || next.lowerBound == end + 1 else { continue }
                if let other = day(index + 1) { found[index + 1].value = .day(other) }
                found[index + 1].tokens = end + 1..<next.upperBound
                found[index] = Piece(.noise, not..<end + 1)
            } else if isOther(index - 1),
                found[index - 1].tokens.upperBound == (isSign(not - 1, ",") ? not - 1 : not)
            {
                found[index] = Piece(.noise, not..<piece.upperBound)
            }
        }
    }

    /// Numbers the times of "at 10 tonight and again at 7 tomorrow": a complete time, a
    /// joint, and another complete time.
    private mutating func countTimes() {
        var (index, time) = (0, 0)
        while index < found.count {
            guard let end = wholeTime(index) else {
                index += 1
                continue
            }
            let next = found[end - 1].tokens.upperBound
            guard let joint = joint(next), end < found.count,
                found[end].tokens.lowerBound == joint.end, let last = wholeTime(end)
            else {
                (index, time) = (end, 0)
                continue
            }
            time += 1
            for piece in end..<last {
                found[piece].time = time
                found[piece].isChoice = joint.kind == .or
            }
            take(.noise, next..<joint.end)
            index = end
        }
    }

    /// "every monday and on the 15th", "the second tuesday and fourth thursday of each
    /// month": a day joined to a rule is also a rule. A rule that stands apart is about
    /// something else ("… every 3 hours and the white one every 8 hours").
    private mutating func joinRules() {
        for index in found.indices.dropLast() {
            let (first, second) = (found[index], found[index + 1])
            let joint = joint(first.tokens.upperBound)
            let isJoined = joint?.kind == .and && joint?.end == second.tokens.lowerBound
            found[index + 1].isJoined = isJoined
            if isJoined, first.unit != nil, second.more.isEmpty, let rule = second.day?.repeated {
                (found[index + 1].value, found[index + 1].relation) = (.recurrence(rule), .at)
            } else if isJoined, second.unit != nil, first.more.isEmpty,
                let rule = first.day?.repeated, rule.unit == second.unit, rule.anchor == nil
            {
                (found[index].value, found[index].relation) = (.recurrence(rule), .at)
            } else if second.unit != nil, !isJoined,
                found[...index].contains(where: { $0.unit != nil }),
                tokens[first.tokens.upperBound..<second.tokens.lowerBound].contains(where: {
                    $0.kind != .sign
                })
            {
                found[index + 1].isApart = true
            }
        }
    }

    /// The end of adjacent pieces that give a day and a time on it.
    private func wholeTime(_ start: Int) -> Int? {
        var (end, hasDay, hasClock) = (start, false, false)
        while end < found.count, end == start || found[end].isNext(to: found[end - 1]),
            found[end].day != nil || found[end].part != nil || !found[end].clocks.isEmpty
                || found[end].unit != nil
        {
            let rule = found[end].recurrence
            hasDay = hasDay || found[end].day != nil || found[end].part?.day != nil || rule != nil
            hasClock =
                hasClock || !found[end].clocks.isEmpty || found[end].part != nil
                || rule?.parts.isEmpty == false
            end += 1
        }
        return hasDay && hasClock ? end : nil
    }

    /// The longest piece at `index`; the first one if lengths are equal.
    func timePiece(at index: Int) -> Piece? {
        let found = [
            recurrencePiece(index), hoursPiece(index), daysPiece(index), elapsedPiece(index),
            durationPiece(index), countPiece(index), dayPiece(index), partPiece(index),
            besidePiece(index), shiftedClockPiece(index), clockPiece(index), zonePiece(index),
            exceptPiece(index),
            allDayPiece(index), vaguePiece(index),
        ]
        var best: Piece?
        for case let piece? in found where piece.tokens.count > best?.tokens.count ?? 0 {
            if canEnd(piece.tokens.upperBound), !taken[piece.tokens].contains(true) { best = piece }
        }
        return best
    }

    // MARK: Tokens

    func token(_ index: Int) -> Token? {
        index >= 0 && index < tokens.count ? tokens[index] : nil
    }

    func has(_ index: Int, _ role: Role) -> Bool { token(index)?.has(role) == true }

    /// Whether the token has any of the roles.
    func has(_ index: Int, _ roles: Role...) -> Bool { roles.contains { has(index, $0) } }

    func isWord(_ index: Int, _ texts: String...) -> Bool {
        guard let token = token(index), token.kind == .word else { return false }
        return texts.contains(token.text)
    }

    func isOne(_ index: Int, of kind: Lexicon.Words) -> Bool {
        token(index).map { $0.kind == .word && Lexicon.has(kind, $0.text) } == true
    }

    func match<Meaning>(_ table: PatternTable<Meaning>, _ index: Int) -> Match<Meaning>? {
        table.match(words, from: index).map { ($0.meaning, $0.end) }
    }

    func isSign(_ index: Int, _ sign: String) -> Bool { token(index)?.isSign(sign) == true }

    func isGlued(_ index: Int) -> Bool { token(index)?.isGlued == true }

    /// The index after `index` if its token has the role, otherwise `index`.
    func skip(_ role: Role, from index: Int) -> Int {
        has(index, role) ? index + 1 : index
    }

    func skipSign(_ sign: String, from index: Int) -> Int {
        isSign(index, sign) ? index + 1 : index
    }

    /// Whether a piece can begin here: not inside a compound ("covid-19", "v2", "$5").
    private func canBegin(_ index: Int) -> Bool {
        let token = tokens[index]
        guard token.kind != .opaque, token.kind != .quoted else { return false }
        guard token.isGlued, let before = self.token(index - 1) else { return true }
        if endsPiece(index) { return true }
        guard before.kind == .sign else {
            return token.kind == .sign && token.text != "-" && token.text != "/"
        }
        // "2.5", "1,5", "10:30" are one number each.
        let isInNumber = isDigits(index - 2) && token.kind == .digits && before.isGlued
        switch before.text {
        case "(", "[", ";", "~", "@", "!", "?", "…": return true
        case ",", ".", ":": return !isInNumber
        case "-": return !before.isGlued
        case "/": return endsPiece(index - 1)
        default: return false
        }
    }

    func endsPiece(_ index: Int) -> Bool { found.last?.tokens.upperBound == index }

    func isDigits(_ index: Int) -> Bool { token(index)?.kind == .digits }

    /// Whether a piece can end here: not if the same written word continues.
    func canEnd(_ index: Int) -> Bool {
        guard let next = token(index), next.isGlued else { return true }
        switch next.kind {
        case .word: return next.text == "z"
        // The T of 2026-03-20T08:00 ends the date.
        case .digits: return isWord(index - 1, "t") && isDigits(index - 2)
        case .sign: break
        case .quoted, .opaque: return false
        }
        guard let after = token(index + 1), after.isGlued else {
            return !["%", "$", "€", "£", "°"].contains(next.text)
        }
        switch next.text {
        case "-":
            if after.kind == .digits { return after.value.map { $0 < 25 } == true }
            return after.lexeme.isTemporal
        case "/": return after.kind == .word && after.lexeme.isTemporal
        case ":", ".": return after.kind == .word
        case "+": return after.kind == .digits
        case "&", "_", "'": return after.kind == .sign
        case "%", "$", "€", "£", "°": return false
        default: return true
        }
    }

    /// Whether a word that opens a date is at `index`.
    func isWhen(_ index: Int) -> Bool {
        guard let token = token(index) else { return false }
        return token.kind == .digits || token.has(.at) || token.has(.on) || token.has(.into)
            || token.has(.every) || token.has(.next) || token.has(.this) || token.lexeme.isTemporal
    }

    // MARK: Context

    /// Whether the clause ends here, or no noun follows.
    func isEdge(_ index: Int) -> Bool { isPlainEdge(index) || startsTask(index) }

    /// As `isEdge` without verbs: many of them are also nouns ("the daily run").
    func isPlainEdge(_ index: Int) -> Bool {
        guard let next = token(index) else { return true }
        if taken[index] { return true }
        switch next.kind {
        case .sign: return !["%", "$", "€", "£", "°", "'", "/", "_"].contains(next.text)
        case .quoted: return true
        case .opaque, .digits: return false
        case .word: break
        }
        if next.has(.function) || next.has(.at) || next.has(.on) || next.has(.by) { return true }
        if isWord(index, "all"), isWord(index + 1, "day") || isSign(index + 1, "-") { return true }
        if next.has(.every) || next.has(.until) || next.has(.from) || next.has(.before)
            || isWord(index, "starting", "beginning", "commencing", "effective")
        {
            return true
        }
        return next.lexeme.isTemporal || lead(index) != nil
    }

    /// Whether only lead-ins and pieces come before.
    func isFirst(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        if let before = token(index - 1),
            before.isSign(",") || before.isSign(":") || before.isSign(";") || before.isSign("-")
                || before.isSign(".")
        {
            return true
        }
        return (0..<index).allSatisfy { taken[$0] || tokens[$0].kind == .sign }
            || found.last.map { $0.tokens.upperBound == index && $0.tokens.lowerBound == 0 } == true
    }

    func followsPiece(_ index: Int, _ test: (Piece.Value) -> Bool) -> Bool {
        var index = index
        while let before = token(index - 1), before.isSign(",") || before.isSign("(") { index -= 1 }
        return found.last.map { $0.tokens.upperBound == index && test($0.value) } == true
    }

    func followsDay(_ index: Int) -> Bool {
        followsPiece(index) {
            switch $0 {
            case .day, .days, .recurrence: true
            case .part(_, let day, _): day != nil
            default: false
            }
        }
    }

    func followsClock(_ index: Int) -> Bool {
        followsPiece(index) {
            switch $0 {
            case .clock, .hours: true
            default: false
            }
        }
    }
}
