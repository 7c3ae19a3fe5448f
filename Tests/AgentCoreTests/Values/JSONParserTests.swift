import Foundation
import TestSupport
import XCTest

@testable import Base

final class JSONParserTests: XCTestCase {
    private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(text) }

    private func failure(_ bytes: [UInt8]) -> JSONParser.Failure? {
        do {
            _ = try JSONParser.parse(bytes)
            return nil
        } catch {
            return error
        }
    }

    func testEveryKindOfValue() throws {
        XCTAssertEqual(
            try parse(
                #" {"n":null,"t":true,"f":false,"i":-7,"d":1.50,"s":"a\"é","a":[1,[],{}],"n":1} "#),
            .object(
                JSONObject([
                    .init("n", nil), .init("t", true), .init("f", false), .init("i", -7),
                    .init("d", .number("1.50")), .init("s", "a\"é"),
                    .init("a", [1, [], .object(JSONObject())]), .init("n", 1),
                ])))
    }

    func testIntegersAreExactAndOtherNumbersKeepTheirDigits() throws {
        let table: [(String, JSONValue)] = [
            ("0", 0), ("-1", -1), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number("9223372036854775808")),
            ("-9223372036854775809", .number("-9223372036854775809")),
            ("99999999999999999999999", .number("99999999999999999999999")), ("-0", .number("-0")),
            ("1.0", .number("1.0")), ("1e3", .number("1e3")), ("0.10", .number("0.10")),
            ("1E-400", .number("1E-400")), ("9007199254740993", .integer(9_007_199_254_740_993)),
        ]
        for (text, value) in table {
            XCTAssertEqual(try parse(text), value, text)
            XCTAssertEqual(JSONWriter.string(value), text)
        }
        XCTAssertEqual(try parse("1e3").integerValue, 1000)
        XCTAssertEqual(try parse("3.0").integerValue, 3)
        XCTAssertNil(try parse("3.5").integerValue)
        XCTAssertNil(try parse("1e400").integerValue)
    }

    func testEveryErrorNamesItsReasonAndPlace() {
        let table: [(String, JSONParser.Failure.Reason, Int)] = [
            ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("[", .unexpectedEnd, 1),
            ("[1", .unexpectedEnd, 2), ("{\"a\"", .unexpectedEnd, 4), ("\"a", .unexpectedEnd, 2),
            ("{\"a\":", .unexpectedEnd, 5), ("\"\\", .unexpectedEnd, 2),
            ("\"\\u12", .unexpectedEnd, 3), ("x", .unexpectedByte, 0), ("[1,]", .unexpectedByte, 3),
            ("{\"a\":1,}", .unexpectedByte, 7), ("{a:1}", .unexpectedByte, 1),
            ("{1:1}", .unexpectedByte, 1), ("[1 2]", .unexpectedByte, 3),
            ("NaN", .unexpectedByte, 0),
            ("'a'", .unexpectedByte, 0), ("{\"a\" 1}", .unexpectedByte, 5), ("01", .badNumber, 2),
            ("-", .badNumber, 1), ("1.", .badNumber, 2), ("1e", .badNumber, 2),
            ("1e+", .badNumber, 3), ("-x", .badNumber, 1), ("\"\\x\"", .badEscape, 2),
            ("\"\\u12g4\"", .badEscape, 5), ("nul", .badLiteral, 0), ("trux", .badLiteral, 0),
            ("\"a\nb\"", .controlCharacter, 2), ("\"\\n\u{1}\"", .controlCharacter, 3),
            ("1 1", .trailingBytes, 2), ("{}}", .trailingBytes, 2), ("1.2.3", .trailingBytes, 3),
        ]
        for (text, reason, offset) in table {
            XCTAssertEqual(
                failure(Array(text.utf8)), JSONParser.Failure(reason: reason, offset: offset), text)
        }
    }

    func testDepthIsBounded() throws {
        let limit = JSONParser.depthLimit
        func nested(_ depth: Int) -> [UInt8] {
            [UInt8](repeating: UInt8(ascii: "["), count: depth)
                + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
        }
        XCTAssertNil(failure(nested(limit)))
        XCTAssertEqual(failure(nested(limit + 1))?.reason, .tooDeep)
        XCTAssertEqual(failure(nested(100_000))?.reason, .tooDeep)
        XCTAssertNil(failure(Array(String(repeating: "[],", count: 1000).utf8).dropLast().wrapped))
    }

    func testEscapesAndSurrogates() throws {
        let table: [(String, String)] = [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
            (#""\ud83d\udd11""#, "🔑"), (#""\ud83d""#, "\u{FFFD}"), (#""\udd11""#, "\u{FFFD}"),
            (#""\ud83dx""#, "\u{FFFD}x"), (#""\ud83d\n""#, "\u{FFFD}\n"),
            (#""\ud83d\ud83d\udd11""#, "\u{FFFD}🔑"), (#""\u0000""#, "\0"),
        ]
        for (text, string) in table { XCTAssertEqual(try parse(text), .string(string), text) }
        XCTAssertThrowsError(try JSONParser.parse(#""\ud83d""#, rejectsLoneSurrogates: true)) {
            XCTAssertEqual(
                $0 as? JSONParser.Failure, JSONParser.Failure(reason: .loneSurrogate, offset: 7))
        }
    }

    func testInvalidUTF8IsReplacedByMaximalParts() throws {
        let table: [([UInt8], String)] = [
            ([0xFF], "\u{FFFD}"), ([0xC3], "\u{FFFD}"), ([0xE2, 0x82], "\u{FFFD}"),
            ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ([0xF0, 0x9F, 0x94, 0x41], "\u{FFFD}A"), ([0xC3, 0xA9], "é"),
        ]
        for (bytes, string) in table {
            let quote = UInt8(ascii: "\"")
            XCTAssertEqual(try JSONParser.parse([quote] + bytes + [quote]), .string(string))
        }
    }

    func testTheSystemsReaderAgreesOnRandomValues() throws {
        for seed in 0..<UInt64(500) {
            var random = SplitMix(seed: seed)
            let value = Self.value(depth: 4, &random)
            let text = JSONWriter.string(value)
            XCTAssertEqual(try parse(text), value, "seed \(seed)")
            XCTAssertEqual(try parse(JSONWriter.pretty(value)), value, "seed \(seed)")
            XCTAssertNoThrow(
                try JSONSerialization.jsonObject(
                    with: Data(text.utf8), options: .fragmentsAllowed), "seed \(seed) \(text)")
        }
    }

    func testMutatedBytesNeverTrapAndAgreeWithTheSystemsReader() {
        for seed in 0..<UInt64(5000) {
            var random = SplitMix(seed: seed)
            var bytes = JSONWriter.bytes(Self.value(depth: 3, &random))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0x20...0x7E, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[index], at: index)
                }
                if bytes.isEmpty { bytes = [0x20] }
            }
            let isAccepted = failure(bytes) == nil
            // Only whether it accepts them is of interest, not its reason.
            let systemAccepts =
                (try? JSONSerialization.jsonObject(
                    with: Data(bytes), options: .fragmentsAllowed)) != nil
            // The system's reader refuses numbers out of range and lone
            // surrogates, which we keep.
            if systemAccepts, !isAccepted {
                XCTFail("seed \(seed): refused \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    static func value(depth: Int, _ random: inout SplitMix) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(random.once(in: 2))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
        case 3: return .number("\(Int.random(in: -99...99, using: &random)).5e2")
        case 4, 5:
            let pieces = ["a", "\"", "\\", "\n", "\u{1}", "é", "🔑", "\u{2028}", "/", "\u{7F}"]
            var text = ""
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                text += pieces.randomElement(using: &random) ?? ""
            }
            return .string(text)
        case 6:
            return .array(
                (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    value(depth: depth - 1, &random)
                })
        default:
            return .object(
                JSONObject(
                    (0..<Int.random(in: 0...4, using: &random)).map { number in
                        JSONObject.Member("k\(number)", value(depth: depth - 1, &random))
                    }))
        }
    }
}

extension Sequence<UInt8> {
    /// As the elements of a JSON array.
    fileprivate var wrapped: [UInt8] { [UInt8(ascii: "[")] + self + [UInt8(ascii: "]")] }
}
