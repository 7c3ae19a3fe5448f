/// Removes the narration from speech that begins with a dash and has no closing mark, and from
/// French speech in marks: "— Oui, dit Jean. Demain.", « Oui, dit Jean. » Pure.
///
/// Such a clause starts with its verb, in lowercase, after a comma or a stop, and its
/// subject follows the verb; it ends with its sentence, or with the comma after its
/// subject.
struct InsertedClauses {
    private let tokens: [StoryToken]
    private let vocabulary: StoryVocabulary

    init(tokens: [StoryToken], _ vocabulary: StoryVocabulary, readsMarks: Bool) {
        self.readsMarks = readsMarks
        self.tokens = tokens
        self.vocabulary = vocabulary
    }

    /// The speech without narration; a speech with such clauses becomes several.
    func cutOut(of quotations: [StorySpan]) -> [StorySpan] {
        var token = 0
        return quotations.flatMap { span -> [StorySpan] in
            while token < tokens.count, tokens[token].start < span.range.lowerBound { token += 1 }
            guard token < tokens.count,
                dashes.contains(text(token)) || readsMarks && text(token) == "«"
            else { return [span] }
            return pieces(of: span, from: token)
        }
    }

    private let dashes: Set<String> = ["—", "–", "--", "―"]
    /// Whether speech in marks has such clauses too.
    let readsMarks: Bool

    private func pieces(of span: StorySpan, from first: Int) -> [StorySpan] {
        var pieces: [StorySpan] = []
        var start = span.range.lowerBound
        func speak(until end: Int) {
            guard start < end, pieces.isEmpty || hasWords(start..<end, from: first) else { return }
            pieces.append(
                StorySpan(
                    range: start..<end, kind: .quotation, paragraph: span.paragraph,
                    continues: pieces.isEmpty && span.continues))
        }
        // Speech in marks seldom ends with such a clause.
        let goingOn: Set<String> = text(first) == "«" ? ["qui", "en"] : Self.goingOn
        var index = first + 1
        while index < tokens.count, tokens[index].end <= span.range.upperBound {
            guard isClause(at: index) else {
                index += 1
                continue
            }
            speak(until: Int(tokens[index - 1].end))
            index = end(of: index, in: span, goingOn)
            start = index < tokens.count ? Int(tokens[index].start) : span.range.upperBound
        }
        speak(until: span.range.upperBound)
        return pieces
    }

    private func hasWords(_ range: Range<Int>, from first: Int) -> Bool {
        tokens[first...].contains { $0.isWord && range.contains(Int($0.start)) }
    }

    // MARK: - One clause

    private static let before: Set<String> = [",", "?", "!", "…", "."]

    private func isClause(at index: Int) -> Bool {
        guard Self.before.contains(text(index - 1)), tokens[index].isWord,
            !tokens[index].isCapitalized, index + 1 < tokens.count
        else { return false }
        var verb = classes(index)
        var subject = index + 1
        while subject < min(index + 5, tokens.count - 1), Self.phrase.contains(text(subject)) {
            subject += 1
            // "finit par dire Jean" counts as "dit Jean".
            if verb.contains(.weakSpeechVerb) { verb.insert(.speechVerb) }
        }
        let isPronoun = classes(subject).contains(.subjectPronoun)
        if isPronoun { return !verb.isDisjoint(with: [.speechVerb, .weakSpeechVerb]) }
        return verb.contains(.speechVerb) && names(from: subject)
    }

    /// Words allowed between a French verb and its subject: "fit remarquer Jean", "se
    /// contenta de lui répondre Marthe", "laissa tomber la vieille dame".
    static let phrase: Set<String> = [
        "ajouter", "annoncer", "avouer", "comprendre", "conclure", "confier", "constater",
        "contenta", "contentait", "crier", "demander", "devoir", "dire", "déclarer", "entendre",
        "expliquer", "glisser", "insister", "lancer", "murmurer", "objecter", "observer",
        "prévenir", "remarquer", "reprendre", "répliquer", "répondre", "répéter", "savoir",
        "souffler", "soupirer", "tomber", "valoir", "échapper", "s'écrier", "s'exclamer", "par",
        "de", "d'", "à", "lui", "leur", "s'enquérir",
    ]

    /// "Jean", "alors Marthe", "la vieille dame"; not "la paix".
    private func names(from index: Int) -> Bool {
        for place in index..<min(index + 4, tokens.count) {
            guard tokens[place].isWord else { return false }
            if tokens[place].isCapitalized { return true }
            let kinds = classes(place)
            if place > index, !kinds.isDisjoint(with: .roleNoun.union(.kin)) { return true }
            guard
                !kinds.isDisjoint(with: [.determiner, .adverb, .endearment, .neutralTitle])
                    || !kinds.isDisjoint(with: .title)
            else { return false }
        }
        return false
    }

    /// Words that continue the narration after a comma.
    private static let goingOn: Set<String> = [
        "en", "qui", "avec", "sans", "tout", "toute", "d'", "puis", "les", "le", "la", "l'",
        "sur", "dans", "et", "comme", "à", "au", "un", "une", "son", "sa", "ses", "tandis", "se",
        "und", "als", "während", "ohne", "indem", "wobei", "mit",
    ]

    /// The token where the speech resumes.
    private func end(of start: Int, in span: StorySpan, _ goingOn: Set<String>) -> Int {
        var index = start + 1
        while index < tokens.count, tokens[index].end <= span.range.upperBound {
            defer { index += 1 }
            let sign = text(index)
            if [".", "!", "?", "…", ":"].contains(sign), index > start + 1 { return index + 1 }
            if sign == "«" || dashes.contains(sign) { return index }
            if sign == ",", index + 1 < tokens.count, !goingOn.contains(text(index + 1)) {
                return index + 1
            }
        }
        return index
    }

    private func text(_ index: Int) -> String { vocabulary.text(of: tokens[index].word) }
    private func classes(_ index: Int) -> WordClass { vocabulary.classes(of: tokens[index].word) }
}
