/// Names with a title, and full names: "Mr. Darcy", "Sir Walter", "Elizabeth Bennet".
extension CastGrouping {
    /// "Elizabeth Bennet", "Miss Eliza Bennet", "Mrs. John Dashwood".
    mutating func addFull(_ number: Int) {
        let form = forms[number]
        let (first, last) = (form.words[0], form.words[form.words.count - 1])
        let told = gender(title: form.title, first: nil)
        let name = gender(title: nil, first: first)
        // A woman called by her husband's name.
        if let title = form.title, married.contains(title), name == .male {
            new(number, last: last)
            persons[persons.count - 1].asYounger = form.tally.count + 1
            return
        }
        let candidates = (byLast[last] ?? []).filter { person in
            guard let known = persons[person].first else { return false }
            return
                (known == first || mayBeSame(known, first) && !isRank(form.title))
                && agrees(person, told) && titlesAgree(person, form.title)
        }
        if let same = candidates.first(where: { persons[$0].first == first }) ?? candidates.first,
            candidates.count == 1 || persons[same].first == first
        {
            merge(number, into: same)
            // "Huck" is Huckleberry where "Huck Finn" is.
            if byFirst[first]?.contains(same) != true { byFirst[first, default: []].append(same) }
        } else {
            new(number, first: first, last: last)
        }
        guard let title = form.title, title == unmarried || mister.contains(title) else { return }
        for person in byLast[last] ?? [] where persons[person].forms.contains(number) {
            persons[person].asYounger += form.tally.count
        }
    }

    /// "Lizzy" and "Elizabeth", and "Huck" and "Huckleberry" with the same surname.
    func mayBeSame(_ one: Int32, _ other: Int32) -> Bool {
        if names.mayBeSame(one, other) { return true }
        let (a, b) = (vocabulary.text(of: one), vocabulary.text(of: other))
        return min(a.utf8.count, b.utf8.count) > 3 && (a.hasPrefix(b) || b.hasPrefix(a))
    }

    func isRank(_ title: Int32?) -> Bool {
        title.map { classes($0).contains(.rank) } ?? false
    }

    /// The gender that a noun implies.
    func nounGender(_ noun: Int32) -> StoryCharacter.Gender? {
        let known = classes(noun)
        guard known.contains(.maleNoun) != known.contains(.femaleNoun) else { return nil }
        return known.contains(.maleNoun) ? .male : .female
    }

    /// "Sir Thomas Bertram" is not "Tom Bertram".
    func titlesAgree(_ person: Int, _ title: Int32?) -> Bool {
        guard let title, classes(title).contains(.rank) else { return true }
        return persons[person].titles.isEmpty || persons[person].titles.contains(title)
            || !persons[person].titles.contains { classes($0).contains(.rank) }
    }

    func isTitledFirst(_ number: Int) -> Bool {
        let form = forms[number]
        guard form.words.count == 1 else { return false }
        let word = form.words[0]
        let isTable = !classes(word).isDisjoint(with: [.maleName, .femaleName])
        guard let title = form.title else { return false }
        // "Mr. Franklin", if there is a Mr. Franklin Blake.
        if mister.contains(title), lastNames[word] == nil {
            return (byFirst[word] ?? []).contains { persons[$0].hasEver(title) }
        }
        guard surnames[word] == nil, classes(title).contains(.givenTitle) else { return false }
        return byFirst[word] != nil || isTable
            || !names.formal(of: word).isDisjoint(with: byFirst.keys)
    }

    func isTitledLast(_ number: Int) -> Bool {
        forms[number].title != nil && isOneName(forms[number]) && !isTitledFirst(number)
    }

    /// "Sir Walter", "Lady Catherine", "Aunt Polly", "Miss Eliza".
    mutating func addTitledFirst(_ number: Int) {
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

    func isMister(_ surname: Int32) -> Bool {
        forms.contains { form in
            form.words.last == surname && form.title.map(mister.contains) == true
        }
    }

    func isWife(_ title: Int32?) -> Bool {
        title.map { married.contains($0) || ladies.contains($0) } ?? false
    }

    /// "Mr. Darcy", "Miss Bennet", "Colonel Brandon".
    mutating func addTitledLast(_ number: Int) {
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
            // "Miss Bennet" is the eldest: not the one called "Miss Eliza Bennet", nor Mrs.
            // Bennet. "Mr. Sherlock Holmes" is Mr. Holmes if no other man bears the name.
            let isOnly = candidates.count == 1
            candidates = candidates.filter {
                (isOnly && title != unmarried || !persons[$0].isYounger(among: isOnly ? 1 : 2))
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
            // If there is a Mr. Crawford as well, Admiral Crawford is another.
            candidates =
                isMister(word)
                ? []
                : candidates.filter { person in
                    persons[person].titles.allSatisfy { !classes($0).contains(.rank) }
                }
        } else {
            // "Dr. Watson" is "Mr. Watson" if there is only one.
            candidates = sameTitle.isEmpty ? candidates : sameTitle
        }
        if isRank || sameTitle.count == 1, let person = best(sameTitle, for: number) {
            merge(number, into: person)
        } else if let person = bearer(candidates, of: number),
            !isWife || candidates.count == 1
        {
            merge(number, into: person)
        } else {
            new(number, last: word)
        }
    }

}
