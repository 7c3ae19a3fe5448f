/// Single words and nouns: "Darcy", "Lizzy", "the Hatter".
extension CastGrouping {
    /// "Elizabeth" and "Lizzy", if a known person has that first name.
    mutating func addFirst(_ number: Int) -> Bool {
        let word = forms[number].words[0]
        // A character always called "Lady Catherine" is not "Catherine".
        let firsts = (byFirst[word] ?? []).filter {
            (!isAlwaysTitled($0) || isRelative($0, of: number)) && !isLatecomer($0, for: number)
        }
        if let person = namesake(firsts, for: number) ?? best(firsts, for: number) {
            merge(number, into: person)
            return true
        }
        guard classes(word).isDisjoint(with: .notPerson) else { return false }
        let told = gender(title: nil, first: word)
        let formal = names.formal(of: word)
        let long = formal.flatMap { byFirst[$0] ?? [] }
            .filter { agrees($0, told) && !isAlwaysTitled($0) && !comesLate($0, for: number) }
        // "Neddy", used only in speech, is Ned.
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

    /// Whether a person such as "Mary King", named rarely and late, cannot be the Mary
    /// known from the beginning of the story.
    func isLatecomer(_ person: Int, for number: Int) -> Bool {
        let isOfFamily = persons[person].last.map { (byLast[$0] ?? []).count > 1 } ?? true
        return !isOfFamily && persons[person].tally.count * 10 <= forms[number].tally.count
            && comesLate(person, for: number)
    }

    func comesLate(_ person: Int, for number: Int) -> Bool {
        let first = persons[person].forms.map { forms[$0].example.lowerBound }.min() ?? 0
        return first - forms[number].example.lowerBound > tokens / 5
    }

    /// The owner of a first name that two share: if the name alone is used far more than
    /// either full name, it is the one whose full name is rarer, because the other needs
    /// his to be distinguished.
    func namesake(_ candidates: [Int], for number: Int) -> Int? {
        let ordered = candidates.sorted { persons[$0].tally.count > persons[$1].tally.count }
        guard ordered.count == 2, let last = ordered.last,
            forms[number].tally.count > persons[ordered[0]].tally.count * 2,
            persons[last].tally.count * 5 >= persons[ordered[0]].tally.count,
            persons[last].tally.count > 3
        else { return nil }
        return last
    }

    /// "Darcy", or a first name that occurs only alone.
    mutating func addBare(_ number: Int) {
        let word = forms[number].words[forms[number].words.count - 1]
        // A surname alone usually means a man.
        let lasts = byLast[word] ?? []
        let men = lasts.filter { gender(of: persons[$0]) != .female }
        let unwed = lasts.filter { persons[$0].titles.isDisjoint(with: married) }
        if let person = bearer(men, of: number) ?? (men.isEmpty ? best(unwed, for: number) : nil) {
            merge(number, into: person)
            return
        }
        // Beside Mrs. Lapham, "Lapham" is her husband, unless only speech calls her that.
        if forms[number].tally.narrated == 0, !isMister(word), let person = best(lasts, for: number)
        {
            merge(number, into: person)
            return
        }
        if !lasts.isEmpty {
            new(number, last: word)
            return
        }
        // "Pen" beside a Penelope without a surname.
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

    /// "Uncle James", whom the narration mostly calls James.
    func isRelative(_ person: Int, of number: Int) -> Bool {
        persons[person].titles.allSatisfy { !classes($0).isDisjoint(with: .kin) }
            && forms[number].tally.narrated > persons[person].tally.narrated
    }

    func isAlwaysTitled(_ person: Int) -> Bool {
        !persons[person].titles.isEmpty
            && persons[person].forms.allSatisfy {
                forms[$0].title.map { title in
                    title != unmarried && !mister.contains(title) && !married.contains(title)
                } ?? false
            }
    }

    /// "the Hatter", "the White Rabbit", "the ferryman".
    mutating func addDefinite(_ number: Int) {
        let form = forms[number]
        let head = form.words[form.words.count - 1]
        // "Hatter" without the article, or the same noun in lowercase.
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
        // "the Captain", if one captain has a name.
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
