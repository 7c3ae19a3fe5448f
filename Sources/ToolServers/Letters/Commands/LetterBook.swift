import AgentCore
import Library
import Persistence

/// The saved letters: items of kind `letter`, with their sources as metadata
/// (`LetterDraft.metadata`).
///
/// It writes no letter and calls no model; `LetterWriter` does.
package struct LetterBook: Sendable {
    package let lookup: KindLookup

    package init(library: LibraryStore) { lookup = KindLookup(.letter, in: library) }

    package var library: LibraryStore { lookup.library }

    /// Saves a letter as a new item.
    package func save(_ draft: LetterDraft) async throws -> LibraryItem {
        let item = ItemDraft(
            kind: .letter, title: draft.title, body: draft.body, metadata: draft.metadata)
        // The advert is untrusted text, and shapes the letter.
        let origin = RevisionOrigin(
            by: draft.model == nil ? .tool : .model, name: draft.model?.model,
            hasUntrustedText: true)
        guard let saved = try await library.add([item], by: origin, verb: "saved").first else {
            throw ToolError.failed("the letter was not kept")
        }
        return saved
    }

    /// The letters, newest first.
    package func letters(limit: Int? = nil) async throws -> [LibraryItem] {
        try await library.items(
            ItemFilter(kinds: [.letter], order: .newest, limit: limit))
    }
}
