import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence
import TerminalKit

/// Changes to the open conversation: renaming, forking from an earlier message, and moving it to
/// the trash.
extension ConversationController {
    func rename(to text: String) async throws {
        let title = text.trimmingSpace()
        guard await session.record != nil else { throw UsageError.nothingSaid }
        let record = try await session.rename(title)
        await tell("✓ renamed: \(record.title) → \(title)", .success)
    }

    // MARK: - Forking

    /// - Parameter word: the number of a message, counted from the last (1); nil to pick one.
    func fork(before word: String?) async throws {
        let store = try services.store()
        guard let record = await session.record, record.messages > 0 else {
            throw UsageError.nothingSaid
        }
        let chosen: StoredTurn?
        if let word {
            guard let number = Int(word), number > 0 else {
                throw UsageError(
                    "/fork takes the number of a message, 1 being your last.",
                    hint: "/fork alone lists them.")
            }
            let turns = try await store.turns(of: record.id, last: number)
            guard turns.count == number, let turn = turns.first else {
                let count = Quantities.count(turns.count, "message")
                throw UsageError("You have written only \(count) here.")
            }
            chosen = turn
        } else {
            let turns = try await store.turns(of: record.id, last: 500)
            let request = ConversationChoices.messages(turns, now: services.environment.now())
            guard let id = await terminal.pick(request, services.environment) else {
                await tell("Nothing chosen.", .dim)
                return
            }
            chosen = turns.first { String($0.id.rawValue) == id }
        }
        let copy = try await session.fork(before: chosen?.id)
        await tell(
            "✓ forked: \"\(record.title)\" stays as it is · "
                + "/resume \(record.id.prefix(8))", .success)
        try await open(copy)
        if let chosen {
            next.draft = LineDraft(Session.Replacement(turn: chosen, isAgain: false).text)
        }
    }

    // MARK: - The trash

    func delete(_ arguments: [String]) async throws {
        let query = arguments.joined(separator: " ").trimmingSpace()
        let open = await session.record
        if query.isEmpty || query == open?.id {
            guard let record = try await session.deleteOpen() else { throw UsageError.nothingSaid }
            await show([ConversationTrash.line(record, prefix: "/").indented])
            await showNew()
            return
        }
        let found = try await ConversationFinder(services: services).find(query)
        if found.id == open?.id {
            try await delete([])
            return
        }
        try await ConversationTrash(services: services).move(found)
        await show([ConversationTrash.line(found, prefix: "/").indented])
    }
}

extension UsageError {
    static let nothingSaid = UsageError(
        "Nothing has been said here yet.", hint: "/resume opens an earlier conversation.")
}
