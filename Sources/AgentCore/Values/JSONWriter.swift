/// Writes a JSON value as compact UTF-8 text, members in their order, so that
/// the same value always gives the same bytes (prompt caches compare them).
package enum JSONWriter {
    package static func string(_ value: JSONValue) -> String {
        String(decoding: bytes(value), as: UTF8.self)
    }

    package static func bytes(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        write(value, to: &output)
        return output
    }

    /// Indented by two spaces, for people: `--json` listings.
    package static func pretty(_ value: JSONValue) -> String {
        var output: [UInt8] = []
        write(value, to: &output, indent: 0)
        return String(decoding: output, as: UTF8.self)
    }

    /// `indent` nil is compact.
    private static func write(_ value: JSONValue, to output: inout [UInt8], indent: Int? = nil) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): output.append(contentsOf: String(number).utf8)
        case .number(let text): output.append(contentsOf: text.utf8)
        case .string(let text): write(text, to: &output)
        case .array(let elements):
            group("[", "]", elements, to: &output, indent: indent) { element, output, indent in
                write(element, to: &output, indent: indent)
            }
        case .object(let object):
            group("{", "}", object.members, to: &output, indent: indent) { member, output, indent in
                write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                if indent != nil { output.append(UInt8(ascii: " ")) }
                write(member.value, to: &output, indent: indent)
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

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F:
                output.append(contentsOf: "\\u00".utf8)
                output.append(hex[Int(byte >> 4)])
                output.append(hex[Int(byte & 15)])
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
