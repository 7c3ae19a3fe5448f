/// Answers when no model can be asked, with one line that says how to connect
/// one. Uses no network.
package struct OfflineProvider: Provider {
    package static let hint =
        "No model is connected: chat keys set claude (or openai), or start Ollama."

    package init() {}

    package var name: ProviderName { .offline }
    package var host: String { "" }

    package func respond(
        to request: ModelRequest, receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> Completion {
        try Task.checkCancellation()
        await receive([.text(Self.hint)])
        return Completion(
            message: Message(
                role: .assistant, parts: [.text(Self.hint)],
                origin: ModelOrigin(provider: .offline, format: .none, model: "")),
            stop: .end)
    }

    package func models() async throws -> [ModelInfo] { [] }
}
