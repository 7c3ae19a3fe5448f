import XCTest

@testable import MCP

final class MessageLinesTests: XCTestCase {
    private func lines(_ chunks: [[UInt8]], limit: Int = 100) -> [String] {
        var parser = MessageLines(limit: limit)
        var found = chunks.flatMap { parser.push($0) }
        if let last = parser.finish() { found.append(last) }
        return found.map { line in
            switch line {
            case .message(let bytes): String(decoding: bytes, as: UTF8.self)
            case .tooLong(let limit): "> \(limit)"
            }
        }
    }

    func testTheSameLinesComeOutHoweverTheStreamIsCut() {
        let text = Array("{\"a\":\"é\u{1F337}\"}\n\n\r\n{\"b\":1}\r\n{\"c\":\r2}\nlast".utf8)
        let whole = lines([text])
        XCTAssertEqual(
            whole, ["{\"a\":\"é\u{1F337}\"}", "{\"b\":1}", "{\"c\":\r2}", "last"])
        for cut in 0...text.count {
            XCTAssertEqual(
                lines([Array(text[..<cut]), Array(text[cut...])]), whole, "cut at \(cut)")
        }
        XCTAssertEqual(lines(text.map { [$0] }), whole)
    }

    func testALineAboveTheLimitIsToldOnceAndDroppedToItsEnd() {
        let text = Array("1234567\n12345678\n1234567890123456\nok\n".utf8)
        let expected = ["1234567", "> 7", "> 7", "ok"]
        XCTAssertEqual(lines([text], limit: 7), expected)
        for cut in 0...text.count {
            XCTAssertEqual(
                lines([Array(text[..<cut]), Array(text[cut...])], limit: 7), expected,
                "cut at \(cut)")
        }
    }

    func testALineWithoutEndIsNotKept() {
        var parser = MessageLines(limit: 1000)
        let chunk = [UInt8](repeating: 0x41, count: 1 << 20)
        XCTAssertEqual(parser.push(chunk), [.tooLong(limit: 1000)])
        for _ in 0..<100 { XCTAssertEqual(parser.push(chunk), []) }
        XCTAssertEqual(parser.push(Array("\nnext\n".utf8)), [.message(Array("next".utf8))])
    }
}
