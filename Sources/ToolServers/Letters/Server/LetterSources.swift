import Documents
import Persistence

/// The sources of a letter, résumés and adverts. Closures, so that a test needs no files.
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

extension LetterSources {
    /// Those that the résumé book reads and saves.
    package init(_ book: ResumeBook, library: LibraryStore) {
        self.init(
            resume: { try LetterInputs.Resume(try await book.keep($0, as: .resume).item) },
            job: { try LetterInputs.Job(try await book.keep($0, as: .job).item) },
            resumeText: {
                try LetterInputs.Resume(try await book.keep($0, format: nil, as: .resume).item)
            },
            jobText: { try LetterInputs.Job(try await book.keep($0, format: nil, as: .job).item) },
            kept: { resume, job in
                LetterInputs(
                    resume: try LetterInputs.Resume(try await Self.item(resume, in: library)),
                    job: try LetterInputs.Job(try await Self.item(job, in: library)))
            })
    }

    /// The item with the text of that revision.
    private static func item(
        _ source: LetterDraft.Source, in library: LibraryStore
    ) async throws -> LibraryItem {
        var item = try await library.liveItem(source.item)
        guard let revision = try await library.revision(source.revision, of: source.item) else {
            throw LibraryError(.noRevision(source.item, source.revision))
        }
        (item.body, item.metadata) = (revision.body, revision.metadata)
        item.revision = source.revision
        return item
    }
}
