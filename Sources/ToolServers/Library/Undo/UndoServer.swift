import AgentCore
import Base
import DateLanguage
import FoundationEssentials

/// Undo as a capability: the `undo` command, a tool for the model, and the
/// plain messages "undo" and "undo that". The sources perform the undo, and
/// `UndoCommand` prints the result.
package struct UndoServer: ToolServer {
    package static let noun = "undo"
    package static let tool = "undo_change"
    /// Seconds after which "never mind" is about something else, and in which it means what
    /// was made just now.
    private static let (patience, moment): (TimeInterval, TimeInterval) = (10 * 60, 2 * 60)
    package var name: String { Self.noun }
    package let description = "Takes back changes of reminders, events, items and files."

    let history: UndoHistory
    let environment: Environment
    private let width: @Sendable () -> Int?
    private let disclosed: @Sendable (_ text: String) async throws -> String

    /// - Parameters:
    ///   - width: columns of the terminal; nil in a pipe.
    ///   - disclosed: redacts a sentence that names items for a model.
    package init(
        _ history: UndoHistory, environment: Environment,
        width: @escaping @Sendable () -> Int? = { nil },
        disclosed: @escaping @Sendable (_ text: String) async throws -> String = { $0 }
    ) {
        self.history = history
        self.environment = environment
        self.width = width
        self.disclosed = disclosed
    }

    package var commands: [Command] { [command.command] }

    private var command: UndoCommand {
        UndoCommand(history, environment: environment, width: width)
    }

    package func listTools() -> [Tool] {
        [
            Tool(
                name: Self.tool, title: "Undo a change",
                description:
                    "Takes back the latest change of reminders, events, items or rewritten files.",
                inputSchema: .object([
                    .init(
                        "item",
                        .string(description: "Title, id (i12) or path; else the latest of all"))
                ]),
                toolClass: .destroy,
                cues: """
                    undo* revert* put+back take+back bring+back whoops oops restore* mistake \
                    rückgängig zurücknehm* widerruf* wiederherstell* versehentlich aus+versehen \
                    falsch+das go+back as+before wie+vorher alten+stand änderung+zurück didn+mean \
                    nicht+gemeint nicht+gewollt wollte+nicht
                    """)
        ]
    }

    package func effects(of name: String, arguments: JSONObject) async -> [CallEffect]? {
        do {
            let found = try await command.candidates(
                arguments["item"]?.stringValue ?? "", isRedo: false)
            // Nothing to undo, or several candidates: the call changes nothing.
            guard let found, found.count == 1 else {
                return [CallEffect(.read, Self.tool, arguments)]
            }
            return try await history.effects(of: found[0])
        } catch is ToolError {
            return [CallEffect(.read, Self.tool, arguments)]
        } catch {
            return nil
        }
    }

    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        // Read errors are reported by the call itself.
        let found = try? await command.candidates(
            arguments["item"]?.stringValue ?? "", isRedo: false)
        guard let found, found.count == 1 else { return .touches(nil) }
        return .touches("undoes: \(UndoCommand.words(found[0].step))")
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        guard name == Self.tool else { throw ToolError.toolNotFound(name: name) }
        let output = try await command.step(
            arguments["item"]?.stringValue ?? "", verb: UndoCommand.defaultVerb)
        if !output.choices.isEmpty {
            var candidates: [String] = []
            for choice in output.choices { candidates.append(try await disclosed(choice.label)) }
            throw ToolError.ambiguous(
                query: arguments["item"]?.stringValue ?? "", candidates: candidates)
        }
        let text = output.lines.first?.text ?? ""
        return ToolOutput(
            text: try await disclosed(text), summary: text, isUntrusted: output.quotesOthers)
    }

    package func canHandle(message: PlainMessage) -> IntentMatch {
        guard let undoing = Self.undoing(message) else { return .none }
        return IntentMatch(
            confidence: 1, suggestedTools: [Self.tool], reasoning: "asks to undo",
            isComplete: undoing != .dropped, refersBack: true)
    }

    package func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? {
        guard let undoing = Self.undoing(message) else { return nil }
        if undoing == .dropped { return try await dropped(mayAsk) }
        let last = try await history.entries(undone: false, limit: 1).first
        // "keep it" brings back what the last act took away, or what was undone; so does "undo" when
        // nothing else is left.
        let isRestored = undoing == .restored && ["created", nil].contains(last?.step.verb)
        let isRedo = undoing == .redo || isRestored || last == nil
        // Nothing was done here, so the message means something else.
        if isRedo, undoing != .redo,
            try await history.entries(undone: true, limit: 1).isEmpty
        {
            return nil
        }
        return try await undone(isRedo: isRedo)
    }

    private func undone(isRedo: Bool) async throws -> CommandOutput {
        var output = try await command.step("", verb: isRedo ? "redo" : UndoCommand.defaultVerb)
        // The output becomes a part of the conversation.
        for index in output.lines.indices {
            let text = output.lines[index].text
            let shown = try await disclosed(text)
            if shown != text { output.lines[index] = StyledLine(shown) }
        }
        return output
    }

    /// The answer to "never mind": undoes what was just made, asks about another change.
    private func dropped(_ mayAsk: Bool) async throws -> CommandOutput? {
        guard mayAsk else { return nil }
        let last = try await history.entries(undone: false, limit: 1).first
        guard let last, environment.now().timeIntervalSince(last.step.made) < Self.patience else {
            return CommandOutput(lines: [StyledLine("Nothing done.", .dim)], sources: [])
        }
        if last.step.verb == "created",
            environment.now().timeIntervalSince(last.step.made) < Self.moment
        {
            return try await undone(isRedo: false)
        }
        var output = CommandOutput(lines: [StyledLine("Undo this?", .warning)])
        output.choices = [.init(UndoCommand.words(last.step), command: ["undo", last.step.id])]
        return output
    }

    private static func undoing(_ message: PlainMessage) -> Lexicon.Undoing? {
        message.reading(by: Self.self) { text in
            guard text.utf8.count <= 100 else { return nil }
            let words = MessageText(text).words
            return Lexicon.first { $0.undoing.whole(words) }
        }
    }
}
