import AgentCore
import Glibc
import Persistence

/// `chat conversations list|show|rename`: what was said, for reading.
struct ConversationsCommand {
    let services: Services

    var command: Command {
        Command(
            name: "conversations", summary: "list, show and rename what was said",
            verbs: [
                Command.Verb("list", usage: "[--limit N] [--json]", summary: "the latest first"),
                Command.Verb(
                    "show", usage: "[ID|TITLE] [--json]",
                    summary: "one of them whole; the latest without a word"),
                Command.Verb(
                    "rename", usage: "ID|TITLE NEW-TITLE", summary: "give it another title"),
            ]
        ) { invocation in
            switch invocation.verb {
            case "show": try await show(invocation)
            case "rename": try await rename(invocation)
            default: try await list(invocation)
            }
        }
    }

    private func list(_ invocation: CommandInvocation) async throws -> CommandOutput {
        var limit = 50
        var words = WordReader(invocation.arguments)
        while let word = words.next() {
            guard word == "--limit" else {
                throw UsageError("conversations list does not know \"\(word)\".")
            }
            guard let number = Int(try words.value(of: word)), number > 0 else {
                throw UsageError("--limit needs a number above 0.")
            }
            limit = number
        }
        let records = try await services.store().list(limit: limit)
        let lines =
            records.isEmpty
            ? [StyledLine("Nothing yet: conversations appear here with their first message.", .dim)]
            : ConversationTable.lines(
                records, now: services.environment.now(), isNumbered: false)
        return CommandOutput(lines: lines, json: ConversationTable.json(records))
    }

    private func show(_ invocation: CommandInvocation) async throws -> CommandOutput {
        let store = try services.store()
        let record: ConversationRecord
        if invocation.arguments.isEmpty {
            guard let latest = try await store.latest(kinds: [.repl, .oneshot]) else {
                throw SessionError.noConversation(query: nil)
            }
            record = latest
        } else {
            record = try await ConversationFinder(services: services)
                .find(invocation.arguments.joined(separator: " "))
        }
        // A page at a time: a conversation may be longer than memory is worth.
        var turns: [StoredTurn] = []
        var before: TurnID?
        while true {
            let page = try await store.turns(of: record.id, last: 500, before: before)
            turns.insert(contentsOf: page, at: 0)
            guard page.count == 500, let oldest = page.first else { break }
            before = oldest.id
        }
        // Only what is asked for: both are as long as the conversation.
        if invocation.wantsJSON {
            return CommandOutput(json: ConversationJSON.value(record, turns))
        }
        let term = services.variables["TERM"] ?? "dumb"
        guard isatty(1) == 1, term != "dumb", services.settings.markdown.value == .on else {
            return CommandOutput(lines: ConversationView.whole(turns))
        }
        let style = Style(isTerminal: true, variables: services.variables)
        return CommandOutput(
            lines: ConversationView.formatted(
                turns,
                layout: ConversationView.Layout(
                    size: ScreenSize.of(1), usesUnicode: style.usesUnicode)
            ).map { StyledLine($0) })
    }

    private func rename(_ invocation: CommandInvocation) async throws -> CommandOutput {
        guard invocation.arguments.count >= 2, let query = invocation.arguments.first else {
            throw UsageError(
                "rename needs a conversation and its new title.",
                hint: "chat conversations rename ID \"NEW TITLE\"")
        }
        let record = try await ConversationFinder(services: services).find(query)
        let title = invocation.arguments.dropFirst().joined(separator: " ")
        try await services.store().rename(record.id, to: title)
        return CommandOutput(lines: [StyledLine("✓ \(record.title) → \(title)", .success)])
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
                    stored.turn.messages.map { message in
                        .compact([
                            "role": .string(message.role.rawValue),
                            "time": .string(zone.isoText(stored.started)),
                            "status": .string(stored.turn.status.rawValue),
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
