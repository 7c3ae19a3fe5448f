import AgentCore
import XCTest

final class CommandArgumentsTests: XCTestCase {
    private func read(_ text: String) throws -> CommandArguments {
        try CommandArguments(
            text.split(separator: " ").map(String.init), verb: "add", options: ["--due"],
            lists: ["--tag"], flags: ["--all"], maybe: ["--this"])
    }

    func testOptionsAreToldFromWords() throws {
        let words = try read("buy --due=friday milk --tag a --all --tag b -- --due")
        XCTAssertEqual(words.plain, ["buy", "milk", "--due"])
        XCTAssertEqual(words.text, "buy milk --due")
        XCTAssertEqual(words["--due"], "friday")
        XCTAssertEqual(words.options["--tag"], ["a", "b"])
        XCTAssertEqual(words.flags, ["--all"])
        XCTAssertFalse(words.isBlank)
        XCTAssertTrue(try read("--all").isBlank)
    }

    func testAnOptionWhoseValueMayBeLeftOutIsAFlagThen() throws {
        XCTAssertEqual(try read("x --this").flags, ["--this"])
        XCTAssertEqual(try read("x --this --all").flags, ["--this", "--all"])
        XCTAssertEqual(try read("x --this friday")["--this"], "friday")
    }

    func testMistakesAreNamed() {
        for (text, message) in [
            ("--due", "--due needs a value"), ("--due a --due b", "--due is given twice"),
            ("--what", "add has no option --what"), ("--all=1", "add has no option --all"),
        ] {
            XCTAssertThrowsError(try read(text)) { error in
                XCTAssertEqual((error as? UsageError)?.problem, message)
            }
        }
    }
}
