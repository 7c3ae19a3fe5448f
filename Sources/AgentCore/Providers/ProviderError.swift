import Privacy

/// The reason why a provider gave no complete answer. Facts only; never a key, a prompt or an
/// answer.
package struct ProviderError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// A transport failure; see its own reason.
        case transport(TransportError)
        /// 401: the key is not accepted.
        case keyRejected
        /// 403: the key is known but lacks the permission.
        case forbidden
        /// 404 that names the model, or 404 at a chat endpoint.
        case modelNotFound
        /// 404 or a page where an API was expected: wrong base URL.
        case endpointNotFound
        /// 429, or the stream's own rate-limit error.
        case rateLimited
        /// 429 that waiting cannot cure: the request alone is above the limit.
        case aboveLimit
        /// Out of money or over a monthly limit: retrying does not help.
        case quotaExhausted
        /// 529 / 503 / `overloaded_error`.
        case overloaded
        /// Other 5xx, or a failure event.
        case serverFailure
        /// 400/413/422: this request will never succeed.
        case badRequest
        /// The conversation is longer than the model can read.
        case contextTooLong
        /// A 3xx; redirects are never followed.
        case redirected
        /// The stream ended before its end marker.
        case brokenStream
        /// Bytes that violate the wire format.
        case malformed
        /// No model is available.
        case offline
        /// The request was not sent: this server may not receive its content.
        case withheld(PrivacyClass)
        /// The request was not sent, because these texts reveal who the user is. They are shown to
        /// the user only, and never logged.
        case wouldLeak([LeakGate.Leak])
    }

    package var isLeak: Bool { if case .wouldLeak = reason { true } else { false } }

    package var reason: Reason
    package var provider: ProviderName
    package var host: String
    package var status: Int?
    /// The provider's machine-readable code or type.
    package var code: ServerText?
    /// The provider's own sentence.
    package var message: ServerText?
    /// The parameter a 400 complains about.
    package var parameter: ServerText?
    package var requestID: ServerText?
    /// The delay in seconds that the server asked for; nil if it did not.
    package var retryAfter: Double?
    /// `x-should-retry`, which overrides the rule by status.
    package var shouldRetry: Bool?

    package init(
        reason: Reason, provider: ProviderName, host: String, status: Int? = nil,
        code: ServerText? = nil, message: ServerText? = nil, parameter: ServerText? = nil,
        requestID: ServerText? = nil, retryAfter: Double? = nil, shouldRetry: Bool? = nil
    ) {
        self.reason = reason
        self.provider = provider
        self.host = host
        self.status = status
        self.code = code
        self.message = message
        self.parameter = parameter
        self.requestID = requestID
        self.retryAfter = retryAfter
        self.shouldRetry = shouldRetry
    }
}
