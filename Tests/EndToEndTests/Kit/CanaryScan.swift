import Foundation

/// Looks for a secret in bytes: as it is, in every window of twelve
/// characters, reversed, and in the encodings that programs use.
struct CanaryScan {
    private let needles: [(String, Data)]

    init(_ secret: String) {
        let bytes = Array(secret.utf8)
        var needles: [(String, Data)] = []
        for start in 0...(bytes.count - 12) {
            needles.append(("window \(start)", Data(bytes[start..<(start + 12)])))
        }
        needles.append(("reversed", Data(bytes.reversed())))
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        needles.append(("hex", Data(hex.utf8)))
        needles.append(("HEX", Data(hex.uppercased().utf8)))
        for shift in 0..<3 {
            // The groups of three that a base64 text at this offset is made of.
            let whole = Array(bytes.dropFirst(shift))
            let text = Data(whole.prefix(whole.count / 3 * 3)).base64EncodedString()
            needles.append(("base64 at \(shift)", Data(text.utf8)))
        }
        self.needles = needles
    }

    /// Where it was found; empty is good.
    func hits(in bytes: [UInt8]) -> [String] {
        let data = Data(bytes)
        return needles.filter { data.range(of: $0.1) != nil }.map(\.0)
    }
}
