import XCTest

@testable import MCP

final class HTTPRequestReaderTests: XCTestCase {
    private typealias Event = HTTPRequestReader.Event
    private typealias Failure = HTTPRequestReader.Failure

    /// What is read of bytes that come in these pieces, and how it ended.
    private func read(_ pieces: [some Sequence<UInt8>]) -> (events: [Event], failure: Failure?) {
        var reader = HTTPRequestReader(bodyLimit: 1000)
        var events: [Event] = []
        do throws(Failure) {
            for piece in pieces {
                reader.push(piece)
                while let event = try reader.next() { events.append(event) }
            }
        } catch {
            return (events, error)
        }
        return (events, nil)
    }

    private func failure(_ text: String) -> Failure? { read([Array(text.utf8)]).failure }

    private let three = Array(
        ("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-LENGTH:  5 \r\nAccept: a\r\n"
            + "Accept: b\r\nX-Empty:\r\n\r\n{\r\n\r\n\r\nDELETE /mcp HTTP/1.1\r\nHost: ::1\r\n\r\n"
            + "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n").utf8)

    private let expected: [Event] = [
        .head(
            .init(
                method: "POST", target: "/mcp",
                headers: [
                    "host": "127.0.0.1", "content-length": "5", "accept": "a, b", "x-empty": "",
                ], bodyLength: 5)), .body(Array("{\r\n\r\n".utf8)),
        .head(.init(method: "DELETE", target: "/mcp", headers: ["host": "::1"], bodyLength: 0)),
        .body([]),
        .head(
            .init(method: "POST", target: "/", headers: ["content-length": "0"], bodyLength: 0)),
        .body([]),
    ]

    func testRequestsInARowAreReadHoweverTheyAreCut() {
        XCTAssertEqual(read([three]).events, expected)
        XCTAssertEqual(read(three.map { [$0] }).events, expected)
        for first in 0..<three.count {
            XCTAssertEqual(read([three[..<first], three[first...]]).events, expected)
            for second in stride(from: first, to: three.count, by: 7) {
                let pieces = [three[..<first], three[first..<second], three[second...]]
                XCTAssertEqual(read(pieces).events, expected, "\(first) \(second)")
            }
        }
    }

    /// What two readers could take in two ways (RFC 9112 §11.2), and what is too much.
    func testWhatIsAmbiguousIsRefused() {
        let post = "POST /mcp HTTP/1.1\r\n"
        let cases: [(String, Failure)] = [
            ("GET /mcp HTTP/1.0\r\n\r\n", .versionNotSupported),
            ("GET /mcp HTTP/2.0\r\n\r\n", .versionNotSupported),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .versionNotSupported),
            ("GET /mcp\r\n\r\n", .malformed), ("GET  /mcp HTTP/1.1\r\n\r\n", .malformed),
            ("GET /m p HTTP/1.1\r\n\r\n", .malformed), ("\u{16}\u{3}\u{1}\r\n\r\n", .malformed),
            ("GET /ü HTTP/1.1\r\n\r\n", .malformed), (post + "\r\n", .lengthRequired),
            (post + "Transfer-Encoding: chunked\r\n\r\n", .lengthRequired),
            (post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", .lengthRequired),
            (post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", .malformed),
            (post + "Content-Length: +1\r\n\r\n", .malformed),
            (post + "Content-Length: 1, 1\r\n\r\n", .malformed),
            (post + "Content-Length: 0x1\r\n\r\n", .malformed),
            (post + "Content-Length: \r\n\r\n", .malformed),
            (post + "Content-Length: 99999999999999999999\r\n\r\n", .malformed),
            (post + "Content-Length: 1001\r\n\r\n", .bodyTooLong),
            (post + "Host : x\r\n\r\n", .malformed), (post + " folded\r\n\r\n", .malformed),
            (post + "Host: a\r\n b\r\n\r\n", .malformed), (post + "no colon\r\n\r\n", .malformed),
            (post + ": x\r\n\r\n", .malformed), (post + "A\u{0}: x\r\n\r\n", .malformed),
            (post + "A: x\ny\r\n\r\n", .malformed), (post + "A: x\ry\r\n\r\n", .malformed),
            (post + "Host: a\r\nHOST: b\r\n\r\n", .malformed),
            (post + "A: " + String(repeating: "x", count: 33_000), .headTooLong),
            (String(repeating: "x", count: 33_000), .headTooLong),
        ]
        for (text, failure) in cases {
            XCTAssertEqual(self.failure(text), failure, String(text.prefix(80)))
        }
        XCTAssertNil(failure(post + "Content-Length: 1000\r\n\r\n"))
    }

    func testNothingIsKeptOfWhatWasRead() throws {
        var reader = HTTPRequestReader(bodyLimit: 10)
        XCTAssert(reader.isEmpty)
        reader.push(Array("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n".utf8))
        _ = try reader.next()
        XCTAssertFalse(reader.isEmpty)
        reader.push([1, 2])
        XCTAssertEqual(try reader.next(), .body([1, 2]))
        XCTAssert(reader.isEmpty)
        XCTAssertNil(try reader.next())
    }
}
