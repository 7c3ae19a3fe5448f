/// Bytes as text (RFC 4648 §4), with padding and without line breaks.
///
/// Our own, since `Data` brings seven megabytes of FoundationEssentials into a statically
/// linked program (docs/decisions/0018).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    package static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { output in
            var count = 0
            func put(_ group: UInt32, _ digits: Int) {
                for digit in 0..<4 {
                    output[count] =
                        digit < digits
                        ? alphabet[Int(group >> (18 - 6 * UInt32(digit)) & 63)] : padding
                    count += 1
                }
            }
            var place = 0
            while place + 3 <= bytes.count {
                put(
                    UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8
                        | UInt32(bytes[place + 2]), 4)
                place += 3
            }
            switch bytes.count - place {
            case 1: put(UInt32(bytes[place]) << 16, 2)
            case 2: put(UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8, 3)
            default: break
            }
            return count
        }
    }

    /// Nil if the text is not base64: it has another character, a length that is not a multiple of
    /// four, or padding elsewhere than at the end.
    package static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count.isMultiple(of: 4) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        var missing = 0
        for character in text.utf8 {
            if character == padding {
                // At most the last two of a group.
                guard digits >= 2 else { return nil }
                missing += 1
                group <<= 6
            } else {
                guard missing == 0, let value = value(of: character) else { return nil }
                group = group << 6 | UInt32(value)
            }
            digits += 1
            guard digits == 4 else { continue }
            for place in 0..<(3 - missing) {
                output.append(UInt8(truncatingIfNeeded: group >> (16 - 8 * UInt32(place))))
            }
            (group, digits) = (0, 0)
        }
        // Padding inside would have made the next digit fail.
        return output
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
