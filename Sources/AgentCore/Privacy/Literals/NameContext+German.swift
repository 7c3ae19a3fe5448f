/// Rules for German, where a name that is also a noun has a capital either way.
extension NameContext {
    /// Classifies German nouns by their context.
    func told(_ candidates: [NameCandidate]) -> [NameCandidate] {
        guard candidates.contains(where: { $0.part.kind == .noun }) else { return candidates }
        let balance = balanceOfGerman()
        let whole = balance.reduce(0, +)
        return candidates.map { candidate in
            guard candidate.part.kind == .noun else { return candidate }
            let block = text.word(from: candidate.units.lowerBound) / Self.block
            let near = balance[max(block - 1, 0)..<min(block + 2, balance.count)].reduce(0, +)
            var candidate = candidate
            if (near == 0 ? whole : near) <= 0 { candidate.part.kind = .word }
            return candidate
        }
    }

    /// The number of short German words minus that of short English ones, for each block of words.
    private func balanceOfGerman() -> [Int] {
        var balance = [Int](repeating: 0, count: text.words.count / Self.block + 1)
        for (index, word) in text.words.enumerated()
        where !word.hasDigit && (2...5).contains(word.count) {
            let spelled = text.text(word)
            if Self.germanWords.contains(spelled) { balance[index / Self.block] += 1 }
            if Self.englishWords.contains(spelled) { balance[index / Self.block] -= 1 }
        }
        return balance
    }

    private static let block = 64

    private static let germanWords = RedactionWords.list("short german")

    private static let englishWords = RedactionWords.list("short english")
}
