/// Stands where no model can be asked: fails with `offline`, and uses no network.
package struct OfflineProvider: Provider {
    package init() {}

    package var name: ProviderName { .offline }
    package var host: String { "" }

    package func respond(
        to request: ModelRequest, receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> ModelAnswer {
        try Task.checkCancellation()
        throw ProviderError(reason: .offline, provider: .offline, host: "")
    }

    package func models() async throws -> [ModelInfo] { [] }
}
