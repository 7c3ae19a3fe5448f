/// The checksum of ZIP members (ISO 3309, the polynomial of Ethernet), computed piece by
/// piece. It detects accidents, not forgeries.
package struct CRC32: Sendable {
    private var state: UInt32 = 0xFFFF_FFFF

    package init() {}

    package var value: UInt32 { ~state }

    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var sum = CRC32()
        sum.add(bytes)
        return sum.value
    }

    /// Eight bytes at a time, each by the table of its position (M. E. Kounavis and F. L.
    /// Berry, "A Systematic Approach to Building High Performance Software-based CRC
    /// Generators", 2005): some inputs are hundreds of megabytes of sound.
    package mutating func add(_ bytes: [UInt8]) {
        var state = state
        Self.tables.withUnsafeBufferPointer { tables in
            bytes.withUnsafeBytes { bytes in
                var place = 0
                while place &+ 8 <= bytes.count {
                    let word =
                        UInt64(
                            littleEndian: bytes.loadUnaligned(
                                fromByteOffset: place, as: UInt64.self)) ^ UInt64(state)
                    state = 0
                    for index in 0..<8 {
                        let byte = Int(truncatingIfNeeded: word >> UInt64(8 &* index)) & 0xFF
                        state ^= tables[(7 &- index) &* 256 &+ byte]
                    }
                    place &+= 8
                }
                for byte in bytes[place...] {
                    state = tables[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
                }
            }
        }
        self.state = state
    }

    /// The checksums of each byte, then those of a byte with one to seven zeros after it.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { index in
            var sum = UInt32(index)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
            return sum
        }
        for index in 256..<8 * 256 {
            let before = tables[index - 256]
            tables.append(tables[Int(before & 0xFF)] ^ before >> 8)
        }
        return tables
    }()
}
