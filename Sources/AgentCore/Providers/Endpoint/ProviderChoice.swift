/// Chooses the provider and model that answer, and explains the choice.
///
/// ```
///   -m / --provider  >  the conversation's own  >  configuration
///     >  the provider whose key is present (several: by rank)
///     >  an Ollama that answers  >  offline
/// ```
///
/// A model's name is never refused here: the server knows better.
package struct ProviderChoice: Sendable, Equatable {
    package enum Reason: String, Sendable {
        case flag, conversation, configuration, key, ollama, nothing
    }

    package var provider: ProviderName
    /// Nil for the first of the server's list (`local`), or for none (`offline`).
    package var model: String?
    package var reason: Reason

    package init(provider: ProviderName, model: String?, reason: Reason) {
        self.provider = provider
        self.model = model
        self.reason = reason
    }

    /// The result of looking for an Ollama. That takes time, so it is done only if the choice
    /// depends on it.
    package enum Ollama: Sendable {
        case unknown, answers, silent
    }

    package enum Outcome: Sendable, Equatable {
        case chosen(ProviderChoice)
        /// Look for an Ollama and choose again.
        case needsOllama
    }

    /// A selection as typed by the user: either half may be missing, and the model may include its
    /// provider.
    package struct Selection: Sendable, Equatable {
        package var provider: ProviderName?
        package var model: String?

        package init(provider: ProviderName? = nil, model: String? = nil) {
            self.provider = provider
            self.model = model
        }

        var isEmpty: Bool { provider == nil && (model ?? "").isEmpty }
    }

    package struct Inputs: Sendable {
        package var flags = Selection()
        package var conversation: Selection?
        package var configuration = Selection()
        /// The providers that can be used, the preferred one first.
        package var providers = ProviderName.askable
        /// Providers with a key.
        package var keys: Set<ProviderName> = []
        package var ollama = Ollama.unknown
        /// Model names of the lists that were loaded.
        package var listed: [ProviderName: [String]] = [:]

        package init() {}
    }

    package static func choose(_ inputs: Inputs) -> Outcome {
        let layers: [(Selection, Reason)] = [
            (inputs.flags, .flag), (inputs.conversation ?? Selection(), .conversation),
            (inputs.configuration, .configuration),
        ]
        for (index, layer) in layers.enumerated() where !layer.0.isEmpty {
            let below = layers[(index + 1)...].map(\.0)
            return resolve(layer.0, reason: layer.1, below: below, inputs)
        }
        return byWhatIsThere(inputs)
    }

    private static func resolve(
        _ selection: Selection, reason: Reason, below: [Selection], _ inputs: Inputs
    ) -> Outcome {
        func chosen(_ provider: ProviderName, _ model: String?) -> Outcome {
            .chosen(ProviderChoice(provider: provider, model: model, reason: reason))
        }
        guard let name = selection.model, !name.isEmpty else {
            // `isEmpty` was false, so there is a provider.
            let provider = selection.provider ?? .offline
            let model = below.first { $0.provider == provider && $0.model != nil }?.model
            return chosen(provider, model ?? provider.facts.defaultModel)
        }
        let (prefix, rest) = split(name, inputs.providers)
        if let provider = selection.provider {
            // `--provider local -m local/llama` names the provider twice.
            return chosen(provider, prefix == provider ? rest : name)
        }
        if let prefix { return chosen(prefix, rest) }
        // The provider that would be used without this name.
        var current: ProviderName?
        switch choose(without: reason, inputs) {
        case .chosen(let choice): current = choice.provider
        case .needsOllama: break
        }
        if let current, inputs.listed[current]?.contains(name) == true {
            return chosen(current, name)
        }
        for provider in inputs.providers
        where inputs.listed[provider]?.contains(name) == true {
            return chosen(provider, name)
        }
        if let known = ModelCatalog.provider(ofModel: name) { return chosen(known, name) }
        guard let current else { return .needsOllama }
        return chosen(current == .offline ? .local : current, name)
    }

    /// The choice made by the layers below `reason`.
    private static func choose(without reason: Reason, _ inputs: Inputs) -> Outcome {
        var lower = inputs
        lower.flags = Selection()
        if reason != .flag { lower.conversation = nil }
        if reason == .configuration { lower.configuration = Selection() }
        return choose(lower)
    }

    private static func byWhatIsThere(_ inputs: Inputs) -> Outcome {
        if let provider = inputs.providers.first(where: { $0 != .local && inputs.keys.contains($0) }
        ) {
            return .chosen(
                ProviderChoice(
                    provider: provider, model: provider.facts.defaultModel,
                    reason: .key))
        }
        switch inputs.ollama {
        case .unknown: return .needsOllama
        case .answers:
            return .chosen(ProviderChoice(provider: .local, model: nil, reason: .ollama))
        case .silent:
            return .chosen(ProviderChoice(provider: .offline, model: nil, reason: .nothing))
        }
    }

    /// `openai/gpt-6.2-sol`; any other name with a slash is not split.
    private static func split(
        _ name: String, _ providers: [ProviderName]
    ) -> (ProviderName?, String) {
        guard let slash = name.firstIndex(of: "/"),
            let provider = (providers + [.offline]).first(where: { $0.rawValue == name[..<slash] })
        else { return (nil, name) }
        let rest = String(name[name.index(after: slash)...])
        return rest.isEmpty ? (nil, name) : (provider, rest)
    }
}
