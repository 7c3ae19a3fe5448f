import AgentCore
import Glibc
import Persistence
import TerminalKit

/// `chat conversations`: its verbs, and those for reading.
struct ConversationsCommand {
    let services: Services

    /// Puts a question to the person; false where nobody can be asked.
    var confirm: @Sendable (String) async -> Bool = { _ in false }
    /// Tells how far something long is; empty when it is over. Nil where a
    /// search does not wait for what is not indexed yet: a chat does it itself.
    var progress: (@Sendable (String) -> Void)?

    var command: Command {
        Command(
            name: "conversations", summary: "find, show and change what was said",
            verbs: [
                Command.Verb(
                    "list", usage: "[--limit N] [--deleted] [--json]", summary: "the latest first"),
                Command.Verb(
                    "show", usage: "[ID|TITLE] [--all] [--json]",
                    summary: "one of them whole; the latest without a word"),
                Command.Verb(
                    "search", usage: "WORDS [--limit N] [--json]",
                    summary: "where words stand; \"in quotes\" one behind the other"),
                Command.Verb(
                    "rename", usage: "ID|TITLE NEW-TITLE", summary: "give it another title"),
                Command.Verb(
                    "fork", usage: "ID|TITLE [N]",
                    summary: "copy it, or what comes before your Nth last message"),
                Command.Verb(
                    "delete", usage: "ID|TITLE… [--yes]", summary: "move to the trash"),
                Command.Verb("restore", usage: "ID|TITLE…", summary: "back from the trash"),
                Command.Verb(
                    "empty-trash", usage: "[--yes]", summary: "delete for good what is there"),
            ]
        ) { invocation in
            switch invocation.verb {
            case "show": try await show(invocation)
            case "search": try await search(invocation)
            case "rename": try await rename(invocation)
            case "fork": try await fork(invocation)
            case "delete": try await delete(invocation)
            case "restore": try await restore(invocation)
            case "empty-trash": try await emptyTrash(invocation)
            default: try await list(invocation)
            }
        }
    }

    private func list(_ invocation: CommandInvocation) async throws -> CommandOutput {
        var limit = 50
        var isTrash = false
        var words = WordReader(invocation.arguments)
        while let word = words.next() {
            if word == "--deleted" {
                isTrash = true
                continue
            }
            guard word == "--limit" else {
                throw UsageError("conversations list does not know \"\(word)\".")
            }
            guard let number = Int(try words.value(of: word)), number > 0 else {
                throw UsageError("--limit needs a number above 0.")
            }
            limit = number
        }
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

    private func show(_ invocation: CommandInvocation) async throws -> CommandOutput {
        let store = try services.store()
        let words = invocation.arguments.filter { $0 != "--all" }
        let includingReplaced = words.count < invocation.arguments.count
        let record: ConversationRecord
        if words.isEmpty {
            guard let latest = try await store.latest(kinds: [.repl, .oneshot]) else {
                throw SessionError.noConversation(query: nil)
            }
            record = latest
        } else {
            record = try await ConversationFinder(services: services)
                .find(words.joined(separator: " "))
        }
        let turns = try await store.allTurns(of: record.id, includingReplaced: includingReplaced)
        // Only what is asked for: both are as long as the conversation.
        if invocation.wantsJSON {
            return CommandOutput(json: ConversationJSON.value(record, turns))
        }
        return CommandOutput(
            lines: turns.flatMap { turn in
                (turn.replaced == nil ? [] : [StyledLine("  (replaced)", .warning)])
                    + shown(turn)
            })
    }

    /// Formatted on a terminal, as it was said in a pipe.
    private func shown(_ turn: StoredTurn) -> [StyledLine] {
        let term = services.variables["TERM"] ?? "dumb"
        guard isatty(1) == 1, term != "dumb", services.settings.markdown else {
            return ConversationView.whole([turn])
        }
        let style = services.style(isTerminal: true)
        return ConversationView.formatted(
            [turn],
            layout: ConversationView.Layout(
                size: ScreenSize.of(1), usesUnicode: style.usesUnicode)
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
