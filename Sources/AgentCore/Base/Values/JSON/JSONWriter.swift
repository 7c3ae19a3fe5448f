/// Writes a JSON value as compact UTF-8 text, members in their order, so that
/// the same value always gives the same bytes (prompt caches compare them).
///
/// JSON for a terminal or a pipe (`shown`, `pretty`) has characters escaped that would act
/// on a screen. Requests and stored values keep them: a model should see the text itself,
/// not `\u200f` in every line of Hebrew, and stored conversations keep their bytes.
package enum JSONWriter {
    package static func string(_ value: JSONValue) -> String {
        String(decoding: bytes(value), as: UTF8.self)
    }

    package static func bytes(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        write(value, to: &output)
        return output
    }

    /// Compact, for standard output.
    package static func shown(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        write(value, to: &output, escapesControls: true)
        return output
    }

    /// Indented by two spaces, for readability: `--json` listings.
    /// - Parameter indent: where its lines begin after the first, as a part of a larger value.
    package static func pretty(_ value: JSONValue, indent: Int = 0) -> String {
        var output: [UInt8] = []
        write(value, to: &output, indent: indent, escapesControls: true)
        return String(decoding: output, as: UTF8.self)
    }

    /// `indent` nil is compact.
    private static func write(
        _ value: JSONValue, to output: inout [UInt8], indent: Int? = nil,
        escapesControls: Bool = false
    ) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): output.append(contentsOf: String(number).utf8)
        case .number(let text): output.append(contentsOf: text.utf8)
        case .string(let text): write(text, to: &output, escapesControls)
        case .array(let elements):
            group("[", "]", elements, to: &output, indent: indent) { element, output, indent in
                write(element, to: &output, indent: indent, escapesControls: escapesControls)
            }
        case .object(let object):
            group("{", "}", object.members, to: &output, indent: indent) { member, output, indent in
                write(member.name, to: &output, escapesControls)
                output.append(UInt8(ascii: ":"))
                if indent != nil { output.append(UInt8(ascii: " ")) }
                write(
                    member.value, to: &output, indent: indent, escapesControls: escapesControls)
            }
        }
    }

    private static func group<Element>(
        _ open: String, _ close: String, _ elements: [Element], to output: inout [UInt8],
        indent: Int?, body: (Element, inout [UInt8], Int?) -> Void
    ) {
        output.append(contentsOf: open.utf8)
        let inner = indent.map { $0 + 2 }
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            newline(inner, to: &output)
            body(element, &output, inner)
        }
        if !elements.isEmpty { newline(indent, to: &output) }
        output.append(contentsOf: close.utf8)
    }

    private static func newline(_ indent: Int?, to output: inout [UInt8]) {
        guard let indent else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
    }

    private static let hex = Array("0123456789abcdef".utf8)

    private static func write(
        _ text: String, to output: inout [UInt8], _ escapesControls: Bool
    ) {
        // While the array doubles, a long text would be in memory three times.
        if text.utf8.count > 1 << 16 {
            output.reserveCapacity(output.count + text.utf8.reduce(64) { $0 + size(of: $1) })
        }
        output.append(UInt8(ascii: "\""))
        defer { output.append(UInt8(ascii: "\"")) }
        guard escapesControls, text.utf8.contains(where: { $0 >= 0x80 }) else {
            return write(text.utf8, to: &output)
        }
        for scalar in text.unicodeScalars {
            if acts(scalar) {
                escape(scalar.value, to: &output)
            } else {
                write(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter, to: &output)
            }
        }
    }

    /// Whether a character must be escaped for a screen: C1 controls, of which U+009B begins an
    /// escape sequence; characters that change the direction of the text around them (Unicode UAX
    /// #9, table 2); and the two characters that many readers take for line ends, though JSON does
    /// not.
    private static func acts(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x80...0x9F, 0x2028, 0x2029: true
        default: scalar.directs != nil
        }
    }

    /// `\u009b`; all escaped characters are below U+10000.
    private static func escape(_ value: UInt32, to output: inout [UInt8]) {
        output.append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] { output.append(hex[Int(value >> shift & 15)]) }
    }

    private static func size(of byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x0A, 0x0D, 0x09: 2
        case 0..<0x20, 0x7F: 6
        default: 1
        }
    }

    private static func write(_ bytes: some Sequence<UInt8>, to output: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F: escape(UInt32(byte), to: &output)
            default: output.append(byte)
            }
        }
    }
}
