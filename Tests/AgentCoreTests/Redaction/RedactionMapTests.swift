import XCTest

@testable import AgentCore

final class RedactionMapTests: XCTestCase {
    func testTheSameOriginalGetsTheSamePlaceholder() {
        var map = RedactionMap()
        XCTAssertEqual(map.placeholder(for: "Ida Berg", .name), "[NAME]")
        XCTAssertEqual(map.placeholder(for: "IDA BERG", .name), "[NAME_2]")
        XCTAssertEqual(map.placeholder(for: "Ida Berg", .name), "[NAME]")
        XCTAssertEqual(map.placeholder(for: "ida@example.org", .email), "[EMAIL]")
        XCTAssertEqual(map.placeholder(for: "3 May 1990", .birthDate), "[BIRTH_DATE]")
    }

    func testAPlaceholderThatStandsInTheTextMeansItself() {
        let text = "[NAME] and [[NAME_2] are Ida Berg"
        var map = RedactionMap(avoiding: text)
        let placeholder = map.placeholder(for: "Ida Berg", .name)
        XCTAssertEqual(placeholder, "[NAME_3]")
        XCTAssertEqual(map.restore("[NAME] and [[NAME_2] are [NAME_3]"), text)
    }

    func testWhatStandsInAnOriginalIsNotRestoredAgain() {
        var map = RedactionMap()
        _ = map.placeholder(for: "[EMAIL]", .name)
        _ = map.placeholder(for: "ida@example.org", .email)
        XCTAssertEqual(
            map.restore("[NAME], [EMAIL_1], [EMAIL]"), "[EMAIL], [EMAIL_1], ida@example.org")
    }

    func testItIsReadFromWhatItWrote() throws {
        var map = RedactionMap()
        _ = map.placeholder(for: "Ida \"B\" Berg\n", .name)
        _ = map.placeholder(for: "Ulica 3", .address)
        let read = try RedactionMap(json: map.json)
        XCTAssertEqual(read.entries, map.entries)
        XCTAssertEqual(read.restore("[NAME][ADDRESS]"), "Ida \"B\" Berg\nUlica 3")
        XCTAssertThrowsError(try RedactionMap(json: ["placeholder"]))
    }
}
