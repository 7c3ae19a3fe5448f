/// A story's bytes, with its paragraphs, its narration and speech, and its tokens.
///
/// Positions are UTF-8 byte offsets into the source, which is never changed. `Attributor`
/// finds the speakers, the importer the chapters.
package struct StoryText: Sendable {
    package let bytes: [UInt8]
    /// The paragraphs in order, without the white space between them.
    package let paragraphs: [Range<Int>]
    package let style: QuoteStyle
    /// The spans, which tile the source.
    package let spans: [StorySpan]
    /// A lowercase language code: "en", "de-at".
    package let language: String
    package let tokens: [StoryToken]
    package let vocabulary: StoryVocabulary
    /// The range of `tokens` of each span.
    package let spanTokens: [Range<Int>]

    /// - Parameters:
    ///   - style: the quotation style; found by counting if nil.
    ///   - language: a code such as "en", the default for nil.
    package init(_ text: String, style: QuoteStyle? = nil, language: String? = nil) {
        bytes = Array(text.utf8)
        self.language = language?.lowercased() ?? "en"
        let found = ParagraphFinder.find(in: bytes)
        let marks = QuoteMark.all(in: bytes)
        let finder = QuoteFinder(bytes: bytes, paragraphs: found, marks: marks)
        let style = style ?? finder.style()
        self.style = style
        paragraphs = found
        let isFrench = self.language.prefix(2) == "fr"
        var tokenizer = StoryTokenizer(
            bytes, words: .table(for: self.language), splitsPronouns: isFrench)
        var quotations = finder.quotations(style)
        if style.family != .script {
            if isFrench || self.language.prefix(2) == "de" {
                quotations = InsertedClauses(
                    tokens: tokenizer.tokens, tokenizer.vocabulary, readsMarks: isFrench
                ).cutOut(of: quotations)
            }
            quotations = SpokenQuotations(tokens: tokenizer.tokens, tokenizer.vocabulary, bytes)
                .filter(quotations)
        }
        spans = Self.tile(bytes.count, paragraphs, quotations)
        spanTokens = tokenizer.assign(to: spans)
        tokens = tokenizer.tokens
        vocabulary = tokenizer.vocabulary
    }

    /// Whether the text is in English, of any region.
    var isEnglish: Bool { language.prefix(2) == "en" }

    /// The source of a span.
    package func text(of range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The quotations, with narration between them. Narration never extends over the start
    /// of a paragraph: white space belongs to the previous paragraph.
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

extension [UInt8] {
    /// The part of a range that exists, without incomplete characters at its ends.
    package func whole(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (Swift.min(range.lowerBound, count), Swift.min(range.upperBound, count))
        while start < end, self[start] & 0xC0 == 0x80 { start += 1 }
        while end > start, end < count, self[end] & 0xC0 == 0x80 { end -= 1 }
        return start..<end
    }
}

/// Distinguishes speech from words that are merely in quotation marks: the so-called
/// "friends" of someone, a book called "Emma".
struct SpokenQuotations {
    private let tokens: [StoryToken]
    private let vocabulary: StoryVocabulary
    private let bytes: [UInt8]

    init(tokens: [StoryToken], _ vocabulary: StoryVocabulary, _ bytes: [UInt8]) {
        self.tokens = tokens
        self.vocabulary = vocabulary
        self.bytes = bytes
    }

    /// The quotations that are speech.
    func filter(_ quotations: [StorySpan]) -> [StorySpan] {
        var token = 0
        return quotations.filter { span in
            while token < tokens.count, tokens[token].start < span.range.lowerBound { token += 1 }
            return isSpeech(span, from: token)
        }
    }

    /// Whether a quotation is speech. It is not if it follows a word other than a verb of speaking,
    /// has few words, ends without a stop, and the sentence continues after it.
    private func isSpeech(_ span: StorySpan, from first: Int) -> Bool {
        guard !span.continues, first > 0, tokens[first - 1].isWord else { return true }
        // A heading is no evidence about the text after it.
        let between = bytes[Int(tokens[first - 1].end)..<span.range.lowerBound]
        if between.count(where: { $0 == 0x0A }) > 1 { return true }
        let classes = vocabulary.classes(of: tokens[first - 1].word)
        if !classes.isDisjoint(with: [.speechVerb, .weakSpeechVerb]) { return true }
        var end = first
        var words = 0
        var endsWithStop = false
        while end < tokens.count, tokens[end].start < span.range.upperBound {
            if tokens[end].isWord { words += 1 }
            if words > 5 { return true }
            if tokens[end].end < span.range.upperBound {
                endsWithStop =
                    !tokens[end].isWord && tokens[end].end - tokens[end].start <= 3
                    && [0x2E, 0x2C, 0x21, 0x3F, 0x3B, 0xE2].contains(bytes[Int(tokens[end].start)])
            }
            end += 1
        }
        // The last token before the closing mark decides.
        return words == 0 || endsWithStop
    }
}
