import Base

/// The model that gave an answer. Items that only this model can read are sent back only if the
/// whole value is equal.
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

/// A provider, by the name that commands, settings and the database use: a built-in
/// provider, which has a row in `ProviderFacts`, or one that the user's configuration
/// names.
package struct ProviderName: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String

    /// Nil for a text that cannot be a name: names are written before a slash and as part of a
    /// setting.
    package init?(rawValue: String) {
        guard (1...20).contains(rawValue.utf8.count),
            rawValue.utf8.allSatisfy({
                $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            })
        else { return nil }
        self.rawValue = rawValue
    }

    init(builtIn name: String) { rawValue = name }

    package var description: String { rawValue }
}

/// The protocol of a provider: OpenAI Responses, OpenAI Chat Completions, Anthropic
/// Messages; `none` is an answer without a model.
package enum WireFormat: String, Sendable {
    case responses, chat, messages, none
}
