/// The fixed facts of a built-in provider: one row of their table.
package struct ProviderFacts: Sendable {
    package var name: ProviderName
    /// The provider's usual name within a sentence.
    package var title: String
    package var format: WireFormat
    /// The rank among providers that can answer; the lowest is preferred.
    package var rank: Int
    /// The variables that may hold its key and its base URL.
    package var variables: (key: String, baseURL: String)?
    /// The base URL unless another is configured; nil if the user has to set it.
    package var vendorURL: String?
    /// The default model; nil means the first in the server's list.
    package var defaultModel: String?
    /// Size of a model's window in tokens if nothing is known about it: the vendors' models have
    /// had this for years, and local servers are usually started with it.
    package var window = 32_768

    /// The provider's usual name at the start of a sentence.
    package var displayName: String { title.prefix(1).uppercased() + title.dropFirst() }

    fileprivate static let table = [
        ProviderFacts(
            name: .openai, title: "OpenAI", format: .responses, rank: 2,
            variables: ("OPENAI_API_KEY", "OPENAI_BASE_URL"),
            vendorURL: "https://api.openai.com/v1", defaultModel: "gpt-6.2-sol", window: 272_000),
        ProviderFacts(
            name: .claude, title: "Claude", format: .messages, rank: 1,
            variables: ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
            vendorURL: "https://api.anthropic.com", defaultModel: "claude-sonnet-5-5",
            window: 200_000),
        // It has no variables of its own: it takes OpenAI's, and their key only if the pair is
        // complete.
        ProviderFacts(
            name: .local, title: "the local server", format: .chat, rank: 98,
            variables: ("OPENAI_API_KEY", "OPENAI_BASE_URL")),
        ProviderFacts(name: .offline, title: "no model", format: .none, rank: 99),
    ]
}

extension ProviderName {
    package static let openai = ProviderName(builtIn: "openai")
    package static let claude = ProviderName(builtIn: "claude")
    package static let local = ProviderName(builtIn: "local")
    package static let offline = ProviderName(builtIn: "offline")

    /// The provider's row in the table. For a provider that is not built in, its name and facts
    /// that are true of any server; the settings have the rest of its configuration.
    package var facts: ProviderFacts {
        ProviderFacts.table.first { $0.name == self }
            ?? ProviderFacts(name: self, title: rawValue, format: .chat, rank: 50)
    }

    package var isBuiltIn: Bool { Self.builtIn.contains(self) }

    package static let builtIn = ProviderFacts.table.map(\.name)
    /// The built-in providers with a model.
    package static let named = builtIn.filter { $0 != .offline }
    /// The names for usage lines: `openai|claude|local`.
    package static let words = named.map(\.rawValue).joined(separator: "|")
    /// The named providers, the preferred one first.
    package static let askable = named.sorted { $0.facts.rank < $1.facts.rank }
    /// The askable providers that need a key.
    package static let hosted = askable.filter { $0.facts.vendorURL != nil }
}
