import StoryKit

/// Combines the characters that a model found part by part: two are the same person if they
/// share a name, or one's name is an alias of the other. Pure.
struct ModelCast: Sendable, Equatable {
    private(set) var characters: [StoryCharacter] = []

    /// Adds the characters of one part, where different names are different persons.
    mutating func add(_ found: [StoryCharacter]) {
        var taken: Set<Int> = []
        for character in found {
            let same = characters.indices.first { index in
                !taken.contains(index) && Self.areOne(characters[index], character)
            }
            if let same {
                characters[same].take(character)
                taken.insert(same)
            } else {
                taken.insert(characters.count)
                characters.append(character)
            }
        }
    }

    private static func areOne(_ one: StoryCharacter, _ other: StoryCharacter) -> Bool {
        if let gender = one.gender, let second = other.gender, gender != second { return false }
        let (name, second) = (Cast.compared(one.name), Cast.compared(other.name))
        return name == second || other.aliases.contains { Cast.compared($0) == name }
            || one.aliases.contains { Cast.compared($0) == second }
    }

    /// The cast of the story: the model's characters, completed by what is known without
    /// it, and characters that it missed.
    ///
    /// - Parameters:
    ///   - found: the cast found without a model.
    ///   - kept: indexes in `found` that stay although the model does not list them.
    func cast(with found: Cast, keeping kept: Set<Int>) -> Cast {
        var all = characters
        var narrator: Int?
        for (index, character) in found.characters.enumerated() {
            let isNarrator = index == found.narrator
            let same = all.indices.first { place in
                place < characters.count && Self.areOne(all[place], character)
            }
            if let same {
                all[same].take(character, names: false)
                for alias in character.aliases
                where !all.contains(where: { $0.isCalled(alias) }) {
                    all[same].aliases.append(alias)
                }
                if isNarrator { narrator = same }
            } else if kept.contains(index) || isNarrator {
                if isNarrator { narrator = all.count }
                all.append(character)
            }
        }
        var cast = StoryCast(Cast(Self.withoutShared(all), narrator: narrator))
        cast.makeNamesUnique()
        return cast.cast
    }

    /// Removes aliases that are another character's name or that several have.
    private static func withoutShared(_ characters: [StoryCharacter]) -> [StoryCharacter] {
        var cleared = characters
        for index in cleared.indices {
            cleared[index].aliases.removeAll { alias in
                characters.indices.contains { $0 != index && characters[$0].isCalled(alias) }
            }
        }
        return cleared
    }

    /// A cast edited by the user, with missing facts of its members filled in.
    func filling(_ cast: StoryCast) -> StoryCast {
        var cast = cast
        for index in cast.members.indices {
            let same = characters.first { Self.areOne($0, cast.members[index].character) }
            if let same { cast.members[index].character.take(same, names: false) }
        }
        return cast
    }
}

extension StoryCharacter {
    fileprivate func isCalled(_ name: String) -> Bool {
        let wanted = Cast.compared(name)
        return Cast.compared(self.name) == wanted
            || aliases.contains { Cast.compared($0) == wanted }
    }

    /// Adds missing facts from another description of the same person.
    fileprivate mutating func take(_ other: StoryCharacter, names: Bool = true) {
        if names {
            for alias in [other.name] + other.aliases where !isCalled(alias) {
                aliases.append(alias)
            }
        }
        gender = gender ?? other.gender
        age = age ?? other.age
        accent = accent ?? other.accent
        personality = personality ?? other.personality
    }
}
