import XCTest

@testable import ICalendar

final class TextValueTests: XCTestCase {
    func testEscapingAndBack() {
        let texts = [
            "", "plain", "a,b;c\\d", "line\nbreak", "\\n is no break", "tab\tstays", "é🎁", "\\",
        ]
        for text in texts {
            XCTAssertEqual(TextValue.unescape(TextValue.escape(text)), text)
        }
        XCTAssertEqual(TextValue.escape("a,b;c\\d\ne"), "a\\,b\\;c\\\\d\\ne")
    }

    func testLineBreaksOfEveryKindAreOneAndControlsAreLeftOut() {
        XCTAssertEqual(TextValue.escape("a\r\nb\rc\nd\u{0}\u{1B}[31me\u{7F}"), "a\\nb\\nc\\nd[31me")
    }

    func testOtherProgramsEscapesAreUnderstood() {
        XCTAssertEqual(TextValue.unescape("a\\:b\\Nc\\"), "a:b\nc\\")
    }

    func testListsKeepEscapedCommas() {
        XCTAssertEqual(TextValue.list("Fest,Zu Hause,a\\,b,"), ["Fest", "Zu Hause", "a,b"])
    }
}
