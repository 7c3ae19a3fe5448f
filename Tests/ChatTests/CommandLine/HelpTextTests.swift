import AgentCore
import Base
import TestSupport
import XCTest

@testable import ChatKit
@testable import TerminalKit
@testable import chat

final class HelpTextTests: XCTestCase {
    private func text(_ lines: [StyledLine]) -> String {
        let style = Style(usesColor: false, usesUnicode: true)
        return lines.map { style.text($0) + "\n" }.joined()
    }

    /// The program says which commands there are: one that is added is here.
    func testTheHelpPages() throws {
        let folder = try TemporaryFolder()
        let variables = ["CHAT_HOME": folder.path]
        let app = App(variables: variables, environment: .system(variables: variables))
        let services = try app.services(for: .help(topic: []))
        let commands = App.commands(services)
        let help = HelpText(commands: commands)
        let prompt = commands.filter { !$0.isShellOnly }
        // What is told from text before there are commands.
        XCTAssertEqual(Set(prompt.map(\.name)), Set(CommandGrammar.nouns))
        var pages =
            text(help.overview()) + "\n" + text(help.options()) + "\n"
            + text(HelpText(commands: prompt).slashCommands())
        for command in SlashCommand.allCases { pages += "\n" + text(help.page(command)) }
        for command in commands {
            pages += "\n" + text(help.page(command, prefix: "chat "))
            for verb in command.verbs where command.verbs.count > 1 && !verb.allOptions.isEmpty {
                pages += "\n" + text(help.page(verb, of: command, prefix: "chat "))
            }
        }
        XCTAssertLessThanOrEqual(help.overview().count, 48, "more than a screen")
        try GoldenFile.check(pages, "help.txt")
        for line in pages.split(separator: "\n") {
            XCTAssertLessThanOrEqual(line.count, 80, "\(line)")
        }
        // In half a window the words stand below one another.
        let usages = Set(SlashCommand.allCases.map { "  " + HelpText.usage($0) })
        let narrow = HelpText(commands: commands, columns: 40).slashCommands()
        for line in narrow where !usages.contains(line.text) {
            XCTAssertLessThanOrEqual(line.text.count, 40, line.text)
        }
    }
}
