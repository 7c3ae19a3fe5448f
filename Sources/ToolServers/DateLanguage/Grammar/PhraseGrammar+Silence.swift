/// Parses the wish that an item should not ring: "dentist tomorrow 3pm no alarm", "…, ohne
/// Erinnerung".
extension PhraseGrammar {
    mutating func readSilence() {
        // Only at the end of a phrase or set apart in it. At the beginning, and after a
        // wish, it does not describe an item: "no alarm tomorrow at 7", "set no alarm".
        for index in words.indices.dropFirst() {
            guard let end = Self.silent.match(words, from: index)?.end,
                !Lexicon.has(.wanting, words[index - 1])
            else { continue }
            let before = words[index - 1]
            let after = end < words.count ? words[end] : "."
            let isApart = [",", "(", "-", "–", ";"].contains(before)
            guard isApart || [",", ".", "!", ";", ")"].contains(after) else { continue }
            let start = isApart ? index - 1 : index
            return take(.alarm(nil), start..<(before == "(" && after == ")" ? end + 1 : end))
        }
    }

    static let silent = PatternTable("date silent") { _ in () }
}
