/// Finds JSON in the words of a model, which often stand around it: the whole
/// text, or each object and array that begins somewhere in it. Pure.
package enum JSONInText {
    /// Brackets in prose and code that begin nothing are tried too; more than
    /// this many are not.
    private static let attempts = 64

    package static func values(in text: String) -> [JSONValue] {
        let bytes = Array(text.utf8)
        // Whatever is wrong with a piece, it is not JSON then.
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
            guard let end = end(of: bytes[open...]),
                let value = try? JSONParser.parse(Array(bytes[open..<end]))
            else { continue }
            values.append(value)
            start = end
        }
        return values
    }

    /// Behind the bracket that closes the first one; brackets in strings count
    /// for nothing.
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
