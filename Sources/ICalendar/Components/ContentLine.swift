/// One content line of an iCalendar file (RFC 5545 §3.1): the exact bytes it was read from, and
/// their meaning.
///
/// A line that was read is never rebuilt: `raw` contains its folding and its line ending. A new
/// line is folded as the standard requires. The engines define the allowed values of a property.
package struct ContentLine: Sendable {
    /// Everything including the line ending and foldings.
    package let raw: ArraySlice<UInt8>
    /// The line unfolded, without its ending (and without a byte order mark).
    package let content: ArraySlice<UInt8>
    /// Number of bytes of `content` before the first `:` or `;`; 0 if there is
    /// none, or if they cannot be a property name, in which case the line is only
    /// preserved.
    private let nameLength: Int

    init(raw: ArraySlice<UInt8>, content: ArraySlice<UInt8>) {
        self.raw = raw
        self.content = content
        let end = content.firstIndex { $0 == Self.colon || $0 == Self.semicolon }
        let isName = end.map { content[..<$0].allSatisfy { $0 > 0x20 && $0 < 0x7F } } ?? false
        nameLength = isName ? (end ?? content.startIndex) - content.startIndex : 0
    }

    /// A new line. Parameter values and the value are written as they are,
    /// without anything that would break the line; escape TEXT first.
    package init(
        _ name: String, parameters: [(String, String)] = [], value: String,
        ending: [UInt8] = ContentLine.crlf
    ) {
        var line = Array(name.utf8)
        for (parameter, text) in parameters {
            line += [Self.semicolon] + Array(parameter.utf8) + [UInt8(ascii: "=")]
            line += Self.quotedParameter(text)
        }
        line.append(Self.colon)
        line += value.utf8.filter { $0 >= 0x20 || $0 == 0x09 }
        self.init(content: line, ending: ending)
    }

    init(content: [UInt8], ending: [UInt8]) {
        self.init(raw: Self.folded(content, ending: ending)[...], content: content[...])
    }

    package static let crlf: [UInt8] = [0x0D, 0x0A]
    /// The standard has a dozen for the property with the most.
    private static let parameterLimit = 100
    private static let colon = UInt8(ascii: ":")
    private static let semicolon = UInt8(ascii: ";")

    /// The name in upper case; empty for a broken line.
    package var name: String {
        String(decoding: content.prefix(nameLength), as: UTF8.self).uppercased()
    }

    /// Whether the line has that name, given in upper case.
    package func isNamed(_ name: StaticString) -> Bool {
        guard nameLength == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { wanted in
            zip(content, wanted).allSatisfy { byte, letter in
                byte == letter || (byte &- UInt8(ascii: "a") < 26 && byte & 0xDF == letter)
            }
        }
    }

    /// The bytes that end the line: CRLF, LF, CR, or none at the end of a file.
    package var ending: ArraySlice<UInt8> {
        guard raw.last == 0x0A else { return raw.suffix(raw.last == 0x0D ? 1 : 0) }
        return raw.suffix(raw.dropLast().last == 0x0D ? 2 : 1)
    }

    /// The raw value, including escapes; see `LegacyText` for values that are not
    /// UTF-8.
    package var value: String { value(upTo: .max) }

    /// The beginning of the value, cut between characters: limits the text
    /// shown, whatever a file holds.
    package func value(upTo limit: Int) -> String {
        guard nameLength > 0 else { return "" }
        let (parameters, value) = split()
        guard let start = value else { return "" }
        var end = content.endIndex
        if end - start > limit {
            end = start + limit
            while end > start, content[end] & 0xC0 == 0x80 { end -= 1 }
        }
        let bytes = content[start..<end]
        if LegacyText.isQuotedPrintable(content[..<start]), !parameters.isEmpty {
            return LegacyText.unquoted(bytes, charset: parameter("CHARSET"))
        }
        return String(validating: bytes, as: UTF8.self)
            ?? LegacyText.decoded(bytes, charset: parameter("CHARSET"))
    }

    /// The first value of a parameter, given in upper case. A TZID has only
    /// one, even if it contains commas.
    package func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }.flatMap {
            name == "TZID" ? $0.values.joined(separator: ",") : $0.values.first
        }
    }

    /// Whether its TZID is quoted where necessary: an unquoted one contains no
    /// colon, comma or semicolon.
    package var isPlain: Bool {
        guard let zone = parameter("TZID"), !content.contains(UInt8(ascii: "\"")) else {
            return true
        }
        return !zone.utf8.contains { $0 == Self.colon || $0 == Self.semicolon || $0 == 0x2C }
    }

    /// Everything after the name, as written.
    package var parameterText: String {
        String(decoding: content.dropFirst(nameLength + 1).prefix(200), as: UTF8.self)
    }

    /// Whether it is neither a property nor empty.
    package var isBroken: Bool { nameLength == 0 && content.contains { $0 > 0x20 } }

    /// Names in upper case; values unquoted and decoded (RFC 6868). At most
    /// `parameterLimit`.
    package var parameters: [(name: String, values: [String])] {
        split().parameters.map { range in
            let bytes = content[range]
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
                return (String(decoding: bytes, as: UTF8.self).uppercased(), [])
            }
            let name = String(decoding: bytes[..<equals], as: UTF8.self).uppercased()
            return (name, Self.parameterValues(bytes[(equals + 1)...]))
        }
    }

    /// The ranges of the parameters and the start of the value. An unclosed
    /// quote does not hide the value: quotes then count as letters.
    private func split() -> (parameters: [Range<Int>], value: Int?) {
        split(honouringQuotes: true) ?? split(honouringQuotes: false) ?? ([], nil)
    }

    private func split(honouringQuotes: Bool) -> (parameters: [Range<Int>], value: Int?)? {
        var parameters: [Range<Int>] = []
        var isQuoted = false
        // Start of a value that follows a TZID with a colon.
        var timeStart: Int?
        let nameEnd = content.startIndex + nameLength
        var start = nameEnd + 1
        var position = nameEnd
        while position < content.endIndex {
            let byte = content[position]
            if byte == UInt8(ascii: "\""), honouringQuotes {
                isQuoted.toggle()
            } else if !isQuoted, byte == Self.colon || byte == Self.semicolon {
                if byte == Self.colon, position > start, isZone(start..<position) {
                    let time = timeStart ?? self.timeStart(after: position)
                    timeStart = time
                    if position + 1 < time {
                        position += 1
                        continue
                    }
                }
                if position > nameEnd, parameters.count < Self.parameterLimit {
                    parameters.append(start..<position)
                }
                start = position + 1
                if byte == Self.colon { return (parameters, start) }
            }
            position += 1
        }
        return nil
    }

    /// Whether the parameter is a TZID without quotes, as in
    /// `TZID=GMT+05:30:20261128T090000` and
    /// `TZID=tzone://Microsoft/Custom:20261128T090000`.
    private func isZone(_ parameter: Range<Int>) -> Bool {
        // A quote after the `=` makes it well-formed.
        parameter.lowerBound < parameter.upperBound
            && content[parameter].prefix(5).elementsEqual("TZID=".utf8) { $0 & 0xDF == $1 & 0xDF }
            && content[parameter].dropFirst(5).first != UInt8(ascii: "\"")
    }

    /// The index after the first colon from there on that is followed by a date; after the given
    /// colon if there is no such colon.
    private func timeStart(after colon: Int) -> Int {
        var place = colon
        while place < content.endIndex {
            if content[place] == Self.colon, MomentText.begins(content[(place + 1)...]) {
                return place + 1
            }
            place += 1
        }
        return colon + 1
    }

    private static func parameterValues(_ bytes: ArraySlice<UInt8>) -> [String] {
        var values: [String] = []
        var current: [UInt8] = []
        var isQuoted = false
        var caret = false
        for byte in bytes {
            if caret {
                caret = false
                // RFC 6868 §3.1: ^n, ^^ and ^'; any other pair stays as it is.
                switch byte {
                case UInt8(ascii: "n"): current.append(0x0A)
                case UInt8(ascii: "^"): current.append(byte)
                case UInt8(ascii: "'"): current.append(UInt8(ascii: "\""))
                default: current += [UInt8(ascii: "^"), byte]
                }
            } else if byte == UInt8(ascii: "^") {
                caret = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                values.append(String(decoding: current, as: UTF8.self))
                current = []
            } else {
                current.append(byte)
            }
        }
        if caret { current.append(UInt8(ascii: "^")) }
        values.append(String(decoding: current, as: UTF8.self))
        return values
    }

    private static func quotedParameter(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        var needsQuotes = false
        for byte in text.utf8 {
            switch byte {
            case 0x0A: output += Array("^n".utf8)
            case UInt8(ascii: "^"): output += Array("^^".utf8)
            case UInt8(ascii: "\""): output += Array("^'".utf8)
            case 0..<0x20, 0x7F: break
            default:
                if byte == colon || byte == semicolon || byte == UInt8(ascii: ",") {
                    needsQuotes = true
                }
                output.append(byte)
            }
        }
        let quote: [UInt8] = needsQuotes ? [UInt8(ascii: "\"")] : []
        return quote + output + quote
    }

    /// Lines of at most 75 octets (RFC 5545 §3.1), cut between characters:
    /// many readers unfold after decoding.
    private static func folded(_ line: [UInt8], ending: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(line.count + line.count / 70 * 3 + 2)
        var start = 0
        var room = 75
        while line.count - start > room {
            var cut = start + room
            while cut > start, line[cut] & 0xC0 == 0x80 { cut -= 1 }
            // Invalid UTF-8 is cut at the limit.
            if cut == start { cut = start + room }
            output += line[start..<cut]
            output += ending
            output.append(0x20)
            start = cut
            room = 74
        }
        output += line[start...]
        output += ending
        return output
    }
}

extension ContentLine: Equatable {
    package static func == (left: ContentLine, right: ContentLine) -> Bool { left.raw == right.raw }
}
