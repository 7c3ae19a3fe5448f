/// A text as spellings are compared: lower case, letters without their accents,
/// without characters that are not seen; and where each byte of it came from. Pure.
package struct FoldedText: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// For each byte the UTF-8 offset in the text where its character begins.
    package private(set) var starts: [Int] = []
    /// For each byte the UTF-8 offset in the text behind its character.
    package private(set) var ends: [Int] = []

    package init(_ text: String) {
        let count = text.utf8.count
        bytes.reserveCapacity(count)
        starts.reserveCapacity(count)
        ends.reserveCapacity(count)
        var offset = 0
        for scalar in text.unicodeScalars {
            let end = offset + UTF8.width(scalar)
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                append(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte, offset, end)
            } else if Self.isUnseen(scalar) {
                // It belongs to what stands before it.
                if let last = ends.indices.last { ends[last] = end }
            } else if scalar.properties.isWhitespace {
                append(0x20, offset, end)
            } else {
                for byte in SearchText.folded(String(scalar)).utf8 { append(byte, offset, end) }
            }
            offset = end
        }
    }

    private mutating func append(_ byte: UInt8, _ start: Int, _ end: Int) {
        bytes.append(byte)
        starts.append(start)
        ends.append(end)
    }

    /// Accents of their own, joiners, direction marks, soft hyphens.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }
}
