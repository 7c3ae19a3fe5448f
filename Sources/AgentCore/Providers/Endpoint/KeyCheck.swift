import Base
import FoundationEssentials

/// Checks a key with its provider, in at most ten seconds.
package struct KeyCheck: Sendable {
    private let transport: any HTTPTransport
    private let environment: Environment

    package init(transport: any HTTPTransport, environment: Environment) {
        self.transport = transport
        self.environment = environment
    }

    /// - Throws: `CancellationError` only; every failure is a verdict.
    package func verdict(
        on key: String?, at endpoint: ProviderEndpoint
    ) async throws -> KeyVerdict {
        var usable: String?
        if let key, !key.isEmpty {
            do { usable = try KeyText.clean(key) } catch { return .rejected(reason: nil) }
        }
        let source = AnswerSource(
            origin: ModelOrigin(provider: endpoint.name, format: endpoint.format, model: ""),
            host: endpoint.host, key: usable, newID: { "" })
        let request = HTTPRequest(
            Outgoing(.keyCheck, usable == nil ? [] : [SentContent.key], provider: endpoint.name),
            method: "GET", url: endpoint.modelsURL,
            headers: endpoint.headers(key: usable) + [HTTPHeader("Accept", "application/json")],
            limits: TransferLimits(
                idle: .seconds(10), total: .seconds(10), bodyBytes: ModelList.limitInBytes))
        do {
            let response = try await transport.send(request)
            let isFine = response.head.status == 200
            let body =
                isFine
                ? try await response.body.all()
                : try await ResponseFacts.prefix(of: response.body)
            let models = isFine ? ResponseFacts.json(body).flatMap(ModelList.read) : nil
            return KeyVerdict(
                status: response.head.status, models: models,
                error: ResponseFacts.error(
                    head: response.head, body: isFine ? [] : body, source: source,
                    now: environment.now()))
        } catch let error as TransportError {
            return .couldNotCheck(
                ProviderError(
                    reason: .transport(error), provider: endpoint.name, host: endpoint.host))
        }
    }
}

/// The verdict on a key, from the response to `GET /v1/models`.
///
/// Only an answer of the API itself proves anything: a page with status 200 comes from a wrong
/// address or a captive portal.
package enum KeyVerdict: Sendable, Equatable {
    case valid(models: [ModelInfo])
    /// Good for chatting, but without the right to list models.
    case validCannotList
    /// The server rejected the key; its reason.
    case rejected(reason: ServerText?)
    /// Known to the server but restricted: region, scope, workspace.
    case restricted(reason: ServerText?)
    case noMoney(reason: ServerText?)
    /// Valid; too many requests just now.
    case rateLimited
    case wrongBaseURL
    /// Nothing is known about the key.
    case couldNotCheck(ProviderError)
    /// The key is stored for another address than the current one, and was not sent.
    case otherOrigin

    /// - Parameter models: the models that a 200 listed; nil if it was not a list.
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
