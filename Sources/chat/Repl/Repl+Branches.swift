import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence
import TerminalKit

/// Changes to the open conversation: another title, a fork from an earlier message, the
/// last message again or changed, and moving it to the trash.
extension Repl {
    func rename(to text: String) async throws {
        let title = text.trimmingSpace()
        guard await session.record != nil else { throw Self.nothingSaid }
        let record = try await session.rename(title)
        await tell("✓ renamed: \(record.title) → \(title)", .success)
    }

    private static let nothingSaid = UsageError(
        "Nothing has been said here yet.", hint: "/resume opens an earlier conversation.")

    // MARK: - Forking

    /// - Parameter word: the number of a message, 1 being the last; nil to pick one.
    func fork(before word: String?) async throws {
        let store = try services.store()
        guard let record = await session.record, record.messages > 0 else {
            throw Self.nothingSaid
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
            guard let id = await terminal.pick(request) else {
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
            putInLine(Session.Replacement(turn: chosen, isAgain: false).text)
        }
    }

    // MARK: - The last message

    func retry(with model: String?) async throws {
        guard let last = try await session.lastMessage(isAgain: true) else {
            throw Self.nothingSaid
        }
        if let model { try await switchModel(model) }
        if last.turn.isWithheld, await session.redacts {
            await tell("It would be refused again: change it first.", .warning)
            return try await amend()
        }
        if last.turn.turn.isLocal {
            await tell("It was done without a model; what was done stays (/undo).", .warning)
        }
        let files = last.attachments.map(\.name)
        let what = files.isEmpty ? last.text : last.text + " · " + files.joined(separator: ", ")
        await tell("again: \(ConversationTitle.make(from: what))", .dim)
        try await send(last.text, replacing: last)
    }

    func amend() async throws {
        guard let last = try await session.lastMessage(isAgain: false) else {
            throw Self.nothingSaid
        }
        let files = last.attachments.map(\.name)
        if !files.isEmpty {
            await show([StyledLine("  with \(files.joined(separator: ", "))", .dim)])
        }
        if last.turn.turn.isLocal {
            await tell("What was done for it stays; /undo takes it back.", .warning)
        }
        amended = last
        putInLine(last.text)
    }

    private func putInLine(_ text: String) { draft = LineDraft(text) }

    // MARK: - The trash

    func delete(_ words: [String]) async throws {
        let query = words.joined(separator: " ").trimmingSpace()
        let open = await session.record
        if query.isEmpty || query == open?.id {
            guard let record = try await session.deleteOpen() else { throw Self.nothingSaid }
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
