@testable import Base

extension FuzzTarget {
    /// Unpacking stays below its limit, and what is packed is unpacked as it was.
    static let deflate = FuzzTarget("deflate") { bytes in
        let limit = 1 << 18
        if let plain = try? Inflate.bytes(bytes, limit: limit) {
            try demand(plain.count <= limit, "above the limit")
        }
        let again = try? Inflate.bytes(Deflate.bytes(bytes), limit: bytes.count)
        try demand(again == bytes, "not what was packed")
    }
}
