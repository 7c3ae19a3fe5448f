import AgentCore
import FoundationEssentials

/// Undo as a capability: the `undo` command, a tool for the model, and the
/// plain words "undo" and "undo that". What can be undone, and how, is
/// `CalendarStore`'s business; what is printed is `UndoCommand`'s.
package struct UndoServer: ToolServer {
    package let name = "undo"
    package let description = "Takes back changes of reminders and events."

    let store: CalendarStore
    let environment: Environment

    package init(store: CalendarStore, environment: Environment) {
        self.store = store
        self.environment = environment
    }

    package var commands: [Command] { [command.command] }

    private var command: UndoCommand { UndoCommand(store: store, environment: environment) }

    package func listTools() -> [Tool] {
        [
            Tool(
                name: "undo_change", title: "Undo a change",
                description:
                    "Takes back the latest change of a reminder or event made here, or the "
                    + "latest one of the item named. Every file is as it was before.",
                inputSchema: .object([
                    .init(
                        "item",
                        .string(
                            description:
                                "Title or uid of the item; without it the latest change of all"))
                ]),
                toolClass: .write)
        ]
    }

    package func callTool(_ name: String, arguments: JSONObject) async throws -> ToolOutput {
        guard name == "undo_change" else { throw ToolError.toolNotFound(name: name) }
        let output = try await command.run(
            CommandInvocation(
                verb: UndoCommand.defaultVerb,
                arguments: ["--"] + [arguments["item"]?.stringValue].compactMap { $0 }))
        if !output.choices.isEmpty {
            throw ToolError.ambiguous(
                query: arguments["item"]?.stringValue ?? "",
                candidates: output.choices.map(\.label))
        }
        let text = output.lines.first?.text ?? ""
        // Titles may have come from another program or person.
        return ToolOutput(text: text, summary: text, isForeign: true)
    }

    package func canHandle(message: String) -> IntentMatch {
        guard Self.isUndo(message) || Self.isRedo(message) else { return .none }
        return IntentMatch(
            confidence: 1, suggestedTools: ["undo_change"], reasoning: "asks to undo",
            isComplete: true, refersBack: true)
    }

    package func handle(message: String, mayAsk: Bool) async throws -> CommandOutput? {
        let verb = Self.isRedo(message) ? "redo" : UndoCommand.defaultVerb
        guard Self.isUndo(message) || Self.isRedo(message) else { return nil }
        // Nothing was done here, so it means another thing.
        if try await store.steps(limit: 1).isEmpty, verb == UndoCommand.defaultVerb { return nil }
        return try await command.run(CommandInvocation(verb: verb, arguments: []))
    }

    private static func isUndo(_ message: String) -> Bool {
        [
            "undo", "undo that", "undo it", "undo this", "undo the last one", "undo last",
            "undo the last change", "undo please", "please undo", "please undo that",
            "rückgängig", "rückgängig machen", "mach das rückgängig",
        ].map(SearchText.folded).contains(folded(message))
    }

    private static func isRedo(_ message: String) -> Bool {
        ["redo", "redo that", "redo it"].contains(folded(message))
    }

    private static func folded(_ message: String) -> String {
        var text = SearchText.folded(MessageText(String(message.prefix(100))).text)
        while let last = text.last, ".!?, ".contains(last) { text.removeLast() }
        return text
    }
}
