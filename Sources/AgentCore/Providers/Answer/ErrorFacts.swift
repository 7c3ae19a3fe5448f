/// What an error object of any provider says, in whatever of the known shapes
/// it came: nested under `error`, flat, or a bare string.
package struct ErrorFacts: Sendable, Equatable {
    package var type: ServerText?
    package var code: ServerText?
    package var message: ServerText?
    package var parameter: ServerText?
    package var requestID: ServerText?

    package init(
        type: ServerText? = nil, code: ServerText? = nil, message: ServerText? = nil,
        parameter: ServerText? = nil, requestID: ServerText? = nil
    ) {
        self.type = type
        self.code = code
        self.message = message
        self.parameter = parameter
        self.requestID = requestID
    }

    /// - Parameter key: the one that was sent.
    package init(_ json: JSONValue, hiding key: String?) {
        func word(_ value: JSONValue?) -> ServerText? {
            ServerText(Self.word(value), hiding: key, limit: 100)
        }
        requestID = word(json["request_id"])
        let error = json["error"].flatMap { $0.isNull ? nil : $0 }
        if let text = error?.stringValue {
            message = ServerText(text, hiding: key)
            return
        }
        let object = error ?? json
        // The type of the envelope ("error") says nothing.
        type = word(object["type"]).flatMap { $0 == "error" ? nil : $0 }
        code = word(object["code"])
        parameter = word(object["param"])
        message = ServerText((object["message"] ?? object["detail"])?.stringValue, hiding: key)
        // An empty sentence happens; the code says more than nothing.
        if message == nil { message = code }
    }

    /// The reason by status where there is one, else by code and type, as in
    /// the error of a stream whose status was 200.
    package func reason(status: Int?) -> ProviderError.Reason {
        let words = [code, type].compactMap { $0?.text }
        if words.contains(where: Self.moneyWords.contains) { return .quotaExhausted }
        let sentence = (message?.text ?? "").lowercased()
        if status == nil || status == 400 || status == 413 || status == 422 {
            if words.contains("context_length_exceeded")
                || Self.contextPhrases.contains(where: sentence.contains)
            {
                return .contextTooLong
            }
            if sentence.contains("credit balance is too low") { return .quotaExhausted }
        }
        if let status { return reason(byStatus: status, sentence: sentence) }
        for word in words {
            if let reason = Self.reasonByWord[word] { return reason }
            if let number = Int(word), (400...599).contains(number) {
                return reason(byStatus: number, sentence: sentence)
            }
        }
        return .serverFailure
    }

    private func reason(byStatus status: Int, sentence: String) -> ProviderError.Reason {
        switch status {
        case 300..<400: .redirected
        case 401: .keyRejected
        case 402: .quotaExhausted
        case 403: .forbidden
        case 404:
            code == "model_not_found" || type == "not_found_error" && code == nil
                || sentence.contains("model") ? .modelNotFound : .endpointNotFound
        case 405: .endpointNotFound
        case 429: .rateLimited
        case 503, 529: .overloaded
        case 408, 409, 500...: .serverFailure
        default: .badRequest
        }
    }

    private static let moneyWords: Set<String> = [
        "insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded",
        "project_spend_limit_exceeded", "organization_usage_limit_exceeded", "billing_error",
    ]

    private static let contextPhrases = [
        "context length", "context window", "prompt is too long", "context size",
        "maximum context",
    ]

    private static let reasonByWord: [String: ProviderError.Reason] = [
        "rate_limit_exceeded": .rateLimited, "rate_limit_error": .rateLimited,
        "slow_down": .rateLimited, "overloaded_error": .overloaded,
        "server_is_overloaded": .overloaded, "service_unavailable_error": .overloaded,
        "invalid_prompt": .badRequest, "invalid_request_error": .badRequest,
        "request_too_large": .badRequest, "authentication_error": .keyRejected,
        "invalid_api_key": .keyRejected, "permission_error": .forbidden,
        "model_not_found": .modelNotFound, "not_found_error": .modelNotFound,
    ]

    /// A short machine-readable word. `code` is a string, a number or null,
    /// depending on the server.
    private static func word(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }
}
