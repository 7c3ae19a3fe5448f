/// The reason why no bytes could be exchanged with a server. Facts only; the sentences are in one
/// place of the program. Never contains a header or a body.
package struct TransportError: Error, Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        /// The URL is not one we can use.
        case badURL
        case nameNotResolved
        case connectionRefused
        /// No connection within the limit, or no route.
        case connectTimeout
        case unreachable
        /// Certificate or handshake.
        case tls
        /// This machine has no CA certificates to verify a server with.
        case certificatesMissing
        /// The proxy could not be reached or refused.
        case proxy
        /// Nothing arrived within the idle limit.
        case idleTimeout
        case totalTimeout
        /// The connection ended in the middle of a message.
        case connectionLost
        /// Head or body above the limit.
        case tooLarge
        /// The response is not HTTP, or its framing is broken.
        case protocolViolation
        /// The body is compressed in a way that we cannot undo.
        case unsupportedEncoding
        /// A local file of the body could not be read.
        case bodyUnreadable
        /// The host is at an address that the request's route does not allow.
        case forbiddenAddress
        /// libcurl is not installed, or too old.
        case libraryMissing
        /// The request was not sent, because its row could not be written into the ledger.
        case notRecorded
        case other
    }

    package var reason: Reason
    /// Host and port of the server, without user info or path.
    package var host: String
    /// libcurl's message, which may quote the server's.
    package var detail: ServerText
    /// Whether any part of a response had arrived.
    package var afterResponse = false

    package init(
        reason: Reason, host: String, detail: ServerText, afterResponse: Bool = false
    ) {
        (self.reason, self.host, self.detail) = (reason, host, detail)
        self.afterResponse = afterResponse
    }
}
