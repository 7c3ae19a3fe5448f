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
        let telling = NarratorFinder(text)
        let narrator = telling.isFirstPerson ? telling.find(among: grouping.persons) : nil
        let judge = PersonJudge(text, scanner.forms)
        let naming = PersonNaming(text, scanner.forms)
        let people = grouping.persons
        var chosen = people.indices.filter { $0 == narrator || judge.isPerson(people[$0]) }
        // "the girl" is mostly the one that has a name.
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
}
