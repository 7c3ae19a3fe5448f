import AgentCore

/// Why there is no transcript. Facts only; never a key, a path or words that
/// were said.
package struct TranscriptionError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// No key for the server.
        case noKey
        /// The base URL cannot be used.
        case badAddress(String)
        /// The connection failed; `sentBytes` tells how far it came.
        case transport(TransportError)
        /// 401.
        case keyRejected
        /// 403.
        case forbidden
        /// 404 with the model's name in it.
        case modelNotFound
        /// 404 or a web page: no such service at that address.
        case endpointNotFound
        /// 413: more than the server takes.
        case tooLarge
        /// 415, or a 400 that complains of the format.
        case unsupportedFormat
        /// 400 and 422 otherwise.
        case badRequest
        case rateLimited
        /// Money or a monthly limit.
        case quotaExhausted
        /// 5xx.
        case serverFailure
        case redirected
        /// 200 with something that is no transcript.
        case malformed
        /// A streamed transcript ended before its end.
        case cut
        /// The model cannot do what was asked (times, speakers).
        case notOffered(what: String, model: String)
    }

    package var reason: Reason
    /// Host and port.
    package var host: String
    package var status: Int?
    package var code: ServerText?
    /// The server's own sentence.
    package var message: ServerText?
    package var requestID: ServerText?
    /// Seconds that the server asked us to wait.
    package var retryAfter: Double?
    /// `x-should-retry`, which overrides the rule by status.
    package var shouldRetry: Bool?
    /// Bytes of the sound that had left when it failed, and of all.
    package var sentBytes: Int?
    package var totalBytes: Int?

    package init(
        reason: Reason, host: String = "", status: Int? = nil, code: ServerText? = nil,
        message: ServerText? = nil, requestID: ServerText? = nil, retryAfter: Double? = nil,
        shouldRetry: Bool? = nil, sentBytes: Int? = nil, totalBytes: Int? = nil
    ) {
        self.reason = reason
        self.host = host
        self.status = status
        self.code = code
        self.message = message
        self.requestID = requestID
        self.retryAfter = retryAfter
        self.shouldRetry = shouldRetry
        self.sentBytes = sentBytes
        self.totalBytes = totalBytes
    }
}
