/// The part of JSON5 that the configuration file may use in addition to JSON: comments and trailing
/// commas.
///
/// They are replaced by spaces of the same length before the strict parser runs, so that every
/// reported byte offset is right for the file. Strings are never changed.
package enum JSON5 {
    package static func parse(_ bytes: [UInt8]) throws(JSONParser.Failure) -> JSONValue {
        try JSONParser.parse(blanked(bytes))
    }

    /// The text with comments, trailing commas and a byte order mark replaced by spaces of
    /// the same length; line breaks stay. An unterminated comment stays too, so that the
    /// parser reports it.
    package static func blanked(_ bytes: [UInt8]) -> [UInt8] {
        var output = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            for index in 0..<3 { output[index] = space }  // it starts with three bytes
        }
        var index = 0
        /// A comma followed only by space and comments so far.
        var comma: Int?
        /// Only a comma after a value may be trailing: `[,]` stays invalid.
        var followsValue = false
        while index < output.count {
            let byte = output[index]
            let next = index + 1 < output.count ? output[index + 1] : 0
            switch byte {
            case UInt8(ascii: "\""):
                comma = nil
                followsValue = true
                index = endOfString(output, from: index)
                continue
            case UInt8(ascii: "/") where next == UInt8(ascii: "/"):
                while index < output.count, output[index] != 0x0A, output[index] != 0x0D {
                    output[index] = space
                    index += 1
                }
                continue
            case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
                index = blankBlock(&output, from: index)
                continue
            case UInt8(ascii: ","): comma = followsValue ? index : nil
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let position = comma { output[position] = space }
                comma = nil
            case 0x20, 0x09, 0x0A, 0x0D: break
            default: comma = nil
            }
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "["):
                followsValue = false
            default: followsValue = true
            }
            index += 1
        }
        return output
    }

    private static let space = UInt8(ascii: " ")

    private static func blankBlock(_ bytes: inout [UInt8], from start: Int) -> Int {
        var end = start + 2
        while end + 1 < bytes.count {
            if bytes[end] == UInt8(ascii: "*"), bytes[end + 1] == UInt8(ascii: "/") {
                for index in start..<end + 2 where bytes[index] != 0x0A && bytes[index] != 0x0D {
                    bytes[index] = space
                }
                return end + 2
            }
            end += 1
        }
        return bytes.count
    }

    /// The offset after the closing quote, or the end of the bytes.
    package static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return bytes.count
    }

    /// The offset after the value that begins at `start`, in a text without comments.
    package static func endOfValue(_ bytes: [UInt8], from start: Int) -> Int {
        var (place, depth) = (start, 0)
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place = endOfString(bytes, from: place)
                if depth == 0 { return place }
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return place }
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: ",") where depth == 0: return place
            case let byte where depth == 0 && isSpace(byte): return place
            default: break
            }
            place += 1
        }
        return place
    }

    package static func skippingSpace(_ bytes: [UInt8], from start: Int) -> Int {
        var place = start
        while place < bytes.count, isSpace(bytes[place]) { place += 1 }
        return place
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// The offset after the comment that begins at `start`; nil if none begins there.
    package static func endOfComment(_ bytes: [UInt8], from start: Int) -> Int? {
        guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "/") else { return nil }
        var place = start + 2
        switch bytes[start + 1] {
        case UInt8(ascii: "/"):
            while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
            return place
        case UInt8(ascii: "*"):
            while place + 1 < bytes.count {
                if bytes[place] == UInt8(ascii: "*"), bytes[place + 1] == UInt8(ascii: "/") {
                    return place + 2
                }
                place += 1
            }
            return bytes.count
        default: return nil
        }
    }

    /// The offset of the comma after a value, even a trailing comma, which is a space in a text
    /// without comments.
    package static func comma(_ bytes: [UInt8], behind end: Int) -> Int? {
        var place = skippingSpace(bytes, from: end)
        while let behind = endOfComment(bytes, from: place) {
            place = skippingSpace(bytes, from: behind)
        }
        return place < bytes.count && bytes[place] == UInt8(ascii: ",") ? place : nil
    }

    /// The offset of the value at `path`; of the last one if names repeat, as in the parser. For
    /// texts that `parse` has accepted.
    package static func offset(of path: [String], in bytes: [UInt8]) -> Int? {
        let text = blanked(bytes)
        var found: Int?
        /// The latest member name of each open object or array.
        var names: [String?] = []
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): names.append(nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = names.popLast()
            case UInt8(ascii: "\""):
                let end = endOfString(text, from: index)
                var next = skippingSpace(text, from: end)
                if next < text.count, text[next] == UInt8(ascii: ":"), !names.isEmpty {
                    // The parser has accepted it before.
                    let name = try? JSONParser.parse(Array(text[index..<end])).stringValue
                    names[names.count - 1] = name
                    next = skippingSpace(text, from: next + 1)
                    if names == path.map(Optional.some) { found = next }
                    index = next
                } else {
                    index = end
                }
                continue
            default: break
            }
            index += 1
        }
        return found
    }

    /// Line and column of a byte, both from 1; the column counts bytes.
    package static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        var line = 1
        var start = 0
        for (index, byte) in bytes.prefix(offset).enumerated() where byte == 0x0A {
            line += 1
            start = index + 1
        }
        return (line, max(0, min(offset, bytes.count) - start) + 1)
    }
}
