/// Who speaks in a story, in the order of the cast list.
package struct Cast: Sendable, Equatable {
    package var characters: [StoryCharacter]
    /// Who says "I" in the narration, as an index into `characters`.
    package var narrator: Int?

    package init(_ characters: [StoryCharacter], narrator: Int? = nil) {
        self.characters = characters
        self.narrator = narrator
    }

    /// The character of that name or alias, whatever its case and without its article; a
    /// name goes before an alias.
    package func find(_ mention: String) -> Int? {
        let wanted = Self.compared(mention)
        return characters.firstIndex { Self.compared($0.name) == wanted }
            ?? characters.firstIndex { $0.aliases.contains { Self.compared($0) == wanted } }
    }

    /// A name as it is compared: lower case, one space between words, without periods and
    /// without "the".
    package static func compared(_ name: String) -> String {
        var words = name.lowercased().split { $0.isWhitespace || $0 == "." || $0 == "_" }
        if words.count > 1, words[0] == "the" { words.removeFirst() }
        return words.joined(separator: " ")
    }
}
