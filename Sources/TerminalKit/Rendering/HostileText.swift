/// The allow-list for untrusted text shown in the terminal: printable Unicode, newline and
/// tab pass; everything else is shown visibly (`\x1b`, `<U+202E>`). A value with the state
/// of one stream, so that the result does not depend on where the chunks were cut. It
/// neither styles nor wraps.
///
/// CR LF becomes a newline. ZWJ, ZWNJ and the emoji variation selectors pass, because emoji
/// and Persian need them; of more than eight combining marks in a row, the rest is one `…`.
/// Invalid UTF-8 becomes U+FFFD.
///
/// In output to a pipe or a file, zero-width spaces, the marks of direction (U+200E,
/// U+200F) and soft hyphens pass too: Thai, Arabic and Hebrew need them, and piped text
/// must not be damaged.
package struct HostileText {
    private let isForPipe: Bool
    /// The start of a character whose rest is in the next chunk.
    private var partial: [UInt8] = []
    private var hasPendingReturn = false
    private var marks = 0

    /// Maximum combining marks on one letter, more than any language uses.
    static let markLimit = 8

    package init(isForPipe: Bool = false) { self.isForPipe = isForPipe }

    /// Filters a chunk; bytes that depend on the next chunk are not in the result yet.
    package mutating func pass(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { pass($0) }
    }

    mutating func pass(_ chunk: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(chunk.count + 16)
        if partial.isEmpty {
            scan(chunk, into: &out)
        } else {
            let joined = partial + chunk
            partial.removeAll(keepingCapacity: true)
            joined.withUnsafeBufferPointer { scan($0, into: &out) }
        }
        return out
    }

    /// Ends the stream and returns the pending bytes, made visible.
    package mutating func finish() -> [UInt8] {
        var out: [UInt8] = []
        flushReturn(into: &out)
        if !partial.isEmpty { out += Self.replacement }
        self = HostileText(isForPipe: isForPipe)
        return out
    }

    /// Filters a whole text of several lines.
    package static func text(_ text: String, isForPipe: Bool = false) -> String {
        var filter = HostileText(isForPipe: isForPipe)
        return String(decoding: filter.pass(text) + filter.finish(), as: UTF8.self)
    }

    /// Filters a one-line field: line breaks are shown as `\n`, a tab as a space.
    package static func line(_ text: String, isForPipe: Bool = false) -> String {
        let clean = Self.text(text, isForPipe: isForPipe)
        guard clean.utf8.contains(where: { $0 == 0x0A || $0 == 0x09 }) else { return clean }
        return clean.reduce(into: "") { line, character in
            switch character {
            case "\n": line += "\\n"
            case "\t": line += " "
            default: line.append(character)
            }
        }
    }

    /// The visible form of a scalar that must have no effect: `\x1b`, `<U+202E>`.
    static func visible(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        if scalar.value < 0x100, scalar.value != 0xAD {
            return "\\x" + (digits.count < 2 ? "0" : "") + digits
        }
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        return "<U+" + padding + digits.uppercased() + ">"
    }

    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
    private static let ellipsis: [UInt8] = [0xE2, 0x80, 0xA6]

    /// Whether a byte passes unchanged and ends every pending state.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte < 0x7F) || byte == 0x0A || byte == 0x09
    }

    private mutating func flushReturn(into out: inout [UInt8]) {
        guard hasPendingReturn else { return }
        hasPendingReturn = false
        out += Array("\\x0d".utf8)
    }

    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, into out: inout [UInt8]) {
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            if hasPendingReturn {
                if byte == 0x0A { hasPendingReturn = false } else { flushReturn(into: &out) }
            }
            if Self.isPlain(byte) {
                var end = at + 1
                while end < bytes.count, Self.isPlain(bytes[end]) { end += 1 }
                out.append(contentsOf: bytes[at..<end])
                marks = 0
                at = end
            } else if byte < 0x80 {
                marks = 0
                if byte == 0x0D {
                    hasPendingReturn = true
                } else {
                    out += Array(Self.visible(Unicode.Scalar(byte)).utf8)
                }
                at += 1
            } else {
                switch Self.decode(bytes, at: at) {
                case .scalar(let scalar, let length):
                    pass(scalar, bytes[at..<(at + length)], into: &out)
                    at += length
                case .invalid(let length):
                    marks = 0
                    out += Self.replacement
                    at += length
                case .incomplete:
                    partial.append(contentsOf: bytes[at...])
                    return
                }
            }
        }
    }

    private mutating func pass(
        _ scalar: Unicode.Scalar, _ bytes: Slice<UnsafeBufferPointer<UInt8>>,
        into out: inout [UInt8]
    ) {
        switch isForPipe && Self.isInvisibleWriting(scalar) ? .printable : Self.kind(scalar) {
        case .printable:
            marks = 0
            out.append(contentsOf: bytes)
        case .mark:
            marks += 1
            if marks <= Self.markLimit {
                out.append(contentsOf: bytes)
            } else if marks == Self.markLimit + 1 {
                out += Self.ellipsis
            }
        case .hidden:
            marks = 0
            out += Array(Self.visible(scalar).utf8)
        }
    }

    private enum Decoded {
        case scalar(Unicode.Scalar, Int)
        case invalid(Int)
        case incomplete
    }

    /// Decodes one character as in Unicode 3.9, table 3-7; in an invalid sequence, the
    /// longest valid prefix is replaced as a whole, as that chapter advises.
    private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at: Int) -> Decoded {
        let lead = bytes[at]
        let length: Int
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { low = 0xA0 }
            if lead == 0xED { high = 0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { low = 0x90 }
            if lead == 0xF4 { high = 0x8F }
        default: return .invalid(1)
        }
        var value = UInt32(lead) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for offset in 1..<length {
            guard at + offset < bytes.count else { return .incomplete }
            let byte = bytes[at + offset]
            guard byte >= low, byte <= high else { return .invalid(offset) }
            low = 0x80
            high = 0xBF
            value = value << 6 | UInt32(byte & 0x3F)
        }
        // The ranges above exclude surrogates and values beyond U+10FFFF.
        guard let scalar = Unicode.Scalar(value) else { return .invalid(length) }
        return .scalar(scalar, length)
    }

    private enum Kind { case printable, mark, hidden }

    /// ZWNJ and ZWJ pass anyway.
    private static func isInvisibleWriting(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x200B, 0x200E, 0x200F: true
        default: false
        }
    }

    private static func kind(_ scalar: Unicode.Scalar) -> Kind {
        switch scalar.value {
        // Most texts of the world, without the lookup below.
        case 0xA0...0xAC, 0xAE...0x02FF, 0x0391...0x03CE, 0x0400...0x0481, 0x05D0...0x05EA,
            0x0621...0x063F, 0x0904...0x0939, 0x2010...0x2027, 0x2030...0x205E,
            0x20A0...0x20BF, 0x2190...0x23FF, 0x2500...0x27BF, 0x3001...0x3029,
            0x3041...0x3096, 0x30A0...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
            0x1F300...0x1F5FF:
            return .printable
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F:
            return .mark
        default:
            break
        }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return .hidden }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark:
            return .mark
        case .control, .lineSeparator, .paragraphSeparator, .surrogate:
            return .hidden
        case .format:
            // Visible format characters: Arabic number signs and their kin.
            switch scalar.value {
            case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD:
                return .printable
            default:
                return .hidden
            }
        case .unassigned:
            // Reserved for emoji newer than our tables.
            return (0x1F000...0x1FAFF).contains(scalar.value) ? .printable : .hidden
        default:
            return .printable
        }
    }
}
