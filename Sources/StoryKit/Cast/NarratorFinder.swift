/// Finds whether the story has a first-person narrator, and the narrator's name.
struct NarratorFinder {
    private let text: StoryText
    /// Whether the narration says "I".
    let isFirstPerson: Bool

    init(_ text: StoryText) {
        self.text = text
        // "I" in the narration, often: one word in two hundred and fifty.
        var words = 0
        var first = 0
        for token in text.tokens where !token.flags.contains(.inQuotation) && token.isWord {
            words += 1
            if text.vocabulary.classes(of: token.word).contains(.firstPerson) { first += 1 }
        }
        isFirstPerson = first >= 2 && first * 250 >= words
    }

    /// The person who narrates, if a name was found.
    func find(among persons: [CastPerson]) -> Int? {
        let named = persons.indices.filter { !persons[$0].isRole && isName(persons[$0]) }
        let called = named.max { score(persons[$0].tally) < score(persons[$1].tally) }
        return called.flatMap { score(persons[$0].tally) > 0 ? $0 : nil }
    }

    /// Scores a name: others address the narrator by a name that the narration itself
    /// hardly uses, and speak to him more than about him.
    private func score(_ tally: NameForm.Tally) -> Int {
        tally.vocative * 3 - tally.spoken - tally.narrated * 3 - tally.speech * 20
    }

    /// Whether a title, a surname or a table shows that it is a name, or others use it in
    /// address.
    private func isName(_ person: CastPerson) -> Bool {
        // "Mr. Gardener" is the gardener.
        if let last = person.last, text.vocabulary.classes(of: last).isPersonNoun { return false }
        if !person.titles.isEmpty || person.last != nil { return true }
        guard let first = person.first else { return false }
        return !text.vocabulary.classes(of: first).isDisjoint(with: [.maleName, .femaleName])
            || person.tally.vocative > 1
    }
}
