import AgentCore
import Base
import MCP
import Synchronization

/// All configured external servers: decides which are offered to a conversation and when
/// they start, and stops them at the program's end. Above 400 lines because one actor owns them.
package actor ExternalServers {
    /// The tools offered to a conversation, in order; it only grows.
    package struct Offer: Sendable, Equatable {
        fileprivate(set) package var servers: [String] = []
        fileprivate(set) package var tools: [OfferedTool] = []

        package init() {}
    }

    package struct OfferedTool: Sendable, Equatable {
        package var tool: Tool
        package var server: String
        /// The server's own name for it.
        package var name: String
    }

    /// Maximum time a message waits for servers to start.
    private let wait: @Sendable () -> Duration
    /// Ends the current wait.
    private nonisolated let skip = Mutex<(@Sendable () -> Void)?>(nil)
    /// Servers a message did not wait for while they started: the next message does not
    /// wait again.
    private var late: Set<String> = []
    /// The servers whose tools were unavailable for the last message.
    package private(set) var absent: [String] = []
    package nonisolated let book: ServerBook
    private let dependencies: ExternalServer.Dependencies
    /// The servers offered to each conversation, a JSON file.
    private let records: OfferRecords
    private(set) var servers: [String: ExternalServer] = [:]
    /// Notices already shown.
    private var told: Set<String> = []

    package init(
        book: ServerBook, records: String, environment: Environment, identity: MCPIdentity,
        transport: any HTTPTransport, home: String, limits: MCPClient.Limits = MCPClient.Limits(),
        wait: @escaping @Sendable () -> Duration = { Settings().startTimeout },
        ownKeys: Set<String> = [],
        token: @escaping @Sendable (_ server: String, KeyOrigin) async throws -> String?,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.book = book
        self.wait = wait
        self.records = OfferRecords(path: records, uuid: environment.uuid)
        dependencies = ExternalServer.Dependencies(
            environment: environment, identity: identity, transport: transport, home: home,
            ownKeys: ownKeys.union(ProviderName.builtIn.compactMap { $0.facts.variables?.key }),
            limits: limits, token: token, log: log)
    }

    // MARK: - Offering

    /// The offer for the next message: the tools offered to the conversation before, and
    /// after them those of servers that have started since. Starts all of them, and waits
    /// for those not running, until `goOnWithout` or for the configured time.
    ///
    /// - Parameters:
    ///   - offer: this conversation's offer, as far as known here.
    ///   - conversation: its id; nil for one that is not stored.
    ///   - emit: shows which servers are starting.
    /// - Returns: also notices for the user, each once.
    package func extend(
        _ offer: Offer, for conversation: String?, emit: Emitter = .none
    ) async throws -> (offer: Offer, notices: [String]) {
        let content: ServerBook.Content
        do {
            content = try await book.read()
        } catch {
            absent = ["mcp.json"]
            return (offer, once([error.diagnostic.what]))
        }
        absent = []
        if content.entries.isEmpty { return (offer, []) }
        var offer = offer
        if offer.servers.isEmpty, let conversation {
            for name in await records.names(of: conversation) { add(name, content, to: &offer) }
        }
        let active = await take(content)
        try await startAll(active, emit)
        var notices: [String] = []
        for server in active.sorted(by: { $0.entry.name < $1.entry.name }) {
            let name = server.entry.name
            let unapproved = await server.unapproved
            if !unapproved.isEmpty {
                absent.append(name)
                await note(differs: true, of: name, content.pin(name))
                notices.append(
                    "The tools of \(name) are not what you approved, and are not used: "
                        + "chat mcp check \(name)")
            } else if await server.facts != nil {
                late.remove(name)
                await note(differs: false, of: name, content.pin(name))
                add(name, content, to: &offer)
                notices += await server.leftOut.map { $0.sentence(of: name) }
            } else {
                absent.append(name)
                if let failure = await server.failure {
                    late.remove(name)
                    notices.append(failure.diagnostic.what)
                } else {
                    late.insert(name)
                    notices.append(
                        "The server \(name) has not started yet; its tools join when it has.")
                }
            }
        }
        for entry in content.entries where !entry.isDisabled && !servers.keys.contains(entry.name) {
            absent.append(entry.name)
            notices.append(
                "The server \(entry.name) is not what you approved, and is not started: "
                    + "chat mcp check \(entry.name)")
        }
        if let conversation, !offer.servers.isEmpty {
            await records.note(offer.servers, of: conversation)
        }
        return (offer, once(notices))
    }

    /// Records for `mcp list` whether a server's tools differ from the approved ones.
    func note(differs: Bool, of name: String, _ pin: ServerPin) async {
        guard pin.toolsDiffer != differs else { return }
        // Changed tools are unused with or without the note.
        try? await book.setToolsDiffer(differs, of: name)
    }

    /// The offer between the requests of a turn: with the tools of late servers that have
    /// started since. Waits for none.
    /// - Returns: nil if no server was added.
    package func joined(_ offer: Offer, for conversation: String?) async -> Offer? {
        // A file that cannot be read is reported with the next message.
        guard !late.isEmpty, let content = try? await book.read() else { return nil }
        var joined = offer
        for name in late.sorted() {
            guard let server = servers[name], await server.facts != nil,
                await server.unapproved.isEmpty
            else { continue }
            late.remove(name)
            absent.removeAll { $0 == name }
            add(name, content, to: &joined)
        }
        if joined == offer { return nil }
        if let conversation { await records.note(joined.servers, of: conversation) }
        return joined
    }

    private func once(_ notices: [String]) -> [String] {
        notices.filter { told.insert($0).inserted }
    }

    private func add(_ name: String, _ content: ServerBook.Content, to offer: inout Offer) {
        guard !offer.servers.contains(name), let entry = content.entry(name),
            let pin = content.pins[name], !pin.tools.isEmpty
        else { return }
        offer.servers.append(name)
        offer.tools += Self.tools(of: entry, pin)
    }

    private static func tools(of entry: ServerEntry, _ pin: ServerPin) -> [OfferedTool] {
        let names = ToolNames.names(of: pin.tools.map(\.name), server: entry.name)
        return pin.tools.compactMap { definition in
            names[definition.name].map { name in
                OfferedTool(
                    tool: definition.tool(
                        named: name, of: entry.name,
                        entry.readers.contains(definition.name) ? .read : .outward),
                    server: entry.name, name: definition.name)
            }
        }
    }

    /// The approved tools, whether or not their servers run.
    package func approvedTools() async throws -> [OfferedTool] {
        let content = try await book.read()
        return content.entries.filter { !$0.isDisabled }.flatMap {
            Self.tools(of: $0, content.pin($0.name))
        }
    }

    /// Each server's approved tools, and a sentence for each tool that is left out. Starts
    /// no server.
    package func overview() async throws -> [(name: String, tools: [Tool], leftOut: [String])] {
        let content = try await book.read()
        return content.entries.filter { !$0.isDisabled }.map { entry in
            let pin = content.pin(entry.name)
            return (
                entry.name, Self.tools(of: entry, pin).map(\.tool),
                pin.leftOut.map { $0.sentence(of: entry.name) }
            )
        }
    }

    /// The names given with `--allow` that no server can offer: those an approved server
    /// lacks. A server not approved or not started may still have them.
    package func unknown(among names: Set<String>) async throws -> [String] {
        let content = try await book.read()
        let open = content.entries.filter { !$0.isDisabled }
        let known = Set(open.flatMap { Self.tools(of: $0, content.pin($0.name)) }.map(\.tool.name))
        return names.filter { name in
            let owner = open.first { name.hasPrefix("\($0.name)__") }
            let isWaiting = owner.map { content.pin($0.name).tools.isEmpty } ?? false
            return !known.contains(name) && !isWaiting
        }.sorted()
    }

    // MARK: - Starting and ending

    /// Esc: lets the message that waits for servers go on without them.
    /// - Returns: false if none is waiting.
    package nonisolated func goOnWithout() -> Bool {
        guard let skip = skip.withLock({ $0 }) else { return false }
        skip()
        return true
    }

    /// The servers that may run: configured, not disabled, and approved by the user.
    func take(_ content: ServerBook.Content) async -> [ExternalServer] {
        var active: [String: ExternalServer] = [:]
        for entry in content.entries where !entry.isDisabled {
            let pin = content.pin(entry.name)
            // An unusable entry does not start; `chat mcp check` reports why.
            guard let launch = try? Self.launch(entry, dependencies.environment.variables),
                pin.isApproved(launch)
            else { continue }
            if let server = servers[entry.name], server.entry == entry {
                await server.setPin(pin)
                active[entry.name] = server
            } else {
                active[entry.name] = ExternalServer(entry, pin: pin, dependencies)
            }
        }
        let gone = servers.filter { active[$0.key] !== $0.value }.map(\.value)
        servers = active
        for server in gone { await server.stop(patience: .milliseconds(500)) }
        return Array(active.values)
    }

    /// The command or address that would be used now, as it is pinned.
    /// - Throws: `ServerEntryError`; `MCPClientError` if the program does not exist.
    static func launch(
        _ entry: ServerEntry, _ variables: [String: String]
    ) throws -> JSONValue {
        let launch = try entry.launch()
        var program: String?
        if case .program(let words, _, _) = launch, !words[0].contains("${") {
            do {
                program = try Subprocess.find(words[0], in: variables)
            } catch {
                throw MCPClientError(entry.name, .couldNotStart(error))
            }
        }
        return entry.pinned(launch, program: program)
    }

    private enum Step: Sendable {
        case started(String)
        case second, over
    }

    func startAll(_ servers: [ExternalServer], _ emit: Emitter) async throws {
        var pending = Set(servers.map(\.entry.name)).subtracting(late)
        var shown: Set<String> = []
        for server in servers where await server.facts == nil { shown.insert(server.entry.name) }
        let (steps, continuation) = AsyncStream.makeStream(
            of: Step.self, bufferingPolicy: .bufferingNewest(servers.count + 8))
        // They continue to start after the message has stopped waiting.
        for server in servers {
            Task {
                await server.start()
                continuation.yield(.started(server.entry.name))
            }
        }
        let environment = dependencies.environment
        let (start, limit) = (environment.uptime(), wait().inSeconds)
        let timer = Task {
            while environment.uptime() - start < limit {
                // Cancelled when all are running.
                guard (try? await environment.sleep(.seconds(min(1, limit)))) != nil else { return }
                continuation.yield(.second)
            }
            continuation.yield(.over)
        }
        skip.withLock { $0 = { continuation.yield(.over) } }
        defer {
            skip.withLock { $0 = nil }
            timer.cancel()
        }
        func show() {
            let names = pending.intersection(shown).sorted()
            if names.isEmpty { return }
            var progress = ToolProgress(
                activity: "Starting", title: "starting \(names.joined(separator: ", ")) …")
            progress.facts = ["\(Int(environment.uptime() - start)) s"]
            progress.part = "Esc goes on without"
            emit(progress)
        }
        show()
        if pending.isEmpty { return }
        for await step in steps {
            if case .over = step { break }
            if case .started(let name) = step { pending.remove(name) }
            if pending.isEmpty { break }
            show()
        }
        try Task.checkCancellation()
    }

    /// Stops all of them, before the program ends.
    package func stop(patience: Duration = .seconds(1)) async {
        let all = servers.values
        servers = [:]
        await withTaskGroup(of: Void.self) { group in
            for server in all { group.addTask { await server.stop(patience: patience) } }
        }
    }

    // MARK: - For commands and calls

    /// - Throws: `ToolError`, `CancellationError`.
    func call(
        _ offered: OfferedTool, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        guard let server = servers[offered.server] else {
            throw ToolError.failed(
                "The server \(offered.server) is not in use any more: it was removed or changed.")
        }
        return try await server.call(offered.name, arguments: arguments, emit: emit)
    }

    /// The running server of an entry, whether or not its tools are approved: the user has
    /// just allowed it to run.
    func started(_ entry: ServerEntry, pin: ServerPin) async -> ExternalServer {
        let server: ExternalServer
        if let known = servers[entry.name], known.entry == entry, await known.failure == nil {
            server = known
        } else {
            await servers.removeValue(forKey: entry.name)?.stop(patience: .milliseconds(500))
            server = ExternalServer(entry, pin: pin, dependencies)
            servers[entry.name] = server
        }
        await server.setPin(pin)
        await server.start()
        // Report problems again from now on.
        told = told.filter { !$0.contains(entry.name) }
        return server
    }

    func forget(_ name: String) async {
        told = told.filter { !$0.contains(name) }
        await servers.removeValue(forKey: name)?.stop(patience: .milliseconds(500))
    }

    nonisolated var variables: [String: String] { dependencies.environment.variables }
}

/// The external tools offered to one conversation. Every result is untrusted text.
package struct ExternalTools: ToolServer {
    private let servers: ExternalServers
    private let offer: ExternalServers.Offer

    package init(_ servers: ExternalServers, _ offer: ExternalServers.Offer) {
        self.servers = servers
        self.offer = offer
    }

    package var name: String { "mcp" }
    package var description: String { "The tools of other programs." }

    package func listTools() -> [Tool] { offer.tools.map(\.tool) }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        guard let offered = offer.tools.first(where: { $0.tool.name == name }) else {
            throw ToolError.toolNotFound(name: name)
        }
        return try await servers.call(offered, arguments: arguments, emit: emit)
    }
}

extension ExternalServers {
    /// The `mcp` settings of the configuration.
    package struct Settings: Sendable, Equatable {
        package var startSeconds = 15.0
        package var startTimeout: Duration { .seconds(startSeconds) }

        package init() {}

        package static let settings = SettingTable<Settings>(
            "an object such as { \"start_timeout\": 15 }",
            [
                .init(
                    "start_timeout", \.startSeconds,
                    .number(0...600, "seconds, from 0 to 600", unit: " s"), .plain)
            ])
    }
}

extension UnusableTool {
    package func sentence(of server: String) -> String {
        "The tool \(ToolNames.revealed(name)) of \(server) is left out: \(why)."
    }
}
