import AgentCore
import Persistence

/// The letters that are kept: items of kind `letter`, with what they were made
/// from as their metadata (`LetterDraft.metadata`).
///
/// It writes no letter and asks no model; `LetterWriter` does.
package struct LetterBook: Sendable {
    package let library: LibraryStore

    package init(library: LibraryStore) { self.library = library }

    /// Keeps a letter as a new item.
    package func save(_ draft: LetterDraft) async throws -> LibraryItem {
        let item = ItemDraft(
            kind: .letter, title: draft.title, body: draft.body, metadata: draft.metadata)
        // The advert is by others, and shapes what the letter says.
        let origin = RevisionOrigin(
            by: draft.model == nil ? .tool : .model, name: draft.model?.model,
            hasForeignText: true)
        guard let saved = try await library.add([item], by: origin, verb: "saved").first else {
            throw ToolError.failed("the letter was not kept")
        }
        return saved
    }

    // MARK: - Finding

    /// The letter that words name: `l12`, `i12`, `12`, `last`, a part of its title.
    /// - Parameter isTrashed: nil for one wherever it is.
    package func find(_ words: String, isTrashed: Bool? = false) async throws -> LibraryItem {
        let filter = ItemFilter(kinds: [.letter], isTrashed: isTrashed ?? false)
        var found = try await library.matches(words, in: filter)
        if found.isEmpty, isTrashed == nil {
            found = try await library.matches(
                words, in: ItemFilter(kinds: [.letter], isTrashed: true))
        }
        guard let first = found.first else {
            if let id = ItemID(words), let item = try await library.item(id) {
                if item.kind == .letter { throw LetterHistoryError(.inTrash(id)) }
                throw LetterHistoryError(.otherKind(id, item.kind))
            }
            throw LetterHistoryError(.notFound(words))
        }
        guard found.count == 1 else {
            throw LetterHistoryError(
                .ambiguous(words, candidates: found.prefix(5).map(Self.name)))
        }
        return first
    }

    /// The newest first.
    package func letters(limit: Int? = nil) async throws -> [LibraryItem] {
        try await library.items(
            ItemFilter(kinds: [.letter], order: .newest, limit: limit))
    }

    // MARK: - Words

    /// `l12`: what a letter is called where only letters are meant.
    package static func id(_ id: ItemID) -> String { "l\(id.rawValue)" }

    /// `l12 Senior engineer · Acme`, for sentences.
    package static func name(_ item: LibraryItem) -> String {
        "\(id(item.id)) \(DisplayWidth.cut(ItemTable.title(item), to: 64))"
    }
}
