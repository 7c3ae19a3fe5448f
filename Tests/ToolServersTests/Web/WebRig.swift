import AgentCore
import Base
import Synchronization
import TestSupport
import XCTest

@testable import Outside

/// A `WebServer` for tests: names that a table resolves, one address of this machine that
/// stands for the public internet, and servers that count who comes.
final class WebRig: Sendable {
    /// The only address that may be reached.
    static let open = "127.0.0.2"

    let server: WebServer
    let transport: CurlTransport
    let ledger = MemoryLedger()
    /// Answers of the resolver in turn, the last one again and again.
    private let answers: Mutex<[String: [[String]]]>
    private let asked = Mutex<[String]>([])

    init(
        names: [String: [[String]]] = [:], limits: FetchRules.Limits = FetchRules.Limits(),
        variables: [String: String] = [:], environment: Base.Environment? = nil,
        resolver: HostResolver? = nil, caFile: String? = nil, open: String = WebRig.open
    ) throws {
        answers = Mutex(names)
        transport = CurlTransport(ledger: ledger, caFile: caFile)
        let box = Box()
        let open = try XCTUnwrap(IPAddress(open))
        server = WebServer(
            .init(
                transport: transport, userAgent: "chat/test",
                environment: environment ?? .system(variables: variables),
                resolver: resolver ?? HostResolver { host in box.rig(host) },
                policy: AddressPolicy(exceptions: [open]), limits: limits))
        box.rig = { [weak self] host in self?.resolve(host) ?? [] }
    }

    deinit { transport.shutDown() }

    /// The names that were looked up.
    var lookups: [String] { asked.withLock { $0 } }

    private func resolve(_ host: String) -> [IPAddress] {
        asked.withLock { $0.append(host) }
        return answers.withLock { answers in
            // An address is its own answer, as everywhere.
            guard var turns = answers[host], let first = turns.first else {
                return IPAddress(host).map { [$0] } ?? []
            }
            if turns.count > 1 { turns.removeFirst() }
            answers[host] = turns
            return first.compactMap { IPAddress($0) }
        }
    }

    func fetch(_ url: String) async throws -> ToolOutput {
        try await server.callTool("fetch_url", arguments: Self.address(url))
    }

    func read(_ url: String, _ offset: Int) async throws -> ToolOutput {
        var arguments = Self.address(url)
        arguments["offset"] = JSONValue(offset)
        return try await server.callTool("read_page", arguments: arguments)
    }

    static func address(_ url: String) -> JSONObject { JSONObject([.init("url", .string(url))]) }

    static func page(_ type: String?, _ body: [UInt8], status: Int = 200) -> ServerScript {
        .response(
            status, headers: type.map { [HTTPHeader("Content-Type", $0)] } ?? [], body: body)
    }

    static func html(_ body: String) -> ServerScript { page("text/html", [UInt8](body.utf8)) }

    static func redirect(_ status: Int, to location: String?) -> ServerScript {
        .response(status, headers: location.map { [HTTPHeader("Location", $0)] } ?? [])
    }

    static func server(
        at address: String = WebRig.open, port: Int = 0,
        _ answer: @escaping @Sendable (RecordedRequest) -> ServerScript
    ) throws -> LoopbackServer {
        try LoopbackServer(at: (address, port), answer)
    }

    /// The closure that the server's resolver asks, which is known only after it.
    private final class Box: Sendable {
        private let held = Mutex<@Sendable (String) -> [IPAddress]>({ _ in [] })
        var rig: @Sendable (String) -> [IPAddress] {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
    }
}
