import Base

/// The encoding of a text, for reading its bytes and writing them back the same
/// way. Pure.
package enum TextEncoding: Sendable, Equatable {
    case utf8
    /// UTF-8 with a byte order mark, which is not part of the text.
    case marked
    /// Latin-1 as its superset Windows-1252.
    case latin1

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Nil if it is not text: it has zero bytes, or is neither UTF-8 nor Latin-1, for
    /// example damaged UTF-8.
    package init?(of bytes: [UInt8]) {
        if bytes.contains(0) { return nil }
        if String(validating: bytes, as: UTF8.self) != nil {
            self = bytes.starts(with: Self.mark) ? .marked : .utf8
            return
        }
        let hasControls = bytes.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) }
        let hasMultibyte = String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            !$0.isASCII && $0 != "\u{FFFD}"
        }
        if hasControls || hasMultibyte || String(windows1252: bytes).contains("\u{FFFD}") {
            return nil
        }
        self = .latin1
    }

    package func text(of bytes: [UInt8]) -> String {
        switch self {
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .marked: String(decoding: bytes.dropFirst(Self.mark.count), as: UTF8.self)
        case .latin1: String(windows1252: bytes)
        }
    }

    /// - Throws: the first character that the encoding lacks.
    package func bytes(of text: String) throws(Missing) -> [UInt8] {
        guard self == .latin1 else { return (self == .marked ? Self.mark : []) + Array(text.utf8) }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.value < 0x80 || (0xA0...0xFF).contains(scalar.value) {
                bytes.append(UInt8(scalar.value))
            } else if let place = CharacterReference.windows1252.firstIndex(of: scalar) {
                bytes.append(UInt8(0x80 + place))
            } else {
                throw Missing(character: String(scalar))
            }
        }
        return bytes
    }

    package struct Missing: Error, Sendable, Equatable { package var character: String }
}
