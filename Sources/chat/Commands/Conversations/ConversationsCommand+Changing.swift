import AgentCore
import Base
import ChatKit
import Persistence
import TerminalKit

/// The changing verbs of `chat conversations`: titles, copies, and the trash.
extension ConversationsCommand {
    func rename(_ arguments: CommandArguments) async throws -> CommandOutput {
        let title = arguments.plain.dropFirst().joined(separator: " ").trimmingSpace()
        let record = try await ConversationFinder(services: services).find(arguments.plain[0])
        try await services.store().rename(record.id, to: title)
        return CommandOutput(lines: [StyledLine("✓ renamed: \(record.title) → \(title)", .success)])
    }

    /// Copies everything before the user's Nth message from the end; without `N` everything.
    func fork(_ arguments: CommandArguments) async throws -> CommandOutput {
        let store = try services.store()
        let record = try await ConversationFinder(services: services).find(arguments.plain[0])
        var before: TurnID?
        if arguments.plain.count == 2 {
            guard let number = Int(arguments.plain[1]), number > 0 else {
                throw UsageError("The message is a number, 1 being the last.")
            }
            let turns = try await store.turns(of: record.id, last: number + 1)
            guard turns.count > number else {
                throw UsageError("Nothing comes before that message.")
            }
            before = turns[1].id
        }
        let copy = try await store.fork(record.id, before: before)
        if copy.order == 0 { throw UsageError("There is nothing to copy yet.") }
        return CommandOutput(
            lines: [
                StyledLine([
                    .init("✓ forked: \(HostileText.line(copy.title))", .success),
                    .init("  \(copy.id)", .dim),
                ])
            ],
            json: ConversationTable.json([copy]))
    }

    // MARK: - The trash

    func delete(_ arguments: CommandArguments) async throws -> CommandOutput {
        let finder = ConversationFinder(services: services)
        var records: [ConversationRecord] = []
        for word in arguments.plain {
            let record = try await finder.find(word)
            if !records.contains(where: { $0.id == record.id }) { records.append(record) }
        }
        if records.count > 1, !arguments.isConfirmed {
            let names = records.map { "\"\(HostileText.line($0.title))\"" }
            let question = "Move \(names.joined(separator: ", ")) to the trash?"
            guard await confirm(question) else {
                return CommandOutput(
                    lines: [
                        StyledLine(
                            "These \(records.count) would go to the trash: "
                                + names.joined(separator: ", ")),
                        StyledLine("Nothing was deleted; --yes deletes them.", .warning),
                    ], outcome: .refused)
            }
        }
        let trash = ConversationTrash(services: services)
        var lines: [StyledLine] = []
        for record in records {
            try await trash.move(record)
            lines.append(ConversationTrash.line(record, prefix: "chat "))
        }
        return CommandOutput(lines: lines, json: ConversationTable.json(records))
    }

    func restore(_ arguments: CommandArguments) async throws -> CommandOutput {
        let trash = ConversationTrash(services: services)
        var lines: [StyledLine] = []
        var records: [ConversationRecord] = []
        for word in arguments.plain {
            let record = try await trash.find(word)
            try await services.store().restore(record.id)
            records.append(record)
            lines.append(StyledLine("✓ restored: \(HostileText.line(record.title))", .success))
        }
        return CommandOutput(lines: lines, json: ConversationTable.json(records))
    }

    func emptyTrash(_ arguments: CommandArguments) async throws -> CommandOutput {
        let store = try services.store()
        let records = try await store.deleted()
        if records.isEmpty {
            return CommandOutput(lines: [StyledLine("The trash is empty.", .dim)], json: [])
        }
        let what = Quantities.count(records.count, "conversation")
        var isConfirmed = arguments.isConfirmed
        if !isConfirmed {
            isConfirmed = await confirm("Delete \(what) for good? This cannot be undone.")
        }
        guard isConfirmed else {
            return CommandOutput(
                lines: [
                    StyledLine("Nothing was deleted; --yes deletes \(what) for good.", .warning)
                ], outcome: .refused)
        }
        let (gone, left) = try await store.erase(records.map(\.id))
        return CommandOutput(
            lines: [
                StyledLine(
                    "✓ \(Quantities.count(gone.count, "conversation")) deleted for good", .success)
            ],
            json: ConversationTable.json(records.filter { gone.contains($0.id) }),
            notices: left.notices, outcome: left.isEmpty ? .ok : .degraded)
    }
}
