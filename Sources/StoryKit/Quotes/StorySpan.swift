/// A span of a story, either narration or speech. The spans tile the story: concatenated
/// they are the source, byte for byte.
package struct StorySpan: Sendable, Equatable {
    package enum Kind: Sendable, Equatable { case narration, quotation }

    /// UTF-8 byte offsets into the source; a quotation includes its marks.
    package var range: Range<Int>
    package var kind: Kind
    /// Index into `StoryText.paragraphs`.
    package var paragraph: Int
    /// Whether the paragraph before left this quotation open.
    package var continues = false
}
