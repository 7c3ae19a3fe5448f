import Base

/// A server's text apart from its answer: the sentence of an error, a code, the id of a request. Of
/// bounded length, and without the key that was sent to it, which servers repeat. Still untrusted
/// text for a terminal.
///
/// There is no other way to make one from a server's bytes, so an error that contains a
/// `ServerText` cannot contain a key.
package struct ServerText: Sendable, Equatable, CustomStringConvertible {
    /// Maximum number of scalars; longer sentences are cut.
    package static let limit = 500

    package let text: String

    /// Nil if nothing is left but white space.
    /// - Parameter key: the key that was sent; every part of it of twelve bytes or more is
    ///   removed, also in other case, with other characters between its own, backwards, in
    ///   hexadecimal digits and in base64. So is any text with the shape of a key.
    package init?(_ said: String?, hiding key: String?, limit: Int = ServerText.limit) {
        guard let said else { return nil }
        // Before the text is cut, since half a key would not be found.
        let bytes = Array(said.utf8.prefix(16 * limit))
        // Both are searched in the original text: two keys of one vendor begin alike, and without
        // its beginning the other would have no known form.
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

    /// The ranges joined: ascending and not overlapping.
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

    /// The ranges of pieces of the key. A piece of three characters is not a secret, and
    /// would be found in every sentence.
    private static func parts(of key: String, in bytes: [UInt8]) -> [Range<Int>] {
        let key = Array(key.utf8)
        guard key.count > 3 else { return [] }
        let folded = Folded(bytes)
        let written = spellings(of: key).flatMap { spelling, width in
            parts(of: Folded(spelling).letters, width, in: folded.letters).map {
                folded.places[$0.lowerBound]..<(folded.places[$0.upperBound - 1] + 1)
            }
        }
        return parts(of: key, min(partLimit, key.count), in: bytes) + written
    }

    private static func parts(
        of key: [UInt8], _ width: Int, in bytes: [UInt8]
    ) -> [Range<Int>] {
        guard width > 0, key.count >= width, bytes.count >= width else { return [] }
        let windows = Set((0...(key.count - width)).map { key[$0..<($0 + width)] })
        return (0...(bytes.count - width)).filter {
            windows.contains(bytes[$0..<($0 + width)])
        }.map { $0..<($0 + width) }
    }

    /// Minimum length in bytes of a part of a key that is removed.
    private static let partLimit = 12

    /// The ways in which the key may be written, each with the length of a match, folded, that
    /// counts as a part of it. In another case a short key could match short words of prose.
    private static func spellings(of key: [UInt8]) -> [(text: [UInt8], width: Int)] {
        let hex = key.flatMap { byte in
            Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8)
        }
        // The three alignments it can have in encoded text. The digits at the ends also contain
        // bits of the surrounding text.
        let base64 = (0..<3).map { before in
            let text = Array(Base64.text(Array(repeating: 0, count: before) + key).utf8)
            let start = (before * 8 + 5) / 6
            return Array(text[start..<((before + key.count) * 8 / 6)])
        }
        let isShort = key.count < partLimit
        let whole: [(text: [UInt8], width: Int)] = [
            (key, partLimit), (key.reversed(), partLimit),
            (hex, isShort ? hex.count : 2 * partLimit),
        ]
        // Sixteen digits, of which some may be neither letter nor number.
        return whole
            + base64.map { ($0, isShort ? max(8, Folded($0).letters.count) : partLimit + 2) }
    }

    /// The letters and digits of a text, in lower case, each with its position.
    private struct Folded {
        var letters: [UInt8] = []
        var places: [Int] = []

        init(_ bytes: [UInt8]) {
            for (place, byte) in bytes.enumerated() {
                guard byte.isASCIILetterOrDigit else { continue }
                letters.append(byte | 0x20)
                places.append(place)
            }
        }
    }
}

/// Our own texts, in the source.
extension ServerText: ExpressibleByStringLiteral {
    package init(stringLiteral: String) { text = stringLiteral }
}
