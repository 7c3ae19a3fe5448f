/// The SHA-256 digest of bytes (FIPS 180-4 §6.2), which identifies files that we wrote. Only for
/// comparing contents, not for passwords.
package struct SHA256 {
    private var state = initial
    /// Fewer bytes than a block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0
    private var schedule = [UInt32](repeating: 0, count: 64)

    package init() {}

    /// 32 bytes.
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        var sum = SHA256()
        sum.add(message)
        return sum.digest()
    }

    /// Adds the next piece of a long message.
    package mutating func add(_ message: [UInt8]) {
        count += UInt64(message.count)
        let bytes = rest.isEmpty ? message : rest + message
        var start = 0
        bytes.withUnsafeBufferPointer { bytes in
            while bytes.count - start >= 64 {
                compress(UnsafeBufferPointer(rebasing: bytes[start..<start + 64]))
                start += 64
            }
        }
        rest = Array(bytes[start...])
    }

    /// The 32 bytes of the digest. Add nothing afterwards.
    package mutating func digest() -> [UInt8] {
        // §5.1.1: a one bit, zeros, and the length in bits as 64 bits.
        let bits = count * 8
        let zeros = [UInt8](repeating: 0, count: (119 - rest.count) % 64)
        add(
            [0x80] + zeros
                + stride(from: 56, through: 0, by: -8).map {
                    UInt8(truncatingIfNeeded: bits >> $0)
                })
        return state.flatMap { word in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// Two hexadecimal digits per byte.
    package static func hex(_ digest: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }

    private mutating func compress(_ block: UnsafeBufferPointer<UInt8>) {
        func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word >> count | word << (32 - count)
        }
        for index in 0..<16 {
            schedule[index] =
                UInt32(block[4 * index]) << 24 | UInt32(block[4 * index + 1]) << 16
                | UInt32(block[4 * index + 2]) << 8 | UInt32(block[4 * index + 3])
        }
        for index in 16..<64 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            schedule[index] =
                schedule[index - 16]
                &+ (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3)
                &+ schedule[index - 7]
                &+ (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10)
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let mixed =
                h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25))
                &+ (e & f ^ ~e & g) &+ Self.constants[index] &+ schedule[index]
            let majority =
                (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ mixed)
            (d, c, b, a) = (c, b, a, mixed &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() {
            state[index] = state[index] &+ word
        }
    }

    /// The first 32 bits of the fractions of the square roots of the first 8
    /// primes (§5.3.3).
    private static let initial: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2).
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
        0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
        0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
        0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
        0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
        0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
        0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
