import AgentCore
import Base
import Persistence
import XCTest

@testable import chat

final class KeepRequestTests: XCTestCase {
    private func read(_ line: String) throws -> KeepRequest {
        try KeepRequest(ShellTokenizer.words(typed: line))
    }

    func testNumberKindAndTitleEachMayBeLeftOut() throws {
        func expect(
            _ line: String, _ block: Int?, _ kind: String, _ title: String?, at: UInt = #line
        ) throws {
            let request = try read(line)
            XCTAssertEqual(request.block, block, line: at)
            XCTAssertEqual(request.kind.rawValue, kind, line: at)
            XCTAssertEqual(request.title, title, line: at)
        }
        try expect("", nil, "draft", nil)
        try expect("2", 2, "draft", nil)
        try expect("as idea", nil, "idea", nil)
        try expect("3 as draft Sort by size", 3, "draft", "Sort by size")
        try expect("Notes as they came", nil, "draft", "Notes as they came")
        try expect("\"2 cups\"", nil, "draft", "2 cups")
    }

    func testWhatItCannotBeIsSaid() {
        for line in ["as", "as song", "0", "-1 as idea"] {
            XCTAssertThrowsError(try read(line), line) { error in
                XCTAssertEqual(
                    (error as? UsageError)?.hint, "/keep [N] [as idea|draft] [TITLE]", line)
            }
        }
    }

    func testACodeBlockIsCountedFromOne() throws {
        let answer = "First:\n\n```sh\nls\n```\n\nthen\n\n```\npwd\n```\n"
        XCTAssertEqual(try read("").part(of: answer), answer)
        XCTAssertEqual(try read("2").part(of: answer).trimmingSpace(), "pwd")
        XCTAssertThrowsError(try read("3").part(of: answer)) {
            XCTAssertEqual(
                ($0 as? UsageError)?.problem, "The last answer has 2 code blocks.")
        }
        XCTAssertThrowsError(try read("1").part(of: "words")) {
            XCTAssertEqual(
                ($0 as? UsageError)?.problem, "The last answer has no code block.")
        }
    }
}
