/// Groups the quotations of a text into utterances, each with the narration beside it and
/// the characters it addresses.
struct UtteranceFinder {
    private let text: StoryText
    private let index: CastIndex
    private let reader: ClauseReader

    init(_ text: StoryText, _ index: CastIndex) {
        self.text = text
        self.index = index
        reader = ClauseReader(text: text, index: index)
    }

    func utterances() -> [Utterance] {
        var found: [Utterance] = []
        var span = 0
        var toldSince = 0
        var paragraphsTold = 0
        var wordsTold = 0
        while span < text.spans.count {
            let paragraph = text.spans[span].paragraph
            var end = span
            while end < text.spans.count, text.spans[end].paragraph == paragraph { end += 1 }
            let own = utterances(in: span..<end)
            let tokens = text.spanTokens[span].lowerBound..<text.spanTokens[end - 1].upperBound
            if own.isEmpty {
                if !tokens.isEmpty { paragraphsTold += 1 }
                wordsTold += tokens.count
            }
            for (number, utterance) in own.enumerated() {
                var utterance = utterance
                if number == 0, text.spans[utterance.spans[0]].continues, !found.isEmpty,
                    !splits([], utterance.beside, found)
                {
                    found[found.count - 1].goOn(with: utterance)
                    toldSince = toldAfter(found[found.count - 1])
                    continue
                }
                if number > 0 {
                    utterance.gap = .paragraph
                } else if found.isEmpty || wordsTold > 700 || paragraphsTold > 12 {
                    utterance.gap = .scene
                } else {
                    utterance.gap =
                        paragraphsTold == 0 ? .adjacent : paragraphsTold < 3 ? .short : .long
                }
                let start = text.spanTokens[utterance.spans[0]].lowerBound
                utterance.toldBefore = toldSince..<max(start, toldSince)
                introduce(&utterance, paragraph: text.paragraphs[paragraph])
                toldSince = toldAfter(utterance)
                found.append(utterance)
                paragraphsTold = 0
                wordsTold = 0
            }
            span = end
        }
        return found
    }

    // MARK: - One paragraph

    private func utterances(in spans: Range<Int>) -> [Utterance] {
        let quotations = spans.filter { text.spans[$0].kind == .quotation }
        guard !quotations.isEmpty else { return [] }
        var besides: [[Utterance.Beside]] = quotations.map { _ in [] }
        for (number, quotation) in quotations.enumerated() {
            let before = told(quotation - 1, in: spans)
            let after = told(quotation + 1, in: spans)
            if let before, let read = reader.before(before) {
                // A clause that ends the previous quotation does not introduce this one.
                let isTaken =
                    besides[..<number].last?.contains {
                        $0.place == .after && $0.clause.position == read.clause.position
                    } ?? false
                if !isTaken {
                    besides[number].append(
                        .init(clause: read.clause, place: .before, isJoined: read.introduces))
                }
            }
            if let after, let clause = reader.after(after) {
                let isJoined = isJoined(quotation, to: after)
                // "…." But the cat said, "…": the introduction of the next quotation does
                // not belong to this one.
                if isJoined || !introducesNext(after, quotation, in: spans) {
                    besides[number].append(
                        .init(clause: clause, place: .after, isJoined: isJoined))
                }
            }
        }
        var found: [Utterance] = []
        for (number, quotation) in quotations.enumerated() {
            if number > 0, !splits(besides[number - 1], besides[number], found) {
                found[found.count - 1].spans.append(quotation)
                found[found.count - 1].beside += besides[number]
            } else {
                found.append(
                    Utterance(
                        spans: [quotation], beside: besides[number], toldBefore: 0..<0,
                        tokens: 0..<0))
            }
        }
        for number in found.indices {
            let start = text.spanTokens[found[number].spans[0]].lowerBound
            let end =
                number + 1 < found.count
                ? text.spanTokens[found[number + 1].spans[0]].lowerBound
                : text.spanTokens[spans.upperBound - 1].upperBound
            found[number].tokens = start..<end
            readSpeech(&found[number])
            readTurn(&found[number])
        }
        return found
    }

    /// The narration in a span beside a quotation.
    private func told(_ span: Int, in spans: Range<Int>) -> Range<Int>? {
        guard spans.contains(span), text.spans[span].kind == .narration else { return nil }
        return text.spanTokens[span].isEmpty ? nil : text.spanTokens[span]
    }

    /// Whether the narration is one sentence that runs on into a quotation.
    private func introducesNext(
        _ told: Range<Int>, _ quotation: Int, in spans: Range<Int>
    ) -> Bool {
        quotation + 2 < spans.upperBound && text.spans[quotation + 2].kind == .quotation
            && !told.contains { reader.isStop($0) && !reader.isAbbreviation($0) }
            && reader.before(told)?.clause.manner == .tag
    }

    /// Whether the narration after a quotation continues its sentence: "…," said she.
    private func isJoined(_ quotation: Int, to after: Range<Int>) -> Bool {
        let tokens = text.spanTokens[quotation]
        if tokens.count > 1 {
            let last = text.tokens[tokens.upperBound - 2]
            if !last.isWord, text.bytes[Int(last.start)] == UInt8(ascii: ",") { return true }
        }
        guard let first = after.first.map({ text.tokens[$0] }) else { return false }
        // German and French write the comma after the mark: „…“, sagte sie.
        return first.isWord
            ? !first.isCapitalized : text.bytes[Int(first.start)] == UInt8(ascii: ",")
    }

    /// Whether the narration assigns two quotations of a paragraph to two characters.
    private func splits(
        _ earlier: [Utterance.Beside], _ later: [Utterance.Beside], _ found: [Utterance]
    ) -> Bool {
        let known = (found.last?.beside ?? []) + earlier
        guard let one = known.last(where: { $0.clause.manner == .tag }),
            let other = later.first(where: { $0.clause.manner >= .distant && $0.isJoined })
        else { return false }
        guard other.clause.position > one.clause.position else { return false }
        // She said: "…" But the cat said: "…"
        if one.place == .before, other.place == .before, other.clause.manner == .tag,
            case .character(let named) = other.clause.subject,
            one.clause.subject != .character(named)
        {
            return true
        }
        switch (one.clause.subject, other.clause.subject) {
        case (.character(let a), .character(let b)): return a != b
        case (.pronoun(let a), .pronoun(let b)): return a != b
        case (.character(let a), .pronoun(let gender)), (.pronoun(let gender), .character(let a)):
            return index.genders[a].map { $0 != gender } ?? false
        case (.narrator, .narrator), (.several, _), (_, .several): return false
        case (.narrator, _), (_, .narrator): return true
        case (.other, .other(_, _)): return other.place == .before
        case (.other(_, let gender), .pronoun(let other)),
            (.pronoun(let other), .other(_, let gender)):
            return gender.map { $0 != other } ?? false
        case (.other(_, let gender), .character(let a)), (.character(let a), .other(_, let gender)):
            // "…," said Mrs. Elton. "…," added her husband.
            if let gender, let known = index.genders[a], gender != known { return true }
            return other.place == .before
        }
    }

    // MARK: - The narration before

    /// Start of the narration that belongs to the next utterance: after the sentence that
    /// names this one's speaker.
    private func toldAfter(_ utterance: Utterance) -> Int {
        guard let last = utterance.spans.last else { return utterance.tokens.upperBound }
        var token = text.spanTokens[last].upperBound
        let tags = utterance.beside.contains {
            $0.place == .after && $0.clause.manner >= .distant && $0.clause.position >= token
        }
        guard tags else { return token }
        while token < utterance.tokens.upperBound {
            if reader.isStop(token), token + 1 < utterance.tokens.upperBound,
                text.tokens[token + 1].flags.contains(.startsSentence)
            {
                return token + 1
            }
            token += 1
        }
        return utterance.tokens.upperBound
    }

    /// A paragraph that ends with a colon introduces the next one.
    private func introduce(_ utterance: inout Utterance, paragraph: Range<Int>) {
        let told = utterance.toldBefore
        let startsParagraph =
            text.spans[utterance.spans[0]].range.lowerBound == paragraph.lowerBound
        if startsParagraph, let last = told.last, !text.tokens[last].isWord,
            [UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "-")]
                .contains(text.bytes[Int(text.tokens[last].start)])
                || text.tokens[last].end - text.tokens[last].start == 3,
            !text.tokens[last].flags.contains(.inQuotation),
            let read = reader.before(told)
        {
            utterance.beside.insert(
                .init(clause: read.clause, place: .before, isJoined: true), at: 0)
        } else if startsParagraph || utterance.beside.first?.place != .before {
            if case .character(let character) = reader.lastSubject(of: told) {
                utterance.precedingSubject = character
            }
        }
    }

    // MARK: - Inside of the quotations

    /// Finds the characters that an utterance addresses, and those it is about.
    private func readSpeech(_ utterance: inout Utterance) {
        for span in utterance.spans {
            let tokens = text.spanTokens[span]
            var token = tokens.lowerBound
            while token < tokens.upperBound {
                if let mention = index.mention(at: token) {
                    if addresses(mention.tokens, in: tokens) {
                        utterance.addressed.append(mention.character)
                    } else {
                        utterance.mentioned.append(mention.character)
                    }
                    token = mention.tokens.upperBound
                    continue
                }
                token += 1
            }
        }
    }

    /// Finds whose turn it is: by "replied" and "continued", and by a question.
    private func readTurn(_ utterance: inout Utterance) {
        // "Continued" after the first words of an utterance is no evidence about turns.
        if let verb = utterance.beside.first?.clause.verb {
            let classes = text.vocabulary.classes(of: text.tokens[verb].word)
            if classes.contains(.reply) { utterance.turn = .reply }
            if classes.contains(.continuation) { utterance.turn = .goesOn }
        }
        if let last = utterance.spans.last {
            let tokens = text.spanTokens[last]
            utterance.isQuestion = tokens.suffix(3).contains {
                text.bytes[Int(text.tokens[$0].start)] == UInt8(ascii: "?")
            }
        }
    }

    /// Whether a name is set off on both sides, as in an address.
    private func addresses(_ name: Range<Int>, in quotation: Range<Int>) -> Bool {
        var before = name.lowerBound - 1
        // "my dear Jane", "O Mouse", "Miss".
        while before > quotation.lowerBound, text.tokens[before].isWord,
            !text.vocabulary.classes(of: text.tokens[before].word)
                .isDisjoint(with: [.endearment, .title])
                || [
                    "o", "oh", "ah", "well", "yes", "no", "now", "why", "and", "but", "come",
                    "hush",
                ]
                .contains(text.vocabulary.text(of: text.tokens[before].word))
        { before -= 1 }
        if before > quotation.lowerBound {
            guard !text.tokens[before].isWord else { return false }
            // The period of "Mr."
            guard before + 1 == name.lowerBound || !text.tokens[before].isWord else { return false }
        }
        let after = name.upperBound
        guard after < quotation.upperBound else { return true }
        guard !text.tokens[after].isWord else { return false }
        let byte = text.bytes[Int(text.tokens[after].start)]
        guard byte != UInt8(ascii: ")") else { return false }
        // "Tom, Dick, and Harry" are spoken about.
        if after + 1 < quotation.upperBound, index.mention(at: after + 1) != nil { return false }
        // "It was Tom." is not an address: the word before is not set off.
        return before <= quotation.lowerBound || byte != UInt8(ascii: "'")
    }
}
