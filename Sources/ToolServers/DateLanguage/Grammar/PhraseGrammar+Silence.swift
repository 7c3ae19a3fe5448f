/// That a thing is not to ring: "dentist tomorrow 3pm no alarm", "…, ohne Erinnerung".
extension PhraseGrammar {
    mutating func readSilence() {
        guard let range = Self.silence(in: words) else { return }
        take(.alarm(nil), range)
    }

    /// Where it is said: at the end of a phrase or apart in it. At its beginning, and
    /// behind a wish, it is no property of a thing: "no alarm tomorrow at 7", "set no alarm".
    static func silence(in words: [String]) -> Range<Int>? {
        for index in words.indices.dropFirst() {
            guard let end = silent.match(words, from: index)?.end,
                !Lexicon.has(.wanting, words[index - 1])
            else { continue }
            let before = words[index - 1]
            let after = end < words.count ? words[end] : "."
            let isApart = [",", "(", "-", "–", ";"].contains(before)
            guard isApart || [",", ".", "!", ";", ")"].contains(after) else { continue }
            return (isApart ? index - 1 : index)..<(before == "(" && after == ")" ? end + 1 : end)
        }
        return nil
    }

    private static let silent = PatternTable("date silent") { _ in () }
}
