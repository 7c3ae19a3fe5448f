import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Privacy

/// What happened around an agent, in order, from every side of it.
final class Timeline: Sendable {
    private let entries = Mutex<[String]>([])

    private let records = Mutex<[ToolCallRecord]>([])

    func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    func keep(_ call: ToolCallRecord) { records.withLock { $0.append(call) } }
    /// What was recorded of each call.
    var calls: [ToolCallRecord] { records.withLock { $0 } }
    var all: [String] { entries.withLock { $0 } }
    func count(_ prefix: String) -> Int { all.count { $0.hasPrefix(prefix) } }
}

/// A journal in memory that writes down its calls and fails where it is told.
final class RecordingJournal: TurnJournal {
    struct Failure: Error, Equatable {
        var entry: String
    }

    private let timeline: Timeline
    private let fails: @Sendable (String) -> Bool

    init(_ timeline: Timeline, fails: @escaping @Sendable (String) -> Bool = { _ in false }) {
        self.timeline = timeline
        self.fails = fails
    }

    private func note(_ entry: String) throws {
        timeline.note(entry)
        if fails(entry) { throw Failure(entry: entry) }
    }

    func begin(user: Message, isLocal: Bool, carriesUntrustedText: Bool) async throws -> TurnID {
        try note("begin \(user.text)\(isLocal ? " local" : "")")
        return TurnID(1)
    }

    func append(_ text: String, kind: StreamedKind, to turn: TurnID) async throws {
        try note("append \(kind.rawValue) \(text)")
    }

    func record(_ message: Message, in turn: TurnID) async throws {
        let calls = message.toolCalls.map(\.id).joined(separator: ",")
        try note("record \(message.role.rawValue) \(message.text)[\(calls)]")
    }

    func recordResult(
        _ result: ToolResult, of call: ToolCallRecord, in turn: TurnID
    ) async throws {
        timeline.keep(call)
        try note("result \(result.callID) \(result.isError ? "error" : "ok")")
    }

    func close(_ turn: TurnID, status: Turn.Status, usage: Usage, note word: String?) async throws {
        try note("close \(status.rawValue)" + (word.map { " \($0)" } ?? ""))
    }
}

/// Puts the requests of a provider on the timeline.
struct WatchedProvider: Provider {
    let inner: any Provider
    let timeline: Timeline

    var name: ProviderName { inner.name }
    var host: String { inner.host }
    func models() async throws -> [ModelInfo] { [] }

    func body(of request: ModelRequest) async throws -> [UInt8] {
        try await inner.body(of: request)
    }

    func respond(
        to request: ModelRequest, receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> ModelAnswer {
        timeline.note("request")
        return try await inner.respond(to: request, receive: receive)
    }
}

/// A provider that always answers with tool calls, without end.
final class CallingProvider: Provider {
    let name = ProviderName.claude
    let host = "calling.test"
    private let round = Mutex(0)
    private let calls: @Sendable (Int) -> [ToolCall]

    init(_ calls: @escaping @Sendable (Int) -> [ToolCall]) { self.calls = calls }

    func models() async throws -> [ModelInfo] { [] }
    func body(of request: ModelRequest) async throws -> [UInt8] { [] }

    func respond(
        to request: ModelRequest, receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> ModelAnswer {
        let number = round.withLock { round in
            round += 1
            return round
        }
        return ModelAnswer(
            message: Message(
                role: .assistant, parts: calls(number).map(Part.toolCall),
                origin: ModelOrigin(provider: .claude, format: .messages, model: "scripted")),
            stop: .toolUse)
    }
}

/// One tool of each class: `look` and `browse` read (the second gives foreign
/// text), `note` writes, `wipe` destroys, `mail` goes outward. All take a title
/// and an optional number from 1 to 9.
struct RigServer: ToolServer {
    let name = "rig"
    let description = "Tools of every class."
    let timeline: Timeline
    /// Emitted before it acts.
    var progress: ToolProgress?
    var act: @Sendable (String, JSONObject) async throws -> ToolOutput = { name, _ in
        ToolOutput(text: "done \(name)")
    }
    var look: @Sendable (JSONObject) -> CallPreview = { _ in .touches(nil) }
    var effects: @Sendable (String, JSONObject) -> [CallEffect]? = { _, _ in nil }

    static let names = ["look", "browse", "note", "wipe", "mail"]

    func listTools() -> [Tool] {
        let classes: [ToolClass] = [.read, .read, .write, .destroy, .outward]
        return zip(Self.names, classes).map { name, toolClass in
            Tool(
                name: name, title: name, description: name,
                inputSchema: .object([
                    .init("title", .string(), isRequired: true), .init("n", .integer(range: 1...9)),
                    .init("exact", .boolean()), .init("ratio", .number()),
                    .init("tags", .array(of: .string())),
                    .init("kind", .string(choices: ["a", "b"])),
                ]), toolClass: toolClass)
        }
    }

    func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        timeline.note("run \(name)")
        if let progress { emit(progress) }
        var output = try await act(name, arguments)
        if name == "browse" { output.isUntrusted = true }
        return output
    }

    func preview(of name: String, arguments: JSONObject) async -> CallPreview { look(arguments) }

    func effects(of name: String, arguments: JSONObject) async -> [CallEffect]? {
        effects(name, arguments)
    }
}

/// An agent with everything around it.
struct AgentRig {
    let timeline = Timeline()
    let clock = ManualClock()
    let events = EventLog()
    var fails: @Sendable (String) -> Bool = { _ in false }
    var act: (@Sendable (String, JSONObject) async throws -> ToolOutput)?
    var look: (@Sendable (JSONObject) -> CallPreview)?
    var effects: (@Sendable (String, JSONObject) -> [CallEffect]?)?
    var progress: ToolProgress?
    var approver = Approver.refusing
    var policy = ApprovalPolicy(isInteractive: false)
    var history: [Turn] = []
    var offersTools = true
    var person: PersonalData? = PersonalData()

    final class EventLog: Sendable {
        private let events = Mutex<[AgentEvent]>([])
        func add(_ event: AgentEvent) { events.withLock { $0.append(event) } }
        var all: [AgentEvent] { events.withLock { $0 } }
    }

    func run(
        _ provider: any Provider, message: Message = .user("Hello"),
        onEvent: @escaping @Sendable (AgentEvent) async -> Void = { _ in }
    ) async throws -> TurnOutcome {
        var server = RigServer(timeline: timeline)
        if let act { server.act = act }
        if let look { server.look = look }
        if let effects { server.effects = effects }
        server.progress = progress
        let agent = Agent(
            registry: ToolRegistry(servers: [server]), environment: clock.environment,
            person: { [person] in person })
        let context = Agent.Context(
            provider: WatchedProvider(inner: provider, timeline: timeline), model: "scripted",
            system: "Be brief.", history: history,
            journal: RecordingJournal(timeline, fails: fails), approver: approver, policy: policy,
            offersTools: offersTools)
        return try await agent.respond(to: message, in: context) { [events] event in
            events.add(event)
            await onEvent(event)
        }
    }

    static func call(_ id: String, _ name: String, _ arguments: String = #"{"title":"a"}"#)
        -> ToolCall
    {
        ToolCall(id: id, name: name, arguments: arguments)
    }

    /// What is wrong with the request that would follow these turns, in every
    /// wire format.
    static func violations(after turns: [Turn]) -> [String] {
        var next = turns
        next.append(Turn(status: .open, messages: [.user("And then?")]))
        let request = ModelRequest(
            model: "scripted", system: "Be brief.", turns: next,
            tools: RigServer(timeline: Timeline()).listTools())
        return [WireFormat.responses, .messages, .chat].flatMap { format -> [String] in
            let origin = ModelOrigin(provider: .claude, format: format, model: "scripted")
            let messages = RequestHistory.messages(of: next, for: origin)
            let none = RequestAdjustments()
            let body: JSONValue =
                switch format {
                case .messages:
                    ClaudeRequest.body(request, messages: messages, adjustments: none)
                case .responses:
                    OpenAIResponsesRequest.body(
                        request, messages: messages, isVendor: true, adjustments: none)
                case .chat, .none:
                    OpenAIChatRequest.body(
                        request, messages: messages, isVendor: true, adjustments: none)
                }
            return ConversationValidator.violations(in: body, format: format)
        }
    }
}
