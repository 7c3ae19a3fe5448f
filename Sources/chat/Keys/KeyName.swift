import AgentCore

/// A key by what it is for.
enum KeyName: String, Sendable, CaseIterable {
    case openai, claude, local

    /// For people.
    var title: String {
        switch self {
        case .openai: "OpenAI"
        case .claude: "Claude"
        case .local: "the local server"
        }
    }

    init?(_ provider: ProviderName) {
        switch provider {
        case .openai: self = .openai
        case .claude: self = .claude
        case .local: self = .local
        case .offline: return nil
        }
    }

    /// The variable that may hold the key, and the one that says where it may
    /// go. `local` has no variable of its own: it takes OpenAI's pair, and only
    /// where the pair is complete.
    var variables: (key: String, baseURL: String) {
        switch self {
        case .openai, .local: ("OPENAI_API_KEY", "OPENAI_BASE_URL")
        case .claude: ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")
        }
    }

    /// Where the vendor's own API is; nil for `local`.
    var vendorOrigin: KeyOrigin? {
        switch self {
        case .openai: KeyOrigin("https://api.openai.com")
        case .claude: KeyOrigin("https://api.anthropic.com")
        case .local: nil
        }
    }
}

/// A key that is kept, with the only origin it may be sent to.
struct StoredKey: Sendable, Equatable {
    var name: KeyName
    var origin: KeyOrigin
    var secret: Secret
}
