import Base

/// The vocabulary of dates: both languages in one dictionary, with the language of the
/// phrase first.
struct Vocabulary: Sendable {
    private let words: [String: Lexeme]
    private let spellings: [[Spelling]]

    private struct Spelling: Sendable {
        let word: String
        let letters: [UInt8]
        /// Whether only slips are corrected, as other words differ in one letter ("rewind").
        let isCommand: Bool
    }

    static let english = Vocabulary(first: .english, second: .german)
    static let german = Vocabulary(first: .german, second: .english)

    private init(first: Lexicon, second: Lexicon) {
        // Only the words that cannot be mistaken for words of the first.
        let second = second.dates.without(second.file.text("date unsafe"))
        let first = first.dates
        var words = second.words
        for (word, lexeme) in first.words { words[word] = lexeme }
        self.words = words
        var spellings = [[Spelling]](repeating: [], count: 26)
        let commands = first.commands + second.commands
        for word in first.corrected + second.corrected + commands {
            let letters = Array(word.utf8)
            guard let initial = letters.first, (0x61...0x7A).contains(initial) else { continue }
            spellings[Int(initial - 0x61)].append(
                Spelling(word: word, letters: letters, isCommand: commands.contains(word)))
        }
        self.spellings = spellings
    }

    func lexeme(_ word: String) -> Lexeme? { words[word] }

    /// The vocabulary for a phrase of these words; for `preferred` if the words are of no
    /// clear language.
    static func of(_ words: [String], preferred: DateLocale.Language) -> Vocabulary {
        var (english, german) = (0, 0)
        for word in words {
            if Lexicon.english.dateSigns.contains(word) { english += 1 }
            if Lexicon.german.dateSigns.contains(word) { german += 1 }
        }
        if english == german { return preferred == .german ? .german : .english }
        return german > english ? .german : .english
    }

    /// The known word of which a long unknown one is a typo. The first letter must match,
    /// as it does in nearly all typos; this keeps other words out.
    func correction(of word: String) -> String? {
        let letters = Array(word.utf8)
        guard letters.count >= 5, letters.count <= 14, let initial = letters.first,
            (0x61...0x7A).contains(initial), !Self.innocent.contains(word)
        else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in spellings[Int(initial - 0x61)] {
            if candidate.isCommand, !Self.isSlip(letters, for: candidate.letters) { continue }
            let allowed = candidate.letters.count >= 8 ? 2 : 1
            guard abs(candidate.letters.count - letters.count) <= allowed else { continue }
            let distance = EditDistance.between(letters, candidate.letters)
            if distance <= allowed, distance < best?.distance ?? 9 {
                best = (candidate.word, distance)
            }
        }
        return best?.word
    }

    /// Whether a letter is missing, doubled or in the wrong place.
    private static func isSlip(_ letters: [UInt8], for word: [UInt8]) -> Bool {
        let single = [letters, word].map { all in
            zip(all, all.dropFirst()).filter { $0 != $1 }.map(\.0) + all.suffix(1)
        }
        return single[0] == single[1]
            || EditDistance.between(letters, word) == 1
                && (letters.count < word.count || letters.sorted() == word.sorted())
    }

    /// Correct words that are similar to a date word.
    private static let innocent = Set(Lexicon.all.flatMap { $0.file.words("date innocent") })
}
