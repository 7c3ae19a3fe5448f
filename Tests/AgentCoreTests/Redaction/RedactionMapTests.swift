import XCTest

@testable import Base
@testable import Privacy

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

final class TolerantRestoreTests: XCTestCase {
    private let map: RedactionMap = {
        var map = RedactionMap()
        _ = map.placeholder(for: "Ida $1 Berg", .name)
        _ = map.placeholder(for: "IDA {{NAME}}", .name)
        _ = map.placeholder(for: "ida@example.org", .email)
        _ = map.placeholder(for: "https://ida.dev", .url)
        return map
    }()

    func testSpellingsOfModelsAreRestored() {
        for text in [
            "[NAME]", "[Name]", "[ NAME ]", "[name]", "{{NAME}}", "{NAME}", "<NAME>", "\\[NAME\\]",
            "[[NAME]]", "[NAME_1]", "[Name 1]", "[*NAME*]", "[NOMBRE]", "[Imię]", "«NAME»", "NAME",
        ] {
            let (restored, unknown) = map.restoreTolerantly("I am \(text).")
            XCTAssertEqual(restored, "I am Ida $1 Berg.", text)
            XCTAssertEqual(unknown, [], text)
        }
        XCTAssertEqual(
            map.restoreTolerantly("**[NAME_2]**, [Name 2], NAME_2 at [E-Mail] and URL").text,
            "**IDA {{NAME}}**, IDA {{NAME}}, IDA {{NAME}} at ida@example.org and URL")
    }

    func testWhatTheMapDoesNotHaveIsReported() {
        let text =
            "[NAME_9], [Your Name] at [Company], {{date}}, [PHONE]; [link](x), [1], [sic], a[i], <b>"
        let (restored, unknown) = map.restoreTolerantly(text)
        XCTAssertEqual(restored, text)
        XCTAssertEqual(unknown, ["[NAME_9]", "[Your Name]", "[Company]", "{{date}}", "[PHONE]"])
    }

    func testWordsInCapitalsAreNoPlaceholders() {
        let text = "FILE NAME RULES, the URL, SURNAME, NAMES, the RENAME_2"
        XCTAssertEqual(map.restoreTolerantly(text).text, text)
    }

    func testEveryPlaceholderOfTheMapIsRestoredLiterally() {
        let text = "[NAME][NAME_2][EMAIL][URL]"
        XCTAssertEqual(map.restoreTolerantly(text).text, map.restore(text))
        XCTAssertEqual(map.restore(text), "Ida $1 BergIDA {{NAME}}ida@example.orghttps://ida.dev")
    }
}
