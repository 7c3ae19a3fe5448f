import AgentCore
import Base
import XCTest

@testable import ChatKit

/// The words behind a command of the prompt are read by its table.
final class SlashCommandTests: XCTestCase {
    private func read(_ line: String) throws -> CommandArguments {
        let words = line.split(separator: " ").map(String.init)
        let command = try XCTUnwrap(words.first.flatMap(SlashCommand.named))
        return try command.read(Array(words.dropFirst()))
    }

    func testWordsThatACommandDoesNotTakeAreAnError() {
        for (line, problem, hint) in [
            ("new x", "/new does not take \"x\".", "/new"),
            ("quit --now", "/quit does not take \"--now\".", "/quit"),
            ("models all", "/models does not take \"all\".", "/models"),
            ("pause 5", "/pause does not take \"5\".", "/pause"),
            ("retry gpt y", "/retry does not take \"y\".", "/retry [MODEL]"),
            ("redact on x", "/redact does not take \"x\".", "/redact [on|off]"),
            ("redact onn", "/redact does not know \"onn\".", "Did you mean on? Use on or off."),
            ("thinking quiet", "/thinking does not know \"quiet\".", "Use off, summary or full."),
            ("record lst", "/record does not know \"lst\".", "Did you mean list? Use list."),
            ("record --fro 5m", "/record has no option --fro.", "Did you mean --for?"),
            ("say --file x", "/say has no option --file.", nil),
            ("play t1 --json", "/play has no option --json.", nil),
            ("rename", "/rename needs the new title.", "/rename TITLE"),
            ("search", "/search needs words to look for.", "/search WORDS"),
        ] {
            XCTAssertThrowsError(try read(line), line) {
                let error = $0 as? UsageError
                XCTAssertEqual(error?.problem, problem)
                if let hint { XCTAssertEqual(error?.hint, hint, line) }
            }
        }
    }

    func testWhatACommandTakesIsRead() throws {
        let export = try read("export md notes.md --yes")
        XCTAssertEqual(export.plain, ["md", "notes.md"])
        XCTAssertTrue(export.isConfirmed)
        XCTAssertEqual(try read("export notes.md").plain, ["notes.md"])
        XCTAssertEqual(try read("say hello --rate 0.4")["--rate"], "0.4")
        XCTAssertEqual(try read("record list").plain, ["list"])
        XCTAssertTrue(try read("proofread notes.md --diff --json").wantsJSON)
        XCTAssertEqual(try read("snooze all 10 min").plain, ["all", "10", "min"])
        XCTAssertEqual(try read("help reminders add").plain, ["reminders", "add"])
        XCTAssertEqual(try read("keep 2 as idea Tea cups").plain.count, 5)
    }

    func testWhereThereAreNoOptionsAWordMayLookLikeOne() throws {
        XCTAssertEqual(try read("edit --x is what?").text, "--x is what?")
        XCTAssertEqual(try read("search -- --yes").text, "-- --yes")
        XCTAssertEqual(try read("attach --notes.md a.md").plain, ["--notes.md", "a.md"])
    }
}
