/// Where résumés and adverts come from, and what was used last: closures, so that
/// how they are read is not this folder's business.
package struct LetterSources: Sendable {
    /// What `--resume` names: a file, `-` for what is piped in, an item. A file is
    /// kept as an item.
    /// - Throws: what cannot be read, with the reason; too little text is refused.
    package var resume: @Sendable (_ words: String) async throws -> LetterInputs.Resume
    package var job: @Sendable (_ words: String) async throws -> LetterInputs.Job
    /// Texts that were typed or pasted.
    package var resumeText: @Sendable (_ text: String) async throws -> LetterInputs.Resume
    package var jobText: @Sendable (_ text: String) async throws -> LetterInputs.Job
    /// A revision that a letter was made from.
    package var kept:
        @Sendable (_ resume: LetterDraft.Source, _ job: LetterDraft.Source) async throws ->
            LetterInputs
}
