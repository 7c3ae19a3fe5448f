/// Which member of a given cast says "I" in the narration.
struct NarratorChoice {
    let cast: Cast
    let text: StoryText
    let index: CastIndex

    /// As the cast has it; the member with "I" for an alias; or the one whom others name,
    /// and the narration hardly ever.
    var narrator: Int? {
        if let narrator = cast.narrator { return narrator }
        let named = cast.characters.firstIndex { character in
            ([character.name] + character.aliases).contains { Self.names.contains($0.lowercased()) }
        }
        if let named { return named }
        guard isFirstPerson else { return nil }
        var scores = [Int](repeating: 0, count: cast.characters.count)
        for mention in index.mentions {
            let isSpoken = text.tokens[mention.tokens.lowerBound].flags.contains(.inQuotation)
            scores[mention.character] += isSpoken ? 1 : -4
        }
        let best = scores.indices.max { (scores[$0], $1) < (scores[$1], $0) }
        return best.flatMap { scores[$0] > 0 ? $0 : nil }
    }

    private static let names: Set<String> = ["i", "narrator", "the narrator"]

    /// "I" in the narration at least once in a hundred words.
    private var isFirstPerson: Bool {
        var words = 0
        var first = 0
        for token in text.tokens where token.isWord && !token.flags.contains(.inQuotation) {
            words += 1
            if text.vocabulary.classes(of: token.word).contains(.firstPerson) { first += 1 }
        }
        return first * 100 > words
    }
}
