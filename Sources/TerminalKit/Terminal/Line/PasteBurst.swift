/// Tells a paste from typing on a terminal without bracketed paste. Pure.
///
/// Nobody types two line ends and a text after them within one read at a prompt
/// that waits; type-ahead, which was there before the prompt, is not asked.
enum PasteBurst {
    /// Line ends inside the bytes, with text after the last of them.
    static let interiorLines = 2

    /// Bytes of one read at the prompt. A key that is an escape sequence or a
    /// control character is not pasted.
    static func isPaste(_ bytes: [UInt8]) -> Bool {
        var ends = 0
        var pending = 0
        var isAfterReturn = false
        for byte in bytes {
            switch byte {
            case 0x0A where isAfterReturn: break
            case 0x0D, 0x0A: pending += 1
            case 0x09, 0x20...0x7E, 0x80...:
                ends += pending
                pending = 0
            default: return false
            }
            isAfterReturn = byte == 0x0D
        }
        return ends >= interiorLines
    }
}
