/// The characters of a story, in the order of the cast list.
package struct Cast: Sendable, Equatable {
    package var characters: [StoryCharacter]
    /// The first-person narrator, as an index into `characters`; nil without one.
    package var narrator: Int?

    package init(_ characters: [StoryCharacter], narrator: Int? = nil) {
        self.characters = characters
        self.narrator = narrator
    }

    /// Index of the character with that name or alias, ignoring case and article; names
    /// take precedence over aliases.
    package func find(_ mention: String) -> Int? {
        let wanted = Self.compared(mention)
        return characters.firstIndex { Self.compared($0.name) == wanted }
            ?? characters.firstIndex { $0.aliases.contains { Self.compared($0) == wanted } }
    }

    /// A name normalized for comparison: lowercase, one space between words, no periods, no
    /// "the".
    package static func compared(_ name: String) -> String {
        var words = name.lowercased().split { $0.isWhitespace || $0 == "." || $0 == "_" }
        if words.count > 1, words[0] == "the" { words.removeFirst() }
        return words.joined(separator: " ")
    }
}
