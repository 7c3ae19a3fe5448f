import Base

/// A parsed search query: all words must occur, in any order, and quoted words consecutively. Pure.
///
/// Any text is a query; there are no operators, so there are no syntax errors. The last word may be
/// the beginning of a word, unless a space or a quote ends it.
package struct SearchQuery: Sendable, Equatable {
    /// Consecutive words.
    struct Phrase: Equatable {
        /// The words as typed, without quotes.
        var text: String
        /// Whether its last word may be the beginning of a longer one.
        var isPrefix: Bool
    }

    let phrases: [Phrase]

    /// Maximum number of phrases; further ones do not narrow the result.
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

    /// Whether no word was typed.
    package var isEmpty: Bool { phrases.isEmpty }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// A single letter begins too many words, so it matches only itself.
    private static func mayGoOn(_ text: String) -> Bool {
        let tail = text.unicodeScalars.reversed().prefix(while: isOfWord)
        return tail.count > 1 && !tail.prefix(1).allSatisfy(SearchableText.isUnspaced)
    }

    var isPrefix: Bool { phrases.contains(where: \.isPrefix) }

    /// The beginning of a word, in the form in which the index has words; nil without one, and for
    /// letters whose form only the index knows.
    var beginning: String? {
        guard let last = phrases.last, last.isPrefix,
            last.text.utf8.allSatisfy(\.isASCIILetterOrDigit)
        else { return nil }
        return last.text.lowercased()
    }

    /// The query in FTS5 syntax.
    /// - Parameter completions: the words for `beginning`, if they are known.
    func expression(completions: [String]?) -> String {
        guard let completions, !completions.isEmpty else {
            return expressions.joined(separator: " ")
        }
        let last = completions.map { "\"\($0)\"" }.joined(separator: " OR ")
        return (expressions.dropLast() + ["(\(last))"]).joined(separator: " AND ")
    }

    /// One for each phrase: strings only.
    var expressions: [String] {
        phrases.map { phrase in
            let text = phrase.text.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }
            return "\"\(SearchableText.segmented(text.joined()))\"\(phrase.isPrefix ? "*" : "")"
        }
    }
}
