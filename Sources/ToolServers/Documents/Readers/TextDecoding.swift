import Base

/// Decodes the bytes of a text file: UTF-8, UTF-16, Windows-1252 (used by old
/// programs; a superset of Latin-1), or an encoding guessed by its letters.
package enum TextDecoding {
    /// The decoded text; nil if the bytes are not text.
    package static func text(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isLittle: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isLittle: false) }
        let plain = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if plain.contains(0) { return withoutMark(plain) }
        if let text = String(validating: plain, as: UTF8.self) { return text }
        // Control characters other than those of lines indicate binary data.
        let controls = plain.count { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains($0) }
        let high = plain.count { $0 >= 0x80 }
        guard controls * 100 <= plain.count else { return nil }
        if let text = EncodingGuess.text(plain) { return text }
        return high * 3 <= plain.count ? String(windows1252: plain) : nil
    }

    /// UTF-16 of a western language: every other byte is zero.
    private static func withoutMark(_ bytes: ArraySlice<UInt8>) -> String? {
        let head = bytes.prefix(4_096)
        var zeros = (even: 0, odd: 0)
        for (index, byte) in head.enumerated() where byte == 0 {
            if index % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
        }
        let many = head.count * 2 / 5
        if zeros.odd > many, zeros.even == 0 { return utf16(bytes, isLittle: true) }
        if zeros.even > many, zeros.odd == 0 { return utf16(bytes, isLittle: false) }
        return nil
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> String? {
        guard bytes.count % 2 == 0 else { return nil }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let (one, other) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittle ? other << 8 | one : one << 8 | other)
            index += 2
        }
        return String(validating: units, as: UTF16.self)
    }
}
