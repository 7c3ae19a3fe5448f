import AgentCore

/// The settings that have parts.
extension Configuration {
    /// US dollars for a million tokens.
    struct Price: Sendable, Equatable {
        var input: Double
        var output: Double
        /// Read from the prompt cache; nil is the price of plain input.
        var cachedInput: Double?
        /// Written to it; nil is the price of plain input.
        var cacheWrite: Double?
    }

    /// US dollars that are not passed without a question.
    struct Budget: Sendable, Equatable {
        var conversation: Double?
        var day: Double?
        var month: Double?
    }

    /// A system text with a name, and what goes with it.
    struct Role: Sendable, Equatable {
        var system: String
        var model: String?
        var effort: Effort?
        var temperature: Double?
    }
}
