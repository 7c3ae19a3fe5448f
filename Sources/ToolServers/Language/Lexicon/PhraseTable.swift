/// Phrases of one or more words with what each means, found by their first
/// word; the longest counts.
struct PhraseTable<Value: Sendable>: Sendable {
    private let byFirstWord: [String: [(words: [String], value: Value)]]

    /// Spellings of one meaning stand in one text, with "|" between.
    init(_ rows: [(spellings: String, value: Value)]) {
        var found: [String: [(words: [String], value: Value)]] = [:]
        for row in rows {
            for spelling in row.spellings.split(separator: "|") {
                let words = spelling.split(separator: " ").map(String.init)
                found[words[0], default: []].append((words, row.value))
            }
        }
        byFirstWord = found.mapValues { $0.sorted { $0.words.count > $1.words.count } }
    }

    /// Hyphens may stand between the words ("end-of-day").
    func match(_ tokens: [Token], at index: Int) -> (value: Value, end: Int)? {
        guard tokens.indices.contains(index), let rows = byFirstWord[tokens[index].text] else {
            return nil
        }
        for row in rows {
            var end = index
            let isWhole = row.words.allSatisfy { word in
                if end > index, end + 1 < tokens.count, tokens[end].isSign("-") { end += 1 }
                defer { end += 1 }
                return end < tokens.count && tokens[end].text == word
            }
            if isWhole { return (row.value, end) }
        }
        return nil
    }
}
