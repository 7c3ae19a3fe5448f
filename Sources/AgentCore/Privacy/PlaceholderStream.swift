/// Puts originals back into a text that arrives in pieces, wherever it is split. Pure.
///
/// The joined output equals restoring the whole text at once: a piece that may be the beginning of
/// a placeholder waits for the next one. The restored text is exact except for the backslashes that
/// Markdown puts before brackets and underscores.
package struct PlaceholderStream {
    private let originals: [String: String]
    /// The last bytes, if they may be the beginning of a placeholder.
    private var pending: [UInt8] = []

    /// The maximum length over all kinds and numbers, with backslashes.
    private static let longest = 40

    package init(_ map: RedactionMap) {
        originals = Dictionary(
            map.entries.map { ($0.placeholder, $0.original) },
            uniquingKeysWith: { first, _ in first })
    }

    package static func restored(_ text: String, _ map: RedactionMap) -> String {
        var stream = PlaceholderStream(map)
        return stream.push(text) + stream.finish()
    }

    /// - Returns: the text that no later piece can change.
    package mutating func push(_ piece: String) -> String {
        if originals.isEmpty { return piece }
        var output: [UInt8] = []
        output.reserveCapacity(piece.utf8.count)
        for byte in piece.utf8 { take(byte, &output) }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the pending text at the end of the stream.
    package mutating func finish() -> String {
        defer { pending = [] }
        return String(decoding: pending, as: UTF8.self)
    }

    private mutating func take(_ byte: UInt8, _ output: inout [UInt8]) {
        if pending.isEmpty, byte != UInt8(ascii: "["), byte != UInt8(ascii: "\\") {
            output.append(byte)
            return
        }
        pending.append(byte)
        switch Self.form(pending) {
        case .begun: break
        case .whole(let name):
            output += originals[name].map { Array($0.utf8) } ?? pending
            pending = []
        case .other:
            // Another placeholder may begin within it.
            let rest = pending.dropFirst()
            output.append(pending[0])
            pending = []
            for byte in rest { take(byte, &output) }
        }
    }

    private enum Form {
        /// A placeholder, without the backslashes in it.
        case whole(String)
        case begun
        case other
    }

    /// `[NAME_2]`, `\[NAME\_2\]`.
    private static func form(_ bytes: [UInt8]) -> Form {
        if bytes.count > longest { return .other }
        var name: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\\"):
                if isEscaped { return .other }
                isEscaped = true
                continue
            case UInt8(ascii: "["): if !name.isEmpty { return .other }
            case UInt8(ascii: "]"):
                // This is the last byte, since the form is tested after each byte.
                guard name.count > 1 else { return .other }
                return .whole(String(decoding: name + [byte], as: UTF8.self))
            case UInt8(ascii: "_"): if name.isEmpty { return .other }
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                if name.isEmpty || isEscaped { return .other }
            default: return .other
            }
            isEscaped = false
            name.append(byte)
        }
        return .begun
    }
}
