import Base

/// The location of a provider and how to use it: addresses and headers of the wire formats.
package struct ProviderEndpoint: Sendable, Equatable {
    package var name: ProviderName
    package var format: WireFormat
    package var base: BaseURL
    /// Configured headers that are sent with each request; they may contain secrets.
    package var extra: [HTTPHeader]

    /// - Parameter base: in the form used by the vendors' own programs: with `/v1` for OpenAI's
    ///   formats, without it for Anthropic's.
    package init(
        name: ProviderName, format: WireFormat, base: BaseURL, extra: [HTTPHeader] = []
    ) {
        self.name = name
        self.format = format
        self.base = base
        self.extra = extra
    }

    /// A configured provider is local if its address is on this machine.
    package var isLocal: Bool { name.isBuiltIn ? name == .local : base.isLoopback }

    package var host: String { base.authority }

    /// The vendor's own host, as opposed to a compatible server.
    package var isVendor: Bool {
        if base.isPlain { return false }
        return switch format {
        case .messages: base.host == "api.anthropic.com"
        case .responses, .chat:
            base.host == "api.openai.com" || base.host.hasSuffix(".api.openai.com")
        case .none: false
        }
    }

    package func url(for format: WireFormat) -> String {
        switch format {
        case .responses: base.appending("/responses")
        case .chat: base.appending("/chat/completions")
        case .messages: base.appending(versionPrefix + "/messages")
        case .none: base.text
        }
    }

    package var modelsURL: String {
        format == .messages
            ? base.appending(versionPrefix + "/models?limit=1000") : base.appending("/models")
    }

    /// The base of addresses that are not part of OpenAI's format.
    var rootURL: String {
        base.path.hasSuffix("/v1") ? String(base.text.dropLast("/v1".count)) : base.text
    }

    /// Headers that carry the key and the version, never both kinds of key.
    package func headers(key: String?) -> [HTTPHeader] {
        var headers: [HTTPHeader] = []
        if format == .messages { headers.append(HTTPHeader("anthropic-version", "2023-06-01")) }
        guard let key, !key.isEmpty else { return headers + extra }
        // An OAuth token is a bearer token also with Anthropic.
        if format == .messages, !key.hasPrefix("sk-ant-oat") {
            headers.append(HTTPHeader("x-api-key", key))
        } else {
            headers.append(HTTPHeader("Authorization", "Bearer \(key)"))
        }
        return headers.filter { header in
            !extra.contains { $0.name.lowercased() == header.name.lowercased() }
        } + extra
    }

    /// Empty if the user has copied the address with its `/v1`.
    private var versionPrefix: String { base.path.hasSuffix("/v1") ? "" : "/v1" }
}
