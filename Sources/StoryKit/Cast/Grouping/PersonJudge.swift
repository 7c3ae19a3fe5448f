/// Distinguishes people from places, things and exclamations.
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
        // A name that occurs once, without any sign of a speaker, is only talked about.
        if tally.count == 1, person.titles.isEmpty || isLong,
            tally.speech + tally.vocative + tally.human == 0
        {
            return false
        }
        var points = tally.speech * 3 + tally.vocative * 2 + tally.human
        if person.first != nil, person.last != nil, tally.narrated > 0 { points += 2 }
        if !person.titles.isEmpty { points += 3 + tally.count / 2 }
        // In "the March Hare" the last word counts.
        let words = person.forms.map {
            person.isRole ? forms[$0].words.suffix(1) : forms[$0].words[...]
        }
        let isNamed =
            person.first.map {
                !text.vocabulary.classes(of: $0).isDisjoint(with: [.maleName, .femaleName])
            } ?? false
        var against = isNamed ? tally.placed : tally.placed * 2
        for word in Set(words.flatMap { $0 }) {
            let known = text.vocabulary.classes(of: word)
            if known.contains(.notPerson), person.titles.isEmpty { against += 3 + tally.count / 2 }
        }
        if isNamed { points += 1 + tally.count }
        // A name in a short text without "in" before it.
        let isPlain = tally.placed == 0 && against == 0 && tally.narrated > 1
        if isPlain, text.tokens.count < 3_000 { points += 3 }
        // A pronoun that refers to the name is some evidence too.
        points += Int(max(tally.male, tally.female))
        let needed = tally.narrated > 4 && tally.placed * 5 <= tally.narrated ? 2 : 3
        return points >= needed && points > against && points * 8 >= tally.count
    }

    private var isLong: Bool { text.tokens.count > 20_000 }

    /// "the ferryman": speaks, or occurs often.
    private func isRole(_ person: CastPerson) -> Bool {
        let tally = person.tally
        let noun = forms[person.forms[0]].words
        if text.vocabulary.classes(of: noun[noun.count - 1]).contains(.generic) { return false }
        return tally.speech > 0 || tally.narrated > 1 + text.tokens.count / 5_000
            || tally.human > text.tokens.count / 2_000
    }

    /// "the old woman": speaks, or occurs often. In a novel "the young man" is a different
    /// one in every chapter.
    func isDescription(_ person: CastPerson) -> Bool {
        guard person.isRole, text.tokens.count < 20_000,
            person.forms.allSatisfy({ forms[$0].isCommonNoun }), let form = person.forms.first,
            let noun = forms[form].words.last,
            text.vocabulary.classes(of: noun).contains(.generic)
        else { return false }
        return person.tally.speech > 0 || person.tally.narrated > 2
    }
}
