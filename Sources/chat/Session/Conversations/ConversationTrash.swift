import Base
import ChatKit
import Persistence
import TerminalKit

/// Moves conversations to the trash and back. One that is open in any instance is locked, and
/// cannot be moved.
struct ConversationTrash {
    let services: Services

    /// - Throws: `SessionError.busy`.
    func move(_ record: ConversationRecord) async throws {
        let store = try services.store()
        // Held so that no other instance opens it in between.
        guard let lock = try ConversationLock.acquire(folder: services.paths.locks, id: record.id)
        else { throw SessionError.busy(title: record.title) }
        try await store.moveToTrash(record.id)
        withExtendedLifetime(lock) {}
    }

    /// Finds a conversation in the trash by its id, the beginning of it, or a title.
    ///
    /// - Throws: `SessionError.notInTrash`, `.ambiguousConversation`.
    func find(_ query: String) async throws -> ConversationRecord {
        let all = try await services.store().deleted()
        let folded = SearchText.folded(query)
        let byID = all.filter { query.count >= 4 && $0.id.hasPrefix(query.lowercased()) }
        let byTitle = all.filter { SearchText.folded($0.title).contains(folded) }
        let found = byID.isEmpty ? byTitle : byID
        guard let first = found.first else { throw SessionError.notInTrash(query: query) }
        if found.count > 1 {
            throw SessionError.ambiguousConversation(
                query: query, candidates: found.map { "\"\($0.title)\" (\($0.id.prefix(8)))" })
        }
        return first
    }

    /// - Parameter prefix: `/` at the prompt, `chat ` in the shell.
    static func line(_ record: ConversationRecord, prefix: String) -> StyledLine {
        StyledLine([
            .init("✓ deleted: \(HostileText.line(record.title)) (in the trash)", .success),
            .init(" · \(prefix)conversations restore \(record.id.prefix(8))", .dim),
        ])
    }
}
