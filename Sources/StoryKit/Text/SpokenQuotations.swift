/// Distinguishes speech from words that are only in quotation marks: the so-called "friends" of
/// someone, a book called "Emma".
struct SpokenQuotations {
    private let tokens: [StoryToken]
    private let vocabulary: StoryVocabulary
    private let bytes: [UInt8]

    init(tokens: [StoryToken], _ vocabulary: StoryVocabulary, _ bytes: [UInt8]) {
        self.tokens = tokens
        self.vocabulary = vocabulary
        self.bytes = bytes
    }

    /// Without those that are not speech.
    func filter(_ quotations: [StorySpan]) -> [StorySpan] {
        var token = 0
        return quotations.filter { span in
            while token < tokens.count, tokens[token].start < span.range.lowerBound { token += 1 }
            return isSpeech(span, from: token)
        }
    }

    /// No speech is what follows a word that says nothing of speaking, has few words, ends
    /// without a stop, and is followed by the rest of the sentence.
    private func isSpeech(_ span: StorySpan, from first: Int) -> Bool {
        guard !span.continues, first > 0, tokens[first - 1].isWord else { return true }
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
