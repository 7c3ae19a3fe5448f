/// Character references: `&amp;`, `&#65;`, `&#x41;` (CommonMark 6.2). What they
/// stand for passes the allow-list of the terminal, so `&#27;` is never an ESC.
enum Entity {
    static func decode(_ bytes: [UInt8], at start: Int) -> (text: String, end: Int)? {
        guard start + 2 < bytes.count else { return nil }
        return bytes[start + 1] == UInt8(ascii: "#")
            ? number(bytes, at: start) : name(bytes, at: start)
    }

    private static func number(_ bytes: [UInt8], at start: Int) -> (text: String, end: Int)? {
        let isHex = bytes[start + 2] | 0x20 == UInt8(ascii: "x")
        let first = start + (isHex ? 3 : 2)
        var at = first
        var value: UInt32 = 0
        while at < bytes.count, at - first < 8, let digit = digit(bytes[at], isHex: isHex) {
            // Eight digits at most, so nothing overflows.
            value = value * (isHex ? 16 : 10) + digit
            at += 1
        }
        guard at > first, at - first <= (isHex ? 6 : 7), at < bytes.count,
            bytes[at] == UInt8(ascii: ";")
        else { return nil }
        let scalar = Unicode.Scalar(value).flatMap { $0.value == 0 ? nil : $0 } ?? "\u{FFFD}"
        return (HostileText.text(String(scalar)), at + 1)
    }

    private static func digit(_ byte: UInt8, isHex: Bool) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46 where isHex: UInt32(byte - 0x41 + 10)
        case 0x61...0x66 where isHex: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }

    private static func name(_ bytes: [UInt8], at start: Int) -> (text: String, end: Int)? {
        var at = start + 1
        // The longest name has 31 letters.
        while at < bytes.count, at - start <= 32, ByteClass.isWord(bytes[at]) { at += 1 }
        guard at > start + 1, at < bytes.count, bytes[at] == UInt8(ascii: ";") else { return nil }
        let name = String(decoding: bytes[(start + 1)..<at], as: UTF8.self)
        guard let text = common[name] ?? all[name] else { return nil }
        return (text, at + 1)
    }

    /// Read without building the table of all.
    private static let common = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "nbsp": "\u{A0}"]

    private static let all: [String: String] = {
        var all: [String: String] = [:]
        all.reserveCapacity(2200)
        for entry in EntityNames.table.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let parts = entry.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            var text = ""
            for digits in parts[1].split(separator: "+") {
                guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
                else { continue }
                text.unicodeScalars.append(scalar)
            }
            all[String(parts[0])] = HostileText.text(text)
        }
        return all
    }()
}
