/// What `GET /v1/models` says about a key.
///
/// Only an answer of the API itself proves anything: a page with status 200
/// is a wrong address or a captive portal.
package enum KeyVerdict: Sendable, Equatable {
    case valid(models: [ModelInfo])
    /// Good for chatting, but without the right to list models.
    case validCannotList
    /// With the server's reason.
    case rejected(reason: ServerText?)
    /// Known to the server but restricted: region, scope, workspace.
    case restricted(reason: ServerText?)
    case noMoney(reason: ServerText?)
    /// Valid; too many requests just now.
    case rateLimited
    case wrongBaseURL
    /// Nothing is known about the key.
    case couldNotCheck(ProviderError)
    /// It is kept for another address than the one in use, and was not sent.
    case otherOrigin

    /// - Parameter models: what a 200 listed; nil if it was not a list.
    package init(status: Int, models: [ModelInfo]?, error: ProviderError) {
        let sentence = error.message?.text.lowercased() ?? ""
        switch (status, error.reason) {
        case (200, _): self = models.map { .valid(models: $0) } ?? .wrongBaseURL
        case (_, .quotaExhausted): self = .noMoney(reason: error.message)
        case (401, _), (403, _):
            if sentence.contains("missing scopes"), sentence.contains("model") {
                self = .validCannotList
            } else if status == 401 {
                self = .rejected(reason: error.message)
            } else {
                self = .restricted(reason: error.message)
            }
        case (429, _): self = .rateLimited
        case (201..<400, _), (404, _), (405, _): self = .wrongBaseURL
        default:
            self = .couldNotCheck(
                ProviderError(
                    reason: error.reason, provider: error.provider, host: error.host,
                    status: status))
        }
    }
}
