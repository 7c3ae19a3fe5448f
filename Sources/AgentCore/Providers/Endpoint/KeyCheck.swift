import FoundationEssentials

/// Asks a provider whether it knows a key, in at most ten seconds.
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
            method: "GET", url: endpoint.modelsURL,
            headers: endpoint.headers(key: usable) + [HTTPHeader("Accept", "application/json")],
            limits: TransferLimits(
                idle: .seconds(10), total: .seconds(10), bodyBytes: 16 << 20))
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
