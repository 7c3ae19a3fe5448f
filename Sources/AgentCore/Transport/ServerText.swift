import Base

/// What a server said besides its answer: a sentence of an error, a code, the
/// id of a request. Without the key that was sent to it, which servers repeat,
/// and of bounded length. Still foreign text to a terminal.
///
/// There is no other way to make one from a server's bytes, so an error that
/// holds a `ServerText` cannot hold a key.
package struct ServerText: Sendable, Equatable, CustomStringConvertible {
    /// Scalars; longer sentences are cut.
    package static let limit = 500

    package let text: String

    /// Nil when nothing is left but white space.
    /// - Parameter key: the one that was sent; every part of it of twelve
    ///   bytes or more is taken out, and so is what is shaped like a key.
    package init?(_ said: String?, hiding key: String?, limit: Int = ServerText.limit) {
        guard let said else { return nil }
        // Before the text is cut: half a key is no longer found.
        let bytes = Array(said.utf8.prefix(16 * limit))
        // Both are looked for in what was said: two keys of one vendor begin
        // alike, and without its beginning the other has no shape.
        let parts = (key.map { Self.parts(of: $0, in: bytes) } ?? []) + KeyShape.ranges(in: bytes)
        let hidden = KeyShape.redacted(bytes, Self.joined(parts))
        var scalars = hidden.unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        if scalars.isEmpty { return nil }
        let isLong = scalars.count > limit
        text = String(Substring(isLong ? scalars.prefix(limit) : scalars)) + (isLong ? "…" : "")
    }

    package var description: String { text }

    /// Ascending and apart.
    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
            if let last = joined.last, last.upperBound >= range.lowerBound {
                joined[joined.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
    }

    /// Where pieces of the key are. One of three characters is not a secret, and
    /// would be found in every sentence.
    private static func parts(of key: String, in bytes: [UInt8]) -> [Range<Int>] {
        let key = Array(key.utf8)
        let width = min(12, key.count)
        guard width > 3, bytes.count >= width else { return [] }
        let windows = Set((0...(key.count - width)).map { key[$0..<($0 + width)] })
        return (0...(bytes.count - width)).filter {
            windows.contains(bytes[$0..<($0 + width)])
        }.map { $0..<($0 + width) }
    }
}

/// Words of our own, in the source.
extension ServerText: ExpressibleByStringLiteral {
    package init(stringLiteral: String) { text = stringLiteral }
}
