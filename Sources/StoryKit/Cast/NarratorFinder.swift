/// Finds out whether somebody tells the story as "I", and by what name others call them.
struct NarratorFinder {
    private let text: StoryText

    struct Narrator {
        /// An index among the persons, where a name was found.
        var person: Int?
        var gender: StoryCharacter.Gender?
    }

    init(_ text: StoryText) { self.text = text }

    func find(among persons: [CastPerson], _ forms: [NameForm]) -> Narrator? {
        guard isFirstPerson else { return nil }
        // Others call the narrator by a name that the narration itself does not use.
        let called = persons.indices.max { score(persons[$0]) < score(persons[$1]) }
        guard let called, score(persons[called]) > 0 else { return Narrator() }
        return Narrator(person: called)
    }

    private func score(_ person: CastPerson) -> Int {
        guard !person.isRole, isName(person) else { return 0 }
        return person.tally.vocative - person.tally.narrated * 3
            - person.tally.speech * 20
    }

    /// Whether a title or a table says so, or a capital inside a sentence.
    private func isName(_ person: CastPerson) -> Bool {
        if !person.titles.isEmpty || person.last != nil { return true }
        guard let first = person.first else { return false }
        return !text.vocabulary.classes(of: first).isDisjoint(with: [.maleName, .femaleName])
            || person.tally.vocative > 1
    }

    /// "I" in the narration, often: one word in two hundred and fifty.
    private var isFirstPerson: Bool {
        var words = 0
        var first = 0
        for token in text.tokens where !token.flags.contains(.inQuotation) && token.isWord {
            words += 1
            let known = text.vocabulary.classes(of: token.word)
            if known.contains(.firstPerson) { first += 1 }
        }
        return first >= 2 && first * 250 >= words
    }
}
