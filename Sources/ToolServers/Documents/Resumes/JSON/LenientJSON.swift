import Base

/// Parses handwritten JSON: comments, commas before a closing bracket, line breaks in
/// strings and a byte order mark are ignored. Pure.
///
/// Ignored parts are replaced with white space of the same length before `JSONParser` runs,
/// so that errors keep their line and column.
enum LenientJSON {
    struct Failure: Error, Equatable {
        var what: String
        /// The line, counted from 1; columns are counted in characters.
        var line: Int
        var column: Int
    }

    static func parse(_ text: String) throws(Failure) -> JSONValue {
        let original = Array(text.utf8)
        let bytes = withoutExtras(original)
        do throws(JSONParser.Failure) {
            return try JSONParser.parse(bytes)
        } catch {
            let offset = min(error.offset, original.count)
            var line = 1
            var start = 0
            for (index, byte) in original[..<offset].enumerated() where byte == 0x0A {
                line += 1
                start = index + 1
            }
            let column = String(decoding: original[start..<offset], as: UTF8.self).count + 1
            throw Failure(
                what: words(error, bytes, offset), line: line, column: column)
        }
    }

    private static func words(
        _ failure: JSONParser.Failure, _ bytes: [UInt8], _ offset: Int
    ) -> String {
        let found =
            bytes.indices.contains(offset)
            ? String(decoding: bytes[offset...].prefix(4), as: UTF8.self).first : nil
        switch failure.reason {
        case .unexpectedEnd: return "it ends too early; a bracket or a quote is not closed"
        case .unexpectedByte:
            switch found {
            case "\""?: return "a comma is missing before this"
            case "{"?, "["?: return "a comma or a colon is missing before this"
            case "“"?, "”"?, "'"?, "‘"?, "’"?: return "strings need straight double quotes (\")"
            case ","?: return "a comma too many"
            case "}"?, "]"?: return "this bracket closes nothing here, or a value is missing"
            case let sign?: return "\"\(sign)\" is not expected here"
            case nil: return "it ends too early"
            }
        case .badNumber: return "this is not a number"
        case .badEscape: return "a backslash in a string needs another (\\\\)"
        case .badLiteral: return "only true, false and null may stand without quotes"
        case .controlCharacter: return "a control character in a string"
        case .tooDeep: return "it is nested too deeply"
        case .trailingBytes: return "something follows the end"
        case .loneSurrogate: return "half of a character"
        }
    }

    private static func withoutExtras(_ original: [UInt8]) -> [UInt8] {
        let space = UInt8(ascii: " ")
        var bytes = JSON5.blanked(original)
        var index = 0
        while index < bytes.count {
            let isString = bytes[index] == UInt8(ascii: "\"")
            let end = isString ? JSON5.endOfString(bytes, from: index) : index + 1
            if isString {
                for place in index..<min(end, bytes.count) where bytes[place] < 0x20 {
                    bytes[place] = space
                }
            }
            index = max(end, index + 1)
        }
        return bytes
    }
}
