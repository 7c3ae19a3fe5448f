/// Text in tags, in the encodings that they come in. Pure; it keeps what
/// cannot be decoded as replacement characters.
struct AudioText {
    /// UTF-8 where it is that, else Latin-1; spaces at the end are filling.
    static func guess(_ bytes: [UInt8]) -> String {
        let bytes = Array(bytes.prefix { $0 != 0 })
        let text = String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
        return trimmed(text)
    }

    /// The texts of an ID3 frame, which a zero divides: 0 is Latin-1, 1 and 2
    /// are UTF-16, 3 is UTF-8.
    static func parts(_ bytes: [UInt8], encoding: Int) -> [String] {
        switch encoding {
        case 1, 2:
            utf16(bytes).split(separator: "\0", omittingEmptySubsequences: false).map {
                trimmed(String($0))
            }
        case 3:
            bytes.split(separator: 0, omittingEmptySubsequences: false).map {
                trimmed(String(decoding: $0, as: UTF8.self))
            }
        default:
            bytes.split(separator: 0, omittingEmptySubsequences: false).map {
                // Many writers say Latin-1 and mean UTF-8.
                guess(Array($0))
            }
        }
    }

    private static func latin1(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// By the marks in it; big-endian without.
    private static func utf16(_ bytes: [UInt8]) -> String {
        var units: [UInt16] = []
        var isLittle = false
        for at in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
            switch first << 8 | second {
            case 0xFEFF: isLittle = false
            case 0xFFFE: isLittle = true
            case let unit: units.append(isLittle ? second << 8 | first : unit)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}
