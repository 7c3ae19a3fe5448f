import Base
import XCTest

@testable import AgentCore

final class LineSplitterTests: XCTestCase {
    private func lines(_ chunks: [String], limit: Int = 1000) throws -> ([String], rest: String) {
        var splitter = LineSplitter(limit: limit)
        var found: [String] = []
        for chunk in chunks {
            try Array(chunk.utf8).withUnsafeBufferPointer { bytes in
                var cursor = LineSplitter.Cursor()
                while let line = try splitter.next(in: bytes, at: &cursor) {
                    switch line {
                    case .inChunk(let range):
                        found.append(String(decoding: bytes[range], as: UTF8.self))
                    case .assembled(let whole):
                        found.append("+" + String(decoding: whole, as: UTF8.self))
                    }
                }
            }
        }
        return (found, String(decoding: splitter.rest, as: UTF8.self))
    }

    func testLinesWithinAChunkAreNotCopied() throws {
        let result = try lines(["a\nb\r\nc\rd"])
        XCTAssertEqual(result.0, ["a", "b", "c"])
        XCTAssertEqual(result.rest, "d")
    }

    func testALineOverSeveralChunksIsAssembled() throws {
        XCTAssertEqual(try lines(["a", "b", "c\nd\n"]).0, ["+abc", "d"])
    }

    func testALineFeedAfterACarriageReturnIsSwallowedAcrossChunks() throws {
        XCTAssertEqual(try lines(["a\r", "\nb\n"]).0, ["a", "b"])
        XCTAssertEqual(try lines(["a\r", "\n\nb\n"]).0, ["a", "", "b"])
        XCTAssertEqual(try lines(["a\r", "", "\n", "b\n"]).0, ["a", "b"])
    }

    func testTheLimitCountsOneLine() throws {
        XCTAssertEqual(try lines(["12345\n12345\n"], limit: 5).0, ["12345", "12345"])
        XCTAssertThrowsError(try lines(["123456\n"], limit: 5))
        XCTAssertThrowsError(try lines(["123", "456"], limit: 5))
    }
}
