import Base

/// Answers the requests to the HTTP endpoint. Each message is a separate request and is served on
/// its own, with the state that `initialize` stored for its session; `HTTPListener` owns the
/// sockets.
package actor MCPHTTPService: TimedWaiting {
    /// The connection that a request came on.
    package struct Connection: Sendable {
        /// One call at a time; false once the host has closed the connection.
        package var send: @Sendable ([UInt8]) async -> Bool
        /// Waits until the host closes the connection or `stop` is called.
        package var waitForEnd: @Sendable () async -> Bool
        package var stop: @Sendable () -> Void

        package init(
            send: @escaping @Sendable ([UInt8]) async -> Bool,
            waitForEnd: @escaping @Sendable () async -> Bool, stop: @escaping @Sendable () -> Void
        ) {
            self.send = send
            self.waitForEnd = waitForEnd
            self.stop = stop
        }
    }

    package typealias MakeServer = @Sendable (MCPSession, MCPServer.Channel) -> MCPServer

    /// A request that is not answered yet.
    private struct Running {
        var channel: PostChannel
        /// Session id in the legacy era.
        var session: String?
        var id: JSONRPCID
        var isCall: Bool
    }

    /// Sessions of the legacy era. The oldest is dropped: its host gets 404 and starts again.
    private static let sessionLimit = 256

    package nonisolated let gate: MCPHTTPGate
    private let fresh: MCPSession
    private let makeServer: MakeServer
    let environment: Environment
    /// Sessions as `initialize` left them.
    private var sessions: [String: MCPSession] = [:]
    private var order: [String] = []
    private var running: [Int: Running] = [:]
    private var lastNumber = 0
    var waiting: CheckedContinuation<Void, Never>?
    var isLate = false

    /// - Parameter makeServer: makes the server for one message; its calls must not outlive
    ///   the channel.
    package init(
        gate: MCPHTTPGate, session: MCPSession, environment: Environment,
        makeServer: @escaping MakeServer
    ) {
        self.gate = gate
        fresh = session
        self.environment = environment
        self.makeServer = makeServer
    }

    /// Answers one request that the gate has allowed.
    /// - Returns: whether the connection can be reused.
    package func answer(
        _ head: HTTPRequestReader.Head, _ body: [UInt8], on connection: Connection
    ) async -> Bool {
        let session = head.headers["mcp-session-id"]
        if head.method == "DELETE" {
            let isKnown = session.flatMap { sessions.removeValue(forKey: $0) } != nil
            order.removeAll { $0 == session }
            return await connection.send(MCPHTTPAnswer(isKnown ? 200 : 404).bytes)
        }
        let message: JSONRPCMessage
        do throws(JSONRPCMessage.Malformed) {
            message = try JSONRPCMessage(parsing: body)
        } catch {
            return await refuse(error.id, error.error, 400, connection)
        }
        guard case .request(let id, let method, let params) = message else {
            if case .notification("notifications/cancelled", let params) = message {
                await cancel(params["requestId"].flatMap(JSONRPCID.init), session)
            }
            let isLost = session.map { sessions[$0] == nil } ?? false
            return await connection.send(MCPHTTPAnswer(isLost ? 404 : 202).bytes)
        }
        let versionKey = MCPProtocol.MetaKey.protocolVersion.rawValue
        if params["_meta"]?[versionKey] != nil {
            if let error = MCPHTTPGate.mismatch(head.headers, method: method, params: params) {
                return await refuse(id, error, 400, connection)
            }
            return await serve(body, fresh, id, method, session: nil, connection)
        }
        if method == "initialize" { return await initialize(body, connection) }
        if head.headers["mcp-protocol-version"] == MCPProtocol.modernVersion {
            let error = JSONRPCError(
                JSONRPCError.invalidParams, "\"\(versionKey)\" is missing in \"_meta\".")
            return await refuse(id, error, 400, connection)
        }
        return await serveLegacy(body, id, method, head.headers, connection)
    }

    /// Running calls get a moment to finish and to report their end; nothing else is sent.
    func end() async {
        await wait(within: MCPServer.lastCalls) { $0.running.values.contains(where: \.isCall) }
        for request in running.values { await request.channel.end() }
        await wait(within: .milliseconds(500)) { !$0.running.isEmpty }
    }

    private func cancel(_ id: JSONRPCID?, _ session: String?) async {
        guard let id, let session else { return }
        let request = running.values.first { $0.session == session && $0.id == id }
        await request?.channel.cancel()
    }

    private func initialize(_ body: [UInt8], _ connection: Connection) async -> Bool {
        var state = fresh
        guard case .send(let message)? = state.receive(.message(body)).first else { return false }
        var answer = MCPHTTPAnswer(200, body: JSONWriter.bytes(message.json))
        if case .result = message {
            let id = environment.uuid()
            sessions[id] = state
            order.append(id)
            if order.count > Self.sessionLimit { sessions[order.removeFirst()] = nil }
            answer.headers["Mcp-Session-Id"] = id
        }
        return await connection.send(answer.bytes)
    }

    private func serveLegacy(
        _ body: [UInt8], _ id: JSONRPCID, _ method: String, _ headers: [String: String],
        _ connection: Connection
    ) async -> Bool {
        func refuse(_ status: Int, _ message: String) async -> Bool {
            let error = JSONRPCError(JSONRPCError.invalidRequest, message)
            return await self.refuse(id, error, status, connection)
        }
        if let version = headers["mcp-protocol-version"],
            !MCPProtocol.legacyVersions.contains(version)
        {
            return await self.refuse(
                id, MCPProtocol.unsupported(version), 400, connection)
        }
        guard let session = headers["mcp-session-id"] else {
            return await refuse(400, "Send \"initialize\" first.")
        }
        guard let state = sessions[session] else {
            return await refuse(404, "The session has ended.")
        }
        if running.values.contains(where: { $0.session == session && $0.id == id }) {
            return await refuse(400, "The id of a request that is not answered yet.")
        }
        return await serve(body, state, id, method, session: session, connection)
    }

    private func serve(
        _ body: [UInt8], _ state: MCPSession, _ id: JSONRPCID, _ method: String,
        session: String?, _ connection: Connection
    ) async -> Bool {
        let channel = PostChannel(body, isModern: session == nil, connection: connection)
        lastNumber += 1
        let number = lastNumber
        running[number] = Running(
            channel: channel, session: session, id: id, isCall: method == "tools/call")
        let server = makeServer(
            state,
            MCPServer.Channel(
                next: { await channel.next() }, send: { await channel.send($0) },
                close: { connection.stop() }))
        await server.run()
        let goesOn = await channel.finish()
        running[number] = nil
        goOn()
        return goesOn
    }

    private func refuse(
        _ id: JSONRPCID?, _ error: JSONRPCError, _ status: Int, _ connection: Connection
    ) async -> Bool {
        let body = JSONWriter.bytes(JSONRPCMessage.failure(id: id, error).json)
        return await connection.send(MCPHTTPAnswer(status, body: body).bytes)
    }
}

/// Accepts one message and sends its answers: as JSON, or as a stream of events if anything is sent
/// before the answer.
private actor PostChannel {
    private var line: MessageLines.Line?
    private let isModern: Bool
    private let connection: MCPHTTPService.Connection
    private var isStream = false
    private var isAnswered = false
    private var isCancelled = false
    private var isGone = false
    private var isEnding = false
    private var isFinished = false
    /// Waits for a call that continues without its host.
    private var late: CheckedContinuation<Void, Never>?

    init(_ body: [UInt8], isModern: Bool, connection: MCPHTTPService.Connection) {
        line = .message(body)
        self.isModern = isModern
        self.connection = connection
    }

    /// The message; nil once it is answered or the host no longer wants the answer.
    func next() async -> MessageLines.Line? {
        if let line {
            self.line = nil
            return line
        }
        if isAnswered || isCancelled || isEnding { return nil }
        if await connection.waitForEnd() { isGone = true }
        // In the legacy era a lost connection does not cancel the call.
        if isGone, !isModern, !isAnswered, !isCancelled, !isEnding {
            await withCheckedContinuation { late = $0 }
        }
        return nil
    }

    /// The host no longer wants the answer.
    func cancel() {
        isCancelled = true
        release()
    }

    /// Stops running calls because the program ends; they report it.
    func end() {
        isEnding = true
        release()
    }

    private func release() {
        connection.stop()
        late?.resume()
        late = nil
    }

    /// Sends a message to the host; false ends the call, since nothing more can be sent.
    func send(_ message: JSONRPCMessage) async -> Bool {
        if isGone || isCancelled || isFinished {
            if case .notification = message { return !isModern && !isCancelled }
            release()
            return false
        }
        var bytes: [UInt8]
        if case .notification = message {
            bytes = (isStream ? [] : MCPHTTPAnswer.streamHead) + MCPHTTPAnswer.event(message)
            isStream = true
        } else {
            isAnswered = true
            bytes =
                isStream
                ? MCPHTTPAnswer.event(message)
                : MCPHTTPAnswer(status(of: message), body: JSONWriter.bytes(message.json)).bytes
        }
        let isSent = await connection.send(bytes)
        if !isSent { isGone = true }
        if isAnswered { release() }
        return isSent || !isModern
    }

    /// Completes the response.
    /// - Returns: whether the connection can be reused.
    func finish() async -> Bool {
        isFinished = true
        if isGone { return false }
        if isStream { return await connection.send(MCPHTTPAnswer.streamEnd) }
        if isAnswered { return true }
        return await connection.send(MCPHTTPAnswer.streamHead + MCPHTTPAnswer.streamEnd)
    }

    private func status(of message: JSONRPCMessage) -> Int {
        guard isModern, case .failure(_, let error) = message else { return 200 }
        return error.code == JSONRPCError.methodNotFound ? 404 : 400
    }
}
