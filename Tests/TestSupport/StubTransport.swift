import AgentCore
import Base
import Synchronization

/// A transport that answers from a script and records what was sent.
package final class StubTransport: HTTPTransport {
    package struct Reply: Sendable {
        package var head: HTTPResponseHead
        package var chunks: [[UInt8]]
        /// Thrown after the chunks; without it the body ends regularly.
        package var bodyError: TransportError?
        /// Thrown instead of a response.
        package var error: TransportError?

        package init(
            status: Int = 200, headers: [HTTPHeader] = [], chunks: [[UInt8]] = [],
            bodyError: TransportError? = nil, error: TransportError? = nil
        ) {
            head = HTTPResponseHead(status: status, headers: headers)
            self.chunks = chunks
            self.bodyError = bodyError
            self.error = error
        }

        package static func stream(
            _ chunks: [[UInt8]], headers: [HTTPHeader] = [], bodyError: TransportError? = nil
        ) -> Reply {
            Reply(
                headers: [HTTPHeader("Content-Type", "text/event-stream")] + headers,
                chunks: chunks, bodyError: bodyError)
        }

        package static func stream(_ text: String) -> Reply { stream([Array(text.utf8)]) }

        package static func json(
            _ text: String, status: Int = 200, headers: [HTTPHeader] = []
        ) -> Reply {
            Reply(
                status: status, headers: [HTTPHeader("Content-Type", "application/json")] + headers,
                chunks: [Array(text.utf8)])
        }
    }

    private struct State {
        var replies: [Reply]
        var requests: [HTTPRequest] = []
    }

    private let state: Mutex<State>

    package init(_ replies: [Reply]) {
        state = Mutex(State(replies: replies))
    }

    package var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The bodies sent so far, as JSON; null for what is none.
    package var sentJSON: [JSONValue] {
        requests.map { request in
            guard case .bytes(let bytes) = request.body else { return .null }
            do { return try JSONParser.parse(bytes) } catch { return .null }
        }
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let reply = state.withLock { state -> Reply? in
            state.requests.append(request)
            return state.replies.isEmpty ? nil : state.replies.removeFirst()
        }
        guard let reply else { fatalError("the script has no reply to \(request.url)") }
        if let error = reply.error { throw error }
        let rest = Rest(reply)
        return HTTPResponse(head: reply.head, body: ResponseBody { try rest.next() })
    }

    /// The chunks that have not been read.
    private final class Rest: Sendable {
        private let chunks: Mutex<ArraySlice<[UInt8]>>
        private let error: TransportError?

        init(_ reply: Reply) {
            chunks = Mutex(reply.chunks[...])
            error = reply.bodyError
        }

        func next() throws -> [UInt8]? {
            try Task.checkCancellation()
            if let chunk = chunks.withLock({ $0.popFirst() }) { return chunk }
            if let error { throw error }
            return nil
        }
    }
}
