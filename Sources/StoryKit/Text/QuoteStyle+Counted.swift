/// Detects the style of a text outside of `QuoteFinder`.
extension QuoteStyle {
    /// The quotation style of a text, found by counting.
    package static func counted(in text: String) -> QuoteStyle {
        let bytes = Array(text.utf8)
        return QuoteFinder(
            bytes: bytes, paragraphs: ParagraphFinder.find(in: bytes),
            marks: QuoteMark.all(in: bytes)
        ).style()
    }
}
