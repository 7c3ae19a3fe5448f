import AgentCore
import Base
import XCTest

/// Which verb words name, and what is said of those that name none.
final class CommandTests: XCTestCase {
    private let command = Command(
        name: "reminders", summary: "",
        verbs: [
            Verb("list", "", json: "title"),
            Verb("add", "", [.phrase("WORDS", "a title", repeats: true)], json: "title"),
            Verb("done", "", [.phrase("TITLE", "a title")], example: "milk"),
        ])

    private func read(_ words: [String], of command: Command? = nil) throws -> String {
        let (verb, words) = try (command ?? self.command).read(words)
        return
            ([verb.name] + words.plain + (words.wantsJSON ? ["json"] : [])
            + (words.isConfirmed ? ["yes"] : [])).joined(separator: "|")
    }

    func testTheVerbAndWhatFollowsIt() throws {
        XCTAssertEqual(try read([]), "list")
        XCTAssertEqual(try read(["--json"]), "list|json")
        XCTAssertEqual(try read(["add", "buy milk", "--json", "--yes"]), "add|buy milk|json|yes")
        XCTAssertEqual(try read(["add", "--", "--json", "--yes"]), "add|--json|--yes")
    }

    func testWordsWithoutAVerbBelongToTheFirstWhereTheCommandTakesThem() throws {
        var undo = command
        undo.takesWordsWithoutVerb = true
        undo.verbs[0].arguments = [.phrase("TITLE", isOptional: true)]
        XCTAssertEqual(try read(["buy", "milk", "--json"], of: undo), "list|buy|milk|json")
        XCTAssertEqual(try read(["done", "milk"], of: undo), "done|milk")
        XCTAssertEqual(undo.line(undo.verbs[0]), "reminders")
        XCTAssertEqual(undo.line(undo.verbs[1]), "reminders add")
    }

    func testMistakesNameWhatWouldDo() {
        for (words, problem, hint) in [
            (["ad", "x"], "reminders has no \"ad\".", "Did you mean chat reminders add?"),
            (["quux"], "reminders has no \"quux\".", "It has list, add, done."),
            (["list", "milk"], "reminders list does not take \"milk\".", "chat reminders list"),
            (["done"], "reminders done needs a title.", "chat reminders done milk"),
            (["add", " "], "reminders add needs a title.", "chat reminders add WORDS…"),
            (["--bogus"], "reminders list has no option --bogus.", "Its options: --json"),
        ] {
            XCTAssertThrowsError(try read(words)) {
                XCTAssertEqual($0 as? UsageError, UsageError(problem, hint: hint))
            }
        }
    }

    func testWhatIsAroundAVerbRunsItAndSeesWhichItIs() async throws {
        var list = command
        list.verbs[0].run = { _ in CommandOutput(lines: [StyledLine("two")]) }
        let around = list.around { verb, words in
            var output = try await verb.run(words)
            output.notices = [verb.name]
            return output
        }
        let output = try await around.run(["list"])
        XCTAssertEqual(output, CommandOutput(lines: [StyledLine("two")], notices: ["list"]))
    }
}
