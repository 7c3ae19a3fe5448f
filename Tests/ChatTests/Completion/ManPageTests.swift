import AgentCore
import XCTest

@testable import chat

/// The manual page has everything of the tables.
final class ManPageTests: XCTestCase {
    func testEveryCommandVerbAndOptionIsInThePage() {
        let commands = CommandCompleterTests.commands + [CompletionCommand.command]
        let page = ManPage(commands: commands).text
        func has(_ text: String, line: UInt = #line) {
            let escaped = text.replacing("-", with: "\\-").replacing("…", with: "...")
            XCTAssertTrue(page.contains(escaped), text, line: line)
        }
        for (usage, _) in HelpText.options { has(usage) }
        for command in commands {
            has(".SS \(command.name)\n")
            for verb in command.verbs {
                has("chat \(command.name) \(verb.name)")
                for flag in UsageWords(verb.usage, flags: verb.flags).flags { has(flag.name) }
            }
        }
        for command in SlashCommand.allCases { has(".B \"/\(command.rawValue)") }
        for code in ExitCode.allCases { has(".B \"\(code.rawValue)\"\n") }
    }

    func testNoLineIsTakenForARequest() {
        let odd = Command(
            name: "odd", summary: ".hidden \\fB 'quoted\" text",
            verbs: [.init("do", usage: "'X", summary: "'again")]
        ) { _ in CommandOutput() }
        let page = ManPage(commands: [odd]).text
        XCTAssertTrue(page.contains("\n\\&.hidden \\efB \\(aqquoted\\(dq text.\n"))
        XCTAssertTrue(page.contains("\n.B \"chat odd do \\(aqX\"\n\\(aqagain\n"))
    }
}
