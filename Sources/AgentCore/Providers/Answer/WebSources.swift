import Base

/// The pages that an answer cites, each once, in the order of their first citation; as numbered
/// links below the answer. Pure.
///
/// Addresses and titles are untrusted: only web pages become links, and a title cannot end a link.
struct WebSources: Sendable {
    private var sources: [(address: String, title: String)] = []
    private var known: Set<String> = []

    /// Maximum number of links; more would not help the user, who did not ask for a list.
    private static let limit = 20

    mutating func add(_ citation: JSONValue) {
        guard let address = citation["url"]?.stringValue.flatMap(Self.link),
            sources.count < Self.limit, known.insert(address).inserted
        else { return }
        let title = UntrustedText.line(citation["title"]?.stringValue ?? "", limit: 100)
        sources.append((address, title.isEmpty ? address : title))
    }

    mutating func add(all citations: JSONValue?) {
        for citation in citations?.arrayValue ?? [] { add(citation) }
    }

    /// The text after the answer; nil if nothing is cited.
    var text: String? {
        if sources.isEmpty { return nil }
        let lines = sources.enumerated().map { index, source in
            let title = source.title.map { Self.escapes[$0] ?? String($0) }.joined()
            return "\(index + 1). [\(title)](\(source.address))"
        }
        return "\n\nSources:\n\n" + lines.joined(separator: "\n")
    }

    private static let escapes: [Character: String] = [
        "[": "(", "]": ")", "\\": "/", "`": "'", "<": "‹", ">": "›", "*": "∗", "_": "\\_",
    ]

    /// - Returns: nil if it is not the address of a page.
    private static func link(_ text: String) -> String? {
        let text = text.trimmingSpace()
        let lowered = text.lowercased()
        guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://"),
            text.utf8.count <= 2_048
        else { return nil }
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0..<0x20, 0x7F: return nil
            // Characters that would end a link, or have to be encoded (RFC 3986 §2.1).
            case 0x20, 0x80..., UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "`"):
                result += "%\(byte.padded(to: 2, radix: 16).uppercased())".utf8
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
