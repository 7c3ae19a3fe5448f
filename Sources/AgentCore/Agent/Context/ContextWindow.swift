import Base

/// The amount that a model can read, and an estimate of the part that a request takes. Pure; the
/// model and the omitted parts are decided elsewhere.
///
/// Tokens are estimated from the text, since we have no vendor's tokenizer: four ASCII characters
/// are a token, two of most alphabets, and every character of Chinese, Japanese or Korean is one.
/// The token count that a server reported for the last request is more precise and is used if
/// available.
package struct ContextWindow: Sendable, Equatable {
    /// Maximum number of tokens of a request together with its answer.
    package var limit: Int
    /// Tokens reserved for the answer: at most a quarter, so that a small model can be used at all.
    package var reserve: Int

    package init(limit: Int, outputLimit: Int) {
        self.limit = max(Self.smallest, limit)
        reserve = min(max(0, outputLimit), self.limit / 4)
    }

    /// A smaller window is considered a mistake.
    package static let smallest = 1_024

    /// Maximum number of tokens of a request.
    package var usable: Int { limit - reserve }
    /// Number of tokens above which the conversation is shortened.
    package var nearlyFull: Int { usable / 5 * 4 }
    /// Tokens of the conversation that stay verbatim when the rest is summarized.
    package var verbatim: Int { limit / 5 }

    // MARK: - Estimates

    package static func tokens(of request: [Turn], system: String, tools: [Tool]) -> Int {
        tokens(in: system) + tokens(of: tools) + request.reduce(0) { $0 + tokens(of: $1) }
    }

    package static func tokens(of tools: [Tool]) -> Int {
        tools.reduce(0) { sum, tool in
            sum + 12 + tokens(in: tool.name) + tokens(in: tool.description)
                + JSONWriter.bytes(tool.inputSchema.json).count / 4
        }
    }

    package static func tokens(of turn: Turn) -> Int {
        turn.messages.reduce(0) { $0 + tokens(of: $1) }
    }

    package static func tokens(of message: Message) -> Int {
        message.parts.reduce(4) { $0 + tokens(of: $1) }
    }

    private static func tokens(of part: Part) -> Int {
        switch part {
        case .text(let text): tokens(in: text.text)
        case .refusal(let text): tokens(in: text)
        // Most models get back only the thinking that they sign.
        case .thinking(let thinking): thinking.item == nil ? 0 : tokens(in: thinking.text) + 16
        case .toolCall(let call): tokens(in: call.name) + tokens(in: call.arguments) + 16
        case .toolResult(let result):
            result.pictures.reduce(tokens(in: result.text) + 16) { $0 + tokens(of: $1) }
        case .attachment(let attachment): tokens(of: attachment)
        case .opaque(let item): JSONWriter.bytes(item).count / 4
        }
    }

    /// Vendors count an image by its pixels, at most 1,600 tokens in the usual sizes, and a page of
    /// a document as both text and image.
    private static func tokens(of attachment: Attachment) -> Int {
        if attachment.isKeptOnly { return 0 }
        let type = attachment.mediaType.lowercased()
        if type.hasPrefix("image/") { return 1_600 }
        if type.hasPrefix("application/pdf") { return max(2_000, attachment.bytes.count / 20) }
        if type.hasPrefix("audio/") { return 64 }
        return tokens(in: attachment.bytes)
    }

    package static func tokens(in text: String) -> Int { tokens(in: text.utf8) }

    /// Estimates by the first byte of each character: the length of its UTF-8 encoding indicates
    /// the script well enough.
    private static func tokens(in bytes: some Sequence<UInt8>) -> Int {
        var quarters = 0
        for byte in bytes {
            switch byte {
            case 0..<0x80: quarters += 1
            case 0x80..<0xC0: break
            case 0xC0..<0xE0: quarters += 2
            case 0xE0..<0xF0: quarters += 4
            default: quarters += 8
            }
        }
        return (quarters + 3) / 4
    }

    // MARK: - What a server says

    /// Parses the window size in a refusal: "maximum context length is 4096 tokens", "210000 tokens
    /// > 200000 maximum".
    package static func limit(statedIn error: ProviderError) -> Int? {
        guard error.reason == .contextTooLong, let sentence = error.message?.text.lowercased()
        else {
            return nil
        }
        for mark in [">", "maximum context length", "context size", "context window", "maximum"] {
            guard let place = sentence.firstRange(of: mark) else { continue }
            let numbers = sentence[place.upperBound...]
                .split { !($0.isASCII && ($0.isNumber || $0 == ",")) }
                .lazy.compactMap { Int($0.filter { $0 != "," }) }
            if let limit = numbers.first, (smallest...10_000_000).contains(limit) { return limit }
        }
        return nil
    }
}
