/// The TEXT value type (RFC 5545 §3.3.11): escaping, unescaping, and lists
/// of texts.
package enum TextValue {
    /// The text as shown to readers. A backslash before anything but `\ ; , n
    /// N` is dropped, as other programs escape more than they need to.
    package static func unescape(_ value: String) -> String {
        guard value.utf8.contains(UInt8(ascii: "\\")) else { return value }
        return list(value, separator: nil).first ?? ""
    }

    /// The texts of a comma list such as CATEGORIES; empty ones are left out.
    package static func list(_ value: String) -> [String] {
        list(value, separator: UInt8(ascii: ",")).filter { !$0.isEmpty }
    }

    /// Escapes a text. Line breaks of every kind become `\n`; control
    /// characters, which TEXT cannot contain, are left out.
    package static func escape(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 8)
        var wasReturn = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
                output += [UInt8(ascii: "\\"), byte]
            case 0x0A where wasReturn: break
            case 0x0A, 0x0D: output += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case 0x09: output.append(byte)
            case 0..<0x20, 0x7F: break
            default: output.append(byte)
            }
            wasReturn = byte == 0x0D
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func list(_ value: String, separator: UInt8?) -> [String] {
        var texts: [String] = []
        var current: [UInt8] = []
        var isEscaped = false
        for byte in value.utf8 {
            if isEscaped {
                isEscaped = false
                current.append(byte | 0x20 == UInt8(ascii: "n") ? 0x0A : byte)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == separator {
                texts.append(String(decoding: current, as: UTF8.self))
                current = []
            } else {
                current.append(byte)
            }
        }
        if isEscaped { current.append(UInt8(ascii: "\\")) }
        texts.append(String(decoding: current, as: UTF8.self))
        return texts
    }
}
