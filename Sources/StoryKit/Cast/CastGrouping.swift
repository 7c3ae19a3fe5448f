/// Puts the forms of a name together that mean one person: "Mr. Darcy", "Darcy" and
/// "Fitzwilliam Darcy", but not Mr. Bennet and Mrs. Bennet, nor Jane Bennet and
/// Elizabeth Bennet.
///
/// It goes from what tells most to what tells least: full names, a title and a name, one
/// word, a noun. Two forms that stand in one sentence again and again are two people.
struct CastGrouping {
    private(set) var persons: [CastPerson] = []
    private let forms: [NameForm]
    private let vocabulary: StoryVocabulary
    private let names: NameVariants
    private let together: SentenceMates
    private let pronouns: PronounShare
    private var byFirst: [Int32: [Int]] = [:]
    private var byLast: [Int32: [Int]] = [:]
    /// How often a word is the last of a full name or stands behind "Mr.".
    private var surnames: [Int32: Int] = [:]
    /// How often it is the last of a full name.
    private var lastNames: [Int32: Int] = [:]
    private let married: Set<Int32>
    private let unmarried: Int32?
    private let mister: Set<Int32>
    private let ladies: Set<Int32>
    private let particles: Set<Int32>

    init(_ forms: [NameForm], _ text: StoryText, _ together: SentenceMates) {
        self.forms = forms
        self.together = together
        pronouns = PronounShare(text)
        vocabulary = text.vocabulary
        names = NameVariants(text.vocabulary)
        let id = text.vocabulary.id(of:)
        married = Set(["mrs", "mme", "madame", "frau"].compactMap(id))
        unmarried = id("miss")
        particles = Set(["van", "von", "de", "du", "d'", "le", "la"].compactMap(id))
        ladies = Set(["lady", "dame"].compactMap(id))
        mister = Set(["mr", "mister", "m", "monsieur", "herr"].compactMap(id))
        countSurnames()
        // The most frequent first, so that it is who the others are compared with.
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

    private mutating func countSurnames() {
        for form in forms where !form.isDefinite {
            if !isOneName(form) {
                surnames[form.words[form.words.count - 1], default: 0] += form.tally.count
                lastNames[form.words[form.words.count - 1], default: 0] += form.tally.count
            } else if let title = form.title, mister.contains(title) || married.contains(title) {
                surnames[form.words[form.words.count - 1], default: 0] += form.tally.count
            }
        }
    }

    // MARK: - What is known of a form or a person

    /// "Darcy", and "Van Weyden".
    private func isOneName(_ form: NameForm) -> Bool {
        form.words.count == 1
            || form.words.count == 2 && particles.contains(form.words[0])
    }

    private func classes(_ word: Int32) -> WordClass { vocabulary.classes(of: word) }

    /// The gender that a title or a first name tells.
    private func gender(title: Int32?, first: Int32?) -> StoryCharacter.Gender? {
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
        // Where a story is about a woman, "she" after a man's name is often hers.
        var male = person.tally.male * pronouns.weightOfMale
        var female = person.tally.female * pronouns.weightOfFemale
        // Ranks and doctors of these stories are mostly men.
        if person.titles.contains(where: {
            classes($0).contains(.neutralTitle) && classes($0).isDisjoint(with: .endearment)
        }) {
            male += 2
        }
        switch gender(title: nil, first: person.first) {
        case .male: male += 6 + Double(person.tally.count) / 20
        case .female: female += 6 + Double(person.tally.count) / 20
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
        // A surname alone is mostly a man's; it takes more than one "she" to say otherwise.
        if person.first == nil, person.titles.isEmpty { male += 0.5 }
        if male > female * 1.4, male > 0.4 { return .male }
        if female > male * 1.4, female > 0.4 { return .female }
        return nil
    }

    /// How first names end that no table has.
    private static let femaleEndings: [StaticString] = [
        "a", "elle", "ette", "ine", "ise", "een", "lyn", "chen",
    ]
    private static let maleEndings: [StaticString] = [
        "o", "us", "win", "bert", "ald", "mund", "fred", "ric", "old",
    ]

    private func hasEnding(_ word: Int32, _ endings: [StaticString]) -> Bool {
        endings.contains { vocabulary.ends(word, in: $0) }
    }

    private func agrees(_ person: Int, _ gender: StoryCharacter.Gender?) -> Bool {
        guard let gender, let known = self.gender(of: persons[person]) else { return true }
        return gender == known
    }

    /// Whether a sentence often has both, as "Mr. Musgrove and Charles Musgrove".
    private func areApart(_ person: Int, _ form: Int) -> Bool {
        var count = 0
        for known in persons[person].forms { count += together.count(known, form) }
        let smaller = min(persons[person].tally.narrated, forms[form].tally.narrated)
        return count > 2 && count * 6 > smaller
    }

    // MARK: - Putting together

    private mutating func new(
        _ form: Int, first: Int32? = nil, last: Int32? = nil, isRole: Bool = false
    ) {
        var person = CastPerson(first: first, last: last, isRole: isRole)
        person.take(form, forms[form])
        persons.append(person)
        if let first { byFirst[first, default: []].append(persons.count - 1) }
        if let last { byLast[last, default: []].append(persons.count - 1) }
    }

    private mutating func merge(_ form: Int, into person: Int) {
        persons[person].take(form, forms[form])
    }

    /// The one that stands out among several, if any does.
    private func best(_ candidates: [Int], for form: Int) -> Int? {
        // A word alone stands beside the full name often enough.
        let isWord = forms[form].title == nil && forms[form].words.count == 1
        let fitting =
            isWord && candidates.count == 1 ? candidates : candidates.filter { !areApart($0, form) }
        guard
            let first = fitting.max(by: {
                persons[$0].tally.count < persons[$1].tally.count
            })
        else { return nil }
        let rest = fitting.filter { $0 != first }.map { persons[$0].tally.count }.max() ?? 0
        return persons[first].tally.count >= rest * 2 ? first : nil
    }

    /// "Elizabeth Bennet", "Miss Eliza Bennet", "Mrs. John Dashwood".
    private mutating func addFull(_ number: Int) {
        let form = forms[number]
        let (first, last) = (form.words[0], form.words[form.words.count - 1])
        let told = gender(title: form.title, first: nil)
        let name = gender(title: nil, first: first)
        // A woman by her husband's name.
        if let title = form.title, married.contains(title), name == .male {
            new(number, last: last)
            persons[persons.count - 1].asYounger = form.tally.count + 1
            return
        }
        let candidates = (byLast[last] ?? []).filter { person in
            guard let known = persons[person].first else { return false }
            return (known == first || names.mayBeSame(known, first) && !isRank(form.title))
                && agrees(person, told) && titlesAgree(person, form.title)
        }
        if let same = candidates.first(where: { persons[$0].first == first }) ?? candidates.first,
            candidates.count == 1 || persons[same].first == first
        {
            merge(number, into: same)
        } else {
            new(number, first: first, last: last)
        }
        guard let title = form.title, title == unmarried || mister.contains(title) else { return }
        for person in byLast[last] ?? [] where persons[person].forms.contains(number) {
            persons[person].asYounger += form.tally.count
        }
    }

    private func isRank(_ title: Int32?) -> Bool {
        title.map { classes($0).contains(.rank) } ?? false
    }

    /// The gender that a noun tells.
    private func nounGender(_ noun: Int32) -> StoryCharacter.Gender? {
        let known = classes(noun)
        guard known.contains(.maleNoun) != known.contains(.femaleNoun) else { return nil }
        return known.contains(.maleNoun) ? .male : .female
    }

    /// "Sir Thomas Bertram" is not "Tom Bertram".
    private func titlesAgree(_ person: Int, _ title: Int32?) -> Bool {
        guard let title, classes(title).contains(.rank) else { return true }
        return persons[person].titles.isEmpty || persons[person].titles.contains(title)
            || !persons[person].titles.contains { classes($0).contains(.rank) }
    }

    private func isTitledFirst(_ number: Int) -> Bool {
        let form = forms[number]
        guard form.words.count == 1 else { return false }
        let word = form.words[0]
        let isTable = !classes(word).isDisjoint(with: [.maleName, .femaleName])
        guard let title = form.title else { return false }
        // "Mr. Franklin", where there is a Mr. Franklin Blake.
        if mister.contains(title), lastNames[word] == nil {
            return (byFirst[word] ?? []).contains { persons[$0].titles.contains(title) }
        }
        guard surnames[word] == nil, classes(title).contains(.givenTitle) else { return false }
        return byFirst[word] != nil || isTable
            || !names.formal(of: word).isDisjoint(with: byFirst.keys)
    }

    private func isTitledLast(_ number: Int) -> Bool {
        forms[number].title != nil && isOneName(forms[number]) && !isTitledFirst(number)
    }

    /// "Sir Walter", "Lady Catherine", "Aunt Polly", "Miss Eliza".
    private mutating func addTitledFirst(_ number: Int) {
        let form = forms[number]
        let (word, told) = (form.words[0], gender(title: form.title, first: form.words[0]))
        let known = byFirst[word] ?? names.formal(of: word).flatMap { byFirst[$0] ?? [] }
        let candidates = known.filter { agrees($0, told) }
        let same = candidates.filter { persons[$0].titles.contains(form.title ?? -1) }
        if let person = best(same, for: number) ?? best(candidates, for: number) {
            merge(number, into: person)
            if form.title == unmarried { persons[person].asYounger += form.tally.count }
        } else {
            new(number, first: word)
            if form.title == unmarried { persons[persons.count - 1].asYounger = form.tally.count }
        }
    }

    private func isMister(_ surname: Int32) -> Bool {
        forms.contains { form in
            form.words.last == surname && form.title.map(mister.contains) == true
        }
    }

    private func isWife(_ title: Int32?) -> Bool {
        title.map { married.contains($0) || ladies.contains($0) } ?? false
    }

    /// "Mr. Darcy", "Miss Bennet", "Colonel Brandon".
    private mutating func addTitledLast(_ number: Int) {
        let form = forms[number]
        guard let title = form.title else { return }
        let word = form.words[form.words.count - 1]
        let told = gender(title: title, first: nil)
        let isRank = classes(title).contains(.rank)
        // A colonel is no Miss Ruby.
        let isMan = told == nil && classes(title).isDisjoint(with: .endearment)
        var candidates = (byLast[word] ?? []).filter { agrees($0, isMan ? .male : told) }
        // The same title first: "Captain Wentworth" is "Captain Frederick Wentworth".
        let isWife = isWife(title)
        let sameTitle = candidates.filter {
            persons[$0].titles.contains(title) && (isRank || !persons[$0].isYounger(among: 2))
        }
        if mister.contains(title) || title == unmarried {
            // "Miss Bennet" is the eldest: not who is called "Miss Eliza Bennet", nor Mrs.
            let isOnly = candidates.count == 1
            candidates = candidates.filter {
                !persons[$0].isYounger(among: isOnly ? 1 : 2)
                    && persons[$0].titles.isDisjoint(with: ladies)
                    && persons[$0].titles.isDisjoint(with: married)
                    && !persons[$0].titles.contains { classes($0).contains(.rank) }
            }
        } else if isWife {
            candidates = candidates.filter {
                !ladies.contains(title) && !persons[$0].titles.contains(unmarried ?? -1)
                    && !persons[$0].isYounger(among: 2)
                    && self.gender(of: persons[$0]) == .female
            }
        } else if isRank {
            // Where there is a Mr. Crawford as well, Admiral Crawford is another.
            candidates =
                isMister(word)
                ? []
                : candidates.filter { person in
                    persons[person].titles.allSatisfy { !classes($0).contains(.rank) }
                }
        } else {
            // "Dr. Watson" is "Mr. Watson", where there is only one.
            candidates = sameTitle.isEmpty ? candidates : sameTitle
        }
        if isRank || sameTitle.count == 1, let person = best(sameTitle, for: number) {
            merge(number, into: person)
        } else if let person = best(candidates, for: number),
            !isWife || candidates.count == 1
        {
            merge(number, into: person)
        } else {
            new(number, last: word)
        }
    }

    /// "Elizabeth" and "Lizzy", where that is somebody's first name.
    private mutating func addFirst(_ number: Int) -> Bool {
        let word = forms[number].words[0]
        // Who is always called "Lady Catherine" is not "Catherine".
        let firsts = (byFirst[word] ?? []).filter { !isAlwaysTitled($0) }
        if let person = best(firsts, for: number) {
            merge(number, into: person)
            return true
        }
        guard classes(word).isDisjoint(with: .notPerson) else { return false }
        let told = gender(title: nil, first: word)
        let formal = names.formal(of: word)
        let long = formal.flatMap { byFirst[$0] ?? [] }
            .filter { agrees($0, told) && !isAlwaysTitled($0) }
        // "Neddy", whom only others call so, is Ned.
        let called =
            forms[number].tally.narrated > 0 || formal.isEmpty
            ? []
            : persons.indices.filter { person in
                persons[person].first.map { names.mayBeSame($0, word) } == true
                    && agrees(person, told) && !isAlwaysTitled(person)
            }
        if surnames[word] == nil, let person = best(long, for: number) ?? best(called, for: number)
        {
            merge(number, into: person)
            if byFirst[word] == nil { byFirst[word] = [person] }
            return true
        }
        return false
    }

    /// "Darcy", or a first name that nothing else goes with.
    private mutating func addBare(_ number: Int) {
        let word = forms[number].words[forms[number].words.count - 1]
        // A surname alone is mostly a man's.
        let lasts = byLast[word] ?? []
        let men = lasts.filter { gender(of: persons[$0]) != .female }
        let unwed = lasts.filter { persons[$0].titles.isDisjoint(with: married) }
        if let person = best(men, for: number) ?? (men.isEmpty ? best(unwed, for: number) : nil) {
            merge(number, into: person)
            return
        }
        // Beside Mrs. Lapham, "Lapham" is her husband.
        if !lasts.isEmpty {
            new(number, last: word)
            return
        }
        // "Pen" beside a Penelope who has no surname either.
        let short = persons.indices.filter { person in
            persons[person].last == nil && persons[person].titles.isEmpty
                && persons[person].first.map {
                    names.formal(of: $0).contains(word) || names.formal(of: word).contains($0)
                } == true
        }
        if let person = best(short, for: number) {
            merge(number, into: person)
            byFirst[word, default: []].append(person)
        } else {
            new(number, first: word)
        }
    }

    private func isAlwaysTitled(_ person: Int) -> Bool {
        !persons[person].titles.isEmpty
            && persons[person].forms.allSatisfy {
                forms[$0].title.map { title in
                    title != unmarried && !mister.contains(title) && !married.contains(title)
                } ?? false
            }
    }

    /// "the Hatter", "the White Rabbit", "the ferryman".
    private mutating func addDefinite(_ number: Int) {
        let form = forms[number]
        let head = form.words[form.words.count - 1]
        // "Hatter" without the article, or the same noun in small letters.
        if let person = persons.firstIndex(where: { person in
            person.forms.contains {
                forms[$0].words == form.words && forms[$0].title == nil
            }
        }) {
            // "the Elliot pride": a name before a noun.
            guard persons[person].isRole || persons[person].tally.count < form.tally.count else {
                return
            }
            merge(number, into: person)
            persons[person].isRole = true
            return
        }
        // "Mr. Snell, the landlord,".
        let apposed = persons.indices.filter { person in
            !persons[person].isRole && agrees(person, nounGender(head))
                && !areApart(person, number)
                && persons[person].forms.contains { together.areApposed($0, number) }
        }
        if apposed.count == 1, !classes(head).contains(.kin) {
            merge(number, into: apposed[0])
            return
        }
        let heads = persons.indices.filter { person in
            persons[person].isRole
                && persons[person].forms.contains {
                    forms[$0].words.last == head
                        && (forms[$0].words.count == 1 || form.words.count == 1)
                }
        }
        if heads.count == 1, !classes(head).contains(.generic), !areApart(heads[0], number) {
            merge(number, into: heads[0])
            return
        }
        // "the Captain", where one captain has a name.
        let title = names.title(head)
        let titled = persons.indices.filter { person in
            persons[person].titles.contains { names.title($0) == title }
        }
        if form.words.count == 1, classes(head).isDisjoint(with: [.kin, .generic]),
            let person = best(titled, for: number)
        {
            merge(number, into: person)
            return
        }
        new(number, isRole: true)
    }
}

/// How often two forms of names stand in one sentence of the narration.
struct SentenceMates {
    private var counts: [UInt64: Int32] = [:]
    private var apposed: Set<UInt64> = []

    init(_ text: StoryText, _ mentions: [NameMention]) {
        findAppositions(text, mentions)
        var sentence: [Int] = []
        var token = 0
        for mention in mentions where !mention.isSpoken {
            var isNew = false
            while token <= mention.tokens.lowerBound {
                if text.tokens[token].flags.contains(.startsSentence) { isNew = true }
                token += 1
            }
            if isNew { sentence.removeAll(keepingCapacity: true) }
            for other in sentence where other != mention.form {
                counts[Self.key(other, mention.form), default: 0] += 1
            }
            if !sentence.contains(mention.form) { sentence.append(mention.form) }
        }
    }

    /// "the landlord, Mr. Snell," and "the landlord Snell", but not "the cook, Bob and I".
    private mutating func findAppositions(_ text: StoryText, _ mentions: [NameMention]) {
        let (comma, and) = (text.vocabulary.id(of: ","), text.vocabulary.id(of: "and"))
        for (one, other) in zip(mentions, mentions.dropFirst())
        where !one.isSpoken && !other.isSpoken && !one.isPossessive && !other.isPossessive
            && one.tokens.upperBound <= other.tokens.lowerBound
        {
            let gap = one.tokens.upperBound..<other.tokens.lowerBound
            let after = other.tokens.upperBound
            guard after + 1 < text.tokens.count, !gap.isEmpty || !text.tokens[after].isWord,
                gap.isEmpty
                    || gap.count == 1 && text.tokens[gap.lowerBound].word == comma
                        && text.tokens[after].word == comma && text.tokens[after + 1].word != and
                        && text.tokens[
                            one.tokens.lowerBound - 1 < 0 ? 0 : one.tokens.lowerBound - 1
                        ]
                        .word != comma
            else { continue }
            apposed.insert(Self.key(one.form, other.form))
        }
    }

    func areApposed(_ one: Int, _ other: Int) -> Bool { apposed.contains(Self.key(one, other)) }

    private static func key(_ one: Int, _ other: Int) -> UInt64 {
        UInt64(min(one, other)) << 32 | UInt64(max(one, other))
    }

    func count(_ one: Int, _ other: Int) -> Int { Int(counts[Self.key(one, other)] ?? 0) }
}

/// How much "he" and "she" after a name say in a text that has more of one of them.
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
        // Only the surplus counts, and not all of it: most pronouns mean who was named.
        weightOfMale = min(1, max(0.3, (female / male).squareRoot()))
        weightOfFemale = min(1, max(0.3, (male / female).squareRoot()))
    }
}
