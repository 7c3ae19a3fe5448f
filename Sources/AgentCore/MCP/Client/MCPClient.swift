import Base

/// One connection with a server: makes requests, waits for their answers, and ends the connection.
/// `MCPClientSession` decides what is sent and when, the channel how bytes are sent.
///
/// Every request ends: with its answer, after its timeout, when its task is cancelled, or with the
/// connection.
package actor MCPClient {
    package struct Limits: Sendable {
        /// Time after which a silent server is considered a legacy one.
        package var probe = Duration.seconds(3)
        /// Limit for the whole start: a package runner may have to download the server first.
        package var start = Duration.seconds(60)
        package var list = Duration.seconds(30)
        /// Limit for a call without progress messages.
        package var call = Duration.seconds(60)
        /// Limit for a call that keeps reporting progress.
        package var longestCall = Duration.seconds(600)

        package init() {}
    }

    /// Maximum number of unrelated messages in a row.
    private static let strayLimit = 5_000
    private static let pageLimit = 100
    private static let retryLimit = 3

    private struct Waiting {
        var continuation: CheckedContinuation<JSONObject, any Error>
        var emit: @Sendable (MCPServerProgress) -> Void
        /// Number of progress messages received.
        var generation = 0
    }

    package nonisolated let server: String
    private let channel: any MCPChannel
    private let environment: Environment
    package nonisolated let limits: Limits
    private let changed: @Sendable () -> Void
    private var session: MCPClientSession
    private var starting: CheckedContinuation<MCPServerFacts, any Error>?
    private var waiting: [Int: Waiting] = [:]
    private var reader: Task<Void, Never>?
    private var lastLine: Task<Bool, Never>?
    private var strays = 0
    private var end: MCPClientError.Reason?

    /// - Parameters:
    ///   - server: the name that the user gave it.
    ///   - changed: called when the tools of the server have changed; must be quick.
    package init(
        server: String, identity: MCPIdentity, channel: any MCPChannel, environment: Environment,
        limits: Limits = Limits(), changed: @escaping @Sendable () -> Void = {}
    ) {
        self.server = server
        self.channel = channel
        self.environment = environment
        self.limits = limits
        self.changed = changed
        session = MCPClientSession(identity: identity)
    }
    /// The reason why the connection ended; nil while it is usable.
    package var ending: MCPClientError.Reason? { end }

    // MARK: - Start and end

    /// - Parameter era: the era found at the previous start.
    /// - Throws: `MCPClientError`, `CancellationError`; the connection is closed then.
    package func start(era: MCPClientSession.Era? = nil) async throws -> MCPServerFacts {
        reader = Task { await self.read() }
        let probe = Task { [environment, limits] in
            // Cancelled when the answer arrives: the timer is no longer needed.
            if (try? await environment.sleep(limits.probe)) != nil {
                self.probeWasSilent()
            }
        }
        let limit = Task { [environment, limits] in
            // Cancelled once the server has started: then this limit no longer counts.
            if (try? await environment.sleep(limits.start)) != nil {
                self.fail(.silent(limits.start))
            }
        }
        defer {
            probe.cancel()
            limit.cancel()
        }
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    if let end { return continuation.resume(throwing: MCPClientError(server, end)) }
                    if Task.isCancelled {
                        return continuation.resume(throwing: CancellationError())
                    }
                    starting = continuation
                    perform(session.start(era: era))
                }
            } onCancel: {
                Task { await self.giveUpStart() }
            }
        } catch {
            await close(patience: .milliseconds(500))
            throw error
        }
    }

    private func giveUpStart() {
        starting?.resume(throwing: CancellationError())
        starting = nil
    }

    private func probeWasSilent() { perform(session.probeWasSilent()) }

    /// Ends the connection and all requests in progress.
    package func close(patience: Duration = .seconds(2)) async {
        if end == nil { end = .ended(status: "closed", complaint: "") }
        await channel.close(patience: patience)
        failAll(end ?? .ended(status: "closed", complaint: ""))
        await reader?.value
    }

    private func read() async {
        while let event = await channel.next() {
            switch event {
            case .noise: strays += 1
            case .failed(.integer(let id), let reason):
                finish(Int(clamping: id), .failure(MCPClientError(server, reason)))
                if starting != nil { fail(reason) }
            case .failed: break
            case .broken(let reason): fail(reason)
            case .message(let message):
                strays += 1
                perform(session.receive(message))
            }
            if strays > Self.strayLimit { fail(.floods) }
            // The connection is being closed, and the server may never stop sending.
            if end != nil { break }
        }
        let reason = if let end { end } else { await channel.ending() }
        fail(reason)
    }

    private func fail(_ reason: MCPClientError.Reason) {
        if end == nil {
            end = reason
            let channel = channel
            Task { await channel.close(patience: .milliseconds(500)) }
        }
        failAll(reason)
    }

    private func failAll(_ reason: MCPClientError.Reason) {
        starting?.resume(throwing: MCPClientError(server, reason))
        starting = nil
        for number in waiting.keys {
            finish(number, .failure(MCPClientError(server, reason)))
        }
    }

    // MARK: - Requests

    /// - Parameters:
    ///   - limit: timeout without a message from the server.
    ///   - emit: gets the progress; nil requests none.
    /// - Throws: `MCPClientError`, `CancellationError`.
    package func request(
        _ method: String, _ params: JSONObject = JSONObject(), limit: Duration? = nil,
        emit: (@Sendable (MCPServerProgress) -> Void)? = nil
    ) async throws -> JSONObject {
        var params = params
        for _ in 0...Self.retryLimit {
            let result = try await once(method, params, limit: limit ?? limits.list, emit: emit)
            // The server only asks for another try.
            guard result["resultType"]?.stringValue == "input_required",
                let state = result["requestState"]
            else { return result }
            params.members.removeAll { $0.name == "requestState" }
            params.members.append(.init("requestState", state))
        }
        throw MCPClientError(server, .invalidAnswer("it asks to be asked again and again"))
    }

    private func once(
        _ method: String, _ params: JSONObject, limit: Duration,
        emit: (@Sendable (MCPServerProgress) -> Void)?
    ) async throws -> JSONObject {
        try Task.checkCancellation()
        if let end { throw MCPClientError(server, end) }
        let (number, message) = session.request(method, params, wantsProgress: emit != nil)
        let timer = Task { [environment] in await self.time(number, limit, environment) }
        let longest = Task { [environment, limits] in
            // Cancelled when the call ends: then this limit no longer counts.
            if (try? await environment.sleep(max(limits.longestCall, limit))) != nil {
                self.expire(number, limits.longestCall)
            }
        }
        defer {
            timer.cancel()
            longest.cancel()
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting[number] = Waiting(continuation: continuation, emit: emit ?? { _ in })
                send(message)
            }
        } onCancel: {
            Task { await self.cancel(number) }
        }
    }

    private func time(_ number: Int, _ limit: Duration, _ environment: Environment) async {
        while let known = waiting[number]?.generation {
            // Cancelled: the answer has arrived.
            guard (try? await environment.sleep(limit)) != nil else { return }
            guard let now = waiting[number] else { return }
            if now.generation == known { return expire(number, limit) }
        }
    }

    private func expire(_ number: Int, _ limit: Duration) {
        guard waiting[number] != nil else { return }
        perform(session.cancel(number, reason: "it took too long"))
        finish(number, .failure(MCPClientError(server, .silent(limit))))
    }

    private func cancel(_ number: Int) {
        guard waiting[number] != nil else { return }
        perform(session.cancel(number, reason: "the user stopped it"))
        finish(number, .failure(CancellationError()))
    }

    private func finish(_ number: Int, _ result: Result<JSONObject, any Error>) {
        waiting.removeValue(forKey: number)?.continuation.resume(with: result)
    }

    /// All pages of the list, until there are more than may be offered.
    package func tools() async throws -> [JSONValue] {
        var elements: [JSONValue] = []
        var cursors: Set<String> = []
        var params = JSONObject()
        for _ in 0..<Self.pageLimit {
            let page = try await request("tools/list", params)
            guard let more = page["tools"]?.arrayValue else {
                throw MCPClientError(server, .invalidAnswer("a list of tools without tools"))
            }
            elements += more
            // An empty cursor is a cursor; only a missing one is the end.
            guard let cursor = page["nextCursor"]?.stringValue,
                elements.count <= MCPToolDefinition.countLimit, cursors.insert(cursor).inserted
            else { break }
            params = JSONObject([.init("cursor", .string(cursor))])
        }
        return elements
    }

    /// Sends a request whose answer is not needed.
    func post(_ method: String, _ params: JSONObject) {
        send(session.request(method, params).message)
    }

    var uptime: Double { environment.uptime() }
    func sleep(_ duration: Duration) async throws { try await environment.sleep(duration) }

    /// Subscribes to changes, if the server requires that.
    package func listen() { perform(session.listen()) }

    // MARK: - Performing

    private func perform(_ actions: [MCPClientSession.Action]) {
        for action in actions {
            switch action {
            case .send(let message): send(message)
            case .ready(let facts):
                strays = 0
                if session.era == .legacy { channel.agreed(on: facts.revision) }
                starting?.resume(returning: facts)
                starting = nil
            case .answered(let number, let answer):
                strays = 0
                switch answer {
                case .result(let result): finish(number, .success(result))
                case .error(let error):
                    finish(number, .failure(MCPClientError(server, .refused(error))))
                case .invalid(let what):
                    finish(number, .failure(MCPClientError(server, .invalidAnswer(what))))
                }
            case .progressed(let number, let progress):
                waiting[number]?.generation += 1
                waiting[number]?.emit(progress)
            case .toolsChanged: changed()
            case .over(let reason): fail(reason)
            }
        }
    }

    /// One at a time: lines of several tasks must not be mixed.
    private func send(_ message: JSONRPCMessage) {
        let before = lastLine
        lastLine = Task { [channel] in
            if let before, await !before.value { return false }
            return await channel.send(message)
        }
    }
}
