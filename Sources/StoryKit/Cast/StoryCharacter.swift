/// A character of a story.
package struct StoryCharacter: Sendable, Equatable {
    package enum Gender: String, Sendable { case male, female }

    package var name: String
    /// Other names used in the story, without `name`.
    package var aliases: [String]
    package var gender: Gender?
    /// "child", "young", "adult", "old".
    package var age: String?
    package var accent: String?
    package var personality: String?

    package init(
        name: String, aliases: [String] = [], gender: Gender? = nil, age: String? = nil,
        accent: String? = nil, personality: String? = nil
    ) {
        self.name = name
        self.aliases = aliases
        self.gender = gender
        self.age = age
        self.accent = accent
        self.personality = personality
    }
}
