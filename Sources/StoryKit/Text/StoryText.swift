/// A story as bytes, with its paragraphs, its narration and speech, and its words.
///
/// Everything is addressed by UTF-8 byte offsets into the source; nothing is changed in
/// it. Who speaks is the business of `Attributor`, chapters are the importer's.
package struct StoryText: Sendable {
    package let bytes: [UInt8]
    /// In order, without the white space between them.
    package let paragraphs: [Range<Int>]
    package let style: QuoteStyle
    /// They tile the source.
    package let spans: [StorySpan]
    /// A language code such as "en".
    package let language: String
    package let tokens: [StoryToken]
    package let vocabulary: StoryVocabulary
    /// For each span, which of `tokens` it has.
    package let spanTokens: [Range<Int>]

    /// - Parameters:
    ///   - style: how quotations are marked; found by counting where it is nil.
    ///   - language: a code such as "en", which is also what nil means.
    package init(_ text: String, style: QuoteStyle? = nil, language: String? = nil) {
        bytes = Array(text.utf8)
        self.language = language ?? "en"
        let found = ParagraphFinder.find(in: bytes)
        let marks = QuoteMark.all(in: bytes)
        let finder = QuoteFinder(bytes: bytes, paragraphs: found, marks: marks)
        let style = style ?? finder.style()
        self.style = style
        paragraphs = found
        var tokenizer = StoryTokenizer(bytes, words: .table(for: self.language))
        var quotations = finder.quotations(style)
        if style.family != .script {
            quotations = SpokenQuotations(tokens: tokenizer.tokens, tokenizer.vocabulary, bytes)
                .filter(quotations)
        }
        spans = Self.tile(bytes.count, paragraphs, quotations)
        spanTokens = tokenizer.assign(to: spans)
        tokens = tokenizer.tokens
        vocabulary = tokenizer.vocabulary
    }

    /// The source of a span.
    package func text(of range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The quotations and, between them, narration. No narration reaches over the
    /// beginning of a paragraph: white space belongs to the paragraph before it.
    private static func tile(
        _ count: Int, _ paragraphs: [Range<Int>], _ quotations: [StorySpan]
    ) -> [StorySpan] {
        var spans: [StorySpan] = []
        spans.reserveCapacity(quotations.count * 2 + paragraphs.count)
        var position = 0
        func tell(until end: Int, in paragraph: Int) {
            guard position < end else { return }
            spans.append(
                StorySpan(range: position..<end, kind: .narration, paragraph: paragraph))
            position = end
        }
        var next = 0
        for (paragraph, _) in paragraphs.enumerated() {
            let isLast = paragraph + 1 == paragraphs.count
            let end = isLast ? count : paragraphs[paragraph + 1].lowerBound
            while next < quotations.count, quotations[next].paragraph == paragraph {
                tell(until: quotations[next].range.lowerBound, in: paragraph)
                spans.append(quotations[next])
                position = quotations[next].range.upperBound
                next += 1
            }
            tell(until: end, in: paragraph)
        }
        tell(until: count, in: 0)
        return spans
    }
}
