import AgentCore
import XCTest

@testable import chat

/// Questions with numbered answers.
final class ChoiceListTests: XCTestCase {
    private let output: CommandOutput = {
        var output = CommandOutput(lines: [StyledLine("Which Friday?", .warning)])
        output.choices = [
            .init("call mom · Fri 6 Mar", command: ["reminders", "add", "call mom's"]),
            .init(
                "call mom · Fri 13 Mar", command: ["reminders", "add", "x", "--due", "2026-03-13"]),
        ]
        return output
    }()

    func testChoicesAreNumberedUnderTheQuestion() {
        XCTAssertEqual(
            ChoiceList.lines(output).map(\.text),
            ["  Which Friday?", "  1  call mom · Fri 6 Mar", "  2  call mom · Fri 13 Mar"])
        XCTAssertEqual(ChoiceList.prompt(2), "  1–2, or Enter for none: ")
        XCTAssertEqual(ChoiceList.prompt(1), "  1, or Enter for no: ")
    }

    func testANumberOrWordsOfOneAlonePick() {
        let labels = ["call mom · Fri 6 Mar 17:00", "call dad · Sat 7 Mar 17:00", "all of them"]
        let picks: [(String, Int)] = [
            (" 2 ", 1), ("2.", 1), ("two", 1), ("one", 0), ("das dritte", 2),
            ("number 2, please", 1), ("the first one", 0), ("third", 2),
            ("the last", 2), ("die zweite bitte", 1), ("Mom", 0), ("saturday", 1), ("sat", 1),
            ("dad 17:00", 1), ("all", 2), ("Call mom, Fri!", 0),
        ]
        for (line, index) in picks {
            XCTAssertEqual(ChoiceList.choice(line, of: labels), index, line)
        }
        XCTAssertEqual(
            ChoiceList.choice("call mom", of: ["call mom dentist · Sat", "call mom · Fri"]), 1)
        for line in [
            "", "0", "4", "-1", "y", "1 2", "99999999999999999999", "\(Int.min)", "call", "17:00",
            "ninth",
            "call mom on monday", "mo", "the one", "…", "mom\nmom", "undo that", "last week",
        ] {
            XCTAssertNil(ChoiceList.choice(line, of: labels), line)
        }
    }

    func testWithoutAPersonTheCommandsAreShownAndNothingCountsAsDone() {
        let shown = ChoiceList.unattended(output)
        XCTAssertEqual(
            shown.lines.map(\.text),
            [
                "Which Friday?", "  call mom · Fri 6 Mar",
                "    chat reminders add 'call mom'\\''s'", "  call mom · Fri 13 Mar",
                "    chat reminders add x --due 2026-03-13",
            ])
        XCTAssertEqual(shown.outcome, .refused)
        XCTAssertEqual(ChoiceList.unattended(CommandOutput()), CommandOutput())
    }
}
