/// Finds JSON in a model's text, which often surrounds it with prose: the whole text, or each
/// object and array that begins in it. Pure.
package enum JSONInText {
    /// Maximum number of brackets tried: those in prose and code begin no JSON.
    private static let attempts = 64

    package static func values(in text: String) -> [JSONValue] {
        let bytes = Array(text.utf8)
        // If a piece cannot be parsed, for whatever reason, it is not JSON.
        if let whole = try? JSONParser.parse(bytes) { return [whole] }
        var values: [JSONValue] = []
        var left = attempts
        var start = bytes.startIndex
        while left > 0,
            let open = bytes[start...].firstIndex(where: {
                $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[")
            })
        {
            left -= 1
            start = open + 1
            guard let end = end(of: bytes[open...]),  // Not JSON: try the next bracket.
                let value = try? JSONParser.parse(Array(bytes[open..<end]))
            else { continue }
            values.append(value)
            start = end
        }
        return values
    }

    /// The index after the bracket that closes the first one; brackets in strings are ignored.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        var depth = 0
        var isString = false
        var isEscaped = false
        for index in bytes.indices {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch bytes[index] {
            case UInt8(ascii: "\\"): isEscaped = isString
            case UInt8(ascii: "\""): isString.toggle()
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += isString ? 0 : 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= isString ? 0 : 1
                if depth == 0 { return index + 1 }
            default: break
            }
        }
        return nil
    }
}
