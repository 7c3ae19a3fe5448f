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

    private func commands() throws -> [Command] {
        let folder = try TemporaryFolder()
        let variables = ["CHAT_HOME": folder.path]
        let app = App(variables: variables, environment: .system(variables: variables))
        return App.commands(try app.services(for: .help(topic: [])))
    }

    /// Which commands there are, and the pages of a few.
    func testTheHelpPages() throws {
        let commands = try commands()
        let help = HelpText(commands: commands)
        let prompt = SlashCommand.atPrompt(commands)
        let promptHelp = HelpText(commands: prompt)
        // What is told from text before there are commands.
        XCTAssertEqual(Set(prompt.map(\.name)), Set(CommandGrammar.nouns))
        var pages =
            [
                help.overview(), help.more(.shell), help.options(), promptHelp.everyday(),
                promptHelp.more(.prompt),
            ].map(text).joined(separator: "\n")
        for command in [SlashCommand.export, .record] { pages += "\n" + text(help.page(command)) }
        for command in commands where ["reminders", "record"].contains(command.name) {
            pages += "\n" + text(help.page(command, prefix: "chat "))
            for verb in command.verbs where command.verbs.count > 1 && !verb.allOptions.isEmpty {
                pages += "\n" + text(help.page(verb, of: command, prefix: "chat "))
            }
        }
        // A window of 24 rows, with what was typed and the next prompt.
        XCTAssertLessThanOrEqual(help.overview().count, 21)
        XCTAssertLessThanOrEqual(promptHelp.everyday().count, 21)
        try GoldenFile.check(pages, "help.txt")
        // In half a window the words stand below one another.
        let narrow = HelpText(commands: prompt, columns: 40)
        for line in narrow.everyday() + narrow.more(.prompt) {
            XCTAssertLessThanOrEqual(line.text.count, 40, line.text)
        }
    }

    /// The words of a page, wherever its lines end.
    private func words(_ lines: [StyledLine]) -> String {
        text(lines).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func assertPage(
        _ page: [StyledLine], of verb: Verb, line: String, whole: Bool
    ) {
        let words = words(page)
        var rows = [
            line + (whole ? verb.arguments.map { " \($0.head)" }.joined() : ""), verb.summary,
        ]
        if whole {
            rows += verb.allOptions.map { "\($0.head) \($0.summary)" }
            rows += verb.example.map { ["for example: \(line) \($0)"] } ?? []
        }
        for row in rows {
            XCTAssertTrue(
                words.contains(row.split(whereSeparator: \.isWhitespace).joined(separator: " ")),
                "\(row) is not in: \(words)")
        }
        for line in page { XCTAssertLessThanOrEqual(line.text.count, 80, line.text) }
    }

    /// What the first page of the shell shows to be typed is taken as it stands.
    func testTheLinesOfTheFirstPageAreUnderstood() throws {
        let commands = try commands()
        for (line, _) in HelpOverview.everydayInShell {
            let parts = line.split(separator: "|")
            let words = try ShellTokenizer.words(typed: String(parts.last ?? ""))
            XCTAssertEqual(words.first, "chat", line)
            let parser = OptionParser(
                commands: commands.map(\.name), stdinIsTerminal: parts.count == 1)
            guard case .command(let name, let rest, _) = try parser.parse(Array(words.dropFirst()))
            else { continue }
            XCTAssertNoThrow(try commands.first { $0.name == name }?.read(rest), line)
        }
    }

    func testThePageOfEveryVerbHasAllThatTheVerbTakes() throws {
        let commands = try commands()
        let help = HelpText(commands: commands)
        for command in SlashCommand.allCases {
            let page = help.page(command)
            assertPage(page, of: command.verb, line: "/\(command.rawValue)", whole: false)
            for option in command.verb.allOptions {
                XCTAssertTrue(words(page).contains(words([StyledLine(option.summary)])), "\(page)")
            }
        }
        for command in commands {
            let page = help.page(command, prefix: "chat ")
            XCTAssertEqual(page.first?.text, "chat \(command.name): \(command.summary)")
            for verb in command.verbs {
                let line = "chat " + command.line(verb)
                assertPage(page, of: verb, line: line, whole: command.verbs.count == 1)
                assertPage(
                    help.page(verb, of: command, prefix: "chat "), of: verb, line: line, whole: true
                )
            }
        }
    }
}
