/// The checksum of ZIP members (ISO 3309, the polynomial of Ethernet), taken in
/// piece by piece. It finds accidents, not forgeries.
package struct CRC32: Sendable {
    private var state: UInt32 = 0xFFFF_FFFF

    package init() {}

    package var value: UInt32 { ~state }

    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var sum = CRC32()
        sum.add(bytes)
        return sum.value
    }

    package mutating func add(_ bytes: [UInt8]) {
        var state = state
        Self.table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                for byte in bytes {
                    state = table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
                }
            }
        }
        self.state = state
    }

    private static let table: [UInt32] = (0..<256).map { index in
        var sum = UInt32(index)
        for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        return sum
    }
}
