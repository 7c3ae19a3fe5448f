import AgentCore
import Base
import ChatKit
import Glibc
import Persistence
import TerminalKit

/// `chat conversations`: its verbs, and the reading ones in full.
package struct ConversationsCommand {
    static let noun = ProgramNoun.conversations.rawValue
    let services: Services

    /// Asks the user; false if that is not possible.
    var confirm: @Sendable (String) async -> Bool = { _ in false }
    /// Shows the progress of a long operation; empty at the end. Nil if a search does not
    /// wait for the index: a chat builds it itself.
    var progress: (@Sendable (String) -> Void)?

    var command: Command {
        Command(
            name: Self.noun, summary: "find, show and change conversations",
            verbs: [
                Verb(
                    "list", "the latest first",
                    options: [
                        .init("--limit N", "at most N; default 50"),
                        .init("--deleted", "those in the trash"),
                    ], json: ConversationTable.members
                ) { try await list($0) },
                Verb(
                    "show", "show one in full; default: the latest",
                    [.phrase("ID|TITLE", "a conversation", .conversation, isOptional: true)],
                    options: [.init("--all", "also answers that were replaced")],
                    json: "id title updated provider model messages"
                ) { try await show($0) },
                Verb(
                    "search",
                    "find words, in items of the library too; "
                        + "\"in quotes\" as a phrase",
                    [.phrase("WORDS", "words to look for")],
                    options: [.init("--limit N", "at most N; default 20")],
                    json: "id kind title time role snippet matches"
                ) { try await search($0) },
                Verb(
                    "rename", "give it another title",
                    [
                        .init("ID|TITLE", "a conversation", .conversation),
                        .phrase("NEW-TITLE", "its new title"),
                    ], example: "3f2a9c \"Trip to Oslo\""
                ) { try await rename($0) },
                Verb(
                    "fork", "copy it, or what comes before your Nth message from the end",
                    [
                        .init("ID|TITLE", "a conversation", .conversation),
                        .init("N", "the number of a message", isOptional: true),
                    ], json: ConversationTable.members
                ) { try await fork($0) },
                Verb(
                    "delete", "move to the trash",
                    [.init("ID|TITLE", "a conversation", .conversation, repeats: true)],
                    options: [.init("--yes", "several, without asking")],
                    json: ConversationTable.members
                ) { try await delete($0) },
                Verb(
                    "restore", "bring back from the trash",
                    [.init("ID|TITLE", "a conversation of the trash", repeats: true)],
                    json: ConversationTable.members, example: "3f2a9c"
                ) { try await restore($0) },
                Verb(
                    "empty-trash", "delete everything in the trash for good",
                    options: [.init("--yes", "without asking")],
                    json: ConversationTable.members
                ) { try await emptyTrash($0) },
                ExportCommand(services: services).verb, ImportCommand(services: services).verb,
            ])
    }

    private func list(_ arguments: CommandArguments) async throws -> CommandOutput {
        let limit = try arguments.number("--limit") ?? 50
        let isTrash = arguments.has("--deleted")
        let store = try services.store()
        let records =
            isTrash ? try await store.deleted(limit: limit) : try await store.list(limit: limit)
        let empty =
            isTrash
            ? "The trash is empty."
            : "Nothing yet: conversations appear here with their first message."
        let lines =
            records.isEmpty
            ? [StyledLine(empty, .dim)]
            : ConversationTable.lines(
                records, now: services.environment.now(), width: WindowWidth.columns(of: 1))
        return CommandOutput(lines: lines, json: ConversationTable.json(records))
    }

    private func show(_ arguments: CommandArguments) async throws -> CommandOutput {
        let record = try await ConversationFinder(services: services).findOrLatest(arguments.text)
        let turns = try await services.store().allTurns(
            of: record.id, includingReplaced: arguments.has("--all"))
        // Only the requested form: both are as long as the conversation.
        if arguments.wantsJSON {
            return CommandOutput(json: ConversationJSON.value(record, turns))
        }
        return CommandOutput(
            lines: turns.flatMap { turn in
                (turn.replaced == nil ? [] : [StyledLine("  (replaced)", .warning)])
                    + shown(turn)
            })
    }

    /// The lines of a turn, formatted on a terminal and unformatted in a pipe.
    private func shown(_ turn: StoredTurn) -> [StyledLine] {
        guard isatty(1) == 1, services.variables.hasCursor, services.settings.markdown else {
            return ConversationView.whole([turn])
        }
        let style = services.style(isTerminal: true)
        return ConversationView.formatted(
            [turn],
            layout: ConversationView.Layout(
                size: ScreenSize.of(1), usesUnicode: style.usesUnicode,
                wrap: services.settings.wrap)
        ).map { StyledLine($0) }
    }
}

/// One conversation as JSON: its record and every message with its parts.
enum ConversationJSON {
    static func value(_ record: ConversationRecord, _ turns: [StoredTurn]) -> JSONValue {
        let zone = LocalTime()
        return [
            "id": .string(record.id), "title": .string(record.title),
            "updated": .string(zone.isoText(record.updated)),
            "provider": .string(record.provider.rawValue),
            "model": record.model.isEmpty ? .null : .string(record.model),
            "messages": .array(
                turns.flatMap { stored in
                    stored.turn.messages.enumerated().map { index, message in
                        .compact([
                            "role": .string(message.role.rawValue),
                            "time": .string(
                                zone.isoText(
                                    stored.times.indices.contains(index)
                                        ? stored.times[index] : stored.started)),
                            "status": .string(stored.turn.status.rawValue),
                            "replaced": stored.replaced.map { .string(zone.isoText($0)) },
                            "text": .string(message.text),
                            "toolCalls": calls(message),
                            "toolResults": results(message),
                        ])
                    }
                }),
        ]
    }

    private static func calls(_ message: Message) -> JSONValue? {
        let calls = message.toolCalls
        if calls.isEmpty { return nil }
        return .array(
            calls.map {
                [
                    "id": .string($0.id), "name": .string($0.name),
                    "arguments": .string($0.arguments),
                ]
            })
    }

    private static func results(_ message: Message) -> JSONValue? {
        let results: [JSONValue] = message.parts.compactMap { part in
            guard case .toolResult(let result) = part else { return nil }
            return [
                "id": .string(result.callID), "name": .string(result.name),
                "text": .string(result.text), "isError": .bool(result.isError),
            ]
        }
        return results.isEmpty ? nil : .array(results)
    }
}
