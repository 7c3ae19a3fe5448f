/// Parses one JSON value from bytes (RFC 8259), strictly: only white space may follow it,
/// depth is bounded, and control characters in strings, trailing commas or `NaN` are
/// errors.
///
/// It works on the raw bytes because it runs once for every streamed event. Invalid UTF-8
/// and lone surrogate escapes become U+FFFD, as for all bytes from outside; a caller that
/// must refuse them asks for it.
package struct JSONParser {
    /// The position and reason of a failure; `offset` counts bytes from the start.
    package struct Failure: Error, Equatable {
        package enum Reason: String, Sendable {
            case unexpectedEnd, unexpectedByte, badNumber, badEscape, badLiteral
            case controlCharacter, tooDeep, trailingBytes, loneSurrogate
        }
        package var reason: Reason
        package var offset: Int
    }

    /// Maximum nesting: values we use are far flatter, and the parser recurses.
    package static let depthLimit = 200

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var depth = 0
    private let rejectsLoneSurrogates: Bool

    private init(_ bytes: UnsafeBufferPointer<UInt8>, rejectsLoneSurrogates: Bool) {
        self.bytes = bytes
        self.rejectsLoneSurrogates = rejectsLoneSurrogates
    }

    package static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, rejectsLoneSurrogates: Bool = false
    ) throws(Failure) -> JSONValue {
        var parser = JSONParser(bytes, rejectsLoneSurrogates: rejectsLoneSurrogates)
        parser.skipSpace()
        let value = try parser.value()
        parser.skipSpace()
        if parser.position != bytes.count { throw parser.failure(.trailingBytes) }
        return value
    }

    package static func parse(
        _ bytes: [UInt8], rejectsLoneSurrogates: Bool = false
    ) throws(Failure) -> JSONValue {
        let result = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(Failure) in
                try parse(buffer, rejectsLoneSurrogates: rejectsLoneSurrogates)
            }
        }
        return try result.get()
    }

    package static func parse(
        _ text: String, rejectsLoneSurrogates: Bool = false
    ) throws(Failure) -> JSONValue {
        try parse(Array(text.utf8), rejectsLoneSurrogates: rejectsLoneSurrogates)
    }

    private func failure(_ reason: Failure.Reason) -> Failure {
        Failure(reason: reason, offset: position)
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func value() throws(Failure) -> JSONValue {
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        switch bytes[position] {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw failure(.unexpectedByte)
        }
    }

    private mutating func literal(
        _ word: StaticString, _ value: JSONValue
    ) throws(Failure) -> JSONValue {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count else { throw failure(.badLiteral) }
        for index in 0..<count where bytes[position + index] != word.utf8Start[index] {
            throw failure(.badLiteral)
        }
        position += count
        return value
    }

    private mutating func enter() throws(Failure) {
        depth += 1
        if depth > Self.depthLimit { throw failure(.tooDeep) }
        position += 1
        skipSpace()
    }

    /// Consumes `closing` if it is the next byte.
    private mutating func closes(_ closing: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == closing else { return false }
        position += 1
        depth -= 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(Failure) {
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        guard bytes[position] == byte else { throw failure(.unexpectedByte) }
        position += 1
    }

    private mutating func object() throws(Failure) -> JSONObject {
        try enter()
        var members: [JSONObject.Member] = []
        if closes(UInt8(ascii: "}")) { return JSONObject(members) }
        // About as many as an event of a stream has; growing one by one would allocate four times.
        members.reserveCapacity(8)
        while true {
            guard position < bytes.count else { throw failure(.unexpectedEnd) }
            guard bytes[position] == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
            let name = try string()
            skipSpace()
            try expect(UInt8(ascii: ":"))
            skipSpace()
            members.append(JSONObject.Member(name, try value()))
            skipSpace()
            if closes(UInt8(ascii: "}")) { return JSONObject(members) }
            try expect(UInt8(ascii: ","))
            skipSpace()
        }
    }

    private mutating func array() throws(Failure) -> [JSONValue] {
        try enter()
        var elements: [JSONValue] = []
        if closes(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value())
            skipSpace()
            if closes(UInt8(ascii: "]")) { return elements }
            try expect(UInt8(ascii: ","))
            skipSpace()
        }
    }

    private mutating func digits() -> Int {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return position - start
    }

    private mutating func number() throws(Failure) -> JSONValue {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let first = position
        let count = digits()
        // No digits, or a leading zero before more digits (RFC 8259 §6).
        if count == 0 || (count > 1 && bytes[first] == UInt8(ascii: "0")) {
            throw failure(.badNumber)
        }
        var isInteger = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            if digits() == 0 { throw failure(.badNumber) }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if position < bytes.count,
                bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
            {
                position += 1
            }
            if digits() == 0 { throw failure(.badNumber) }
        }
        if isInteger, let number = integer(from: start) { return .integer(number) }
        let text = String(
            decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
        return .number(text)
    }

    /// The value of the digits read, or nil for `-0` (which an integer cannot represent)
    /// and for numbers that do not fit 64 bits.
    private func integer(from start: Int) -> Int64? {
        let isNegative = bytes[start] == UInt8(ascii: "-")
        // Accumulated as a negative number, because Int64.min has no positive counterpart.
        var sum: Int64 = 0
        for index in (isNegative ? start + 1 : start)..<position {
            let (shifted, tooBig) = sum.multipliedReportingOverflow(by: 10)
            let (next, tooSmall) = shifted.subtractingReportingOverflow(
                Int64(bytes[index] &- UInt8(ascii: "0")))
            if tooBig || tooSmall { return nil }
            sum = next
        }
        if isNegative { return sum == 0 ? nil : sum }
        return sum == .min ? nil : -sum
    }

    private mutating func string() throws(Failure) -> String {
        position += 1
        let start = position
        // Most of a stream is read in this loop: a local variable stays in a register.
        var end = start
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") {
                position = end + 1
                return String(
                    decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            end += 1
        }
        position = end
        guard end < bytes.count else { throw failure(.unexpectedEnd) }
        guard bytes[end] == UInt8(ascii: "\\") else { throw failure(.controlCharacter) }
        return try stringWithEscapes(from: start)
    }

    /// The slow path: the bytes so far, then the rest with escapes decoded.
    private mutating func stringWithEscapes(from start: Int) throws(Failure) -> String {
        var decoded = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: decoded, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &decoded)
            case 0..<0x20: throw failure(.controlCharacter)
            default:
                decoded.append(byte)
                position += 1
            }
        }
        throw failure(.unexpectedEnd)
    }

    private mutating func escape(into decoded: inout [UInt8]) throws(Failure) {
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try unicodeEscape()
            decoded.append(contentsOf: String(scalar).utf8)
        default:
            position -= 1
            throw failure(.badEscape)
        }
    }

    private mutating func hexUnit() throws(Failure) -> UInt32 {
        guard position + 4 <= bytes.count else { throw failure(.unexpectedEnd) }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch bytes[position] {
            case let byte where byte &- UInt8(ascii: "0") < 10: digit = byte - UInt8(ascii: "0")
            case let byte where (byte | 0x20) &- UInt8(ascii: "a") < 6:
                digit = (byte | 0x20) - UInt8(ascii: "a") + 10
            default: throw failure(.badEscape)
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    /// The scalar of `\uXXXX`, joined with a following low surrogate.
    private mutating func unicodeEscape() throws(Failure) -> Unicode.Scalar {
        let unit = try hexUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        {
            let rewind = position
            position += 2
            let low = try hexUnit()
            if (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            {
                return scalar
            }
            position = rewind
        }
        if rejectsLoneSurrogates { throw failure(.loneSurrogate) }
        return "\u{FFFD}"
    }
}
