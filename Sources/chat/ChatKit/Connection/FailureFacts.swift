import AgentCore

/// What this machine knows about a failure and the provider's error does not
/// say: where the key came from, and which models there are. Never a key.
package struct FailureFacts: Sendable, Equatable {
    var keySource: KeySource?
    /// The model that was asked for.
    var model: String?
    /// Models of the server with a name like it, nearest first.
    var nearestModels: [String] = []
    /// Told at the prompt, where /model is the way to another provider.
    package var isAtPrompt = false
    /// A message of the user, which is kept with what arrived; not a text that
    /// the program wanted for another purpose.
    package var isMessage = true
    /// What happened stands above already, over a question answered with no.
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
    /// Looks up what helps with this failure. May ask the server for its list
    /// of models; never fails, since it only explains another failure.
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
            // The built-in names are better than nothing.
            if names.isEmpty { names = ModelCatalog.known(for: error.provider).map(\.id) }
            return FailureFacts(
                model: model, nearestModels: ModelCatalog.nearest(to: model, in: names))
        default: return FailureFacts()
        }
    }
}
