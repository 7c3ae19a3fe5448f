import AgentCore

/// The settings in the terms of those who use them.
extension Settings {
    var routingMode: IntentRouter.Mode {
        switch routing.value {
        case .auto: .auto
        case .local: .local
        case .model: .model
        }
    }

    /// The smaller of what was set, what the model can give, and 32,000: more
    /// than anybody reads, and some servers reserve it.
    func maxTokens(for model: String) -> Int {
        let limit = ModelCatalog.info(model)?.maxOutput ?? 32_000
        return min(maxTokens.value ?? 32_000, limit)
    }
}
