/// A token of a story: a word or a punctuation mark.
///
/// "Alice's" is two tokens, "Alice" and "'s"; "don't" and "good-natured" are one.
package struct StoryToken: Sendable, Equatable {
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let capitalized = Flags(rawValue: 1)
        /// The token has at least two letters, and all are capitals.
        package static let allCapitals = Flags(rawValue: 2)
        package static let punctuation = Flags(rawValue: 4)
        /// First word of a sentence, where a capital is no evidence.
        package static let startsSentence = Flags(rawValue: 8)
        package static let inQuotation = Flags(rawValue: 16)
    }

    /// Byte offsets in the source.
    package var start: Int32
    package var end: Int32
    /// ID of the lowercase word in the text's `vocabulary`.
    package var word: Int32
    package var flags: Flags

    package var range: Range<Int> { Int(start)..<Int(end) }
    package var isWord: Bool { !flags.contains(.punctuation) }
    package var isCapitalized: Bool { flags.contains(.capitalized) }
}
