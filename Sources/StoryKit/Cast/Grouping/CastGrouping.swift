/// Groups the forms of a name that mean one person: "Mr. Darcy", "Darcy" and "Fitzwilliam
/// Darcy", but not Mr. Bennet and Mrs. Bennet, nor Jane Bennet and Elizabeth Bennet.
///
/// The clearest forms come first: full names, then a title with a name, then single words,
/// then nouns. Two forms that often share a sentence are two people.
struct CastGrouping {
    var persons: [CastPerson] = []
    let forms: [NameForm]
    let vocabulary: StoryVocabulary
    /// Number of tokens of the story.
    let tokens: Int
    let names: NameVariants
    let together: SentenceMates
    let pronouns: PronounShare
    var byFirst: [Int32: [Int]] = [:]
    var byLast: [Int32: [Int]] = [:]
    /// Number of times that a word ends a full name or follows "Mr.".
    var surnames: [Int32: Int] = [:]
    /// Number of times that a word ends a full name.
    var lastNames: [Int32: Int] = [:]
    let married: Set<Int32>
    let unmarried: Int32?
    let mister: Set<Int32>
    let ladies: Set<Int32>
    let particles: Set<Int32>

    init(_ forms: [NameForm], _ text: StoryText, _ together: SentenceMates) {
        self.forms = forms
        self.together = together
        pronouns = PronounShare(text)
        vocabulary = text.vocabulary
        tokens = text.tokens.count
        names = NameVariants(text.vocabulary)
        let id = text.vocabulary.id(of:)
        married = Set(["mrs", "mme", "madame", "frau"].compactMap(id))
        unmarried = id("miss")
        particles = Set(["van", "von", "de", "du", "d'", "le", "la"].compactMap(id))
        ladies = Set(["lady", "dame"].compactMap(id))
        mister = Set(["mr", "mister", "m", "monsieur", "herr"].compactMap(id))
        countSurnames()
        // Most frequent first, so that the others are compared with it.
        let order = forms.indices.sorted {
            (forms[$1].tally.count, $0) < (forms[$0].tally.count, $1)
        }
        let named = order.filter { !forms[$0].isDefinite }
        let bare = named.filter { isOneName(forms[$0]) && forms[$0].title == nil }
        for form in named where !isOneName(forms[form]) { addFull(form) }
        for form in named where isTitledFirst(form) { addTitledFirst(form) }
        let surnamed = bare.filter { !addFirst($0) }
        let titled = named.filter(isTitledLast)
        for form in titled where !isWife(forms[form].title) { addTitledLast(form) }
        for form in titled where isWife(forms[form].title) { addTitledLast(form) }
        var nouns: [Int] = []
        for form in surnamed {
            // "Queen" alone is "the Queen".
            if classes(forms[form].words[0]).isDisjoint(with: [.title, .kin]) {
                addBare(form)
            } else {
                nouns.append(form)
            }
        }
        for form in order where forms[form].isDefinite && !forms[form].isCommonNoun {
            addDefinite(form)
        }
        for form in nouns { addDefinite(form) }
        for form in order where forms[form].isCommonNoun { addDefinite(form) }
    }

    mutating func countSurnames() {
        for form in forms where !form.isDefinite {
            if !isOneName(form) {
                surnames[form.words[form.words.count - 1], default: 0] += form.tally.count
                lastNames[form.words[form.words.count - 1], default: 0] += form.tally.count
            } else if let title = form.title, mister.contains(title) || married.contains(title) {
                surnames[form.words[form.words.count - 1], default: 0] += form.tally.count
            }
        }
    }

    // MARK: - Facts about a form or a person

    /// "Darcy", and "Van Weyden".
    func isOneName(_ form: NameForm) -> Bool {
        form.words.count == 1
            || form.words.count == 2 && particles.contains(form.words[0])
    }

    func classes(_ word: Int32) -> WordClass { vocabulary.classes(of: word) }

    /// The gender implied by a title or a first name.
    func gender(title: Int32?, first: Int32?) -> StoryCharacter.Gender? {
        if let title {
            let known = classes(title)
            if !known.isDisjoint(with: [.maleTitle, .maleNoun]) { return .male }
            if !known.isDisjoint(with: [.femaleTitle, .femaleNoun]) { return .female }
        }
        guard let first else { return nil }
        let known = classes(first)
        if known.contains(.maleName) != known.contains(.femaleName) {
            return known.contains(.maleName) ? .male : .female
        }
        return nil
    }

    func gender(of person: CastPerson) -> StoryCharacter.Gender? {
        for title in person.titles {
            if let known = gender(title: title, first: nil) { return known }
        }
        // In a story about a woman, "she" after a man's name often refers to her.
        var male = person.tally.male * pronouns.weightOfMale
        var female = person.tally.female * pronouns.weightOfFemale
        // Officers and doctors in these stories are usually men.
        if person.titles.contains(where: {
            classes($0).contains(.neutralTitle) && classes($0).isDisjoint(with: .endearment)
        }) {
            male += 2
        }
        switch gender(title: nil, first: person.first) {
        case .male: male += 6 + Double(person.tally.count) / 8
        case .female: female += 6 + Double(person.tally.count) / 8
        case nil:
            if let first = person.first, person.titles.isEmpty, !person.isRole {
                if hasEnding(first, Self.femaleEndings) { female += 1 }
                if hasEnding(first, Self.maleEndings) { male += 1 }
            }
        }
        for form in person.forms where forms[form].isDefinite || person.isRole {
            switch nounGender(forms[form].words[forms[form].words.count - 1]) {
            case .male: male += 8
            case .female: female += 8
            case nil: break
            }
        }
        if person.isRole { male += 0.7 }
        // A surname alone usually means a man; it takes more than one "she" to overrule
        // that.
        if person.first == nil, person.titles.isEmpty { male += 0.5 }
        if male > female * 1.4, male > 0.4 { return .male }
        if female > male * 1.4, female > 0.4 { return .female }
        return nil
    }

    /// Endings of female first names that are not in the tables.
    static let femaleEndings: [StaticString] = [
        "a", "elle", "ette", "ine", "ise", "een", "lyn", "chen",
    ]
    static let maleEndings: [StaticString] = [
        "o", "us", "win", "bert", "ald", "mund", "fred", "ric", "old",
    ]

    func hasEnding(_ word: Int32, _ endings: [StaticString]) -> Bool {
        endings.contains { vocabulary.ends(word, in: $0) }
    }

    func agrees(_ person: Int, _ gender: StoryCharacter.Gender?) -> Bool {
        guard let gender, let known = self.gender(of: persons[person]) else { return true }
        return gender == known
    }

    /// Whether both often occur in one sentence, as "Mr. Musgrove and Charles Musgrove".
    func areApart(_ person: Int, _ form: Int) -> Bool {
        var count = 0
        for known in persons[person].forms { count += together.count(known, form) }
        let smaller = min(persons[person].tally.narrated, forms[form].tally.narrated)
        return count > 2 && count * 6 > smaller
    }

    // MARK: - Putting together

    mutating func new(
        _ form: Int, first: Int32? = nil, last: Int32? = nil, isRole: Bool = false
    ) {
        var person = CastPerson(first: first, last: last, isRole: isRole)
        person.take(form, forms[form])
        persons.append(person)
        if let first { byFirst[first, default: []].append(persons.count - 1) }
        if let last { byLast[last, default: []].append(persons.count - 1) }
    }

    mutating func merge(_ form: Int, into person: Int) {
        persons[person].take(form, forms[form])
    }

    /// The owner of a surname that several share: the one that stands out, otherwise the
    /// only one not called by the first name alone. "Holmes" is not Mycroft.
    func bearer(_ candidates: [Int], of form: Int) -> Int? {
        if let person = best(candidates, for: form) { return person }
        let distant = candidates.filter { person in
            !persons[person].forms.contains {
                forms[$0].title == nil && forms[$0].words == [persons[person].first ?? -1]
            }
        }
        return distant.count == 1 ? best(distant, for: form) : nil
    }

    /// The candidate that stands out, or nil.
    func best(_ candidates: [Int], for form: Int) -> Int? {
        // A single word often occurs beside the full name.
        let isWord = forms[form].title == nil && forms[form].words.count == 1
        let fitting =
            isWord && candidates.count == 1 ? candidates : candidates.filter { !areApart($0, form) }
        guard
            let first = fitting.max(by: {
                persons[$0].tally.count < persons[$1].tally.count
            })
        else { return nil }
        let rest = candidates.filter { $0 != first }.map { persons[$0].tally.count }.max() ?? 0
        return persons[first].tally.count >= rest * 2 ? first : nil
    }

}

/// The weight of "he" and "she" after a name in a text that uses one of them more.
struct PronounShare {
    private(set) var weightOfMale = 1.0
    private(set) var weightOfFemale = 1.0

    init(_ text: StoryText) {
        var (male, female) = (5.0, 5.0)
        for token in text.tokens where !token.flags.contains(.inQuotation) {
            let known = text.vocabulary.classes(of: token.word)
            if known.contains(.malePronoun) { male += 1 }
            if known.contains(.femalePronoun) { female += 1 }
        }
        // Discount only part of the surplus: most pronouns refer to the person named.
        weightOfMale = min(1, max(0.3, (female / male).squareRoot()))
        weightOfFemale = min(1, max(0.3, (male / female).squareRoot()))
    }
}
