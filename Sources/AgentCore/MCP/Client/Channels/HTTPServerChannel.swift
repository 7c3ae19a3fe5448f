import AgentCore
import Base
import Synchronization

/// A connection to a server at an address: Streamable HTTP, both eras (revision 2026-07-28,
/// "Streamable HTTP"). Every message is a separate request, whose response contains the answer, as
/// JSON or as a stream of events.
///
/// Redirects are not followed, and our credentials are sent only to this address. If a stream
/// breaks, the request is lost: nothing is sent again automatically.
package final class HTTPServerChannel: MCPChannel {
    private struct Guarded {
        /// The session id that an older server returned for `initialize`.
        var session: String?
        /// The revision that `initialize` agreed on; nil in the modern era.
        var revision: String?
        var exchanges: [JSONRPCID: Task<Void, Never>] = [:]
        var others: [Int: Task<Void, Never>] = [:]
        var nextOther = 0
        var isClosed = false
    }

    private let url: String
    private let headers: [HTTPHeader]
    private let transport: any HTTPTransport
    private let queue = EventQueue()
    private let guarded = Mutex(Guarded())

    /// - Parameter headers: the configured headers, and the token.
    package init(url: String, headers: [HTTPHeader], transport: any HTTPTransport) {
        self.url = url
        self.headers = headers
        self.transport = transport
    }

    package func next() async -> MCPChannelEvent? { await queue.next() }

    package func agreed(on revision: String) {
        guarded.withLock { $0.revision = revision }
        start { await self.listen() }
    }

    package func ending() async -> MCPClientError.Reason {
        .ended(status: "closed", complaint: "")
    }

    package func send(_ message: JSONRPCMessage) async -> Bool {
        if guarded.withLock(\.isClosed) { return false }
        switch message {
        case .request(let id, _, _):
            let task = Task {
                await self.exchange(message, id: id)
                _ = self.guarded.withLock { $0.exchanges.removeValue(forKey: id) }
            }
            guarded.withLock { if !$0.isClosed { $0.exchanges[id] = task } }
        case .notification("notifications/cancelled", let params):
            let id = params["requestId"].flatMap(JSONRPCID.init)
            let (task, isModern) = guarded.withLock { guarded in
                (id.flatMap { guarded.exchanges.removeValue(forKey: $0) }, guarded.revision == nil)
            }
            // A modern server sees that its stream has ended; a legacy one needs the notification.
            task?.cancel()
            if !isModern { start { await self.exchange(message, id: nil) } }
        case .notification, .result, .failure: start { await self.exchange(message, id: nil) }
        }
        return true
    }

    package func close(patience: Duration) async {
        let (tasks, session) = guarded.withLock { guarded in
            defer {
                guarded.isClosed = true
                guarded.exchanges = [:]
                guarded.others = [:]
                guarded.session = nil
            }
            return (
                Array(guarded.exchanges.values) + guarded.others.values,
                guarded.session
            )
        }
        for task in tasks { task.cancel() }
        if session != nil {
            var request = request("DELETE", session: session)
            request.limits = TransferLimits(
                connect: patience, idle: patience, total: patience, bodyBytes: 64 << 10)
            // A server that does not support this method forgets the session by itself.
            _ = try? await transport.send(request).body.all()
        }
        await queue.finish()
    }

    /// Runs a task that ends with the channel.
    private func start(_ body: @escaping @Sendable () async -> Void) {
        guarded.withLock { guarded in
            guard !guarded.isClosed else { return }
            let number = guarded.nextOther
            guarded.nextOther += 1
            guarded.others[number] = Task {
                await body()
                _ = self.guarded.withLock { $0.others.removeValue(forKey: number) }
            }
        }
    }

    // MARK: - One exchange

    private func request(
        _ verb: String, session: String?, accept: String = "application/json, text/event-stream",
        content: [String] = []
    ) -> HTTPRequest {
        var headers = headers
        headers.append(HTTPHeader("Accept", accept))
        if let session { headers.append(HTTPHeader("Mcp-Session-Id", session)) }
        let limits = TransferLimits(
            idle: .seconds(3600), bodyBytes: 4 * StdioServerChannel.lineLimit)
        return HTTPRequest(
            Outgoing(.toolServer, content), method: verb, url: url, headers: headers,
            limits: limits)
    }

    /// - Parameter id: the id of a request; nil for a message without an answer.
    private func exchange(_ message: JSONRPCMessage, id: JSONRPCID?) async {
        let (session, revision) = guarded.withLock { ($0.session, $0.revision) }
        var request = request("POST", session: session, content: Self.content(of: message))
        request.headers.append(HTTPHeader("Content-Type", "application/json"))
        request.headers += Self.headers(of: message, revision: revision)
        request.body = .bytes(JSONWriter.bytes(message.json))
        let method: String? = if case .request(_, let method, _) = message { method } else { nil }
        do {
            let response = try await transport.send(request)
            if method == "initialize", let given = response.head["mcp-session-id"],
                given.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
            {
                guarded.withLock { $0.session = given }
            }
            guard (200..<300).contains(response.head.status) else {
                return try await refused(
                    response, id, key: request.key, isProbe: method == "server/discover",
                    hadSession: session != nil)
            }
            let hasAnswered = try await read(response, until: id)
            if let id, !hasAnswered {
                await queue.push(.failed(id: id, .invalidAnswer("the response has no answer")))
            }
        } catch is CancellationError {
        } catch let error as TransportError {
            if let id { await queue.push(.failed(id: id, .transport(error))) }
        } catch {
            if let id { await queue.push(.failed(id: id, .invalidAnswer("\(error)"))) }
        }
    }

    private static func content(of message: JSONRPCMessage) -> [String] {
        guard case .request(_, "tools/call", let params) = message,
            let name = params["name"]?.stringValue
        else { return [] }
        return [SentContent.arguments(of: name)]
    }

    /// Headers of the modern era only: they repeat the body for intermediaries.
    private static func headers(of message: JSONRPCMessage, revision: String?) -> [HTTPHeader] {
        if let revision { return [HTTPHeader("MCP-Protocol-Version", revision)] }
        guard case .request(_, let method, let params) = message,
            let version = params["_meta"]?[MCPProtocol.MetaKey.protocolVersion.rawValue]
        else { return [] }
        var headers = [
            HTTPHeader("MCP-Protocol-Version", version.stringValue ?? ""),
            HTTPHeader("Mcp-Method", method),
        ]
        if ["tools/call", "prompts/get", "resources/read"].contains(method)
            || method.hasPrefix("tasks/"),
            let name = (params["name"] ?? params["uri"] ?? params["taskId"])?.stringValue
        {
            headers.append(HTTPHeader("Mcp-Name", headerValue(name)))
        }
        return headers
    }

    /// Encodes a value that is not allowed in a header as base64.
    private static func headerValue(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && text == text.trimmingSpace()
            && !text.hasPrefix("=?base64?")
        return isPlain ? text : "=?base64?\(Base64.text(Array(text.utf8)))?="
    }

    /// - Parameter isProbe: whether it is the probe, which an old server may refuse in any
    ///   way.
    private func refused(
        _ response: HTTPResponse, _ id: JSONRPCID?, key: String?, isProbe: Bool, hadSession: Bool
    ) async throws {
        let status = response.head.status
        let body = try await response.body.all()
        guard let id else { return }
        if status == 401 || status == 403 && response.head["www-authenticate"] != nil {
            return await queue.push(.failed(id: id, .wantsSignIn(hadToken: key != nil)))
        }
        // Whatever the body: the request was not processed.
        if hadSession, status == 404 || status == 410 {
            guarded.withLock { $0.session = nil }
            await queue.push(.failed(id: id, .sessionGone))
            return await queue.push(.broken(.ended(status: "HTTP \(status)", complaint: "")))
        }
        // A body that cannot be parsed is judged by its status below.
        if case .failure(_, let error)? = try? JSONRPCMessage(parsing: body) {
            return await push(.failure(id: id, error))
        }
        if isProbe, [400, 404, 405, 406, 415, 422, 500, 501].contains(status) {
            let error = JSONRPCError(JSONRPCError.methodNotFound, "HTTP \(status)")
            return await queue.push(.message(.failure(id: id, error)))
        }
        let said = ServerText(
            UntrustedText.line(String(decoding: body.prefix(2000), as: UTF8.self), limit: 200),
            hiding: key)
        await queue.push(.failed(id: id, .status(status, said)))
    }

    /// Servers repeat the token in their error texts.
    private func push(_ message: JSONRPCMessage) async {
        guard case .failure(let id, var error) = message else {
            return await queue.push(.message(message))
        }
        let key = headers.key
        error.message = ServerText(error.message, hiding: key)?.text ?? ""
        await queue.push(.message(.failure(id: id, error)))
    }

    /// Reads the messages of a response; returns whether the answer with that id was among
    /// them.
    private func read(_ response: HTTPResponse, until id: JSONRPCID?) async throws -> Bool {
        let type = response.head["content-type"]?.lowercased() ?? ""
        guard type.hasPrefix("text/event-stream") else {
            let body = try await response.body.all()
            // A body that is not a message is not an answer.
            guard let message = try? JSONRPCMessage(parsing: body) else { return false }
            await push(message)
            return message.answers(id)
        }
        var parser = ServerSentEventParser(limit: StdioServerChannel.lineLimit)
        while let chunk = try await response.body.next() {
            var events: [ServerSentEvent] = []
            do {
                try parser.push(chunk, into: &events)
            } catch {
                await queue.push(.broken(.tooLarge(limit: StdioServerChannel.lineLimit)))
                return true
            }
            for event in events where !event.data.isEmpty {
                // The first event of a resumable stream is empty; an event without a message is
                // noise.
                guard let message = try? JSONRPCMessage(parsing: event.data) else {
                    await queue.push(.noise)
                    continue
                }
                await push(message)
                if message.answers(id) { return true }
            }
        }
        return false
    }

    /// Reads the stream of a legacy server's own messages; a server without one answers 405.
    private func listen() async {
        let (session, revision) = guarded.withLock { ($0.session, $0.revision) }
        var request = request("GET", session: session, accept: "text/event-stream")
        request.headers.append(HTTPHeader("MCP-Protocol-Version", revision ?? ""))
        // The stream is optional: without it, changes are noticed at the next start.
        guard let response = try? await transport.send(request), response.head.status == 200
        else { return }
        // Without it the lists are read when the server is started.
        _ = try? await read(response, until: nil)
    }
}

extension JSONRPCMessage {
    fileprivate func answers(_ id: JSONRPCID?) -> Bool {
        switch self {
        case .result(let own, _): own == id
        case .failure(let own, _): own == id
        case .request, .notification: false
        }
    }
}

/// Passes the events of several responses to one reader; a response that is faster than the reader
/// waits.
private actor EventQueue {
    private static let limit = 64

    private var events: [MCPChannelEvent] = []
    private var isFinished = false
    private var reader: CheckedContinuation<MCPChannelEvent?, Never>?
    private var writers: [CheckedContinuation<Void, Never>] = []

    func push(_ event: MCPChannelEvent) async {
        while events.count >= Self.limit, !isFinished {
            await withCheckedContinuation { writers.append($0) }
        }
        if isFinished { return }
        if let reader {
            self.reader = nil
            reader.resume(returning: event)
        } else {
            events.append(event)
        }
    }

    func next() async -> MCPChannelEvent? {
        if !events.isEmpty {
            defer { wakeWriters() }
            return events.removeFirst()
        }
        if isFinished { return nil }
        return await withCheckedContinuation { reader = $0 }
    }

    func finish() {
        isFinished = true
        events = []
        reader?.resume(returning: nil)
        reader = nil
        wakeWriters()
    }

    private func wakeWriters() {
        for writer in writers { writer.resume() }
        writers = []
    }
}
