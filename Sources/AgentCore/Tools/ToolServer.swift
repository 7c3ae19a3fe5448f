import Base
import Synchronization

/// A capability of the assistant: tools for the model, commands for the
/// user, and a judgement of plain messages. In-process, in the words of the
/// Model Context Protocol.
package protocol ToolServer: Sendable {
    /// Short and lower case: "reminders".
    var name: String { get }
    /// One sentence for people and for the model.
    var description: String { get }
    var commands: [Command] { get }
    /// Words of a message that speak of its subject, as `ToolCues` reads them: all its tools
    /// are called for then.
    var topic: String { get }
    /// Tools for what is going on now, such as a story that plays.
    var toolsInUse: [String] { get }

    /// Called once before the first call; opens what the tools need.
    func initialize() async throws
    func listTools() -> [Tool]

    /// Runs one tool. `arguments` is an object that has passed the tool's
    /// schema; `emit` reports the progress of a long call.
    /// - Throws: `ToolError` for what the model can act on, other errors for
    ///   faults of the machine, `CancellationError`.
    func callTool(_ name: String, arguments: JSONObject, emit: Emitter) async throws -> ToolOutput

    /// What a call would do as things are now, in the terms of the rules; nil where the
    /// class of the tool says it. Asked before the rules are, and again just before the
    /// call runs. Changes nothing.
    func effects(of name: String, arguments: JSONObject) async -> [CallEffect]?

    /// What a call would do, for the question before it runs. Changes nothing.
    func preview(of name: String, arguments: JSONObject) async -> CallPreview

    /// Judges a plain message without doing anything. Cheap: it runs for
    /// every message.
    func canHandle(message: PlainMessage) -> IntentMatch

    /// The command that says the same as a message, as noun, verb, arguments: at the prompt it
    /// is run in place of `handle`.
    func command(for message: String) -> [String]?

    /// Carries out a message that `canHandle` understood completely.
    ///
    /// - Parameter mayAsk: no model can be asked, so that an answer with
    ///   `choices`, that has done nothing, is better than none.
    /// - Returns: what to show, or nil to leave the message to others.
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
    package func command(for message: String) -> [String]? { nil }
    package func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? { nil }

    /// Shown nowhere, as the tests have it.
    package func callTool(_ name: String, arguments: JSONObject) async throws -> ToolOutput {
        try await callTool(name, arguments: arguments, emit: .none)
    }

    package func canHandle(message: String) -> IntentMatch {
        canHandle(message: PlainMessage(message))
    }

    /// As where there is no model.
    package func handle(message: String, mayAsk: Bool = true) async throws -> CommandOutput? {
        try await handle(message: PlainMessage(message), mayAsk: mayAsk, emit: .none)
    }
}

/// What a server's stores need to know about the call they serve.
package enum ToolCallContext {
    /// Text by others is in the conversation of the model that called, so that
    /// what it writes may be theirs.
    @TaskLocal package static var hasForeignText = false
    /// Who called; nil where the user acts.
    @TaskLocal package static var caller: ToolCaller?
    /// Why the call was allowed to run, as an `ApprovalGround`; nil where the user acts.
    @TaskLocal package static var approval: String?
    /// Gets the steps that undo what the call does; nil where the user acts.
    @TaskLocal package static var undoSteps: UndoStepNotes?
}

/// The ids of the steps that undo what one call did, as its stores wrote them.
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

/// What a call would do, as far as it is known before it runs.
package enum CallPreview: Sendable, Equatable {
    /// In the server's words ("buy milk · 3 Nov"), which may be foreign text;
    /// nil where the arguments say it all.
    case touches(String?)
    /// It cannot succeed, for example because nothing matches: the answer to
    /// the model. The user is not asked about such a call, and it never runs.
    case fails(ToolOutput)
}

/// A message in the user's words, with what was made of it: a reader reads it once, so that
/// `handle` acts on what `canHandle` saw, and servers that share a reader share the reading.
package final class PlainMessage: Sendable {
    package let text: String
    private let readings = Mutex<[ObjectIdentifier: any Sendable]>([:])

    package init(_ text: String) { self.text = text }

    package func reading<Value: Sendable>(
        by reader: AnyObject, _ read: (String) -> Value
    ) -> Value {
        readings.withLock { readings in
            if let known = readings[ObjectIdentifier(reader)] as? Value { return known }
            let value = read(text)
            readings[ObjectIdentifier(reader)] = value
            return value
        }
    }
}

/// A server's judgement of a message.
package struct IntentMatch: Sendable, Equatable {
    /// 0 (not ours) to 1.
    package var confidence: Double
    package var suggestedTools: [String]
    /// Why, in a few words, for the log and `/tools`.
    package var reasoning: String
    /// The whole message was understood: it can be answered without a model.
    package var isComplete: Bool
    /// What the user sees where there is no model: what was not done,
    /// and the words that would do it. Nil where the server has no such advice.
    package var fallbackMessage: String?
    /// It speaks of "it" or "that". After an answer of a model that may be
    /// something in the answer, which only the model knows.
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
