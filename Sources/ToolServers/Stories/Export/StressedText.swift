/// Converts the stress marks of plain text and Markdown to XHTML: `_word_` and `*word*`
/// become `em`, doubled marks `strong`. Marks that are not closed within the paragraph, or
/// are within a word, stay as text. Pure.
enum StressedText {
    private struct Open {
        var mark: Character
        var count: Int
        /// Index into `pieces`.
        var place: Int
    }

    /// - Parameter escaped: escapes text for XHTML.
    static func xhtml(_ text: String, escaped: (String) -> String) -> String {
        guard text.utf8.contains(where: { $0 == 0x2A || $0 == 0x5F }) else { return escaped(text) }
        let letters = Array(text)
        var pieces: [String] = []
        var plain = ""
        var open: [Open] = []
        var at = 0
        while at < letters.count {
            let letter = letters[at]
            guard letter == "*" || letter == "_" else {
                plain.append(letter)
                at += 1
                continue
            }
            let end = letters[at...].firstIndex { $0 != letter } ?? letters.count
            let count = end - at
            let before = at > 0 ? letters[at - 1] : " "
            let after = end < letters.count ? letters[end] : " "
            at = end
            let run = String(repeating: letter, count: count)
            let closed = open.lastIndex { $0.mark == letter && $0.count == count }
            if let closed, !before.isWhitespace, !isPartOfWord(after) {
                let (first, last) = tags(count)
                pieces[open[closed].place] = first
                pieces += [escaped(plain), last]
                plain = ""
                // Marks inside were not closed.
                open.removeSubrange(closed...)
            } else if count <= 3, !after.isWhitespace, !isPartOfWord(before) {
                pieces += [escaped(plain), run]
                plain = ""
                open.append(Open(mark: letter, count: count, place: pieces.count - 1))
            } else {
                plain += run
            }
        }
        return pieces.joined() + escaped(plain)
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber
    }

    private static func tags(_ count: Int) -> (String, String) {
        switch count {
        case 1: ("<em>", "</em>")
        case 2: ("<strong>", "</strong>")
        default: ("<strong><em>", "</em></strong>")
        }
    }
}
