/// The model an answer came from. Items that only that model can read go back
/// only where the whole value is equal.
package struct ModelOrigin: Sendable, Hashable {
    package var provider: ProviderName
    package var format: WireFormat
    package var model: String

    package init(provider: ProviderName, format: WireFormat, model: String) {
        self.provider = provider
        self.format = format
        self.model = model
    }
}

/// Who answers, by the name that commands, settings and the database use. To add
/// one: a case here and its row in `facts` (`ProviderFacts`).
package enum ProviderName: String, Sendable, CaseIterable {
    case openai, claude, local, offline
}

/// How a provider is spoken to: OpenAI Responses, OpenAI Chat Completions,
/// Anthropic Messages; `none` is an answer that no model gave.
package enum WireFormat: String, Sendable {
    case responses, chat, messages, none
}
