/// Evidence beside a mention: a verb of saying, a pronoun, a comma of address.
struct MentionEvidence {
    private let text: StoryText
    private let mentions: [NameMention]
    private let reflexives: Set<Int32>
    private let objects: Set<Int32>
    private let possessives: Set<Int32>
    /// Whether each word ends in "ed", as most verbs of narration do.
    private let isPast: [Bool]

    init(_ text: StoryText, _ mentions: [NameMention]) {
        self.text = text
        self.mentions = mentions
        func ids(_ words: [String]) -> Set<Int32> {
            Set(words.compactMap(text.vocabulary.id(of:)))
        }
        let endsInEd = text.isEnglish
        isPast = (0..<Int32(text.vocabulary.count)).map {
            endsInEd && text.vocabulary.ends($0, in: "ed")
        }
        reflexives = ids(["himself", "herself"])
        objects = ids(["him", "ihm", "ihn", "ihr", "ihnen", "lui"])
        possessives = ids(["his", "her", "sein", "seine", "ihre"])
    }

    /// Adds the evidence of a mention to the tally of its form.
    func add(_ number: Int, to tally: inout NameForm.Tally) {
        let mention = mentions[number]
        if mention.isSpoken {
            tally.spoken += 1
            if isVocative(mention) { tally.vocative += 1 }
        } else {
            tally.narrated += 1
            if saysSomething(mention) {
                tally.speech += 1
            } else if isSubject(mention) {
                tally.human += 1
            }
        }
        if let before = word(before: mention) {
            if classes(before).contains(.placePreposition) { tally.placed += 1 }
            // "her sister Jane", "our cousin Philip".
            if !text.tokens[before].isCapitalized, classes(before).contains(.kin) {
                if classes(before).contains(.maleNoun) { tally.male += 2 }
                if classes(before).contains(.femaleNoun) { tally.female += 2 }
            }
        }
        addPronoun(after: number, to: &tally)
    }

    private func classes(_ token: Int) -> WordClass {
        text.vocabulary.classes(of: text.tokens[token].word)
    }

    private func isWord(_ token: Int, spoken: Bool) -> Bool {
        text.tokens.indices.contains(token) && text.tokens[token].isWord
            && text.tokens[token].flags.contains(.inQuotation) == spoken
    }

    private func word(before mention: NameMention) -> Int? {
        let before = mention.tokens.lowerBound - 1
        return isWord(before, spoken: mention.isSpoken) ? before : nil
    }

    // MARK: - Saying and doing

    /// "said Alice", "Alice said", "Alice then said".
    private func saysSomething(_ mention: NameMention) -> Bool {
        guard !mention.isPossessive else { return false }
        let after = mention.tokens.upperBound
        if isWord(after, spoken: false) {
            if classes(after).contains(.speechVerb) { return true }
            if classes(after).contains(.adverb), isWord(after + 1, spoken: false),
                classes(after + 1).contains(.speechVerb)
            {
                return true
            }
        }
        guard let before = word(before: mention), classes(before).contains(.speechVerb) else {
            return false
        }
        // The verb follows the quotation or a comma, so it has no other subject.
        return !isWord(before - 1, spoken: false)
    }

    /// "Alice looked", "Alice's face".
    private func isSubject(_ mention: NameMention) -> Bool {
        let after = mention.tokens.upperBound + (mention.isPossessive ? 1 : 0)
        guard isWord(after, spoken: false) else { return false }
        return mention.isPossessive
            ? classes(after).contains(.humanNoun)
            : classes(after).contains(.weakSpeechVerb)
                || isPast[Int(text.tokens[after].word)]
    }

    /// "Come, Alice!", "Alice, come", "my dear Alice".
    private func isVocative(_ mention: NameMention) -> Bool {
        guard !mention.isPossessive else { return false }
        var before = mention.tokens.lowerBound - 1
        while isWord(before, spoken: true), classes(before).contains(.endearment) { before -= 1 }
        guard !isWord(before, spoken: true) else { return false }
        let after = mention.tokens.upperBound
        guard !isWord(after, spoken: true) else { return false }
        let next = mark(after)
        // At the start of a quotation before a comma, or after a comma at an end.
        return mark(before) == UInt8(ascii: ",") || next == UInt8(ascii: ",")
            || next == UInt8(ascii: "!")
    }

    /// The first byte of a token of punctuation.
    private func mark(_ token: Int) -> UInt8? {
        guard text.tokens.indices.contains(token), !text.tokens[token].isWord else { return nil }
        return text.bytes[Int(text.tokens[token].start)]
    }

    // MARK: - Gender

    /// The first pronoun after a name, before another name and the end of the next
    /// sentence, usually refers to it.
    private func addPronoun(after number: Int, to tally: inout NameForm.Tally) {
        let mention = mentions[number]
        let next = number + 1 < mentions.count ? mentions[number + 1].tokens.lowerBound : Int.max
        let end = min(mention.tokens.upperBound + 30, next, text.tokens.count)
        var weight = mention.isSpoken ? 0.5 : 1
        if let before = word(before: mention), classes(before).contains(.preposition) {
            weight *= 0.4
        }
        var sentences = 0
        var token = mention.tokens.upperBound
        while token < end {
            let word = text.tokens[token]
            guard word.flags.contains(.inQuotation) == mention.isSpoken else { return }
            if word.isWord {
                if word.flags.contains(.startsSentence) {
                    sentences += 1
                    // Only the subject of the next sentence.
                    guard sentences < 2, classes(token).contains(.subjectPronoun) else { return }
                    weight *= 0.7
                }
                let known = classes(token)
                let isMale = known.contains(.malePronoun)
                if isMale || known.contains(.femalePronoun) {
                    guard !objects.contains(word.word) else { return }
                    if reflexives.contains(word.word) { weight *= 3 }
                    if possessives.contains(word.word) { weight *= 0.7 }
                    if isMale { tally.male += weight } else { tally.female += weight }
                    return
                }
            }
            token += 1
        }
    }
}
