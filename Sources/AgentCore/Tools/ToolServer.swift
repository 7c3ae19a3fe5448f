import Base
import Synchronization

/// A capability of the assistant: tools for the model, commands for the user, and the
/// interpretation of plain messages. In-process, in the terms of the Model Context Protocol.
package protocol ToolServer: Sendable {
    /// Short and lower case: "reminders".
    var name: String { get }
    /// One sentence for the user and the model.
    var description: String { get }
    var commands: [Command] { get }
    /// Words of a message that indicate its subject, as `ToolCues` reads them: they call
    /// for all of its tools.
    var topic: String { get }
    /// Tools for an activity in progress, such as a playing story.
    var toolsInUse: [String] { get }

    /// Called once before the first call; opens what the tools need.
    func initialize() async throws
    func listTools() -> [Tool]

    /// Runs one tool. `arguments` is an object that has passed the tool's
    /// schema; `emit` reports the progress of a long call.
    /// - Throws: `ToolError` if the model can react to it, other errors for system
    ///   failures, `CancellationError`.
    func callTool(_ name: String, arguments: JSONObject, emit: Emitter) async throws -> ToolOutput

    /// The effects of a call in the present state, in the terms of the rules; nil if they follow
    /// from the tool's class. Called before the rules are applied, and again just before the call
    /// runs. Changes nothing.
    func effects(of name: String, arguments: JSONObject) async -> [CallEffect]?

    /// A preview of a call, for the question before it runs. Changes nothing.
    func preview(of name: String, arguments: JSONObject) async -> CallPreview

    /// Interprets a plain message without doing anything. Must be cheap: it runs for every message.
    func canHandle(message: PlainMessage) -> IntentMatch

    /// The command equivalent to a message, as noun, verb, arguments: at the prompt it runs
    /// instead of `handle`.
    func command(for message: PlainMessage) -> [String]?

    /// A message is about to be answered, here or elsewhere: a question that only the next message
    /// could answer is over.
    func endQuestion()

    /// Carries out a message that `canHandle` understood completely.
    ///
    /// - Parameter mayAsk: whether no model is available, so that an answer with `choices`, which
    ///   has done nothing, is better than none.
    /// - Returns: the output, or nil to leave the message to other servers.
    func handle(message: PlainMessage, mayAsk: Bool, emit: Emitter) async throws
        -> CommandOutput?
}

extension ToolServer {
    package var commands: [Command] { [] }
    package var topic: String { "" }
    package var toolsInUse: [String] { [] }
    package func initialize() async throws {}
    package func effects(of name: String, arguments: JSONObject) async -> [CallEffect]? { nil }
    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        .touches(nil)
    }
    package func canHandle(message: PlainMessage) -> IntentMatch { .none }
    package func command(for message: PlainMessage) -> [String]? { nil }
    package func endQuestion() {}
    package func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? { nil }

    /// Calls the tool without showing progress, for tests.
    package func callTool(_ name: String, arguments: JSONObject) async throws -> ToolOutput {
        try await callTool(name, arguments: arguments, emit: .none)
    }

    package func canHandle(message: String) -> IntentMatch {
        canHandle(message: PlainMessage(message))
    }

    /// Handles the message as if there were no model.
    package func handle(message: String, mayAsk: Bool = true) async throws -> CommandOutput? {
        try await handle(message: PlainMessage(message), mayAsk: mayAsk, emit: .none)
    }
}

/// Facts about the current call that a server's stores need.
package enum ToolCallContext {
    /// Whether the calling model's conversation holds untrusted text, so that what it
    /// writes may come from there.
    @TaskLocal package static var hasUntrustedText = false
    /// The caller; nil if the user acts.
    @TaskLocal package static var caller: ToolCaller?
    /// The reason why the call was allowed to run, as an `ApprovalGround`; nil if the user acts.
    @TaskLocal package static var approval: String?
    /// The id of the routine that runs.
    @TaskLocal package static var routine: String?
    /// Gets the steps that undo the call; nil if the user acts.
    @TaskLocal package static var undoSteps: UndoStepNotes?
}

/// The ids of the steps that undo one call, as its stores wrote them.
package final class UndoStepNotes: Sendable {
    private let ids = Mutex<[String]>([])

    package init() {}
    package func note(_ id: String) { ids.withLock { $0.append(id) } }
    package var all: [String] { ids.withLock { $0 } }
}

/// The model that called a tool, and where.
package struct ToolCaller: Sendable, Equatable {
    package var model: String
    /// The id of the conversation; nil for one that is not kept.
    package var conversation: String?

    package init(model: String, conversation: String?) {
        self.model = model
        self.conversation = conversation
    }
}

/// The effect of a call, as far as it is known before it runs.
package enum CallPreview: Sendable, Equatable {
    /// A description by the server ("buy milk · 3 Nov"), which may be untrusted text; nil if the
    /// arguments are enough. With the id of the item that was found: if the call would find another
    /// one after the question, it does not run.
    case touches(String?, item: String? = nil)
    /// The call cannot succeed, for example because nothing matches; contains the answer to the
    /// model. The user is not asked about such a call, and it never runs.
    case fails(ToolOutput)
}

/// A plain message with its cached interpretations: it is parsed once, so that `handle` acts on the
/// same result as `canHandle`, and servers that use the same parser share the result.
package final class PlainMessage: Sendable {
    package let text: String
    private let readings = Mutex<[ObjectIdentifier: any Sendable]>([:])

    package init(_ text: String) { self.text = text }

    package func reading<Value: Sendable>(
        by reader: AnyObject, _ read: (String) -> Value
    ) -> Value {
        reading(ObjectIdentifier(reader), read)
    }

    /// The reading of a type of which there is one server, or whose reading follows from the text.
    package func reading<Value: Sendable>(
        by reader: Any.Type, _ read: (String) -> Value
    ) -> Value {
        reading(ObjectIdentifier(reader), read)
    }

    private func reading<Value: Sendable>(
        _ reader: ObjectIdentifier, _ read: (String) -> Value
    ) -> Value {
        readings.withLock { readings in
            // Found first: a missing entry would pass as an optional value that is nil.
            if let found = readings[reader], let known = found as? Value { return known }
            let value = read(text)
            readings[reader] = value
            return value
        }
    }
}

/// A server's judgement of a message.
package struct IntentMatch: Sendable, Equatable {
    /// 0 (not ours) to 1.
    package var confidence: Double
    package var suggestedTools: [String]
    /// The reason in a few words, for the log and `/tools`.
    package var reasoning: String
    /// Whether the whole message was understood, so that no model is needed.
    package var isComplete: Bool
    /// The answer if no model is available: what was not done, and the command that would do it.
    /// Nil if the server has no such advice.
    package var fallbackMessage: String?
    /// Whether it refers to "it" or "that". After an answer of a model this may be something in the
    /// answer, which only the model knows.
    package var refersBack: Bool

    package init(
        confidence: Double, suggestedTools: [String] = [], reasoning: String = "",
        isComplete: Bool = false, fallbackMessage: String? = nil, refersBack: Bool = false
    ) {
        self.refersBack = refersBack
        self.confidence = confidence
        self.suggestedTools = suggestedTools
        self.reasoning = reasoning
        self.isComplete = isComplete
        self.fallbackMessage = fallbackMessage
    }

    package static let none = IntentMatch(confidence: 0)
}
