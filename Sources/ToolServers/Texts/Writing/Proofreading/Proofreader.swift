import Base

/// Proofreads without a model: built-in rules for English, spelling through
/// hunspell if it is installed; the user's own words are left alone.
///
///     language of each block ─► English rules, round by round until nothing is left
///                            ─► spelling of what is still unknown ─► the rules again
///
/// It corrects only what is certain, and so that a second run finds nothing: the
/// rounds end when a complete one makes no correction. Text in another language
/// than English and German, or in an unknown one, is left unchanged; in German
/// only the spelling is checked.
package actor Proofreader: QueuedActor {
    private let speller: Speller?
    private let ownWords: @Sendable () -> OwnWords
    /// A long text takes a while, and the user's words are in a file.
    package nonisolated let executor = QueueExecutor(label: "proofreader")

    /// - Parameters:
    ///   - speller: nil for the rules alone.
    ///   - ownWords: read again for each text; may block.
    package init(
        speller: Speller?, ownWords: @escaping @Sendable () -> OwnWords = { OwnWords() }
    ) {
        self.speller = speller
        self.ownWords = ownWords
    }

    /// The corrections alone; see `proofread`.
    package func corrections(
        in text: String, language: String? = nil
    ) async throws -> [Correction] {
        try await proofread(text, language: language).corrections
    }

    /// - Parameter language: "en", "de", with or without a country; text in other
    ///   languages is left unchanged. nil guesses.
    /// - Throws: `CancellationError`.
    package func proofread(
        _ text: String, language: String? = nil
    ) async throws -> Proofreading {
        var run = ProofreadingRun(text, language: language, ownWords: ownWords())
        try run.applyRules()
        try await spell(&run)
        return Proofreading(
            corrections: run.corrections, remarks: run.remarks, language: run.language?.rawValue,
            missingSpelling: run.language.flatMap { speller?.missing(for: $0.rawValue) })
    }

    /// The rules may join words that hunspell has not seen, and its corrections
    /// may enable further rules; both end soon.
    private func spell(_ run: inout ProofreadingRun) async throws {
        guard let speller else { return }
        for language in LanguageGuess.Language.allCases {
            for _ in 0..<3 {
                let words = run.wordsToSpell(language)
                if !words.isEmpty {
                    let answers = try await speller.answers(for: words, language: language)
                    if answers.isEmpty { break }
                    run.add(answers, language)
                }
                guard run.applySpelling(language) else { break }
                try run.applyRules()
            }
        }
    }
}
