import Base

/// Finds words in a title that refer to a time or a condition: the message means more than
/// was understood. Pure.
///
/// "meet April at 3pm", "Friday's report" and "cook dinner for 4" contain such words as
/// names and numbers; the neighbouring words decide.
struct Leftovers {
    private let tokens: [Token]
    private let words: [String]
    /// Whether a time was found elsewhere in the phrase: a weekday before a noun is then
    /// part of its name.
    private let hasTime: Bool
    /// Whether it repeats within a day: "during work hours" limits it.
    private let isWindowed: Bool

    static func areIn(_ title: String, language: DateLocale.Language) -> Bool {
        let tokens = Tokenizer.tokens(of: title, language: language)
        return !ranges(in: tokens, hasTime: true, isWindowed: false).isEmpty
    }

    static func ranges(in title: [Token], hasTime: Bool, isWindowed: Bool) -> [Range<Int>] {
        Leftovers(tokens: title, hasTime: hasTime, isWindowed: isWindowed).found()
    }

    private init(tokens: [Token], hasTime: Bool, isWindowed: Bool) {
        (self.tokens, words) = (tokens, tokens.map(\.text))
        (self.hasTime, self.isWindowed) = (hasTime, isWindowed)
    }

    private func found() -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        if let end = opening() {
            found.append(0..<end)
            index = end
        }
        while index < tokens.count {
            if let end = stretch(index) {
                found.append(index..<end)
                index = end
            } else {
                index += 1
            }
        }
        // "haircut to", "call Bo for"
        if let last = words.last, words.count > 1, Lexicon.has(.openEndings, last),
            found.last?.upperBound != words.count
        {
            found.append(words.count - 1..<words.count)
        }
        return found
    }

    /// A beginning that no title has: "and to call Ida", "at oh seven", "15 minutes".
    private func opening() -> Int? {
        guard let first = tokens.first else { return nil }
        guard words.count > 1 else { return first.kind == .digits ? 1 : nil }
        // "she whispered, of who I was"
        let isSubject = Lexicon.has(.subjects, first.text) && !first.isCapitalised
        if isSubject, words.contains(",") { return words.count }
        // "in der Schule anrufen" has its verb at the end.
        if let last = words.last, Lexicon.german.has(.taskVerbs, last) { return nil }
        // "kein Yoga am Donnerstag" creates nothing.
        let isNoMore = ["mehr", "more", "longer", "anymore"].contains(tokens[1].text)
        // "not to be late" is a task.
        let isNot = ["not", "nicht"].contains(first.text)
        if hasTime && !isNot || isNoMore, MessageText.denies(words, 0) { return tokens.count }
        let joins = ["and", "or", "but", "und", "oder", "aber"].contains(first.text)
        let isPreposition = Lexicon.has(.prepositions, first.text)
        if joins || isPreposition && first.text != "about" && !first.isCapitalised {
            return tokens.count
        }
        // "den 10., an die Umfrage"
        if hasTime, Lexicon.has(.articles, first.text), tokens[1].kind == .digits,
            word(2) == ".", isClosed(3)
        {
            return 3
        }
        guard first.kind == .digits else { return nil }
        // "25:00 to lock up", "11.45 tutor"
        if tokens[1].isSign(":") || tokens[1].isSign(".") && isGluedDigits(2), tokens[1].isGlued,
            first.text != "1"
        {
            return min(3, words.count)
        }
        let goesOn = ["to", "and", "und", "or", "oder", "an", ","].contains(tokens[1].text)
        return goesOn || tokens[1].lexeme.unit != nil ? 2 : nil
    }

    /// The index after a leftover that begins here; nil if none does.
    private func stretch(_ index: Int) -> Int? {
        let token = tokens[index]
        guard token.kind != .quoted, token.kind != .opaque, !token.isPossessive else { return nil }
        if let end = Lexicon.first({ $0.vague.match(words, from: index)?.end }) { return end }
        if isOtherRequest(index) { return words.count }
        // "paint every wall" is not about a time.
        let isEach = token.has(.every) && word(index + 1) != "time"
        if Lexicon.has(.leftovers, words[index]), hasTime || !isEach {
            // "drinks after the show" is an event's name.
            let isName =
                hasTime && ["after", "before"].contains(words[index]) && index > 0
                && Lexicon.isAppointment(words[index - 1])
                && word(index + 1).map { Lexicon.has(.articles, $0) } == true
                && index + 3 >= words.count
            if isName { return nil }
            // A condition extends to the end of the sentence.
            let end = Lexicon.has(.clauseOpeners, words[index]) ? words.count : index + 1
            return end
        }
        // "the muffins, 18 minutes"; "lunch is, to eat": a clause that has lost its time.
        let isUnitLast = tokens[tokens.count - 1].lexeme.unit != nil
        if token.isSign(","), index + 3 == tokens.count, isUnitLast { return words.count }
        if ["is", "ist", "sind", "are"].contains(words[index]),
            [",", ")"].contains(word(index + 1))
        {
            return words.count
        }
        if isWindowed, Lexicon.has(.windows, words[index]) { return words.count }
        if token.kind == .digits { return clockOrDate(index) ?? lone(index) }
        guard token.kind == .word else { return nil }
        let lexeme = token.lexeme
        if lexeme.weekday != nil && lexeme.unit == nil || lexeme.month != nil {
            return isDayName(index) ? nil : index + 1
        }
        if token.has(.am) || token.has(.pm) {
            return index > 0 && tokens[index - 1].kind == .digits ? index + 1 : nil
        }
        if token.has(.oclock), index > 0, tokens[index - 1].kind == .digits { return index + 1 }
        if token.has(.workdays) || token.has(.weekend) { return isDayName(index) ? nil : index + 1 }
        if let part = lexeme.part {
            return follows(.beforeParts, index) || part == .midnight ? index + 1 : nil
        }
        // In "water the plants daily" the adverb is a time; in "monthly report" it is an adjective.
        if lexeme.adverb != nil { return index > 0 && isClosed(index + 1) ? index + 1 : nil }
        if lexeme.unit != nil,
            word(index - 1).map({ ["next", "this", "nächste"].contains($0) }) == true
        {
            return index + 1
        }
        return nil
    }

    private func word(_ index: Int) -> String? {
        words.indices.contains(index) ? words[index] : nil
    }

    private func follows(_ kind: Lexicon.Words, _ index: Int) -> Bool {
        index > 0 && Lexicon.has(kind, words[index - 1])
    }

    /// "… and write me a poem", "…, and refactor utils.py": after a comma, any verb begins
    /// another request.
    private func isOtherRequest(_ index: Int) -> Bool {
        guard ["and", "und", "also", "then", ",", ";", "+", "&"].contains(words[index]) else {
            return false
        }
        var next = index + 1
        while let word = word(next), ["and", "und", "then", "also", "please"].contains(word) {
            next += 1
        }
        guard let verb = word(next) else { return false }
        if next > index + 1, words[index] == ",", Lexicon.isTaskVerb(verb) { return true }
        return Lexicon.has(.assistantVerbs, verb) && !Lexicon.has(.choreVerbs, verb)
            || Lexicon.has(.questionWords, verb)
    }

    /// "the 18:40", "31/4", "2027-02-30", "31.4.": digits in the form of a time that was
    /// not parsed, because it is invalid or may be something else.
    private func clockOrDate(_ index: Int) -> Int? {
        guard let sign = word(index + 1), tokens[index + 1].isGlued, isGluedDigits(index + 2)
        else { return nil }
        if sign == ":" { return tokens[index + 2].text.utf8.count == 2 ? index + 3 : nil }
        guard [".", "/", "-"].contains(sign) else { return nil }
        let (first, second) = (tokens[index].text, tokens[index + 2].text)
        if word(index + 3) == sign, tokens[index + 3].isGlued, isGluedDigits(index + 4) {
            let widths = [first, second, tokens[index + 4].text].map(\.utf8.count)
            let isDate =
                widths[1] <= 2 && (widths[0] == 4 || widths[0] <= 2 && [2, 4].contains(widths[2]))
            let isLonger = word(index + 5) == sign && isGluedDigits(index + 6)
            return isDate && !isLonger ? index + 5 : nil
        }
        guard let day = Int(first), let month = Int(second), max(day, month) <= 31,
            (0...12).contains(min(day, month)), !isPart(index)
        else { return nil }
        switch sign {
        case "/": return (day, month) != (24, 7) && !isMeasured(index + 3) ? index + 3 : nil
        case ".":
            let isDotted = word(index + 3) == "." && tokens[index + 3].isGlued
            // "31.4", unlike "2.14", is hardly anything else.
            let isNoDay =
                (1...12).contains(month) && day > CivilDate.days(inMonth: month, of: 2024)
            return isDotted || isNoDay && isClosed(index + 3)
                || ["am", "den", "vom", "bis", "zum"].contains(word(index - 1))
                ? index + 3 : nil
        default: return nil
        }
    }

    private func isGluedDigits(_ index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].isGlued && tokens[index].kind == .digits
    }

    /// Whether the digits are inside a longer number, or number a room, a version, a
    /// chapter.
    private func isPart(_ index: Int) -> Bool {
        guard let before = word(index - 1) else { return false }
        return before == "#" || Lexicon.has(.numbered, before)
            || tokens[index].isGlued && tokens[index - 1].kind != .sign
            || tokens[index].isGlued && [".", "/", "-"].contains(before)
    }

    /// "1/2 cup"
    private func isMeasured(_ index: Int) -> Bool {
        tokens.indices.contains(index)
            && (tokens[index].has(.measure) || tokens[index].lexeme.unit != nil
                || words[index] == "of")
    }

    /// A number that is neither a measure nor a name: "at 4", "by 9".
    private func lone(_ index: Int) -> Int? {
        // "at 5, not 6"
        let isDenied = hasTime && ["not", "nicht"].contains(word(index - 1))
        guard isDenied || follows(.beforeNumbers, index) else { return nil }
        // "on friday at 3 4"
        var end = index + 1
        while end < tokens.count, tokens[end].kind == .digits, !tokens[end].isGlued { end += 1 }
        if end > index + 1, tokens[index..<end].allSatisfy({ $0.text.utf8.count <= 2 }) {
            return end
        }
        guard isClosed(index + 1) else { return nil }
        // "dinner for 4", "a table for two"
        let isOfGuests =
            hasTime && ["for", "für"].contains(words[index - 1])
            && words[..<index].contains { Lexicon.has(.mealThings, $0) }
        return isOfGuests ? nil : index + 1
    }

    /// Whether the clause ends here.
    private func isClosed(_ index: Int) -> Bool {
        guard let token = tokens.indices.contains(index) ? tokens[index] : nil else { return true }
        return token.kind == .sign
            || Lexicon.has(.prepositions, token.text)
            || ["and", "und", "or", "oder"].contains(token.text)
    }

    /// Whether the weekday or month names something else: "meet April", "the monday
    /// meeting", "sunday roast".
    private func isDayName(_ index: Int) -> Bool {
        let token = tokens[index]
        // Ordinary words: "mark", "may", "sun".
        if token.has(.doubtful), !token.isCapitalised {
            return token.lexeme.month != nil || index == 0
        }
        if token.lexeme.month != nil, token.isCapitalised,
            follows(.beforePeople, index) || follows(.taskVerbs, index)
        {
            return true
        }
        return hasTime && !isClosed(index + 1)
            && !["on", "am", "by", "until", "next", "this", "every"].contains(word(index - 1) ?? "")
            && tokens[index + 1].kind == .word
    }
}
