/// The class of a byte as an ASCII character, for names and identifiers that allow no others.
extension UInt8 {
    package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
    package var isASCIILetterOrDigit: Bool { isASCIILetter || self &- 0x30 < 10 }
}

/// Bytes written as a mark and two hexadecimal digits: `%20` of URLs, `=20` of quoted-printable.
package enum HexEscapes {
    /// The bytes that are meant. An escape that is not valid stays as it is.
    package static func decoded(_ text: some Sequence<UInt8>, mark: Unicode.Scalar) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: mark), rest.count >= 2,
                rest.prefix(2).allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
