import Base

/// Words by which a message calls for a tool, as the tool's server declares them:
/// alternatives separated by spaces. Pure.
///
///     book      the word          remind*   words that begin with it
///     check+off both words        *termin*  words that contain it
///     #pm       5pm: a number is #
///
/// Compared ignoring accents and case, as in searches.
package struct ToolCues: Sendable {
    private enum Pattern: Sendable {
        case word(String)
        case beginning(String)
        case part(String)

        init(_ text: Substring) {
            let star = UInt8(ascii: "*")
            let word = String(decoding: text.utf8.filter { $0 != star }, as: UTF8.self)
            if text.utf8.first == star {
                self = .part(word)
            } else {
                self = text.utf8.last == star ? .beginning(word) : .word(word)
            }
        }
    }

    /// Alternatives; each matches if all of its patterns do.
    private let alternatives: [[Pattern]]

    package init(_ text: String) {
        alternatives = SearchText.folded(text).cut(at: " ").map { alternative in
            alternative.cut(at: "+").map(Pattern.init)
        }
    }

    package func match(_ message: MessageWords) -> Bool {
        alternatives.contains { $0.allSatisfy { Self.isMet($0, by: message) } }
    }

    private static func isMet(_ pattern: Pattern, by message: MessageWords) -> Bool {
        switch pattern {
        case .word(let word): message.words.contains(word)
        case .beginning(let start): message.words.contains { $0.utf8.starts(with: start.utf8) }
        case .part(let part): message.words.contains { $0.firstRange(of: part) != nil }
        }
    }
}

/// The words of a text as `ToolCues` compares them. Pure.
package struct MessageWords: Sendable {
    /// The words; every number in them is one `#`.
    package let words: Set<String>

    /// Maximum length; of a longer text, the beginning and the end are used.
    private static let most = 4_000

    package init(_ text: String) {
        let bytes = text.utf8
        let text =
            bytes.count <= 2 * Self.most
            ? text
            : String(decoding: bytes.prefix(Self.most), as: UTF8.self) + " "
                + String(decoding: bytes.suffix(Self.most), as: UTF8.self)
        words = Set(Self.split(text).map(Self.withoutNumbers))
    }

    /// The folded words with their numbers.
    static func split(_ text: String) -> [Substring] {
        // Split by scalars: every message is compared with the texts of all tools, and splitting by
        // characters takes many times as long.
        SearchText.folded(text).unicodeScalars.split { scalar in
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                return byte &- UInt8(ascii: "a") >= 26 && byte &- UInt8(ascii: "0") >= 10
            }
            return !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
        }.map(Substring.init)
    }

    private static func withoutNumbers(_ word: Substring) -> String {
        var result = ""
        for character in word {
            if !character.isNumber {
                result.append(character)
            } else if result.last != "#" {
                result.append("#")
            }
        }
        return result
    }
}
