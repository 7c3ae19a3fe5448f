/// Reads the narration beside a quotation: who is the subject, and is something said.
struct ClauseReader {
    /// Whoever a clause is about.
    enum Subject: Equatable {
        case character(Int)
        /// "the old man", "her mother", a name that the cast does not have: its tokens.
        case other(Range<Int>, StoryCharacter.Gender?)
        case pronoun(StoryCharacter.Gender)
        case narrator
        case several
    }

    struct Clause: Equatable {
        enum Manner: Int, Comparable {
            /// "Alice shook her head." · "Alice's eyes shone." · "Alice took it and said" ·
            /// "said Alice", "Alice said".
            case possessive, beat, distant, tag
            static func < (a: Manner, b: Manner) -> Bool { a.rawValue < b.rawValue }
        }
        var subject: Subject
        /// The token where the subject begins.
        var position: Int
        var manner: Manner
        /// "said Alice to the Queen", "asked him": a member of the cast who is spoken to.
        var addressee: Int?
        /// The token of the verb of speaking.
        var verb: Int?
    }

    let text: StoryText
    let index: CastIndex

    // MARK: - After a quotation

    /// What the narration right after a quotation tells.
    func after(_ range: Range<Int>) -> Clause? {
        let sentence = range.lowerBound..<sentenceEnd(range.lowerBound, in: range)
        guard let start = firstWord(in: sentence) else { return nil }
        if isSpeechVerb(start, weakToo: true) {
            if let subject = subjectAfterVerb(start, in: sentence) {
                return Clause(
                    subject: subject.subject, position: subject.position, manner: .tag,
                    addressee: addressee(after: subject.end, in: sentence), verb: start)
            }
            // "...," asked the voice of someone: no subject, no tag.
            return nil
        }
        return subjectFirst(in: sentence)
    }

    /// "Alice said", "he cried", or what Alice did.
    private func subjectFirst(in sentence: Range<Int>) -> Clause? {
        guard let found = leadingSubject(in: sentence) else { return nil }
        if found.isPossessive {
            return Clause(
                subject: found.subject, position: found.position, manner: .possessive,
                addressee: nil)
        }
        var token = found.end
        var isNear = true
        var distance = 0
        while token < sentence.upperBound {
            let word = text.tokens[token]
            if !word.isWord {
                // ", who was standing by, said"
                isNear = false
            } else if isSpeechVerb(token, weakToo: false) {
                if isPassive(token) { return passive(found.subject, at: found.position) }
                return Clause(
                    subject: found.subject, position: found.position,
                    manner: isNear ? .tag : .distant,
                    addressee: addressee(after: token + 1, in: sentence), verb: token)
            } else if text.vocabulary.classes(of: word.word).isDisjoint(with: [.adverb, .auxiliary]
            ),
                !isManner(token)
            {
                distance += 1
                isNear = false
                if distance > 14 { break }
            }
            token += 1
        }
        return Clause(
            subject: found.subject, position: found.position, manner: .beat, addressee: nil)
    }

    /// "slowly", "angrily".
    private func isManner(_ token: Int) -> Bool {
        let range = text.tokens[token].range
        return range.count > 4 && text.bytes[range.upperBound - 2] == UInt8(ascii: "l")
            && text.bytes[range.upperBound - 1] == UInt8(ascii: "y")
    }

    private func subjectAfterVerb(
        _ verb: Int, in sentence: Range<Int>
    ) -> (subject: Subject, position: Int, end: Int)? {
        var token = verb + 1
        var skipped = 0
        while token < sentence.upperBound, skipped < 4 {
            if let subject = subject(at: token, in: sentence), !subject.isPossessive {
                return (subject.subject, token, subject.end)
            }
            // "cried out", "went on", "said softly": then the subject.
            guard text.tokens[token].isWord else { return nil }
            let classes = text.vocabulary.classes(of: text.tokens[token].word)
            guard
                isManner(token) || classes.contains(.adverb)
                    || Self.particles.contains(text.vocabulary.text(of: text.tokens[token].word))
            else { return nil }
            token += 1
            skipped += 1
        }
        return nil
    }

    private static let particles: Set<String> = [
        "out", "on", "in", "back", "up", "forth", "off", "again", "also", "aloud", "then", "at",
        "last", "once",
    ]

    // MARK: - Before a quotation

    /// What the narration right before a quotation tells.
    ///
    /// - Parameter introduces: whether its last sentence runs on into the quotation.
    func before(_ range: Range<Int>) -> (clause: Clause, introduces: Bool)? {
        guard let last = range.last(where: { text.tokens[$0].isWord }) else { return nil }
        let introduces = !(last + 1..<range.upperBound).contains { isStop($0) }
        let sentence = sentenceStart(last, in: range)..<(last + 1)
        // The last verb of speaking in it.
        var token = last
        while token >= sentence.lowerBound, last - token < 30 {
            if isSpeechVerb(token, weakToo: token == last), !isPassive(token) {
                if var clause = clause(ofVerb: token, in: sentence) {
                    // "Ann said what was proper." tells of other words than those that follow.
                    if !introduces { clause.manner = min(clause.manner, .beat) }
                    return (clause, introduces)
                }
                break
            }
            token -= 1
        }
        guard var clause = subjectFirst(in: sentence) else { return nil }
        if clause.manner == .tag { clause.manner = introduces ? .distant : .beat }
        return (clause, introduces)
    }

    private func clause(ofVerb verb: Int, in sentence: Range<Int>) -> Clause? {
        // "Then said Alice".
        if let subject = subject(at: verb + 1, in: sentence), !subject.isPossessive,
            verb == sentence.lowerBound
                || !isNominal(verb - 1), isSubjectForm(verb + 1)
        {
            // "Alice asked Tom": Tom is the object where something stands before the verb.
            if verb - sentence.lowerBound <= 2, subjectEnding(at: verb, in: sentence) == nil {
                return Clause(
                    subject: subject.subject, position: verb + 1, manner: .tag,
                    addressee: addressee(after: subject.end, in: sentence), verb: verb)
            }
        }
        let spokenTo = addressee(after: verb + 1, in: sentence)
        if let adjacent = subjectEnding(at: verb, in: sentence) {
            return Clause(
                subject: adjacent.subject, position: adjacent.position, manner: .tag,
                addressee: spokenTo, verb: verb)
        }
        guard let leading = leadingSubject(in: sentence.lowerBound..<verb) else { return nil }
        return Clause(
            subject: leading.subject, position: leading.position,
            manner: leading.isPossessive ? .possessive : .distant, addressee: spokenTo,
            verb: verb)
    }

    /// The subject that stands right before a verb, but for "had", "then", "slowly".
    private func subjectEnding(
        at verb: Int, in sentence: Range<Int>
    ) -> (subject: Subject, position: Int)? {
        var end = verb
        while end > sentence.lowerBound {
            let token = text.tokens[end - 1]
            guard token.isWord else { return nil }
            let classes = text.vocabulary.classes(of: token.word)
            guard !classes.isDisjoint(with: [.auxiliary, .adverb]) || isManner(end - 1) else {
                break
            }
            end -= 1
        }
        for start in stride(from: end - 1, through: max(sentence.lowerBound, end - 6), by: -1) {
            guard let found = subject(at: start, in: sentence), found.end == end,
                !found.isPossessive
            else { continue }
            if start > sentence.lowerBound, text.tokens[start - 1].isWord {
                let classes = text.vocabulary.classes(of: text.tokens[start - 1].word)
                // "to Alice said": no subject. "the poor Alice": still growing.
                if classes.contains(.preposition) { return nil }
                if classes.contains(.determiner) || !classes.isDisjoint(with: .title) { continue }
            }
            return (found.subject, start)
        }
        return nil
    }

    // MARK: - Subjects

    /// The first subject of a sentence: not one behind a preposition, and not the one of
    /// a clause with "when" or "as" where another follows.
    private func leadingSubject(
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
                // A verb or a participle: what follows is its object.
                allowed = false
            }
            token += 1
        }
        return first
    }

    private static let coordinating: Set<String> = ["and", "but", "or", "nor", "so", "yet"]

    /// The subject that begins at a token.
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
            return (.character(mention.character), mention.tokens.upperBound, false)
        }
        if index.mentionOfToken[start] >= 0 { return nil }
        let token = text.tokens[start]
        let classes = text.vocabulary.classes(of: token.word)
        let spelled = text.vocabulary.text(of: token.word)
        if classes.contains(.subjectPronoun) {
            switch spelled {
            case "he": return (.pronoun(.male), start + 1, false)
            case "she": return (.pronoun(.female), start + 1, false)
            case "i": return token.isCapitalized ? (.narrator, start + 1, false) : nil
            case "they", "we": return (.several, start + 1, false)
            default: return nil
            }
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

    private var possessive: Int32? { text.vocabulary.id(of: "'s") }

    /// "Alice's sister" is somebody else; "Alice's eyes" are Alice.
    private func possessed(
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
    private func described(
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
                return (.character(mention.character), mention.tokens.upperBound, false)
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
                // "the tortoise said": a noun that no table has.
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
    private func apposition(
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

    /// "old" in "the old man", where another noun of persons follows.
    private func isAdjective(_ token: Int, before limit: Int) -> Bool {
        guard token + 1 < limit, text.tokens[token + 1].isWord else { return false }
        if let mention = index.mention(at: token + 1), mention.tokens.lowerBound == token + 1 {
            return true
        }
        let next = text.vocabulary.classes(of: text.tokens[token + 1].word)
        return !next.isDisjoint(with: .roleNoun)
    }

    private func gender(_ classes: WordClass) -> StoryCharacter.Gender? {
        classes.contains(.maleNoun) ? .male : classes.contains(.femaleNoun) ? .female : nil
    }

    /// Whether "and" and a second subject follow.
    private func joins(_ end: Int, in range: Range<Int>) -> Bool {
        guard end + 1 < range.upperBound, text.tokens[end].isWord,
            text.vocabulary.text(of: text.tokens[end].word) == "and"
        else { return false }
        if index.mention(at: end + 1) != nil { return true }
        let classes = text.vocabulary.classes(of: text.tokens[end + 1].word)
        return end + 2 < range.upperBound && classes.contains(.determiner)
            && index.mention(at: end + 2) != nil
    }

    /// Whoever is spoken to: "to Alice", "asked Alice".
    private func addressee(after start: Int, in sentence: Range<Int>) -> Int? {
        let limit = min(start + 6, sentence.upperBound)
        var token = start
        while token < limit {
            if let mention = index.mention(at: token), mention.tokens.lowerBound == token {
                let before = text.tokens[token - 1]
                let isObject =
                    isSpeechVerb(token - 1, weakToo: false)
                    || ["to", "the", "towards", "upon"].contains(
                        text.vocabulary.text(of: before.word))
                return isObject && !mention.isPossessive ? mention.character : nil
            }
            guard text.tokens[token].isWord else { return nil }
            token += 1
        }
        return nil
    }

    // MARK: - Words and sentences

    func isSpeechVerb(_ token: Int, weakToo: Bool) -> Bool {
        guard token >= 0, token < text.tokens.count, text.tokens[token].isWord,
            index.mentionOfToken[token] < 0
        else { return false }
        let classes = text.vocabulary.classes(of: text.tokens[token].word)
        return classes.contains(.speechVerb) || (weakToo && classes.contains(.weakSpeechVerb))
    }

    /// "Ann was asked": Ann is spoken to, by whoever else is there.
    private func passive(_ subject: Subject, at position: Int) -> Clause? {
        guard case .character(let character) = subject else { return nil }
        return Clause(
            subject: .several, position: position, manner: .beat, addressee: character, verb: nil)
    }

    /// "I was asked": said by somebody else.
    private func isPassive(_ verb: Int) -> Bool {
        guard verb > 0, text.tokens[verb - 1].isWord else { return false }
        let range = text.tokens[verb].range
        let isParticiple = text.bytes[range.upperBound - 1] != UInt8(ascii: "g")
        return isParticiple
            && ["was", "were", "is", "are", "been", "being", "be"].contains(
                text.vocabulary.text(of: text.tokens[verb - 1].word))
    }

    private func isNominal(_ token: Int) -> Bool {
        token >= 0
            && (index.mentionOfToken[token] >= 0
                || !text.vocabulary.classes(of: text.tokens[token].word).isDisjoint(with: [
                    .subjectPronoun, .roleNoun,
                ]))
    }

    private func isSubjectForm(_ token: Int) -> Bool {
        token < text.tokens.count
            && (index.mentionOfToken[token] >= 0
                || !text.vocabulary.classes(of: text.tokens[token].word).isDisjoint(with: [
                    .subjectPronoun, .determiner, .title, .endearment,
                ])
                || text.tokens[token].isCapitalized)
    }

    private func firstWord(in range: Range<Int>) -> Int? {
        var token = range.lowerBound
        while token < range.upperBound, token - range.lowerBound < 4 {
            if text.tokens[token].isWord {
                let spelled = text.vocabulary.text(of: text.tokens[token].word)
                if !["and", "then", "so", "thus", "here"].contains(spelled), !isManner(token) {
                    return token
                }
            }
            token += 1
        }
        return nil
    }

    /// A period, an exclamation or a question mark that ends a sentence.
    func isStop(_ token: Int) -> Bool {
        let token = text.tokens[token]
        guard !token.isWord, token.end - token.start == 1 else { return false }
        return [UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?")]
            .contains(text.bytes[Int(token.start)])
    }

    /// Whether a period there belongs to "Mr." and the like.
    func isAbbreviation(_ token: Int) -> Bool {
        token + 1 < text.tokens.count && text.tokens[token + 1].isWord
            && !text.tokens[token + 1].flags.contains(.startsSentence)
    }

    private func endsSentence(_ token: Int, in range: Range<Int>) -> Bool {
        guard isStop(token) else { return false }
        return token + 1 >= range.upperBound || !text.tokens[token + 1].isWord
            || text.tokens[token + 1].flags.contains(.startsSentence)
    }

    private func sentenceEnd(_ start: Int, in range: Range<Int>) -> Int {
        var token = start
        while token < range.upperBound {
            if token > start, endsSentence(token, in: range) { return token }
            token += 1
        }
        return range.upperBound
    }

    private func sentenceStart(_ last: Int, in range: Range<Int>) -> Int {
        var token = last
        while token > range.lowerBound {
            if endsSentence(token - 1, in: range) { return token }
            token -= 1
        }
        return range.lowerBound
    }

    /// The subject of the last sentence of a stretch of narration.
    func lastSubject(of range: Range<Int>) -> Subject? {
        guard let last = range.last(where: { text.tokens[$0].isWord }) else { return nil }
        let sentence = sentenceStart(last, in: range)..<(last + 1)
        return leadingSubject(in: sentence)?.subject
    }
}
