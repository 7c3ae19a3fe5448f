import AgentCore
import Base
import XCTest

@testable import ChatKit

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

    func testWithoutAPersonTheCommandsAreShownAndNothingCountsAsDone() {
        let shown = ChoiceList.unattended(output)
        XCTAssertEqual(
            shown.lines.map(\.text),
            [
                "Which Friday?", "  call mom · Fri 6 Mar",
                "    chat reminders add \"call mom's\"", "  call mom · Fri 13 Mar",
                "    chat reminders add x --due 2026-03-13",
            ])
        XCTAssertEqual(shown.outcome, .usage)
        XCTAssertEqual(ChoiceList.unattended(CommandOutput()), CommandOutput())
    }
}
