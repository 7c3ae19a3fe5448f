/// Reads every mention of a name, a title with a name, or "the" with a noun for a person.
///
/// It uses capitals and tables, and does not identify persons: see `CastGrouping`.
struct NameScanner {
    private let text: StoryText
    private let words: WordCounts
    private(set) var forms: [NameForm] = []
    private(set) var mentions: [NameMention] = []
    private var index: [NameForm.Key: Int] = [:]
    /// Words such as "de" between the parts of a name, and "of" after a title.
    private let particles: Set<Int32>
    private let of: Int32?
    private let by: Int32?
    private let the: Set<Int32>
    private let articles: Set<Int32>
    private let possessive: Int32?
    /// Whether the language capitalizes nouns, so that a capital is weak evidence.
    private let capitalizesNouns: Bool

    init(_ text: StoryText) {
        self.text = text
        let vocabulary = text.vocabulary
        func ids(_ words: [String]) -> Set<Int32> { Set(words.compactMap(vocabulary.id(of:))) }
        words = WordCounts(text)
        particles = ids(["de", "du", "des", "von", "van", "der", "den", "la", "le", "del", "di"])
        of = vocabulary.id(of: "of")
        by = vocabulary.id(of: "by")
        the = ids(["the", "der", "die", "das", "le", "la", "les", "l'"])
        articles = ids([
            "the", "a", "an", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen",
            "einem", "einer", "eines", "im", "zum", "zur", "am", "vom", "le", "la", "les", "un",
            "une", "du", "au",
        ])
        possessive = vocabulary.id(of: "'s")
        capitalizesNouns = text.language.hasPrefix("de")
        scan()
    }

    private func classes(_ token: Int) -> WordClass {
        text.vocabulary.classes(of: text.tokens[token].word)
    }

    // MARK: - Parts of names

    /// Whether a capitalized word here may be a name, not just the first word of a
    /// sentence.
    private func isName(_ token: Int) -> Bool {
        let word = text.tokens[token]
        guard word.isCapitalized, word.end - word.start > 1 else { return isInitial(token) }
        let known = classes(token)
        let isFirstName = !known.isDisjoint(with: [.maleName, .femaleName])
        if !known.isDisjoint(with: .anyPronoun) { return false }
        if known.contains(.commonWord), !isFirstName || word.flags.contains(.startsSentence) {
            return isModifier(token)
        }
        let capitals = Int(words.capitals[Int(word.word)])
        let small = Int(words.small[Int(word.word)])
        if word.flags.contains(.allCapitals) { return capitals > 1 }
        guard word.flags.contains(.startsSentence) else { return true }
        if !known.isDisjoint(with: [.preposition, .conjunction, .determiner, .adverb]) {
            return false
        }
        return capitals > small || small == 0
    }

    /// "March" in "the March Hare", "Poor" in "Poor Tom".
    private func isModifier(_ token: Int) -> Bool {
        guard !text.tokens[token].flags.contains(.startsSentence), token > 0, follows(token),
            the.contains(text.tokens[token - 1].word), follows(token + 1)
        else { return false }
        let next = text.tokens[token + 1]
        return next.isCapitalized && !classes(token + 1).contains(.commonWord)
    }

    private func isInitial(_ token: Int) -> Bool {
        let word = text.tokens[token]
        return word.isCapitalized && word.end - word.start == 1
            && classes(token).isDisjoint(with: .firstPerson) && token + 1 < text.tokens.count
            && isPeriod(token + 1)
    }

    private func isPeriod(_ token: Int) -> Bool {
        token < text.tokens.count && text.bytes[Int(text.tokens[token].start)] == UInt8(ascii: ".")
    }

    /// Whether only white space separates two words, without the end of a short line: the
    /// persons of a play are listed one below the other.
    private func follows(_ token: Int) -> Bool {
        token < text.tokens.count && text.tokens[token].isWord && !isListed(token)
            && text.tokens[token].flags.contains(.inQuotation)
                == text.tokens[token - 1].flags.contains(.inQuotation)
    }

    /// Whether the previous line is short, as in a list.
    private func isListed(_ token: Int) -> Bool {
        let gap = Int(text.tokens[token - 1].end)..<Int(text.tokens[token].start)
        guard gap.count > 0, let end = gap.first(where: { text.bytes[$0] == 0x0A }) else {
            return false
        }
        let line = text.bytes[max(0, end - Self.shortLine)..<end]
        return end < Self.shortLine || line.contains(0x0A)
    }

    private static let shortLine = 34

    // MARK: - Scanning

    private mutating func scan() {
        var token = 0
        let count = text.tokens.count
        while token < count {
            let word = text.tokens[token]
            guard word.isWord else {
                token += 1
                continue
            }
            if word.isCapitalized, let next = name(from: token) {
                token = next
            } else {
                if the.contains(word.word) {
                    role(after: token)
                }
                token += 1
            }
        }
    }

    /// Records the name that starts here and returns the token after it.
    private mutating func name(from start: Int) -> Int? {
        var token = start
        var title: Int32?
        var shown = start
        // Titles, each with its period: "Mr.", "Lady", "the Right Hon. Mr.".
        while token < text.tokens.count, text.tokens[token].isCapitalized, isTitle(token),
            text.tokens[token].isWord
        {
            let isAbbreviated = classes(token).contains(.abbreviation) && isPeriod(token + 1)
            let after = isAbbreviated ? token + 2 : token + 1
            guard follows(after) else { break }
            // "the Duke of York", "M. de Tréville".
            let isNoble =
                (text.tokens[after].word == of || particles.contains(text.tokens[after].word))
                && follows(after + 1)
            guard isNoble ? isName(after + 1) : isName(after) || isTitle(after) else { break }
            if classes(token).isDisjoint(with: .endearment) {
                title = title ?? text.tokens[token].word
            } else if title == nil {
                // "Poor Tom" is Tom.
                shown = after
            }
            token = isNoble ? after + 1 : after
        }
        let first = token
        var name: [Int32] = []
        while token < text.tokens.count, token == first || follows(token), isName(token),
            token == first
                || !text.tokens[token].flags.contains(.startsSentence)
                    && !classes(token).contains(.abbreviation)
        {
            name.append(text.tokens[token].word)
            token += isInitial(token) && isPeriod(token + 1) ? 2 : 1
            // "de Bourgh", "von Trapp".
            if follows(token), particles.contains(text.tokens[token].word), follows(token + 1),
                isName(token + 1)
            {
                name.append(text.tokens[token].word)
                token += 1
            } else if follows(token), particles.contains(text.tokens[token].word),
                follows(token + 1), particles.contains(text.tokens[token + 1].word),
                follows(token + 2), isName(token + 2)
            {
                name += [text.tokens[token].word, text.tokens[token + 1].word]
                token += 2
            }
        }
        guard !name.isEmpty else { return nil }
        // "J. Smith" is a Smith, and "Captains Smith and Jones" are two.
        if name.count > 1, vocabularyLength(name[0]) == 1 { name.removeFirst(name.count - 1) }
        if name.count > 1, isPluralTitle(name[0]) { name.removeFirst() }
        // "Mr. Sergeant" is the sergeant.
        if name.count == 1, title != nil, isTitleWord(name[0]) { title = nil }
        add(title, name, start..<token, shown: shown..<token)
        return token
    }

    private func vocabularyLength(_ word: Int32) -> Int {
        text.vocabulary.text(of: word).utf8.count
    }

    private func isPluralTitle(_ word: Int32) -> Bool {
        let text = self.text.vocabulary.text(of: word)
        return text.utf8.last == UInt8(ascii: "s")
            && self.text.vocabulary.id(of: String(text.dropLast())).map {
                !self.text.vocabulary.classes(of: $0).isDisjoint(with: .title)
            } ?? false
    }

    /// "By Jane Austen" on a line of its own.
    private func isByline(_ token: Int) -> Bool {
        token > 0 && text.tokens[token - 1].word == by
            && text.tokens[token - 1].flags.contains(.startsSentence)
    }

    /// "Mr", "Lady", and nouns used as titles: "Farmer Oak".
    private func isTitle(_ token: Int) -> Bool {
        let known = classes(token)
        return text.tokens[token].isCapitalized
            && (!known.isDisjoint(with: .title)
                || known.isPersonNoun && known.isDisjoint(with: [.maleName, .femaleName]))
    }

    private func isTitleWord(_ word: Int32) -> Bool {
        let known = text.vocabulary.classes(of: word)
        return known.isPersonNoun && !known.isDisjoint(with: .title)
            && known.isDisjoint(with: [.maleName, .femaleName])
    }

    private mutating func add(
        _ title: Int32?, _ words: [Int32], _ tokens: Range<Int>, shown: Range<Int>
    ) {
        let vocabulary = text.vocabulary
        let last = vocabulary.classes(of: words[words.count - 1])
        let isPlace =
            (title.map { vocabulary.classes(of: $0).isDisjoint(with: .title) } ?? true)
            && last.contains(.placeEnding)
            && (words.count > 1 || title != nil || last.isDisjoint(with: [.maleName, .femaleName]))
        let before = tokens.lowerBound - 1
        let isAfterArticle =
            before >= 0 && follows(tokens.lowerBound)
            && articles.contains(text.tokens[before].word)
        if capitalizesNouns, isAfterArticle || isAfterDeterminer(tokens.lowerBound),
            title == nil
        {
            if the.contains(text.tokens[before].word) { role(after: before) }
            if let known = index[key(nil, words, false)] { forms[known].tally.withArticle += 1 }
            return
        }
        guard !isPlace, !last.contains(.abbreviation), !isByline(tokens.lowerBound),
            title == nil || !isPlural(words)
        else {
            return
        }
        // "Miss" and "Sir" alone may address anyone.
        if title == nil, words.count == 1, !last.isDisjoint(with: .title),
            last.isDisjoint(with: [.kin, .roleNoun, .maleName, .femaleName])
        {
            return
        }
        // "the Hatter" names one person; "a Bennet" and "the Bennets" do not.
        var range = tokens
        var shown = shown
        var isDefinite = false
        if isAfterArticle, title == nil {
            guard the.contains(text.tokens[before].word), !isPlural(words) else { return }
            isDefinite = true
            range = before..<tokens.upperBound
            shown = range
        }
        note(
            NameForm(title: title, words: words, isDefinite: isDefinite, example: shown), range)
    }

    private func isAfterDeterminer(_ token: Int) -> Bool {
        token > 0 && follows(token) && !text.tokens[token - 1].isCapitalized
            && classes(token - 1).contains(.determiner)
    }

    /// "Bennets", if the story has "Bennet".
    private func isPlural(_ words: [Int32]) -> Bool {
        let word = text.vocabulary.text(of: words[words.count - 1])
        guard word.utf8.last == UInt8(ascii: "s"), word.utf8.count > 3 else { return false }
        return [1, 2].contains { length in
            text.vocabulary.id(of: String(word.dropLast(length))).map {
                self.words.capitals[Int($0)] > 1
            } ?? false
        }
    }

    /// "the ferryman", "the old man"; any noun if a verb of saying follows a quotation:
    /// "said the maltster".
    private mutating func role(after article: Int) {
        var end = article + 1
        while end < article + 5, follows(end), capitalizesNouns || !text.tokens[end].isCapitalized,
            classes(end).isDisjoint(with: [
                .determiner, .preposition, .conjunction, .auxiliary, .subjectPronoun,
            ]),
            end == article + 1 || classes(end).isDisjoint(with: [.speechVerb, .weakSpeechVerb])
        {
            end += 1
            // In German the capitalized word is the noun.
            if capitalizesNouns, text.tokens[end - 1].isCapitalized { break }
        }
        guard end > article + 1, !follows(end) || !text.tokens[end].isCapitalized else { return }
        var noun = end - 1
        let isTagged =
            article > 1 && follows(article) && classes(article - 1).contains(.speechVerb)
            && !isWord(article - 2, spoken: false)
            && text.tokens[article - 2].flags.contains(.inQuotation)
        // "the old woman slowly": the noun is before the adverb.
        while noun > article + 1, !classes(noun).isPersonNoun,
            classes(noun).contains(.adverb) || classes(noun - 1).isPersonNoun
                || text.vocabulary.ends(text.tokens[noun].word, in: "ly")
        { noun -= 1 }
        let known = classes(noun)
        guard known.isDisjoint(with: [.noRole, .adverb]), known.isPersonNoun || isTagged else {
            return
        }
        let first = max(article + 1, noun - 1)
        note(
            NameForm(
                words: text.tokens[first...noun].map(\.word), isDefinite: true,
                isCommonNoun: true, example: article..<(noun + 1)),
            article..<(noun + 1))
    }

    private func isWord(_ token: Int, spoken: Bool) -> Bool {
        text.tokens.indices.contains(token) && text.tokens[token].isWord
            && text.tokens[token].flags.contains(.inQuotation) == spoken
    }

    private func key(_ title: Int32?, _ words: [Int32], _ isDefinite: Bool) -> NameForm.Key {
        NameForm.Key(title: title, words: words, isDefinite: isDefinite, isCommonNoun: false)
    }

    private mutating func note(_ form: NameForm, _ tokens: Range<Int>) {
        let number: Int
        if let known = index[form.key] {
            number = known
            if isShouted(forms[known].example), !isShouted(form.example) {
                forms[known].example = form.example
            }
        } else {
            number = forms.count
            index[form.key] = number
            forms.append(form)
        }
        let isPossessive =
            tokens.upperBound < text.tokens.count
            && text.tokens[tokens.upperBound].word == possessive
        mentions.append(
            NameMention(
                form: number, tokens: tokens,
                isSpoken: text.tokens[tokens.lowerBound].flags.contains(.inQuotation),
                isPossessive: isPossessive))
    }

    private func isShouted(_ tokens: Range<Int>) -> Bool {
        text.tokens[tokens].contains { $0.flags.contains(.allCapitals) }
    }

    /// Adds the evidence of all mentions to their forms.
    mutating func weigh(_ evidence: MentionEvidence) {
        for (number, mention) in mentions.enumerated() {
            evidence.add(number, to: &forms[mention.form].tally)
        }
    }
}

extension WordClass {
    var isPersonNoun: Bool { !isDisjoint(with: .roleNoun) }
}

/// The number of times that each word of a text is capitalized where that is significant, and that
/// it is lowercase.
struct WordCounts {
    private(set) var capitals: [Int32]
    private(set) var small: [Int32]

    init(_ text: StoryText) {
        capitals = [Int32](repeating: 0, count: text.vocabulary.count)
        small = capitals
        for token in text.tokens where token.isWord {
            if !token.isCapitalized {
                small[Int(token.word)] += 1
            } else if !token.flags.contains(.startsSentence), !token.flags.contains(.allCapitals) {
                capitals[Int(token.word)] += 1
            }
        }
    }
}
