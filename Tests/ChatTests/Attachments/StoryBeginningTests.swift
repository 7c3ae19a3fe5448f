import XCTest

@testable import ChatKit

final class StoryBeginningTests: XCTestCase {
    func testAStoryThatFitsGoesAsItIs() {
        let text = Array("A tide.\n\nIt rose.\n".utf8)
        XCTAssertEqual(StoryBeginning.bytes(text, limit: text.count), text)
        XCTAssertEqual(StoryBeginning.bytes(text, for: "a-model-that-nobody-knows"), text)
    }

    func testANovelGoesUpToTheEndOfAParagraphAndSaysSo() {
        let paragraph = "It rose, and fell, and rose.\n\n"
        let text = Array(String(repeating: paragraph, count: 4_000).utf8)
        for text in [text, Array(String(repeating: "né", count: 60_000).utf8)] {
            let cut = StoryBeginning.bytes(text, for: "a-model-that-nobody-knows")
            XCTAssertLessThanOrEqual(cut.count, 48_000)
            XCTAssertGreaterThan(cut.count, 43_000)
            let shown = String(decoding: cut, as: UTF8.self)
            XCTAssertFalse(shown.contains("\u{FFFD}"))
            XCTAssert(shown.hasSuffix("story_segments has the rest.]\n"), "\(shown.suffix(90))")
        }
        let larger = StoryBeginning.bytes(text, for: "claude-opus-4-5")
        XCTAssertEqual(larger, text)
    }
}
