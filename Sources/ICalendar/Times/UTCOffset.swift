/// The UTC-OFFSET value type (RFC 5545 §3.3.14): `+0100`, `-033015`, as
/// seconds east of UTC.
enum UTCOffset {
    /// nil for any other text, and for more than 26 hours, which no zone has.
    static func seconds(_ text: String) -> Int? {
        var bytes = Array(text.utf8)[...]
        while bytes.last == 0x20 { bytes.removeLast() }
        guard let sign = bytes.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            bytes.count == 4 || bytes.count == 6, bytes.allSatisfy({ $0 &- 0x30 < 10 })
        else { return nil }
        let digits = bytes.map { Int($0 - 0x30) }
        let parts: [Int] = stride(from: 0, to: digits.count, by: 2).map {
            digits[$0] * 10 + digits[$0 + 1]
        }
        guard parts[0] <= 25, parts[1...].allSatisfy({ $0 <= 59 }) else { return nil }
        let seconds = parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }

    static func text(_ seconds: Int) -> String {
        let size = abs(seconds)
        let parts = [size / 3600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
        return (seconds < 0 ? "-" : "+")
            + parts.map { ($0 < 10 ? "0" : "") + String($0) }.joined()
    }
}
