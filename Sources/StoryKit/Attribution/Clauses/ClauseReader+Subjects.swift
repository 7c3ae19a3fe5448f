/// Finds the subject of a clause: a name, "the old man", "her mother", a pronoun.
extension ClauseReader {
    /// The first subject of a sentence, but not one after a preposition, nor that of a
    /// clause with "when" or "as" if another follows.
    func leadingSubject(
        in sentence: Range<Int>
    ) -> (subject: Subject, position: Int, end: Int, isPossessive: Bool)? {
        var token = sentence.lowerBound
        var first: (subject: Subject, position: Int, end: Int, isPossessive: Bool)?
        var isSubordinate = false
        var allowed = true
        var steps = 0
        while token < sentence.upperBound, steps < 40 {
            steps += 1
            let word = text.tokens[token]
            guard word.isWord else {
                allowed = true
                token += 1
                continue
            }
            if allowed, let found = subject(at: token, in: sentence) {
                if first == nil || (isSubordinate && !text.tokens[token - 1].isWord) {
                    first = (found.subject, token, found.end, found.isPossessive)
                    if !isSubordinate { return first }
                }
                token = max(found.end, token + 1)
                continue
            }
            let classes = text.vocabulary.classes(of: word.word)
            if classes.contains(.conjunction) {
                if first == nil, token - sentence.lowerBound < 3,
                    !Self.coordinating.contains(text.vocabulary.text(of: word.word))
                {
                    isSubordinate = true
                }
                allowed = true
            } else if classes.contains(.preposition) {
                allowed = false
            } else if classes.isDisjoint(with: [.adverb, .determiner]), !isManner(token) {
                // After a verb or participle comes its object.
                allowed = false
            }
            token += 1
        }
        return first
    }

    static let coordinating: Set<String> = ["and", "but", "or", "nor", "so", "yet"]

    /// The subject that starts at a token.
    func subject(
        at start: Int, in range: Range<Int>
    ) -> (subject: Subject, end: Int, isPossessive: Bool)? {
        guard start < range.upperBound, text.tokens[start].isWord else { return nil }
        if let mention = index.mention(at: start), mention.tokens.lowerBound == start {
            // "Alice and Tom" are several.
            if joins(mention.tokens.upperBound, in: range) {
                return (.several, mention.tokens.upperBound, false)
            }
            if mention.isPossessive {
                return possessed(by: mention, in: range)
            }
            return (named(mention), mention.tokens.upperBound, false)
        }
        if index.mentionOfToken[start] >= 0 { return nil }
        let token = text.tokens[start]
        let classes = text.vocabulary.classes(of: token.word)
        let spelled = text.vocabulary.text(of: token.word)
        if classes.contains(.subjectPronoun) {
            // "sie" usually means "she".
            if classes.contains(.malePronoun) { return (.pronoun(.male), start + 1, false) }
            if classes.contains(.femalePronoun) { return (.pronoun(.female), start + 1, false) }
            if classes.contains(.pluralPronoun) { return (.several, start + 1, false) }
            let isNarrator =
                classes.contains(.firstPerson) && (token.isCapitalized || !text.isEnglish)
            return isNarrator ? (.narrator, start + 1, false) : nil
        }
        if spelled == "both" || spelled == "everybody" || spelled == "all" {
            return (.several, start + 1, false)
        }
        if classes.contains(.determiner) || !classes.isDisjoint(with: [.title, .endearment]) {
            return described(from: start, in: range)
        }
        // A name that the cast does not have.
        if token.isCapitalized, classes.isDisjoint(with: [.commonWord, .notPerson, .conjunction]),
            !token.flags.contains(.startsSentence)
                || !classes.isDisjoint(with: [.maleName, .femaleName])
        {
            var end = start + 1
            while end < range.upperBound, text.tokens[end].isCapitalized,
                text.tokens[end].isWord, index.mentionOfToken[end] < 0
            { end += 1 }
            let isPossessive = end < range.upperBound && text.tokens[end].word == possessive
            let gender: StoryCharacter.Gender? =
                classes.contains(.maleName) ? .male : classes.contains(.femaleName) ? .female : nil
            return (.other(start..<end, gender), end, isPossessive)
        }
        return nil
    }

    /// The member of the cast that a mention names, unless it is only a description.
    func named(_ mention: CastIndex.Mention) -> Subject {
        guard mention.isLoose, let last = mention.tokens.last else {
            return .character(mention.character)
        }
        // "his sister Dora"
        if let next = index.mention(at: last + 1), next.tokens.lowerBound == last + 1, !next.isLoose
        {
            return .character(next.character)
        }
        return .other(
            mention.tokens, gender(text.vocabulary.classes(of: text.tokens[last].word)))
    }

    var possessive: Int32? { text.vocabulary.id(of: "'s") }

    /// "Alice's sister" is another person; "Alice's eyes" mean Alice.
    func possessed(
        by mention: CastIndex.Mention, in range: Range<Int>
    ) -> (subject: Subject, end: Int, isPossessive: Bool) {
        let start = mention.tokens.upperBound + 1
        for token in start..<max(start, min(start + 3, range.upperBound)) {
            guard text.tokens[token].isWord else { break }
            let classes = text.vocabulary.classes(of: text.tokens[token].word)
            let spelled = text.vocabulary.text(of: text.tokens[token].word)
            if !classes.isDisjoint(with: .roleNoun), spelled != "voice" {
                return (
                    .other(mention.tokens.lowerBound..<(token + 1), gender(classes)), token + 1,
                    false
                )
            }
        }
        return (.character(mention.character), min(start, range.upperBound), true)
    }

    /// "the Hatter", "poor Alice", "her mother", "the old gentleman".
    func described(
        from start: Int, in range: Range<Int>
    ) -> (subject: Subject, end: Int, isPossessive: Bool)? {
        var token = start + 1
        let limit = min(start + 5, range.upperBound)
        while token < limit, text.tokens[token].isWord {
            if let mention = index.mention(at: token), mention.tokens.lowerBound == token {
                if mention.isPossessive { return possessed(by: mention, in: range) }
                if joins(mention.tokens.upperBound, in: range) {
                    return (.several, mention.tokens.upperBound, false)
                }
                return (named(mention), mention.tokens.upperBound, false)
            }
            let classes = text.vocabulary.classes(of: text.tokens[token].word)
            let isTag = isSpeechVerb(token, weakToo: false)
            if !classes.isDisjoint(with: .roleNoun), !isAdjective(token, before: limit) {
                let isPossessive =
                    token + 1 < range.upperBound && text.tokens[token + 1].word == possessive
                if let named = apposition(after: token + 1, in: range) { return named }
                return (.other(start..<(token + 1), gender(classes)), token + 1, isPossessive)
            }
            if isTag || !classes.isDisjoint(with: [.preposition, .conjunction, .auxiliary]) {
                // "the tortoise said": a noun missing from the tables.
                guard token > start + 1, isTag else { return nil }
                return (.other(start..<token, nil), token, false)
            }
            if text.tokens[token].isCapitalized, classes.isDisjoint(with: .title) {
                return (.other(start..<(token + 1), nil), token + 1, false)
            }
            token += 1
        }
        // "said the tortoise."
        if token > start + 1, token - start <= 3,
            text.vocabulary.classes(of: text.tokens[start].word).contains(.determiner),
            start > range.lowerBound, isSpeechVerb(start - 1, weakToo: false)
        {
            return (.other(start..<token, nil), token, false)
        }
        return nil
    }

    /// "a brisk young man, Mark Clark by name": the name.
    func apposition(
        after end: Int, in range: Range<Int>
    ) -> (subject: Subject, end: Int, isPossessive: Bool)? {
        guard end + 1 < range.upperBound, !text.tokens[end].isWord, !isStop(end),
            let mention = index.mention(at: end + 1), mention.tokens.lowerBound == end + 1,
            !mention.isPossessive, text.tokens[end + 1].isCapitalized,
            mention.tokens.upperBound >= range.upperBound
                || !isSpeechVerb(mention.tokens.upperBound, weakToo: true)
        else { return nil }
        return (.character(mention.character), mention.tokens.upperBound, false)
    }

    /// "old" in "the old man", if another noun for a person follows.
    func isAdjective(_ token: Int, before limit: Int) -> Bool {
        guard token + 1 < limit, text.tokens[token + 1].isWord else { return false }
        if let mention = index.mention(at: token + 1), mention.tokens.lowerBound == token + 1 {
            return true
        }
        let next = text.vocabulary.classes(of: text.tokens[token + 1].word)
        return !next.isDisjoint(with: .roleNoun)
    }

    func gender(_ classes: WordClass) -> StoryCharacter.Gender? {
        classes.contains(.maleNoun) ? .male : classes.contains(.femaleNoun) ? .female : nil
    }

    /// Whether "and" and a second subject follow.
    func joins(_ end: Int, in range: Range<Int>) -> Bool {
        guard end + 1 < range.upperBound, text.tokens[end].isWord,
            text.vocabulary.text(of: text.tokens[end].word) == "and"
        else { return false }
        if index.mention(at: end + 1) != nil { return true }
        let classes = text.vocabulary.classes(of: text.tokens[end + 1].word)
        return end + 2 < range.upperBound && classes.contains(.determiner)
            && index.mention(at: end + 2) != nil
    }
}
