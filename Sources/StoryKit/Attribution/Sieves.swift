/// The kinds of evidence for a speaker. Each can be switched off to measure its value.
package struct Sieves: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let script = Sieves(rawValue: 1 << 0)
    /// "said Alice".
    package static let nameTag = Sieves(rawValue: 1 << 1)
    /// "said the Hatter", "said her mother".
    package static let roleTag = Sieves(rawValue: 1 << 2)
    /// "said I".
    package static let narratorTag = Sieves(rawValue: 1 << 3)
    /// "he said".
    package static let pronounTag = Sieves(rawValue: 1 << 4)
    /// Several quotations of one paragraph.
    package static let paragraph = Sieves(rawValue: 1 << 6)
    /// "Alice shook her head." beside a quotation.
    package static let actionBeat = Sieves(rawValue: 1 << 7)
    /// "Come, Alice": Alice is not the speaker, and probably answers.
    package static let vocative = Sieves(rawValue: 1 << 8)
    /// Two speakers take turns.
    package static let alternation = Sieves(rawValue: 1 << 9)
    /// The character named last, and those present in the scene.
    package static let presence = Sieves(rawValue: 1 << 10)

    package static let all = Sieves(rawValue: (1 << 11) - 1)

    /// Names for the `--without` option.
    package static let names: [(name: String, sieve: Sieves)] = [
        ("script", .script), ("name-tag", .nameTag), ("role-tag", .roleTag),
        ("narrator-tag", .narratorTag), ("pronoun-tag", .pronounTag),
        ("paragraph", .paragraph), ("action-beat", .actionBeat), ("vocative", .vocative),
        ("alternation", .alternation), ("presence", .presence),
    ]
}
