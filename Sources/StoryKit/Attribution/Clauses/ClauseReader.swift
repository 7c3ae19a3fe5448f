/// Reads the narration beside a quotation: its subject, and whether something is said.
struct ClauseReader {
    /// The subject of a clause.
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
        /// The token of the verb of speaking.
        var verb: Int?
    }

    let text: StoryText
    let index: CastIndex

    // MARK: - After a quotation

    /// Reads the narration right after a quotation.
    func after(_ range: Range<Int>) -> Clause? {
        let sentence = range.lowerBound..<sentenceEnd(range.lowerBound, in: range)
        guard let start = firstWord(in: sentence) else { return nil }
        if isSpeechVerb(start, weakToo: true) {
            if let subject = subjectAfterVerb(start, in: sentence) {
                return Clause(
                    subject: subject.subject, position: subject.position, manner: .tag, verb: start)
            }
            // "...," asked the voice of someone: no subject, no tag.
            return nil
        }
        return subjectFirst(in: sentence)
    }

    /// "Alice said", "he cried", or what Alice did.
    func subjectFirst(in sentence: Range<Int>) -> Clause? {
        guard let found = leadingSubject(in: sentence) else { return nil }
        if found.isPossessive {
            return Clause(
                subject: found.subject, position: found.position, manner: .possessive)
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
                if isPassive(token) {
                    // "Ann was asked by the miller": the speaker is someone else.
                    guard token + 1 < sentence.upperBound,
                        text.vocabulary.text(of: text.tokens[token + 1].word) == "by",
                        let agent = subject(at: token + 2, in: sentence)
                    else { return nil }
                    return Clause(
                        subject: agent.subject, position: token + 2, manner: .tag, verb: token)
                }
                return Clause(
                    subject: found.subject, position: found.position,
                    manner: isNear ? .tag : .distant, verb: token)
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
            subject: found.subject, position: found.position, manner: .beat)
    }

    /// "slowly", "angrily".
    func isManner(_ token: Int) -> Bool {
        let range = text.tokens[token].range
        return range.count > 4 && text.bytes[range.upperBound - 2] == UInt8(ascii: "l")
            && text.bytes[range.upperBound - 1] == UInt8(ascii: "y")
    }

    func subjectAfterVerb(
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
                    || InsertedClauses.phrase.contains(
                        text.vocabulary.text(of: text.tokens[token].word))
            else { return nil }
            token += 1
            skipped += 1
        }
        return nil
    }

    static let particles: Set<String> = [
        "out", "on", "in", "back", "up", "forth", "off", "again", "also", "aloud", "then", "at",
        "last", "once",
    ]

    // MARK: - Before a quotation

    /// Reads the narration right before a quotation.
    ///
    /// - Parameter introduces: whether its last sentence runs on into the quotation.
    func before(_ range: Range<Int>) -> (clause: Clause, introduces: Bool)? {
        guard let last = range.last(where: { text.tokens[$0].isWord }) else { return nil }
        let introduces = !(last + 1..<range.upperBound).contains { isStop($0) }
        let sentence = sentenceStart(last, in: range)..<(last + 1)
        // The last verb of speaking in the sentence.
        var token = last
        while token >= sentence.lowerBound, last - token < 30 {
            if isSpeechVerb(token, weakToo: token == last), !isPassive(token) {
                if var clause = clause(ofVerb: token, in: sentence) {
                    // "Ann said what was proper." does not introduce the words that follow.
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

    func clause(ofVerb verb: Int, in sentence: Range<Int>) -> Clause? {
        // "Then said Alice".
        if let subject = subject(at: verb + 1, in: sentence), !subject.isPossessive,
            verb == sentence.lowerBound
                || !isNominal(verb - 1), isSubjectForm(verb + 1)
        {
            // "Alice asked Tom": Tom is the object if something precedes the verb.
            if verb - sentence.lowerBound <= 2, subjectEnding(at: verb, in: sentence) == nil {
                return Clause(
                    subject: subject.subject, position: verb + 1, manner: .tag, verb: verb)
            }
        }
        if let adjacent = subjectEnding(at: verb, in: sentence) {
            return Clause(
                subject: adjacent.subject, position: adjacent.position, manner: .tag,
                verb: verb)
        }
        guard let leading = leadingSubject(in: sentence.lowerBound..<verb) else { return nil }
        return Clause(
            subject: leading.subject, position: leading.position,
            manner: leading.isPossessive ? .possessive : .distant,
            verb: verb)
    }

    /// The subject right before a verb, skipping "had", "then", "slowly".
    func subjectEnding(
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

}
