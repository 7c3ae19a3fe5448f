import AgentCore
import Base
import MCP

/// One external server: starts it when needed, restarts it after it ends, lists its tools and calls
/// them. Its pin defines how it may be used.
actor ExternalServer {
    struct Dependencies: Sendable {
        var environment: Environment
        var identity: MCPIdentity
        var transport: any HTTPTransport
        /// Working folder of programs without a configured one.
        var home: String
        /// Names of variables with our own keys.
        var ownKeys: Set<String>
        var limits = MCPClient.Limits()
        /// The token for a server, if one is stored for its origin.
        var token: @Sendable (_ server: String, KeyOrigin) async throws -> String?
        /// Logs one line, without arguments or results.
        var log: @Sendable (String) -> Void
    }

    private enum Phase {
        case idle
        case starting(Task<Void, Never>)
        case running(MCPClient, MCPServerFacts)
        case failed(MCPClientError)
        case stopped
    }

    /// Maximum seconds before it is started again.
    private static let longestPause = 60.0
    /// Maximum seconds a call waits for such a pause.
    private static let patience = 3.0

    let entry: ServerEntry
    private(set) var pin: ServerPin
    private let dependencies: Dependencies
    private var phase = Phase.idle
    private var failures = 0
    private var failedAt = 0.0
    private var startedAt = 0.0
    private(set) var definitions: [MCPToolDefinition] = []
    private(set) var leftOut: [UnusableTool] = []
    private var isStale = false

    init(_ entry: ServerEntry, pin: ServerPin, _ dependencies: Dependencies) {
        self.entry = entry
        self.pin = pin
        self.dependencies = dependencies
    }

    var name: String { entry.name }

    // MARK: - State

    var facts: MCPServerFacts? {
        if case .running(_, let facts) = phase { facts } else { nil }
    }

    /// The reason why it does not run; nil while it does, or was not started.
    var failure: MCPClientError? {
        if case .failed(let error) = phase { error } else { nil }
    }

    /// Differences of its current tools from those the user has approved.
    var unapproved: [ToolDifference] {
        guard facts != nil else { return [] }
        return pin.differences(from: definitions).filter(\.needsApproval)
    }

    func setPin(_ pin: ServerPin) { self.pin = pin }

    // MARK: - Start and end

    /// Returns when it runs or has failed; at once in a pause after a failure.
    func start() async {
        switch phase {
        case .running(let client, _):
            guard let reason = await client.ending else { return await relist(client) }
            // Only once, for the first caller.
            if case .running(let now, _) = phase, now === client { failed(reason) }
            await start()
        case .failed where pause > 0, .stopped: return
        case .starting(let task): await task.value
        case .idle, .failed:
            let task = Task { await self.open() }
            phase = .starting(task)
            await task.value
        }
    }

    /// Seconds until it may be started again.
    private var pause: Double {
        guard case .failed = phase else { return 0 }
        let length = min(Self.longestPause, Double(1 << min(failures - 1, 6)))
        return failedAt + length - dependencies.environment.uptime()
    }

    private func failed(_ reason: MCPClientError.Reason) {
        let error = MCPClientError(name, reason)
        failedAt = dependencies.environment.uptime()
        // A server that has run for a while is started again at once.
        if case .running = phase, failedAt - startedAt > Self.longestPause { failures = 0 }
        failures += 1
        phase = .failed(error)
        dependencies.log("mcp: \(error.diagnostic.what)")
    }

    private func open() async {
        do {
            let channel = try await channel()
            let client = MCPClient(
                server: name, identity: dependencies.identity, channel: channel,
                environment: dependencies.environment, limits: limits
            ) { [weak self] in
                Task { await self?.toolsChanged() }
            }
            let facts = try await client.start(era: pin.era)
            do {
                try await list(client, facts)
            } catch {
                await client.close(patience: .milliseconds(500))
                throw error
            }
            guard case .starting = phase else { return await client.close() }
            phase = .running(client, facts)
            startedAt = dependencies.environment.uptime()
            dependencies.log("mcp: \(name) runs, revision \(facts.revision)")
        } catch let error as MCPClientError {
            if case .starting = phase { failed(error.reason) }
        } catch {
            if case .starting = phase { failed(.invalidAnswer("\(Diagnostic(of: error).what)")) }
        }
    }

    private var limits: MCPClient.Limits {
        var limits = dependencies.limits
        if let timeout = entry.timeout { limits.call = timeout }
        return limits
    }

    /// - Throws: `MCPClientError`, `ServerEntryError`.
    private func channel() async throws -> any MCPChannel {
        let text = VariableText(
            variables: dependencies.environment.variables, ownKeys: dependencies.ownKeys)
        do {
            switch try entry.launch() {
            case .program(let words, let variables, let folder):
                let words = try words.map { try text.expanded($0) }
                var environment = Subprocess.baseEnvironment(from: text.variables)
                for (name, value) in variables { environment[name] = try text.expanded(value) }
                do throws(SubprocessError) {
                    return try await StdioServerChannel(
                        // `launch` always returns at least the command.
                        program: Subprocess.find(words[0], in: text.variables),
                        arguments: Array(words.dropFirst()), environment: environment,
                        folder: folder.map { FilePath.expanding($0, home: dependencies.home) }
                            ?? dependencies.home, id: dependencies.environment.uuid())
                } catch {
                    throw MCPClientError.Reason.couldNotStart(error)
                }
            case .address(let url, let headers):
                let url = try text.expanded(url)
                var sent = try headers.sorted { $0.key < $1.key }.map {
                    HTTPHeader($0.key, try text.expanded($0.value))
                }
                if !sent.contains(where: { $0.name.lowercased() == "authorization" }),
                    let origin = KeyOrigin(url),
                    let token = try await dependencies.token(name, origin)
                {
                    sent.append(HTTPHeader("Authorization", "Bearer \(token)"))
                }
                return HTTPServerChannel(
                    url: url, headers: sent, transport: dependencies.transport)
            }
        } catch let reason as MCPClientError.Reason {
            throw MCPClientError(name, reason)
        }
    }

    private func toolsChanged() { isStale = true }

    private func relist(_ client: MCPClient) async {
        guard isStale, case .running(_, let facts) = phase else { return }
        do {
            try await list(client, facts)
        } catch let error as MCPClientError {
            dependencies.log("mcp: \(error.diagnostic.what)")
        } catch {}
    }

    private func list(_ client: MCPClient, _ facts: MCPServerFacts) async throws {
        isStale = false
        if facts.tellsChanges { await client.listen() }
        guard facts.hasTools else { return }
        let listed = try await client.tools()
        var seen: Set<String> = []
        (definitions, leftOut) = ([], [])
        let limit = MCPToolDefinition.countLimit
        for (number, value) in listed.prefix(limit + 1).enumerated() {
            do throws(UnusableTool) {
                let tool = try MCPToolDefinition(value)
                if number == limit {
                    throw UnusableTool(
                        name: tool.name,
                        why: "a server may have \(limit) tools; none after it is offered")
                }
                if tool.needsTask, facts.revision != MCPProtocol.modernVersion, !facts.runsTasks {
                    throw UnusableTool(
                        name: tool.name, why: "it needs tasks, which its server does not run")
                }
                if seen.insert(tool.name).inserted { definitions.append(tool) }
            } catch {
                leftOut.append(error)
            }
        }
    }

    /// Stops it, because the program ends or its entry was removed.
    func stop(patience: Duration) async {
        let before = phase
        phase = .stopped
        switch before {
        case .running(let client, _): await client.close(patience: patience)
        case .starting(let task):
            task.cancel()
            await task.value
        case .idle, .failed, .stopped: break
        }
    }

    // MARK: - Use

    /// A connection for a call or a page.
    /// - Throws: `MCPClientError`.
    func client() async throws -> MCPClient {
        await start()
        let pause = pause
        if pause > 0, pause <= Self.patience {
            try await dependencies.environment.sleep(.seconds(pause))
            await start()
        }
        switch phase {
        case .running(let client, _): return client
        case .failed(let error): throw error
        case .idle, .starting, .stopped:
            throw MCPClientError(name, .ended(status: "stopped", complaint: ""))
        }
    }

    /// Runs the body with a connection, and again with a new one if the server has
    /// forgotten the session.
    private func connected<Value: Sendable>(
        _ body: (MCPClient) async throws -> Value
    ) async throws -> Value {
        let first = try await client()
        do {
            return try await body(first)
        } catch let error as MCPClientError where error.reason == .sessionGone {
            if case .running(let now, _) = phase, now === first { phase = .idle }
            await first.close(patience: .milliseconds(500))
            return try await body(client())
        }
    }

    /// - Parameter tool: the server's own name for it.
    /// - Throws: `ToolError`, `CancellationError`.
    func call(
        _ tool: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        let server = name
        do {
            let (definition, result) = try await connected { client in
                let definition = try approved(tool)
                let params = JSONObject([
                    .init("name", .string(tool)),
                    .init("arguments", .object(definition.restored(arguments))),
                ])
                let isOlder = facts?.revision != MCPProtocol.modernVersion
                let result = try await client.call(
                    params, asTask: definition.needsTask && isOlder
                ) { told in
                    var progress = ToolProgress(activity: "Waiting for", title: server)
                    progress.part = told.message
                    progress.fraction = told.total.map { min(max(told.value / $0, 0), 1) }
                    emit(progress)
                }
                return (definition, result)
            }
            failures = 0
            let read = MCPCallResult(result)
            var output = ToolOutput(text: read.text, isError: read.isError, isUntrusted: true)
            output.pictures = read.pictures
            if let problem = definition.outputProblem(in: result) {
                output.isError = true
                output.text =
                    "The result is not what the tool promises (outputSchema): \(problem).\n"
                    + output.text
            }
            return output
        } catch let error as MCPClientError {
            if case .refused(let said) = error.reason {
                let words = UntrustedText.line(said.message, limit: 500)
                return ToolOutput(
                    text: "The server refused the call: \(words)", isError: true, isUntrusted: true)
            }
            throw ToolError.failed(error.diagnostic.what)
        }
    }

    private func approved(_ tool: String) throws -> MCPToolDefinition {
        guard unapproved.isEmpty else {
            throw ToolError.failed(
                "Not run: the tools of \(name) have changed since the user approved them. The "
                    + "user can look at the change with: chat mcp check \(name)")
        }
        guard let definition = definitions.first(where: { $0.name == tool }) else {
            throw ToolError.failed("\(name) does not have this tool any more.")
        }
        return definition
    }
}
