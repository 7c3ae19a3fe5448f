import XCTest

@testable import AgentCore

final class ResponseHeadParserTests: XCTestCase {
    private func outcomes(
        _ lines: [String], limit: Int = 10_000
    ) -> [ResponseHeadParser.Outcome] {
        var parser = ResponseHeadParser(limitInBytes: limit)
        return lines.map { line in
            [UInt8](line.utf8).withUnsafeBytes { parser.consume(line: $0) }
        }
    }

    func testHeadIsCompleteAtTheEmptyLine() {
        XCTAssertEqual(
            outcomes(["HTTP/1.1 404 Not Found\r\n", "A: b\r\n", "C:d: e \r\n", "\r\n"]),
            [
                .more, .more, .more,
                .complete(
                    HTTPResponseHead(
                        status: 404, headers: [HTTPHeader("A", "b"), HTTPHeader("C", "d: e")])),
            ])
    }

    func testStatusLinesOfAllVersions() {
        for (line, status) in [
            ("HTTP/1.0 200 OK\r\n", 200), ("HTTP/1.1 529\r\n", 529), ("HTTP/2 204 \r\n", 204),
            ("HTTP/1.1  301 two blanks\n", 301), ("HTTP/1.1 2000\r\n", 200), ("HTTP/1.1\r\n", 0),
        ] {
            XCTAssertEqual(
                outcomes([line, "\r\n"]).last,
                .complete(HTTPResponseHead(status: status, headers: [])), line)
        }
    }

    func testEarlierHeadsAreDropped() {
        XCTAssertEqual(
            outcomes([
                "HTTP/1.1 100 Continue\r\n", "A: early\r\n", "\r\n", "HTTP/1.1 103 Early\r\n",
                "\r\n", "HTTP/2 200\r\n", "a: late\r\n", "\r\n",
            ]).last,
            .complete(HTTPResponseHead(status: 200, headers: [HTTPHeader("a", "late")])))
    }

    func testTrailersAreDropped() {
        XCTAssertEqual(
            outcomes(["HTTP/2 200\r\n", "\r\n", "Late: 1\r\n", "\r\n"]),
            [.more, .complete(HTTPResponseHead(status: 200, headers: [])), .more, .more])
    }

    func testFoldedLinesContinueTheValue() {
        XCTAssertEqual(
            outcomes(["HTTP/1.1 200 OK\r\n", "A: one\r\n", "\t two\r\n", "\r\n"]).last,
            .complete(HTTPResponseHead(status: 200, headers: [HTTPHeader("A", "one two")])))
    }

    func testLinesThatAreNoHeadersAreSkipped() {
        XCTAssertEqual(
            outcomes([
                "HTTP/1.1 200 OK\r\n", "no colon\r\n", " folded first\r\n", ": x\r\n", "\r\n",
            ])
            .last,
            .complete(HTTPResponseHead(status: 200, headers: [HTTPHeader("", "x")])))
    }

    func testBytesThatAreNotUTF8AreReplaced() {
        var parser = ResponseHeadParser(limitInBytes: 100)
        for line in [[UInt8]("HTTP/2 200\r\n".utf8), [65, 58, 0xff, 66, 13, 10]] {
            XCTAssertEqual(line.withUnsafeBytes { parser.consume(line: $0) }, .more)
        }
        let outcome = [UInt8]("\r\n".utf8).withUnsafeBytes { parser.consume(line: $0) }
        XCTAssertEqual(
            outcome,
            .complete(HTTPResponseHead(status: 200, headers: [HTTPHeader("A", "\u{FFFD}B")])))
    }

    func testEverythingCountsForTheLimit() {
        let interim = ["HTTP/1.1 100 C\r\n", "\r\n"]
        let lines = Array(repeating: interim, count: 10).flatMap { $0 }
        XCTAssertEqual(outcomes(lines, limit: 180).last, .more)
        XCTAssertEqual(outcomes(lines, limit: 179).last, .tooLarge)
    }
}
