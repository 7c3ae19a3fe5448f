import XCTest

@testable import ToolServers

final class DateWordsTests: XCTestCase {
    func testPlainTitlesHoldNoDate() {
        for text in [
            "buy milk", "call Bo at home", "log in to the bank", "put on a coat", "buy one egg",
            "borrow a ladder", "read about owls", "money for Ida", "pick up the parcel",
            "Gäste einladen", "write to aunt Mary", "order a mattress", "check the smoke alarm",
        ] {
            XCTAssertNil(DateWords.first(in: text), text)
        }
    }

    func testTheWordIsNamed() {
        XCTAssertEqual(DateWords.first(in: "send Friday’s report"), "friday")
        XCTAssertEqual(DateWords.first(in: "call at one"), "at")
        XCTAssertEqual(DateWords.first(in: "call TOMMOROW!"), "tommorow")
    }
}
