/// Finds doubled words: "the the cat". Words that can be right ("had had", "bye
/// bye", "what it is is …") stay.
extension EnglishRules {
    func doubled(_ index: Int, _ passage: Passage) -> Correction? {
        let item = passage.items[index]
        guard item.kind == .word, let previous = passage.wordBefore(index),
            previous.text == item.text, !previous.isAllCapitals || item.text == "i",
            !item.isAllCapitals || item.text == "i", !item.text.utf8.contains(0x2D)
        else { return nil }
        // "Duran Duran" is a name; in "The the cat" one is too many.
        if item.isCapitalised, item.text != "i" { return nil }
        if previous.isCapitalised, previous.start == .no, item.text != "i" { return nil }
        guard isMistake(item.text, index, passage) else { return nil }
        // Across lines the second one is removed with the space after it, so
        // that the lines stay.
        if item.gap == .line, index + 1 < passage.items.count,
            passage.items[index + 1].gap == .space
        {
            let end = passage.items[index + 1].range.lowerBound
            return correction(item.range.lowerBound..<end, "", .doubled)
        }
        return correction(previous.range.upperBound..<item.range.upperBound, "", .doubled)
    }

    private func isMistake(_ word: String, _ index: Int, _ passage: Passage) -> Bool {
        if words.isIn("double", word) {
            // The letter of a list or of music; "he he", "A a" are handled above.
            return word.utf8.count > 1 || passage.wordAfter(index) != nil
        }
        switch word {
        case "is", "was", "are", "were", "will", "has", "have", "do", "does", "did", "can", "not":
            return hasPlainSubject(before: index - 1, passage) && passage.wordAfter(index) != nil
        case "it", "you", "he":
            return passage.items[index - 1].start != .no && passage.wordAfter(index) != nil
                && passage.items[index].gap == .space
        case "in", "on", "up", "out", "over":
            guard let before = passage.wordBefore(index - 1) else {
                return passage.items[index - 1].start != .no
            }
            return ["is", "was", "are", "were", "be", "been", "and", "or", "but", "interested"]
                .contains(before.text)
        default: break
        }
        if words.isIn("never double", word) || word.utf8.count < 4 { return false }
        // "the meeting meeting was": a noun, since a function word follows.
        let isFollowed =
            passage.endsClause(index)
            || passage.wordAfter(index).map { words.isIn("function", $0.text) } == true
        guard isFollowed, passage.items[index].gap == .space else { return false }
        if passage.items[index - 1].start != .no { return false }
        guard let before = passage.wordBefore(index - 1) else { return false }
        if words.isIn("determiner", before.text) { return true }
        if words.isIn("subject", before.text), words.isIn("participle", word) { return true }
        // "an important meeting meeting was"
        return passage.wordBefore(index - 2).map { words.isIn("determiner", $0.text) } == true
            && index >= 2 && passage.items[index - 1].gap == .space
    }

    /// "the cat is is": no word before it can be the subject of the second verb, as in "what it is
    /// is a shame".
    private func hasPlainSubject(before index: Int, _ passage: Passage) -> Bool {
        let before = Array(passage.sentenceBefore(index).reversed().prefix { $0.kind == .word })
        guard !before.isEmpty, before.count <= 4 else {
            // A longer subject: only certain if it cannot contain a clause.
            guard let last = before.first else { return false }
            return words.isIn("subject", last.text)
                && before.count >= 2 && ["and", "but", "so", "because"].contains(before[1].text)
        }
        let texts = before.map(\.text)
        if texts.count == 1 { return words.isIn("subject", texts[0]) || before[0].start != .no }
        let clause = texts.dropFirst(0)
        let hasPronoun = clause.dropLast().contains {
            ["i", "he", "she", "it", "we", "they", "you", "what", "that", "who", "which", "all"]
                .contains($0)
        }
        return !hasPronoun && words.isIn("determiner", texts[texts.count - 1])
            && texts[texts.count - 1] != "that"
    }
}
