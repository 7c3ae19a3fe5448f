import Base
import XCTest

final class MarkupTextTests: XCTestCase {
    func testTagsAreLinesAndEntitiesCharacters() {
        XCTAssertEqual(
            MarkupText.plain("<p>A &amp; B&nbsp;&#8211;&#x2013;</p><script>x < y</script>c"),
            "\n\nA & B ––\n\nc")
    }

    func testWhatIsNoTagStays() {
        XCTAssertEqual(MarkupText.plain("a < b and <max@muster.de>"), "a < b and <max@muster.de>")
        XCTAssertEqual(MarkupText.plain("AT&T &unknown;"), "AT&T &unknown;")
        XCTAssertFalse(MarkupText.isMarkup("x < y and List<String>"))
        XCTAssertTrue(MarkupText.isMarkup("<div>a</div>"))
    }

    func testATagThatNeverEndsLosesNoText() {
        XCTAssertEqual(MarkupText.plain("a <p class=\"x b"), "a <p class=\"x b")
    }
}
