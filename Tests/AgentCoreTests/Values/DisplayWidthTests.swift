import XCTest

@testable import Base

final class DisplayWidthTests: XCTestCase {
    func testDisplayWidths() {
        let cases: [(String, Int)] = [
            ("abc", 3), ("", 0), ("é", 1), ("e\u{0301}", 1), ("日本語", 6), ("한국", 4), ("ｆｕｌｌ", 8),
            ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🇳🇴", 2), ("❤️", 2), ("1️⃣", 2), ("☺", 1),
            ("a\u{200B}b", 2), ("…", 1), ("─", 1), ("العربية", 7), ("⏰", 2), ("각", 2),
        ]
        for (text, wanted) in cases { XCTAssertEqual(DisplayWidth.of(text), wanted, text) }
        XCTAssertEqual(DisplayWidth.pad("日本", to: 6), "日本  ")
    }

    func testTextIsCutBetweenCharactersAndKeepsItsColumns() {
        XCTAssertEqual(DisplayWidth.cut("日本語", to: 4), "日…")
        XCTAssertEqual(DisplayWidth.fit("日本語", to: 4), "日… ")
        XCTAssertEqual(DisplayWidth.fit("abc", to: 5), "abc  ")
        XCTAssertEqual(DisplayWidth.cut("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", to: 3), "👩‍👩‍👧‍👦…")
        XCTAssertEqual(DisplayWidth.cut("abc", to: 0), "")
    }
}
