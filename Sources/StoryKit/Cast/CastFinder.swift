/// Finds the cast of a story from its own text: names beside verbs of saying, names that
/// are called out, titles, "the" with a noun for a person.
///
/// A name is a person's where enough of its mentions say so; places, months and
/// exclamations have nothing that speaks for them, or "in" before them.
package enum CastFinder {
    package static func find(in text: StoryText) -> Cast {
        var scanner = NameScanner(text)
        scanner.weigh(MentionEvidence(text, scanner.mentions))
        let together = SentenceMates(text, scanner.mentions)
        let grouping = CastGrouping(scanner.forms, text, together)
        let narrator = NarratorFinder(text).find(among: grouping.persons, scanner.forms)
        let judge = PersonJudge(text, scanner.forms)
        let naming = PersonNaming(text, scanner.forms)
        var chosen = grouping.persons.indices.filter {
            $0 == narrator?.person || judge.isPerson(grouping.persons[$0])
        }
        chosen.sort {
            (grouping.persons[$1].tally.count, $0) < (grouping.persons[$0].tally.count, $1)
        }
        var cast = Cast(
            chosen.map { index in
                let person = grouping.persons[index]
                return StoryCharacter(
                    name: naming.name(of: person), aliases: naming.aliases(of: person),
                    gender: grouping.gender(of: person))
            })
        guard let narrator else { return cast }
        if let person = narrator.person, let index = chosen.firstIndex(of: person) {
            cast.narrator = index
            cast.characters[index].aliases.append("I")
        } else {
            cast.narrator = cast.characters.count
            cast.characters.append(
                StoryCharacter(name: "Narrator", aliases: ["I"], gender: narrator.gender))
        }
        return cast
    }
}

/// Tells persons from places, things and exclamations.
struct PersonJudge {
    private let text: StoryText
    private let forms: [NameForm]

    init(_ text: StoryText, _ forms: [NameForm]) {
        self.text = text
        self.forms = forms
    }

    func isPerson(_ person: CastPerson) -> Bool {
        let tally = person.tally
        if person.isRole, person.forms.allSatisfy({ forms[$0].isCommonNoun }) {
            return isRole(person)
        }
        // One mention that nothing speaks for is somebody who is talked about.
        if tally.count == 1, tally.speech + tally.vocative + tally.human == 0 { return false }
        var points = tally.speech * 3 + tally.vocative * 2 + tally.human
        if person.first != nil, person.last != nil { points += 2 }
        if !person.titles.isEmpty { points += 3 + tally.count / 2 }
        // Of "the March Hare" the last word counts.
        let words = person.forms.map {
            person.isRole ? forms[$0].words.suffix(1) : forms[$0].words[...]
        }
        var against = tally.placed * 2
        for word in Set(words.flatMap { $0 }) {
            let known = text.vocabulary.classes(of: word)
            if word == person.first, !known.isDisjoint(with: [.maleName, .femaleName]) {
                points += 1 + tally.count
            }
            if known.contains(.notPerson), person.titles.isEmpty { against += 3 + tally.count / 2 }
        }
        // A pronoun that means it is some evidence as well.
        points += Int(max(tally.male, tally.female))
        return points >= 3 && points > against && points * 8 >= tally.count
    }

    /// "the ferryman": who speaks or is often there; a description such as "the old man"
    /// more than once.
    private func isRole(_ person: CastPerson) -> Bool {
        let noun = forms[person.forms[0]].words
        let isGeneric = text.vocabulary.classes(of: noun[noun.count - 1]).contains(.generic)
        if isGeneric { return person.tally.speech > (noun.count > 1 ? 1 : 2) }
        return person.tally.speech > 0
            || person.tally.narrated > 1 + text.tokens.count / 5_000
    }
}

/// Writes the forms of a person as the story does.
struct PersonNaming {
    private let text: StoryText
    private let forms: [NameForm]

    init(_ text: StoryText, _ forms: [NameForm]) {
        self.text = text
        self.forms = forms
    }

    /// The fullest form that is used often enough, or else the most frequent.
    func name(of person: CastPerson) -> String {
        let most = person.forms.map { forms[$0].tally.count }.max() ?? 0
        func rank(_ form: NameForm) -> (Int, Int) {
            let isFull =
                form.words.count > 1 && !form.isDefinite && form.title == nil
                && (form.tally.count > 2 || form.tally.count * 20 >= most)
            return (isFull ? 1 : 0, form.tally.count)
        }
        let best = person.forms.max { rank(forms[$0]) < rank(forms[$1]) }
        return best.map { written(forms[$0]) } ?? ""
    }

    func aliases(of person: CastPerson) -> [String] {
        let name = name(of: person)
        var seen: Set<String> = [name]
        return person.forms.sorted { forms[$1].tally.count < forms[$0].tally.count }
            .map { written(forms[$0]) }.filter { seen.insert($0).inserted }
    }

    /// The source of a mention on one line; its article in small letters.
    private func written(_ form: NameForm) -> String {
        let tokens = text.tokens[form.example]
        guard var first = tokens.first, let last = tokens.last else { return "" }
        var bytes: [UInt8] = []
        if form.isDefinite, tokens.count > 1 {
            bytes += Array((text.vocabulary.text(of: first.word) + " ").utf8)
            first = tokens[tokens.startIndex + 1]
        }
        for byte in text.bytes[Int(first.start)..<Int(last.end)]
        where byte != UInt8(ascii: "_") {
            if byte > 0x20 || bytes.last ?? 0x20 > 0x20 { bytes.append(max(byte, 0x20)) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
