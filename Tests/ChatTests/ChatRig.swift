import CalendarFiles
import Foundation
import Library
import Persistence
import Planner
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import ChatKit
@testable import Privacy
@testable import chat

/// The program's pieces over a temporary folder and a scripted network: a real
/// store, real reminders, no host that is really asked.
struct ChatRig {
    let folder: TemporaryFolder
    let clock: ManualClock
    let transport: RoutedTransport
    let services: Services

    /// - Parameters:
    ///   - configuration: the text of `config.json`.
    ///   - hasUndo: changes can be taken back as well.
    ///   - server: one more, which has a model write.
    ///   - person: what the profile says of the user.
    init(
        variables: [String: String] = [:], configuration: String? = nil,
        folder: TemporaryFolder? = nil, transport: RoutedTransport = RoutedTransport(),
        hasUndo: Bool = false, server: ((any TextGenerator) -> any ToolServer)? = nil,
        person: PersonalData = PersonalData()
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        self.transport = transport
        clock = ManualClock()
        var variables = variables
        variables["CHAT_HOME"] = folder.path
        variables["HOME"] = folder.path
        let paths = try Paths(variables: variables)
        if let configuration { try folder.write(Array(configuration.utf8), to: "config.json") }
        let settings = try Settings.load(paths.configuration)
            .applying(variables: variables, paths: paths)
        let environment = clock.environment
        let shared = SharedServices(
            environment: environment, variables: variables, paths: paths, settings: settings,
            keyRing: KeyRing(
                variables: variables, commands: [:],
                service: SecretService(variables: [:], mayPrompt: false),
                file: KeyFile(path: paths.keys, uuid: environment.uuid), own: settings.access,
                pins: ProviderPins(path: paths.providerPins, uuid: environment.uuid)),
            isVerbose: false, transport: transport, person: person)
        let store = shared.calendars
        let alerts = AlertAssembly(
            store: store,
            reminders: ReminderActions(
                store: store, context: shared.dates,
                environment: environment, defaultList: settings.defaultList),
            zones: shared.zones, settings: settings.alerts, paths: paths,
            environment: environment)
        var servers: [any ToolServer] = [
            RemindersServer(
                store: store, context: shared.dates,
                environment: environment, eventStarts: EventMatcher.starts)
        ]
        if hasUndo {
            servers.append(
                UndoServer(
                    UndoHistory([CalendarUndoSource(store)]), environment: environment))
        }
        if let server { servers.append(server(shared.generator)) }
        services = Services(
            shared, registry: ToolRegistry(servers: servers), alerts: alerts, grammar: .prompt)
        services.offerGeneration()
    }

    func session(
        kind: ConversationRecord.Kind = .repl, flags: ProviderChoice.Selection = .init()
    ) async throws -> Session {
        try await Session(
            services: services,
            options: Session.Options(
                kind: kind, flags: flags, policy: ApprovalPolicy(isInteractive: false),
                approver: .refusing))
    }

    /// What `chat WORDS…` does.
    func run(_ words: [String]) async throws -> CommandOutput {
        let commands = App.commands(services)
        return try await commands.first { $0.name == words[0] }!.run(Array(words.dropFirst()))
    }

    static let claude = ["ANTHROPIC_API_KEY": "sk-ant-test-0123456789"]
    static let openai = ["OPENAI_API_KEY": "sk-test-0123456789"]
}

/// A network in which each host answers as told, and all others refuse.
final class RoutedTransport: HTTPTransport {
    typealias Route =
        @Sendable (HTTPRequest) async throws -> (status: Int, type: String, body: String)

    private let routes: Mutex<[String: Route]>
    private let asked = Mutex<[String]>([])

    /// Keys are parts of the URL.
    init(_ routes: [String: Route] = [:]) { self.routes = Mutex(routes) }

    func set(_ host: String, _ route: @escaping Route) {
        routes.withLock { $0[host] = route }
    }

    /// The URLs that were asked for, in order.
    var urls: [String] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        asked.withLock { $0.append(request.url) }
        let route = routes.withLock { routes in
            routes.first { request.url.contains($0.key) }?.value
        }
        guard let route else {
            throw TransportError(reason: .connectionRefused, host: "127.0.0.1:11434", detail: "")
        }
        let (status, type, body) = try await route(request)
        let rest = Mutex<[UInt8]?>(Array(body.utf8))
        return HTTPResponse(
            head: HTTPResponseHead(status: status, headers: [HTTPHeader("Content-Type", type)]),
            body: ResponseBody {
                rest.withLock { rest in
                    defer { rest = nil }
                    return rest
                }
            })
    }

    /// A Messages stream that says `text`.
    static func claude(_ text: String) -> Route {
        let events = [
            #"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":10,"output_tokens":1}}}"#,
            #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\#(text)"}}"#,
            #"{"type":"content_block_stop","index":0}"#,
            #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#,
            #"{"type":"message_stop"}"#,
        ]
        let body = events.map { event in
            let type = event.split(separator: "\"")[3]
            return "event: \(type)\ndata: \(event)\n\n"
        }.joined()
        return { _ in (200, "text/event-stream", body) }
    }

    /// A Chat Completions stream that says `text`, and a list of one model.
    static func local(_ text: String) -> Route {
        { request in
            if request.url.hasSuffix("/models") {
                return (200, "application/json", #"{"object":"list","data":[{"id":"llama"}]}"#)
            }
            let chunk =
                #"{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"\#(text)"},"finish_reason":null}]}"#
            let end = #"{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#
            return (200, "text/event-stream", "data: \(chunk)\n\ndata: \(end)\n\ndata: [DONE]\n\n")
        }
    }
}

extension Session {
    func send(
        _ text: String, attachments: [Attachment] = [], replacing old: Replacement? = nil,
        asksModel: Bool = false, isTyped: Bool = true, observe: @escaping Agent.Observer
    ) async throws -> Answer {
        try await send(
            PlainMessage(text), attachments: attachments, replacing: old, asksModel: asksModel,
            isTyped: isTyped, observe: observe)
    }
}
