import Base

/// Finds the mentions of the cast in the text.
///
/// The longest name wins; a title that does not fit prevents a match ("Mrs. Elton" is not
/// Mr. Elton); parts of a name match if only one member has them.
struct CastIndex: Sendable {
    struct Mention: Sendable, Equatable {
        /// Tokens of the text, including a title before the name.
        var tokens: Range<Int>
        var character: Int
        var isPossessive: Bool
        /// "her mother", "the girl": the meaning depends on the place, though the cast
        /// lists it as an alias of this member.
        var isLoose = false
    }

    private struct Form {
        var words: [Int32]
        var character: Int
        /// Whether it is part of a name rather than a name in the cast.
        var isDerived: Bool
        /// "the Hatter": a noun that may be lowercase after an article.
        var isRole: Bool
        var isLoose = false
    }

    /// The mentions in text order.
    let mentions: [Mention]
    /// The index of each token's mention, or -1.
    let mentionOfToken: [Int32]
    /// The genders from the cast, or derived from titles and first names.
    let genders: [StoryCharacter.Gender?]
    /// Family relations derived from names.
    let families: [Family]

    struct Family: Sendable, Equatable {
        /// "Mrs." or "Lady"; "Mr." or "Sir".
        var isWife = false
        var isGentleman = false
        /// The last word of the name, if a first name or a title is before it.
        var surname: Int32?
    }

    init(_ cast: Cast, _ text: StoryText) {
        let forms = CastForms(cast, text)
        var mentions: [Mention] = []
        var mentionOfToken = [Int32](repeating: -1, count: text.tokens.count)
        var index = 0
        while index < text.tokens.count {
            if let (end, form) = forms.match(at: index) {
                let isPossessive =
                    end < text.tokens.count && text.tokens[end].word == forms.possessive
                for token in index..<end { mentionOfToken[token] = Int32(mentions.count) }
                mentions.append(
                    Mention(
                        tokens: index..<end, character: form.character,
                        isPossessive: isPossessive, isLoose: form.isLoose))
                index = end
            } else {
                index += 1
            }
        }
        self.mentions = mentions
        self.mentionOfToken = mentionOfToken
        genders = cast.characters.indices.map { forms.gender(of: $0) }
        families = cast.characters.indices.map { forms.family(of: $0) }
    }

    func mention(at token: Int) -> Mention? {
        guard mentionOfToken.indices.contains(token), mentionOfToken[token] >= 0 else {
            return nil
        }
        return mentions[Int(mentionOfToken[token])]
    }

    // MARK: - The names of the cast as words of the text

    private struct CastForms {
        let possessive: Int32?
        private let text: StoryText
        private let cast: Cast
        /// The names of the cast by their first word, the longest first.
        private var byFirst: [Int32: [Form]] = [:]
        private var words: [[[String]]]
        /// Names that are lowercase nouns, or have an article.
        private var roles: Set<[String]> = []

        init(_ cast: Cast, _ text: StoryText) {
            self.text = text
            self.cast = cast
            possessive = text.vocabulary.id(of: "'s")
            let isFrench = text.language.hasPrefix("fr")
            words = cast.characters.map { character in
                ([character.name] + character.aliases).map { Self.words($0, isFrench) }
                    .filter { !$0.isEmpty }
            }
            for character in cast.characters {
                for name in [character.name] + character.aliases where isRole(name) {
                    roles.insert(Self.words(name, isFrench))
                }
            }
            var forms: [Form] = []
            var owners: [[String]: Int] = [:]
            for (character, names) in words.enumerated() {
                for (number, name) in names.enumerated() {
                    // A name before an alias, the first member before a later one.
                    if let owner = owners[name], number > 0 || owner == character { continue }
                    owners[name] = character
                    forms.removeAll { $0.words == ids(name) && $0.character != character }
                    add(
                        name, character, isDerived: false, isLoose: number > 0 && isLoose(name),
                        to: &forms)
                }
            }
            for (name, character) in derived() where owners[name] == nil {
                add(name, character, isDerived: true, to: &forms)
            }
            // "der Hauptmann", if only one has that title. (In English it wins nothing.)
            for (noun, bearers) in text.isEnglish ? [:] : titled()
            where owners[noun] == nil && bearers.count == 1 {
                roles.insert(noun)
                add(noun, bearers[0], isDerived: false, isLoose: true, to: &forms)
            }
            for form in forms { byFirst[form.words[0], default: []].append(form) }
            for first in byFirst.keys {
                byFirst[first]?.sort {
                    ($0.words.count, $1.character) > ($1.words.count, $0.character)
                }
            }
        }

        /// The words of a name without its article and its periods.
        private static func words(_ name: String, _ isFrench: Bool) -> [String] {
            let tokenizer = StoryTokenizer(
                Array(name.utf8), words: StoryWords([]), splitsPronouns: isFrench)
            var words = tokenizer.tokens.filter(\.isWord).map {
                tokenizer.vocabulary.text(of: $0.word)
            }
            if words.count > 1, articles.contains(words[0]) { words.removeFirst() }
            return words
        }

        /// English, German and French definite articles: "un soldat" differs from "le soldat".
        private static let articles: Set<String> = [
            "the", "a", "an", "der", "die", "das", "le", "la", "les", "l'",
        ]

        /// "the Hatter", "the old man", "mother".
        private func isRole(_ name: String) -> Bool {
            let words = name.cut(at: " ")
            guard let first = words.first, let last = words.last else { return false }
            return classes(first.lowercased()).contains(.determiner)
                || last.unicodeScalars.first.map { $0.properties.isLowercase } ?? false
        }

        private func ids(_ name: [String]) -> [Int32]? {
            let ids = name.compactMap { text.vocabulary.id(of: $0) }
            return ids.count == name.count ? ids : nil
        }

        private func classes(_ word: String) -> WordClass {
            text.vocabulary.id(of: word).map { text.vocabulary.classes(of: $0) } ?? []
        }

        private func add(
            _ name: [String], _ character: Int, isDerived: Bool, isLoose: Bool = false,
            to forms: inout [Form]
        ) {
            // Names that do not occur in the text cannot be found.
            guard let ids = ids(name), !name.isEmpty else { return }
            if name.count == 1, !classes(name[0]).isDisjoint(with: [.anyPronoun, .determiner]) {
                return
            }
            forms.append(
                Form(
                    words: ids, character: character, isDerived: isDerived,
                    isRole: roles.contains(name), isLoose: isLoose))
        }

        /// "her mother", "the mother"; "the girl", "the old man".
        private func isLoose(_ name: [String]) -> Bool {
            guard let first = name.first, let last = name.last, roles.contains(name) else {
                return false
            }
            return name.count > 1 && classes(first).contains(.determiner)
                && !classes(first).isDisjoint(with: .anyPronoun)
                || !classes(last).isDisjoint(with: [.generic, .kin])
        }

        /// The members by the noun that is their title.
        private func titled() -> [[String]: [Int]] {
            var bearers: [[String]: [Int]] = [:]
            for (character, names) in words.enumerated() {
                for noun in Set(names.compactMap { $0.count > 1 ? $0[0] : nil })
                where !classes(noun).isDisjoint(with: .title)
                    && !classes(noun).isDisjoint(with: .roleNoun) && !classes(noun).contains(.kin)
                {
                    bearers[[noun], default: []].append(character)
                }
            }
            return bearers
        }

        /// First and last names that only one member has, and titles with the last name.
        private func derived() -> [(name: [String], character: Int)] {
            // A surname with a title takes precedence over the same word as a first name.
            var owners: [[String]: (rank: Int, characters: Set<Int>)] = [:]
            func claim(_ name: [String], _ character: Int, rank: Int) {
                let held = owners[name] ?? (rank, [])
                if held.rank > rank { return }
                owners[name] = (
                    rank, held.rank < rank ? [character] : held.characters.union([character])
                )
            }
            for (character, names) in words.enumerated() {
                let gender = gender(of: character)
                for (number, name) in names.enumerated() where !roles.contains(name) {
                    let core = name.filter { classes($0).isDisjoint(with: .title) }
                    guard core.count < name.count || core.count > 1, let last = core.last,
                        !core.contains(where: {
                            !classes($0).isDisjoint(with: [.determiner, .preposition, .conjunction])
                        })
                    else { continue }
                    let isTitled = core.count < name.count
                    for part in core where classes(part).isDisjoint(with: [.roleNoun, .commonWord])
                    {
                        // "Mr. Darcy" is Darcy; "Lady Catherine" is not Catherine.
                        if isTitled, gender == .female, core.count == 1 { continue }
                        claim(
                            [part], character,
                            rank: isTitled && number == 0 && part == last ? 2 : 1)
                    }
                    let title: String? =
                        switch gender {
                        case .male: "mr"
                        case .female: name[0] == "mrs" ? "mrs" : "miss"
                        case nil: nil
                        }
                    guard let title else { continue }
                    claim([title, last], character, rank: 1)
                    if core.count > 1, !isTitled { claim([title, core[0]], character, rank: 1) }
                }
            }
            return owners.filter { $0.value.characters.count == 1 }.compactMap { name, owner in
                owner.characters.first.map { (name, $0) }
            }
        }

        func gender(of character: Int) -> StoryCharacter.Gender? {
            if let gender = cast.characters[character].gender { return gender }
            for name in words[character] {
                let all = name.map(classes)
                // "Mrs. John Knightley": the title decides before the first name does.
                for (male, female) in [
                    (WordClass.maleTitle, WordClass.femaleTitle),
                    (.maleNoun, .femaleNoun), (.maleName, .femaleName),
                ] {
                    let isMale = all.contains { $0.contains(male) }
                    let isFemale = all.contains { $0.contains(female) }
                    if isMale != isFemale { return isMale ? .male : .female }
                }
            }
            return nil
        }

        func family(of character: Int) -> Family {
            var family = Family()
            for (number, name) in words[character].enumerated() where name.count > 1 {
                switch name[0] {
                // Lydia, Mrs. Wickham in the end, is a daughter.
                case "mrs", "lady", "madame", "mme": family.isWife = family.isWife || number == 0
                case "mr", "sir", "lord", "monsieur", "dr": family.isGentleman = true
                default: break
                }
                if family.surname == nil, let last = name.last, !roles.contains(name) {
                    family.surname = text.vocabulary.id(of: last)
                }
            }
            return family
        }

        // MARK: In the text

        func match(at index: Int) -> (end: Int, form: Form)? {
            let token = text.tokens[index]
            guard token.isWord, let forms = byFirst[token.word] else { return nil }
            for form in forms {
                guard let end = end(of: form, from: index), isName(form, index..<end) else {
                    continue
                }
                return (end, form)
            }
            return nil
        }

        private func end(of form: Form, from index: Int) -> Int? {
            var token = index + 1
            for word in form.words.dropFirst() {
                // "Mr" "." "Darcy".
                if token < text.tokens.count, !text.tokens[token].isWord,
                    text.vocabulary.text(of: text.tokens[token].word) == "."
                {
                    token += 1
                }
                guard token < text.tokens.count, text.tokens[token].word == word else {
                    return nil
                }
                token += 1
            }
            return token
        }

        private func isName(_ form: Form, _ range: Range<Int>) -> Bool {
            let first = text.tokens[range.lowerBound]
            let before = previousWord(range.lowerBound)
            let beforeClasses = before.map { text.vocabulary.classes(of: $0.word) } ?? []
            if !first.isCapitalized {
                // "the hatter", "her sister", not "a hatter's shop" nor any other noun.
                return form.isRole && !form.isDerived
                    && (beforeClasses.contains(.determiner)
                        || text.vocabulary.classes(of: first.word).contains(.determiner))
            }
            guard let before else { return true }
            if !beforeClasses.isDisjoint(with: .title), before.isCapitalized {
                guard form.isDerived || form.words.count == 1 else { return true }
                let gender = gender(of: form.character)
                if gender == .male, beforeClasses.contains(.femaleTitle) { return false }
                if gender == .female, beforeClasses.contains(.maleTitle) { return false }
                return true
            }
            guard form.isDerived || form.words.count == 1 else { return true }
            // "John Knightley" must not match Mr. Knightley when John is another character.
            let follows = range.lowerBound > 0 && text.tokens[range.lowerBound - 1].isWord
            if follows, before.isCapitalized, !before.flags.contains(.startsSentence),
                !before.flags.contains(.allCapitals),
                beforeClasses.isDisjoint(with: [
                    .commonWord, .speechVerb, .roleNoun, .anyPronoun, .determiner,
                ])
            {
                return false
            }
            // "Charlotte Street", "Darcy Castle".
            if range.upperBound < text.tokens.count, form.isDerived {
                let next = text.tokens[range.upperBound]
                if next.isWord, next.isCapitalized, !next.flags.contains(.startsSentence),
                    text.vocabulary.classes(of: next.word).isDisjoint(with: [
                        .commonWord, .anyPronoun,
                    ])
                {
                    return false
                }
            }
            return true
        }

        /// The previous word, skipping the period of an abbreviation.
        private func previousWord(_ index: Int) -> StoryToken? {
            guard index > 0 else { return nil }
            let token = text.tokens[index - 1]
            if token.isWord { return token }
            guard index > 1, text.tokens[index - 2].isWord,
                text.vocabulary.classes(of: text.tokens[index - 2].word).contains(.abbreviation)
            else { return nil }
            return text.tokens[index - 2]
        }
    }
}
