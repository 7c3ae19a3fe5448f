/// Where an answer comes from: what decoders need to stamp a message and to
/// state an error.
package struct AnswerSource: Sendable {
    package var origin: ModelOrigin
    package var host: String
    /// From the response's headers.
    package var requestID: ServerText?
    /// The one that was sent; taken out of what the server says.
    package var key: String?
    /// Makes an id for a call that came without one.
    package var newID: @Sendable () -> String

    package init(
        origin: ModelOrigin, host: String, requestID: ServerText? = nil, key: String?,
        newID: @escaping @Sendable () -> String
    ) {
        self.origin = origin
        self.host = host
        self.requestID = requestID
        self.key = key
        self.newID = newID
    }

    package func error(
        _ reason: ProviderError.Reason, facts: ErrorFacts = ErrorFacts(), status: Int? = nil
    ) -> ProviderError {
        ProviderError(
            reason: reason, provider: origin.provider, host: host, status: status,
            code: facts.code ?? facts.type, message: facts.message, parameter: facts.parameter,
            requestID: facts.requestID ?? requestID)
    }

    /// A word of the server's that is kept as it is, since we do not know it.
    func word(_ said: String) -> String {
        ServerText(said, hiding: key, limit: 64)?.text ?? "unknown"
    }

    /// The error a stream reports about itself.
    package func error(inStream json: JSONValue) -> ProviderError {
        let facts = ErrorFacts(json, hiding: key)
        return error(facts.reason(status: nil), facts: facts)
    }
}
