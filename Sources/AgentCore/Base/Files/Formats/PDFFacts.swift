/// Facts about a PDF, found without parsing it: roughly how many pages it has, and whether it is
/// encrypted. Pure.
///
/// Pages may be in compressed objects; then the count is nil and the provider decides.
package struct PDFFacts: Sendable, Equatable {
    package var pages: Int?
    package var isEncrypted: Bool

    /// Counts `/Type /Page` (not `/Pages`), and finds the largest `/Count`, which is that of the
    /// page tree's root (ISO 32000-1 §7.7.3).
    package init(_ bytes: [UInt8]) {
        var leaves = 0
        var count = 0
        isEncrypted = false
        let slash = UInt8(ascii: "/")
        bytes.withUnsafeBufferPointer { bytes in
            var position = 0
            while position < bytes.count {
                guard bytes[position] == slash else {
                    position += 1
                    continue
                }
                let rest = UnsafeBufferPointer(rebasing: bytes[(position + 1)...])
                if rest.starts(with: "Type".utf8) {
                    var next = 4
                    while next < rest.count, Self.isSpace(rest[next]) { next += 1 }
                    let name = UnsafeBufferPointer(rebasing: rest[min(next, rest.count)...])
                    if name.starts(with: "/Page".utf8), name.count > 5, !Self.isLetter(name[5]) {
                        leaves += 1
                    }
                } else if rest.starts(with: "Count".utf8) {
                    var next = 5
                    while next < rest.count, Self.isSpace(rest[next]) { next += 1 }
                    var number = 0
                    while next < rest.count, rest[next] &- 0x30 < 10, number < 1_000_000 {
                        number = number * 10 + Int(rest[next] &- 0x30)
                        next += 1
                    }
                    count = max(count, number)
                } else if rest.starts(with: "Encrypt".utf8), rest.count > 7,
                    !Self.isLetter(rest[7])
                {
                    isEncrypted = true
                }
                position += 1
            }
        }
        // An outline also has a /Count, which may be larger than the number of pages.
        pages = leaves > 0 ? leaves : count > 0 ? count : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
