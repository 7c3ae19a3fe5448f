/// What was typed to find something: words that all have to be there, in
/// any order; words in quotes one after another. Pure.
///
/// Any text is a query; there are no operators, so none can be wrong. The last
/// word may be a beginning of one, unless a space or a quote ends it.
package struct SearchQuery: Sendable, Equatable {
    /// Words that stand one after another.
    struct Phrase: Equatable {
        /// As typed, without quotes.
        var text: String
        /// Its last word may go on.
        var isPrefix: Bool
    }

    let phrases: [Phrase]

    /// More words than this narrow nothing any more.
    private static let limit = 16

    package init(_ text: String) {
        var phrases: [Phrase] = []
        for (index, piece) in text.split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated()
        {
            let isQuoted = index % 2 == 1
            let words =
                isQuoted
                ? [piece] : piece.split(whereSeparator: { $0.isWhitespace || $0 == "\0" })
            for word in words where word.unicodeScalars.contains(where: Self.isOfWord) {
                phrases.append(Phrase(text: String(word), isPrefix: false))
            }
        }
        phrases = Array(phrases.prefix(Self.limit))
        if let last = phrases.indices.last, let end = text.unicodeScalars.last,
            Self.isOfWord(end), Self.mayGoOn(phrases[last].text)
        {
            phrases[last].isPrefix = true
        }
        self.phrases = phrases
    }

    /// No word was typed: nothing to look for.
    package var isEmpty: Bool { phrases.isEmpty }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// One letter begins so many words that it stands for itself.
    private static func mayGoOn(_ text: String) -> Bool {
        let tail = text.unicodeScalars.reversed().prefix(while: isOfWord)
        return tail.count > 1 && !tail.prefix(1).allSatisfy(SearchableText.isUnspaced)
    }

    var isPrefix: Bool { phrases.contains(where: \.isPrefix) }

    /// In the language of FTS5: strings only, in which nothing has a meaning.
    var expression: String { expressions.joined(separator: " ") }

    /// One for each phrase.
    var expressions: [String] {
        phrases.map { phrase in
            let text = phrase.text.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }
            return "\"\(SearchableText.segmented(text.joined()))\"\(phrase.isPrefix ? "*" : "")"
        }
    }
}
