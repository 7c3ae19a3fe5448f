import Base

/// Whether a message that says `query` can mean the title: its words stand in
/// the title as whole words, so that "it" is not "dinner with Ida". Pure.
///
/// Commands may be given a part of a word; a message is never that sure.
package enum NamedInWords {
    package static func fits(_ query: String, title: String) -> Bool {
        let wanted = words(query)
        let words = words(title)
        guard !wanted.isEmpty, wanted.count <= words.count else { return false }
        return (0...(words.count - wanted.count)).contains { start in
            zip(words[start...], wanted).allSatisfy { word, part in
                // "plant" means the plants, "dentist" the dentist's.
                word == part
                    || (part.count >= 4 && word.hasPrefix(part)
                        && (word.count <= part.count + 2 || word.hasSuffix("termin")))
            }
        }
    }

    private static func words(_ text: String) -> [String] {
        SearchText.folded(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
