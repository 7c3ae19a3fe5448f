import Base

/// The contents of an error object of any provider, in any of the known shapes: nested
/// under `error`, flat, or a bare string.
package struct ErrorFacts: Sendable, Equatable {
    package var type: ServerText?
    package var code: ServerText?
    package var message: ServerText?
    package var parameter: ServerText?
    package var requestID: ServerText?

    private static let complaintLimit = 3
}

extension ErrorFacts {
    /// - Parameter key: the key that was sent.
    package init(_ json: JSONValue, hiding key: String?) {
        func word(_ value: JSONValue?) -> ServerText? {
            ServerText(Self.word(value), hiding: key, limit: 100)
        }
        requestID = word(json["request_id"])
        let error = json["error"].flatMap { $0.isNull ? nil : $0 }
        if let text = error?.stringValue {
            take(text, detail: json["detail"], hiding: key)
            return
        }
        let object = error ?? json
        // The type of the envelope ("error") is of no use.
        type = word(object["type"]).flatMap { $0 == "error" ? nil : $0 }
        code = word(object["code"])
        parameter = word(object["param"])
        let said = object["message"] ?? object["detail"]
        // With some servers the list is inside of `message`.
        take(said?.stringValue, detail: said?["detail"] ?? object["detail"], hiding: key)
        // Some servers send an empty sentence; then use the code.
        if message == nil { message = code }
    }

    /// The sentence, and FastAPI's form of a 422, a list of complaints:
    /// `{"loc":["body","model"],"msg":"Field required","type":"missing"}`.
    private mutating func take(_ said: String?, detail: JSONValue?, hiding key: String?) {
        let list = detail?.arrayValue ?? []
        let complaints = list.prefix(Self.complaintLimit).compactMap { entry -> String? in
            if let text = entry.stringValue { return text }
            guard let text = entry["msg"]?.stringValue else { return nil }
            let place = Self.place(entry)
            return place.isEmpty ? text : "\(place): \(text)"
        }
        let all = [said ?? "", complaints.joined(separator: "; ")].filter { !$0.isEmpty }
        message = ServerText(all.joined(separator: ": "), hiding: key)
        parameter =
            parameter ?? ServerText(list.first.map(Self.place), hiding: key, limit: 100)
    }

    /// The part of the request, without the word for the body.
    private static func place(_ entry: JSONValue) -> String {
        (entry["loc"]?.arrayValue ?? []).compactMap(word)
            .drop { $0 == "body" }.joined(separator: ".")
    }

    /// The reason by the status, if there is one; otherwise by code and type, as for an error in a
    /// stream with status 200.
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
        if status == 429 || status == nil, Self.isAboveLimit(sentence) { return .aboveLimit }
        if status == 400 || status == 422, isUnknownModel(sentence) { return .modelNotFound }
        if let status { return reason(byStatus: status, sentence: sentence) }
        for word in words {
            if let reason = Self.reasonByWord[word] { return reason }
            if let number = Int(word), (400...599).contains(number) {
                return reason(byStatus: number, sentence: sentence)
            }
        }
        return .serverFailure
    }

    /// Most servers return 404 for a model they do not have; others refuse the request and
    /// name it in their own sentence.
    private func isUnknownModel(_ sentence: String) -> Bool {
        if [code, type].contains(where: { $0.map { Self.modelWords.contains($0.text) } ?? false }) {
            return true
        }
        if Self.modelPhrases.contains(where: sentence.contains) { return true }
        let denials = ["not found", "not exist", "not available"]
        if parameter == "model", denials.contains(where: sentence.contains) { return true }
        // "The model `x` does not exist", not "no tool x for this model".
        guard let model = sentence.firstRange(of: "model") else { return false }
        let said = sentence[model.upperBound...]
        if denials.contains(where: said.contains) { return true }
        // "The model `x` has been decommissioned", not "this parameter is deprecated".
        return (parameter == nil || parameter == "model") && !sentence.contains("parameter")
            && ["has been ", "was ", "is "].contains { verb in
                ModelEnding.endWords.contains { said.contains(verb + $0) }
            }
    }

    /// "Request too large for gpt-6-luna … on tokens per min (TPM): Limit 30000, Requested
    /// 45210." With "Used", waiting helps, unless the request alone is above the limit.
    private static func isAboveLimit(_ sentence: String) -> Bool {
        let words = sentence.split { !($0.isLetter || $0.isNumber || $0 == ",") }
        func number(behind word: String) -> Int? {
            zip(words, words.dropFirst()).lazy.filter { $0.0 == word }
                .compactMap { Int($0.1.filter(\.isNumber)) }.last
        }
        if let limit = number(behind: "limit"), let asked = number(behind: "requested") {
            return asked > limit
        }
        return sentence.contains("request too large")
    }

    private static let modelWords: Set<String> = [
        "model_not_found", "invalid_model", "unknown_model", "model_not_supported",
    ]

    private static let modelPhrases = [
        "invalid model", "unknown model", "no such model", "not a valid model",
    ]

    private func reason(byStatus status: Int, sentence: String) -> ProviderError.Reason {
        switch status {
        case 300..<400: .redirected
        case 401: .keyRejected
        case 402: .quotaExhausted
        case 403: .forbidden
        case 404, 410:
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

    /// A short machine-readable word. Depending on the server, `code` is a string, a number or
    /// null.
    private static func word(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }
}

extension JSONValue {
    /// The error in a list of one, the form used by Google's servers.
    var unwrappedError: JSONValue {
        guard case .array(let list) = self, let first = list.first, first["error"] != nil else {
            return self
        }
        return first
    }
}
