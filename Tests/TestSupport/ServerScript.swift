import AgentCore
import Base
import Foundation

/// What a `LoopbackServer` does in answer to one request, step by step.
package struct ServerScript: Sendable {
    package enum Step: Sendable {
        /// Status line and headers as given, with the empty line.
        case head(Int, [HTTPHeader])
        /// Any bytes.
        case bytes([UInt8])
        /// The bytes as one chunk; see `chunked`.
        case chunk([UInt8])
        /// The last chunk.
        case lastChunk
        /// The bytes in separate writes of that size.
        case pieces([UInt8], size: Int)
        /// Waits until the test opens it.
        case wait(Gate)
        /// Tells the test that everything before has been written.
        case open(Gate)
        /// Takes so many bytes more of the request.
        case take(Int)
        /// Takes what still comes until the client closes, and tells how many
        /// bytes that was.
        case drain(@Sendable (Int) -> Void)
        /// Closes the connection.
        case cut
        /// Closes it with a reset.
        case reset
        /// Says nothing more until the client goes or the server stops.
        case stall
    }

    package var steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    /// A whole response with a length.
    package static func response(
        _ status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []
    ) -> ServerScript {
        let length = HTTPHeader("Content-Length", String(body.count))
        return ServerScript([.head(status, headers + [length]), .bytes(body)])
    }

    package static func text(_ status: Int, _ body: String) -> ServerScript {
        response(
            status, headers: [HTTPHeader("Content-Type", "text/plain")], body: [UInt8](body.utf8))
    }

    package static func json(
        _ status: Int, _ value: JSONValue, headers: [HTTPHeader] = []
    ) -> ServerScript {
        response(
            status, headers: [HTTPHeader("Content-Type", "application/json")] + headers,
            body: JSONWriter.bytes(value))
    }

    /// A complete event stream in one chunk.
    package static func sse(_ bytes: [UInt8], headers: [HTTPHeader] = []) -> ServerScript {
        ServerScript([sseHead(headers), .chunk(bytes), .lastChunk])
    }

    package static func sse(_ text: String, headers: [HTTPHeader] = []) -> ServerScript {
        sse([UInt8](text.utf8), headers: headers)
    }

    /// The bytes as one chunk of the chunked coding (RFC 9112 §7.1).
    package static func chunked(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8]("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
    }

    /// The head of a chunked event stream, for scripts made by hand.
    package static func sseHead(_ headers: [HTTPHeader] = []) -> Step {
        .head(
            200,
            [
                HTTPHeader("Content-Type", "text/event-stream"),
                HTTPHeader("Transfer-Encoding", "chunked"),
            ] + headers)
    }
}

/// A request as the server saw it.
package struct RecordedRequest: Sendable, Equatable {
    package var method: String
    package var path: String
    package var headers: [HTTPHeader]
    /// Decoded when it came in chunks.
    package var body: [UInt8]
    /// Number of the connection it came on, from 0.
    package var connection: Int

    package init(
        method: String, path: String, headers: [HTTPHeader], body: [UInt8], connection: Int
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.connection = connection
    }

    package subscript(header name: String) -> String? {
        HTTPResponseHead(status: 0, headers: headers)[name]
    }

    package var bodyText: String { String(decoding: body, as: UTF8.self) }
}
