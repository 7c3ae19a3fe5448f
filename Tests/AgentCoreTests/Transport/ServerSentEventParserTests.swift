import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

final class ServerSentEventParserTests: XCTestCase {
    private struct Expected {
        var text: String
        var name = "message"
        var id = ""

        init(_ text: String, name: String = "message", id: String = "") {
            self.text = text
            self.name = name
            self.id = id
        }

        var event: ServerSentEvent {
            ServerSentEvent(name: name, data: Array(text.utf8), id: id)
        }
    }

    private struct Case {
        var bytes: [UInt8]
        var events: [Expected]
        var lastID: String
        var retry: Int?

        init(_ text: String, _ events: [Expected], lastID: String? = nil, retry: Int? = nil) {
            self.init(Array(text.utf8), events, lastID: lastID, retry: retry)
        }

        init(_ bytes: [UInt8], _ events: [Expected], lastID: String? = nil, retry: Int? = nil) {
            self.bytes = bytes
            self.events = events
            self.lastID = lastID ?? events.last?.id ?? ""
            self.retry = retry
        }
    }

    private static let bom: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The cases of the standard's rules, in their order.
    private static let cases: [Case] = [
        Case("data: one\n\n", [Expected("one")]),
        Case("data: one\r\n\r\n", [Expected("one")]),
        Case("data: one\r\r", [Expected("one")]),
        Case("data: a\r\ndata: b\n\r\n", [Expected("a\nb")]),
        Case("data: a\n\r\ndata: b\n\n", [Expected("a"), Expected("b")]),
        Case(bom + Array("data: x\n\n".utf8), [Expected("x")]),
        Case(bom + bom + Array("data: x\n\n".utf8), []),
        Case(Array("data: x\n\n".utf8) + bom + Array("data: y\n\n".utf8), [Expected("x")]),
        Case("data:x\n\n", [Expected("x")]),
        Case("data:  x\n\n", [Expected(" x")]),
        Case("data:\tx\n\n", [Expected("\tx")]),
        Case("data\n\n", [Expected("")]),
        Case("data:\n\n", [Expected("")]),
        Case("data\ndata\n\n", [Expected("\n")]),
        Case("data: a\ndata:\ndata: b\n\n", [Expected("a\n\nb")]),
        Case("data: a\ndata: b\n\n", [Expected("a\nb")]),
        Case(": ping\n\n", []),
        Case(":\n\n", []),
        Case(": hi\ndata: x\n: mid\n\n", [Expected("x")]),
        Case("event: ping\n\n", []),
        Case("event: a\n\ndata: x\n\n", [Expected("x")]),
        Case("event: a\nevent: b\ndata: x\n\n", [Expected("x", name: "b")]),
        Case("event:\ndata: x\n\n", [Expected("x")]),
        Case("data: x\nevent: late\n\n", [Expected("x", name: "late")]),
        Case("Data: x\n\n", []),
        Case(" data: x\n\n", []),
        Case("data : x\n\n", []),
        Case("foo: bar\ndata: x\n\n", [Expected("x")]),
        Case("data: a:b: c\n\n", [Expected("a:b: c")]),
        Case("id: 7\ndata: a\n\ndata: b\n\n", [Expected("a", id: "7"), Expected("b", id: "7")]),
        Case("id: 7\ndata: a\n\nid\ndata: b\n\n", [Expected("a", id: "7"), Expected("b")]),
        Case(
            "id: 7\ndata: a\n\nid: 8\u{0}9\ndata: b\n\n",
            [Expected("a", id: "7"), Expected("b", id: "7")]),
        Case("id: 9\n\n", [], lastID: "9"),
        Case("retry: 1500\ndata: x\n\n", [Expected("x")], retry: 1500),
        Case("retry: 1.5\nretry: -2\nretry: 3s\ndata: x\n\n", [Expected("x")]),
        Case("data: x\n", []),
        Case("data: x", []),
        Case("data: a\n\ndata: b\n", [Expected("a")]),
        Case("\n\n\ndata: x\n\n\n\n", [Expected("x")]),
        Case("data: é🔑\n\n", [Expected("é🔑")]),
        Case(
            "data: a\u{2028}b\u{85}c\u{0B}d\n\n", [Expected("a\u{2028}b\u{85}c\u{0B}d")]),
        Case(
            Array("data: ".utf8) + [0xFF, 0xFE] + Array("x\n\n".utf8),
            [Expected("\u{FFFD}\u{FFFD}x")]),
        Case("data: [DONE]\n\n", [Expected("[DONE]")]),
        Case("data: {\"a\":1}\ndata: {\"b\":2}\n\n", [Expected("{\"a\":1}\n{\"b\":2}")]),
        Case(
            "event: error\ndata: {\"error\":{}}\r\n\r\n",
            [Expected("{\"error\":{}}", name: "error")]),
    ]

    private func parse(
        _ chunks: [[UInt8]]
    ) throws -> (events: [ServerSentEvent], parser: ServerSentEventParser) {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        for chunk in chunks { try parser.push(chunk, into: &events) }
        XCTAssertNil(parser.finish(lenient: false))
        return (events, parser)
    }

    private func check(_ item: Case, _ number: Int, chunks: [[UInt8]]) throws {
        let result = try parse(chunks)
        let place = "case \(number), chunks of \(chunks.map(\.count))"
        // Compared as text, because data stay as they came.
        XCTAssertEqual(result.events.map(\.text), item.events.map(\.text), place)
        XCTAssertEqual(result.events.map(\.name), item.events.map(\.name), place)
        XCTAssertEqual(result.events.map(\.id), item.events.map(\.id), place)
        XCTAssertEqual(result.parser.lastEventID, item.lastID, place)
        XCTAssertEqual(result.parser.retry, item.retry, place)
    }

    func testThereAreFortyFiveCases() {
        XCTAssertEqual(Self.cases.count, 45)
    }

    func testEveryCaseInOneChunkByteByByteAndInEverySplit() throws {
        for (index, item) in Self.cases.enumerated() {
            let bytes = item.bytes
            try check(item, index + 1, chunks: [bytes])
            try check(item, index + 1, chunks: bytes.map { [$0] })
            for first in 0...bytes.count {
                try check(
                    item, index + 1, chunks: [Array(bytes[..<first]), Array(bytes[first...])])
                for second in first...bytes.count where bytes.count < 40 {
                    try check(
                        item, index + 1,
                        chunks: [
                            Array(bytes[..<first]), Array(bytes[first..<second]),
                            Array(bytes[second...]),
                        ])
                }
            }
        }
    }

    func testALineOfOneMebibyteArrivesWhole() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let bytes = Array("data: \(text)\n\n".utf8)
        var chunks: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: 16 << 10) {
            chunks.append(Array(bytes[start..<min(start + (16 << 10), bytes.count)]))
        }
        XCTAssertEqual(try parse(chunks).events.map(\.text), [text])
    }

    func testAHundredThousandTinyEventsInOneChunk() throws {
        let bytes = Array(String(repeating: "data: x\n\n", count: 100_000).utf8)
        XCTAssertEqual(try parse([bytes]).events.count, 100_000)
    }

    func testALineAboveTheLimitIsAnErrorAndNeverHeld() {
        var parser = ServerSentEventParser(limit: 100)
        var events: [ServerSentEvent] = []
        XCTAssertThrowsError(
            try parser.push([UInt8](repeating: 0x61, count: 101), into: &events)
        ) { XCTAssertEqual($0 as? ServerSentEventParser.Failure, .lineTooLong(limit: 100)) }
        XCTAssertEqual(events, [])
    }

    func testAnEventAboveTheLimitIsAnError() {
        var parser = ServerSentEventParser(limit: 100)
        var events: [ServerSentEvent] = []
        let line = Array("data: \(String(repeating: "x", count: 60))\n".utf8)
        XCTAssertNoThrow(try parser.push(line, into: &events))
        XCTAssertThrowsError(try parser.push(line, into: &events)) {
            XCTAssertEqual($0 as? ServerSentEventParser.Failure, .eventTooLong(limit: 100))
        }
    }

    func testALenientEndKeepsOnlyAWholeEvent() throws {
        let expectations: [(String, String?)] = [
            ("data: [DONE]", "[DONE]"), ("data: [DONE]\n", "[DONE]"),
            ("data: {\"a\":1}", "{\"a\":1}"), ("data: {\"a\":1}\n", "{\"a\":1}"),
            ("data: {\"a\":1", nil), ("data: half", nil), ("event: x\n", nil), ("", nil),
            ("data: {\"a\":1}\n\n", nil), ("data: {\"a\":\ndata: 1}\n", "{\"a\":\n1}"),
        ]
        for (text, expected) in expectations {
            var parser = ServerSentEventParser()
            var events: [ServerSentEvent] = []
            try parser.push(Array(text.utf8), into: &events)
            XCTAssertEqual(parser.finish(lenient: true)?.text, expected, text)
        }
    }

    func testRandomBytesNeverTrap() throws {
        let alphabet = Array("data:event id\r\n\n:{}\"".utf8) + [0, 0xEF, 0xBB, 0xBF, 0xFF]
        for seed in 0..<500 {
            var random = SplitMix(seed: UInt64(seed))
            var bytes: [UInt8] = []
            for _ in 0..<200 { bytes.append(alphabet.randomElement(using: &random) ?? 0) }
            let whole = try parse([bytes]).events
            let pieces = try parse(bytes.map { [$0] }).events
            XCTAssertEqual(whole, pieces, "seed \(seed)")
        }
    }
}

extension ServerSentEvent {
    fileprivate var text: String { String(decoding: data, as: UTF8.self) }
}
