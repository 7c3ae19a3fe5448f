import XCTest

@testable import Documents

final class PageTextTests: XCTestCase {
    func testRunningHeadsAndPageNumbersAreLeftOut() {
        let pages = """
            Max Muster\nExperience\nBuilt things\nPage 1 of 3\u{C}Max Muster\nMore things\nPage 2 of 3\u{C}\
            Max Muster\nEducation\nPage 3 of 3\u{C}
            """
        XCTAssertEqual(
            PageText.plain(pages), "Max Muster\nExperience\nBuilt things\nMore things\nEducation")
    }

    func testAYearAtTheEndOfAPageStays() {
        XCTAssertEqual(PageText.plain("Degree\n2015\u{C}"), "Degree\n2015")
        XCTAssertEqual(PageText.plain("Degree\n- 2 -\u{C}"), "Degree")
    }

    func testAWordThatALineEndCutIsWholeAgain() {
        XCTAssertEqual(
            PageText.plain("We did devel-\nopment of tools"), "We did development of tools")
    }

    func testACompoundKeepsItsHyphen() {
        XCTAssertEqual(
            PageText.plain("client-server design\nA client-\nserver protocol"),
            "client-server design\nA client-server protocol")
        XCTAssertEqual(PageText.plain("pre-\nand post-war"), "pre-\nand post-war")
        XCTAssertEqual(PageText.plain("2015-\n2019"), "2015-\n2019")
    }
}
