import Base

/// Proofreads without a model: own rules for English, spelling through hunspell
/// where it is installed, the user's own words left alone.
///
///     language of each block ─► English rules, round by round until nothing is left
///                            ─► spelling of what is still unknown ─► the rules again
///
/// It corrects only what is certain, and so that a second run finds nothing: the
/// rounds end when a whole one made no correction. A language other than English
/// and German, or none that can be told, is left as it is; German gets its
/// spelling checked and nothing else.
package actor Proofreader: QueuedActor {
    private let speller: Speller?
    private let ownWords: @Sendable () -> OwnWords
    /// A long text takes a while, and the user's words are in a file.
    package nonisolated let executor = QueueExecutor(label: "proofreader")

    /// - Parameters:
    ///   - speller: nil for the rules alone.
    ///   - ownWords: read again for each text; it may block.
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

    /// - Parameter language: "en", "de", with or without a country; another one is
    ///   left as it is. nil: guessed.
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

    /// The rules may bring words together that hunspell has not seen, and its
    /// corrections may give the rules something to do; both end soon.
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
