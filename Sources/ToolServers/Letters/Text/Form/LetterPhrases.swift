import Base

/// Recognises the opening and closing phrases of letters in the languages people apply in.
/// Pure; folded as in `SearchText`.
enum LetterPhrases {
    static let preambles = LetterTexts.phrases("preambles")

    static let remarks = LetterTexts.phrases("remarks")

    static let subjects = Set(LetterTexts.phrases("subjects"))

    // MARK: - Salutations

    /// Phrases with which no sentence of a letter begins.
    private static let refusals = LetterTexts.phrases("refusals")

    /// Whether the answer is JSON, or a few sentences that decline.
    static func isNoLetter(_ answer: String) -> Bool {
        let text = answer.replacing("```json", with: "").replacing("```", with: "").trimmingSpace()
        if let first = text.first, "{[".contains(first),
            // The reason for a parse failure does not matter: then it is text.
            (try? JSONParser.parse(Array(text.utf8))) != nil
        {
            return true
        }
        let folded = SearchText.folded(text).replacing("’", with: "'")
        return LetterAnswer.words(text) < 100 && refusals.contains(where: folded.hasPrefix)
    }

    private static let greetings = LetterTexts.phrases("greetings")

    /// Greetings that count only alone on a line; sentences begin with them too.
    private static let alone = LetterTexts.phrases("greetings alone")

    static func isSalutation(_ line: String) -> Bool {
        let folded = SearchText.folded(line)
        guard begins(folded, with: greetings) || begins(folded, with: alone),
            let last = folded.last
        else { return false }
        let count = folded.split(separator: " ").count
        if ",:!".contains(last) { return count <= 12 }
        return count <= 8 && !".?;".contains(last) && begins(folded, with: greetings)
    }

    /// "Dear Ms Smith, I write to you" without the salutation.
    static func withoutSalutation(_ line: String) -> String {
        guard begins(SearchText.folded(line), with: greetings),
            let end = line.firstIndex(where: { ",:!".contains($0) }),
            line[..<end].split(separator: " ").count <= 8
        else { return line }
        // "Madame, Monsieur, je vous écris".
        let rest = line[line.index(after: end)...].trimmingSpace()
        if begins(SearchText.folded(rest), with: ["monsieur", "messieurs"]) {
            return withoutSalutation(rest)
        }
        guard let first = rest.first else { return "" }
        return first.uppercased() + rest.dropFirst()
    }

    private static func begins(_ folded: String, with words: [String]) -> Bool {
        words.contains { word in
            folded.hasPrefix(word)
                && folded.dropFirst(word.count).first.map { !$0.isLetter && $0 != "-" } ?? true
        }
    }

    // MARK: - Closing phrases

    private static let closings = LetterTexts.phrases("closings")

    /// Whether the line is a closing: "Sincerely,", "Best regards, John Doe", or the final
    /// sentence of a French letter.
    static func isClosing(_ line: String) -> Bool {
        let folded = SearchText.folded(line)
        if isFormula(folded) { return true }
        for closing in closings where folded.hasPrefix(closing) {
            let rest = folded.dropFirst(closing.count)
            if rest.allSatisfy({ ",.!–—- ".contains($0) }) { return true }
            guard rest.first == ",", rest.split(separator: " ").count <= 5,
                !rest.hasSuffix(".")
            else { continue }
            return true
        }
        return false
    }

    /// « Je vous prie d'agréer … », « Veuillez agréer … ».
    private static func isFormula(_ folded: String) -> Bool {
        let begins = ["je vous prie d", "veuillez ", "nous vous prions"]
        return begins.contains(where: folded.hasPrefix)
            && (folded.contains("agreer") || folded.contains("croire")
                || folded.contains("recevoir"))
    }

    /// A last paragraph without the closing phrase at its end: "… from you. Sincerely, John
    /// Doe".
    static func withoutClosing(_ line: String) -> String {
        var index = line.endIndex
        // Try sentences from the last one; a signature is short.
        for _ in 0..<3 {
            guard
                let stop = line[..<index].lastIndex(where: { ".!?".contains($0) })
            else { return line }
            let tail = line[line.index(after: stop)...].trimmingSpace()
            if !tail.isEmpty, isClosing(tail) { return String(line[...stop]) }
            index = stop
        }
        return line
    }

    // MARK: - Dates

    /// "November 23, 2026", "le 23 novembre 2026", "23.11.2026".
    static func isDate(_ line: String) -> Bool {
        let words = SearchText.folded(line).split { !$0.isLetter && !$0.isNumber }
        guard (1...7).contains(words.count) else { return false }
        let hasYear = words.contains { $0.count == 4 && Int($0).map { 1990...2100 ~= $0 } == true }
        let hasMonth = words.contains { months.contains(String($0)) }
        let isNumeric = words.count >= 3 && words.allSatisfy { $0.allSatisfy(\.isNumber) }
        return hasYear && (hasMonth || isNumeric)
    }

    private static let months: Set<String> = Set(
        LetterForm.all.flatMap(\.months).map { SearchText.folded($0) })
}
