/// The sources of a letter, résumés and adverts. Closures, so that this folder does not
/// depend on how they are read.
package struct LetterSources: Sendable {
    /// The résumé named by `--resume`: a file, `-` for piped input, or an item. A file is
    /// saved as an item.
    /// - Throws: the reason if it cannot be read or has too little text.
    package var resume: @Sendable (_ words: String) async throws -> LetterInputs.Resume
    package var job: @Sendable (_ words: String) async throws -> LetterInputs.Job
    /// Reads a text that was typed or pasted.
    package var resumeText: @Sendable (_ text: String) async throws -> LetterInputs.Resume
    package var jobText: @Sendable (_ text: String) async throws -> LetterInputs.Job
    /// Reads the revisions that a letter was written from.
    package var kept:
        @Sendable (_ resume: LetterDraft.Source, _ job: LetterDraft.Source) async throws ->
            LetterInputs
}
