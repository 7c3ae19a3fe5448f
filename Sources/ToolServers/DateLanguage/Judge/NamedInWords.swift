import Base

/// Decides whether `query` in a message can refer to a title: its words must occur in the
/// title as whole words, so that "it" is not "dinner with Ida". Pure.
///
/// Commands also accept part of a word; a message is not precise enough for that.
package enum NamedInWords {
    package static func fits(_ query: String, title: String) -> Bool {
        let wanted = words(query)
        let words = words(title)
        guard !wanted.isEmpty, wanted.count <= words.count else { return false }
        return (0...(words.count - wanted.count)).contains { start in
            zip(words[start...], wanted).allSatisfy { word, part in
                // "plant" matches the plants, "dentist" the dentist's.
                word == part
                    || (part.count >= 4 && word.hasPrefix(part)
                        && (word.count <= part.count + 2 || word.hasSuffix("termin")))
            }
        }
    }

    /// Whether `query` is the title but for an article, or the part of it before a preposition:
    /// "smear test" for "smear test at the surgery".
    package static func isExactly(_ query: String, title: String) -> Bool {
        let isSmall = { (word: String) in
            Lexicon.has(.articles, word) || Lexicon.has(.connectors, word)
        }
        let wanted = Array(words(query).drop(while: isSmall))
        let words = Array(words(title).drop(while: isSmall))
        return !wanted.isEmpty && words.starts(with: wanted)
            && (words.count == wanted.count || Lexicon.has(.prepositions, words[wanted.count]))
    }

    private static func words(_ text: String) -> [String] {
        SearchText.folded(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
