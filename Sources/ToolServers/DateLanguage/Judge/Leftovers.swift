import Base

/// Words of a title that speak of a time or a condition: the message means
/// more than was understood. Pure.
///
/// "meet April at 3pm", "Friday's report" and "cook dinner for 4" hold such
/// words as names and numbers; what stands beside them tells.
struct Leftovers {
    private let tokens: [Token]
    private let words: [String]
    /// A time was read elsewhere in the phrase: a weekday before a noun is
    /// then a part of its name.
    private let hasTime: Bool

    static func words(in title: String, hasTime: Bool, language: DateLocale.Language) -> [String] {
        Leftovers(tokens: Tokenizer.tokens(of: title, language: language), hasTime: hasTime).found()
    }

    private init(tokens: [Token], hasTime: Bool) {
        self.tokens = tokens
        words = tokens.map(\.text)
        self.hasTime = hasTime
    }

    private func found() -> [String] {
        var found: [String] = []
        var index = 0
        if let end = opening() {
            found.append(words[..<end].joined(separator: " "))
            index = end
        }
        while index < tokens.count {
            if let end = stretch(index) {
                found.append(words[index..<end].joined(separator: " "))
                index = end
            } else {
                index += 1
            }
        }
        return found
    }

    /// What no title begins with: "and to call Ida", "at oh seven", "15 minutes".
    private func opening() -> Int? {
        guard let first = tokens.first else { return nil }
        guard words.count > 1 else { return first.kind == .digits ? 1 : nil }
        // "she whispered, of who I was"
        let isSubject = Lexicon.has(.subjects, first.text) && !first.isCapitalised
        if isSubject, words.contains(",") { return words.count }
        // "in der Schule anrufen" has its verb at the end.
        if let last = words.last, Lexicon.german.has(.taskVerbs, last) { return nil }
        let joins = ["and", "or", "but", "und", "oder", "aber"].contains(first.text)
        let isPreposition = Lexicon.has(.prepositions, first.text)
        if joins || isPreposition && first.text != "about" && !first.isCapitalised {
            return tokens.count
        }
        guard first.kind == .digits else { return nil }
        // "25:00 to lock up"
        if tokens[1].isSign(":"), tokens[1].isGlued, first.text != "1" {
            return min(3, words.count)
        }
        let goesOn = ["to", "and", "und", "or", "oder", ","].contains(tokens[1].text)
        return goesOn || tokens[1].lexeme.unit != nil ? 2 : nil
    }

    /// The index past a leftover that begins here.
    private func stretch(_ index: Int) -> Int? {
        let token = tokens[index]
        guard token.kind != .quoted, token.kind != .opaque, !token.isPossessive else { return nil }
        if let end = Lexicon.first({ $0.vague.match(words, from: index)?.end }) { return end }
        if isOtherRequest(index) { return words.count }
        if Lexicon.has(.leftovers, words[index]) {
            // A condition takes the rest of the sentence with it.
            let end = Lexicon.has(.clauseOpeners, words[index]) ? words.count : index + 1
            return isName(index) ? nil : end
        }
        if token.kind == .digits {
            // "the 18:40": a clock that was not read.
            if index + 2 < tokens.count, tokens[index + 1].isSign(":"), tokens[index + 1].isGlued,
                tokens[index + 2].text.utf8.count == 2
            {
                return index + 3
            }
            return lone(index)
        }
        guard token.kind == .word else { return nil }
        let lexeme = token.lexeme
        if lexeme.weekday != nil || lexeme.month != nil {
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
        // "water the plants daily"; a "monthly report" is a thing.
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

    /// "… and write me a poem", "…, and refactor utils.py": after a comma any
    /// verb begins another request.
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

    /// "look after Ida", "an after party"
    private func isName(_ index: Int) -> Bool {
        switch words[index] {
        case "after":
            ["look", "looks", "looking", "named", "clean", "tidy"].contains(word(index - 1) ?? "")
                || ["party", "sun", "-"].contains(word(index + 1) ?? "")
        case "bis": tokens[index].isCapitalised
        case "before", "every", "once": word(index + 1) == "-"
        case "bald": ["go", "the", "is"].contains(word(index - 1) ?? "")
        default: false
        }
    }

    /// A number that is neither a measure nor a name: "at 4", "by 9".
    private func lone(_ index: Int) -> Int? {
        guard follows(.beforeNumbers, index), isClosed(index + 1) else { return nil }
        // "dinner for 4", "a table for two"
        let isOfGuests =
            hasTime && ["for", "für"].contains(words[index - 1])
            && words[..<index].contains { Lexicon.has(.mealThings, $0) }
        return isOfGuests ? nil : index + 1
    }

    /// The clause ends here.
    private func isClosed(_ index: Int) -> Bool {
        guard let token = tokens.indices.contains(index) ? tokens[index] : nil else { return true }
        return token.kind == .sign
            || Lexicon.has(.prepositions, token.text)
            || ["and", "und", "or", "oder"].contains(token.text)
    }

    /// A weekday or month that names something else: "meet April", "the monday
    /// meeting", "sunday roast".
    private func isDayName(_ index: Int) -> Bool {
        let token = tokens[index]
        // Words of their own: "mark", "may", "sun".
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
