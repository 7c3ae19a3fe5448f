extension QuoteStyle {
    /// How a text marks what is spoken, found by counting.
    package static func counted(in text: String) -> QuoteStyle {
        let bytes = Array(text.utf8)
        return QuoteFinder(
            bytes: bytes, paragraphs: ParagraphFinder.find(in: bytes),
            marks: QuoteMark.all(in: bytes)
        ).style()
    }
}
