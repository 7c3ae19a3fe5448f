/// Who speaks in a story, in the order of the cast list.
package struct Cast: Sendable, Equatable {
    package var characters: [StoryCharacter]
    /// Who says "I" in the narration, as an index into `characters`.
    package var narrator: Int?

    package init(_ characters: [StoryCharacter], narrator: Int? = nil) {
        self.characters = characters
        self.narrator = narrator
    }
}
