import AgentCore

/// Local knowledge about a failure beyond the provider's error: the source of the key, and
/// the available models. Never a key.
package struct FailureFacts: Sendable, Equatable {
    var keySource: KeySource?
    /// The requested model.
    var model: String?
    /// The server's models with similar names, nearest first.
    var nearestModels: [String] = []
    /// Whether it is shown at the prompt, where /model switches providers.
    package var isAtPrompt = false
    /// Whether a user's message failed, which is kept with the partial answer; false for text
    /// generated for another purpose.
    package var isMessage = true
    /// Whether the problem was already shown above a question that the user answered with no.
    package var isTold = false

    package init(
        keySource: KeySource? = nil, model: String? = nil, nearestModels: [String] = [],
        isAtPrompt: Bool = false, isMessage: Bool = true, isTold: Bool = false
    ) {
        self.keySource = keySource
        self.model = model
        self.nearestModels = nearestModels
        self.isAtPrompt = isAtPrompt
        self.isMessage = isMessage
        self.isTold = isTold
    }
}

extension Connector {
    /// Looks up helpful facts about this failure. May ask the server for its list of
    /// models; never fails, since it only explains another failure.
    package func facts(about error: ProviderError, model: String) async -> FailureFacts {
        switch error.reason {
        case .keyRejected: return FailureFacts(keySource: await keySource(of: error.provider))
        case .modelNotFound:
            var names: [String]
            do {
                names = try await models(of: error.provider).map(\.id)
            } catch {
                names = []
            }
            // Fall back to the built-in names.
            if names.isEmpty { names = ModelCatalog.known(for: error.provider).map(\.id) }
            return FailureFacts(
                model: model, nearestModels: ModelCatalog.nearest(to: model, in: names))
        default: return FailureFacts()
        }
    }
}
