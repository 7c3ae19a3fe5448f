/// Finds sentence boundaries, and classifies the words of a clause.
extension ClauseReader {
    func isSpeechVerb(_ token: Int, weakToo: Bool) -> Bool {
        guard token >= 0, token < text.tokens.count, text.tokens[token].isWord,
            index.mentionOfToken[token] < 0
        else { return false }
        let classes = text.vocabulary.classes(of: text.tokens[token].word)
        return classes.contains(.speechVerb) || (weakToo && classes.contains(.weakSpeechVerb))
    }

    /// Whether a verb of speaking is passive: in "I was asked", its subject does not speak.
    func isPassive(_ verb: Int) -> Bool {
        guard verb > 0, text.tokens[verb - 1].isWord else { return false }
        let range = text.tokens[verb].range
        let isParticiple = text.bytes[range.upperBound - 1] != UInt8(ascii: "g")
        return isParticiple
            && ["was", "were", "is", "are", "been", "being", "be"].contains(
                text.vocabulary.text(of: text.tokens[verb - 1].word))
    }

    func isNominal(_ token: Int) -> Bool {
        token >= 0
            && (index.mentionOfToken[token] >= 0
                || !text.vocabulary.classes(of: text.tokens[token].word).isDisjoint(with: [
                    .subjectPronoun, .roleNoun,
                ]))
    }

    func isSubjectForm(_ token: Int) -> Bool {
        token < text.tokens.count
            && (index.mentionOfToken[token] >= 0
                || !text.vocabulary.classes(of: text.tokens[token].word).isDisjoint(with: [
                    .subjectPronoun, .determiner, .title, .endearment,
                ])
                || text.tokens[token].isCapitalized)
    }

    func firstWord(in range: Range<Int>) -> Int? {
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

    /// Whether the token is a period, an exclamation or a question mark that ends a
    /// sentence.
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

    func endsSentence(_ token: Int, in range: Range<Int>) -> Bool {
        guard isStop(token) else { return false }
        return token + 1 >= range.upperBound || !text.tokens[token + 1].isWord
            || text.tokens[token + 1].flags.contains(.startsSentence)
    }

    func sentenceEnd(_ start: Int, in range: Range<Int>) -> Int {
        (start..<max(start, range.upperBound)).dropFirst().first { endsSentence($0, in: range) }
            ?? range.upperBound
    }

    func sentenceStart(_ last: Int, in range: Range<Int>) -> Int {
        (range.lowerBound..<last).last { endsSentence($0, in: range) }.map { $0 + 1 }
            ?? range.lowerBound
    }

    /// The subject of the last sentence of a stretch of narration.
    func lastSubject(of range: Range<Int>) -> Subject? {
        guard let last = range.last(where: { text.tokens[$0].isWord }) else { return nil }
        let sentence = sentenceStart(last, in: range)..<(last + 1)
        return leadingSubject(in: sentence)?.subject
    }
}
