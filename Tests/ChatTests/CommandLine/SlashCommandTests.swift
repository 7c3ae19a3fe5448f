import AgentCore
import Base
import XCTest

@testable import ChatKit

/// The words behind a command of the prompt are read by its table.
final class SlashCommandTests: XCTestCase {
    private func read(_ line: String) throws -> CommandArguments {
        let words = line.split(separator: " ").map(String.init)
        let meant = SlashCommand.words(of: words[0]) + words.dropFirst()
        let (command, rest) = try XCTUnwrap(SlashCommand.named(in: meant))
        return try command.read(rest)
    }

    func testWordsThatACommandDoesNotTakeAreAnError() {
        for (line, problem, hint) in [
            ("new x", "/new does not take \"x\".", "/new"),
            ("quit --now", "/quit does not take \"--now\".", "/quit"),
            ("models all", "/model does not take \"all\".", "/model [MODEL|list]"),
            ("pause 5", "/story pause does not take \"5\".", "/story pause"),
            ("retry gpt y", "/retry does not take \"y\".", "/retry [MODEL]"),
            ("redact on x", "/redact does not take \"x\".", "/redact [on|off]"),
            ("redact onn", "/redact does not know \"onn\".", "Did you mean on? Use on or off."),
            ("thinking quiet", "/thinking does not know \"quiet\".", "Use off, summary or full."),
            ("record lst", "/record does not know \"lst\".", "Did you mean list? Use list."),
            ("record --fro 5m", "/record has no option --fro.", "Did you mean --for?"),
            ("say --file x", "/say has no option --file.", nil),
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
        XCTAssertEqual(try read("snooze all 10 min").plain, ["all", "10", "min"])
        XCTAssertEqual(try read("help reminders add").plain, ["reminders", "add"])
        XCTAssertEqual(try read("keep 2 as idea Tea cups").plain.count, 5)
    }

    /// A short name is its verb, and the list of commands has the verb alone.
    func testShortNamesAreVerbsOfTheirCommand() throws {
        for (name, words) in [
            ("pause", ["story", "pause"]), ("ideas", ["idea", "list"]), ("q", ["quit"]),
            ("concise", ["write", "concise"]), ("retry", ["retry"]), ("", [""]),
        ] {
            XCTAssertEqual(SlashCommand.words(of: name), words)
        }
        let story = Command(name: "story", summary: "", verbs: [Verb("list", "")])
        let restore = Command(name: "restore", summary: "", verbs: [Verb("", "")])
            .with(\.isShellOnly)
        let there = SlashCommand.atPrompt([story, restore])
        XCTAssertEqual(there.map(\.name), ["story"])
        XCTAssertEqual(there[0].verbs.map(\.name), ["list", "pause", "stop", "sleep"])
        XCTAssertFalse(SlashCommand.listed.contains(.pause))
    }

    func testWhereThereAreNoOptionsAWordMayLookLikeOne() throws {
        XCTAssertEqual(try read("edit --x is what?").text, "--x is what?")
        XCTAssertEqual(try read("search -- --yes").text, "-- --yes")
        XCTAssertEqual(try read("attach --notes.md a.md").plain, ["--notes.md", "a.md"])
    }
}
