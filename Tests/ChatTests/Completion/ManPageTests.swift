import AgentCore
import Base
import XCTest

@testable import ChatKit

/// The manual page has everything of the tables.
final class ManPageTests: XCTestCase {
    func testEveryCommandVerbAndOptionIsInThePage() {
        let commands = CommandCompleterTests.commands + [CompletionCommand.command]
        let page = ManPage(commands: commands).text
        func has(_ text: String, line: UInt = #line) {
            let escaped = text.replacing("-", with: "\\-").replacing("…", with: "...")
            XCTAssertTrue(page.contains(escaped), text, line: line)
        }
        for option in OptionParser.table.options { has(option.head) }
        for command in commands {
            has(".SS \(command.name)\n")
            for verb in command.verbs {
                has("chat \(command.name) \(verb.name)")
                for option in verb.allOptions { has(option.head) }
            }
        }
        for command in SlashCommand.allCases { has(".B \"/\(command.rawValue)") }
        for code in ExitCode.allCases { has(".B \"\(code.rawValue)\"\n") }
    }

    func testTheInstalledProgramNamesItsCommitAndTheDateOfIt() {
        XCTAssertNil(HelpText.stamp, "a build is of no commit")
        XCTAssertNil(HelpText.stamp(in: ""))
        let stamp = HelpText.stamp(in: "955bde036aab-dirty 2026-11-27")
        XCTAssertEqual(stamp?.commit, "955bde036aab-dirty")
        XCTAssertEqual(stamp?.date, "2026-11-27")
    }

    func testNoLineIsTakenForARequest() {
        let odd = Command(
            name: "odd", summary: ".hidden \\fB 'quoted\" text",
            verbs: [Verb("do", "'again", [.init("'X")])])
        let page = ManPage(commands: [odd]).text
        XCTAssertTrue(page.contains("\n\\&.hidden \\efB \\(aqquoted\\(dq text.\n"))
        XCTAssertTrue(page.contains("\n.B \"chat odd \\(aqX\"\n\\(aqagain\n"))
    }
}
