/// Finds the cast of a story in its text: names beside verbs of saying, names used in
/// address, titles, "the" with a noun for a person.
///
/// A name counts as a person if enough of its mentions support that; places, months and
/// exclamations have no support, or "in" before them.
package enum CastFinder {
    package static func find(in text: StoryText) -> Cast {
        if text.style == .script { return labels(of: text) }
        var scanner = NameScanner(text)
        scanner.weigh(MentionEvidence(text, scanner.mentions))
        let together = SentenceMates(text, scanner.mentions)
        let grouping = CastGrouping(scanner.forms, text, together)
        let telling = NarratorFinder(text)
        let narrator = telling.isFirstPerson ? telling.find(among: grouping.persons) : nil
        let judge = PersonJudge(text, scanner.forms)
        let naming = PersonNaming(text, scanner.forms)
        let people = grouping.persons
        var chosen = people.indices.filter { $0 == narrator || judge.isPerson(people[$0]) }
        // "the girl" is usually the one that has a name.
        let named = Set(
            chosen.compactMap { people[$0].isRole ? nil : grouping.gender(of: people[$0]) })
        chosen += people.indices.filter { index in
            judge.isDescription(people[index])
                && grouping.gender(of: people[index]).map { !named.contains($0) } != false
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
        guard telling.isFirstPerson else { return cast }
        if let narrator, let index = chosen.firstIndex(of: narrator) {
            cast.narrator = index
            cast.characters[index].aliases.append("I")
        } else {
            cast.narrator = cast.characters.count
            cast.characters.append(StoryCharacter(name: "Narrator", aliases: ["I"]))
        }
        return cast
    }

    /// The cast of a play: all labels of speeches, most frequent first.
    private static func labels(of text: StoryText) -> Cast {
        var counts: [String: (count: Int, first: Int)] = [:]
        for paragraph in text.paragraphs {
            guard let label = ScriptReader.label(in: text.bytes, paragraph),
                label.end < paragraph.upperBound
            else { continue }
            let name = text.text(of: label.name).split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
            counts[name, default: (0, paragraph.lowerBound)].count += 1
        }
        let order = counts.sorted {
            ($1.value.count, $0.value.first) < ($0.value.count, $1.value.first)
        }
        return Cast(
            order.map { name, _ in
                let classes = name.lowercased().split(separator: " ").map { word in
                    text.vocabulary.id(of: String(word)).map(text.vocabulary.classes) ?? []
                }
                func tells(_ kinds: WordClass) -> Bool {
                    classes.contains { !$0.isDisjoint(with: kinds) }
                }
                let isMale = tells([.maleName, .maleTitle, .maleNoun])
                let isFemale = tells([.femaleName, .femaleTitle, .femaleNoun])
                // Write "HAMLET" as Hamlet.
                let shown = name == name.uppercased() ? name.capitalizedWords : name
                return StoryCharacter(
                    name: shown, gender: isMale == isFemale ? nil : isMale ? .male : .female)
            })
    }
}

extension String {
    fileprivate var capitalizedWords: String {
        split(separator: " ").map { $0.prefix(1) + $0.dropFirst().lowercased() }
            .joined(separator: " ")
    }
}

/// Formats a person's names as the story writes them.
struct PersonNaming {
    private let text: StoryText
    private let forms: [NameForm]

    init(_ text: StoryText, _ forms: [NameForm]) {
        self.text = text
        self.forms = forms
    }

    /// The fullest form that is used often enough, otherwise the most frequent.
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

    /// The source text of a mention on one line, with a lowercase article.
    func written(_ form: NameForm) -> String {
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
