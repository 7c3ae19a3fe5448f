import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

final class HelpSearchTests: XCTestCase {
    private func commands() throws -> [Command] {
        let folder = try TemporaryFolder()
        let variables = ["CHAT_HOME": folder.path]
        let app = App(variables: variables, environment: .system(variables: variables))
        let services = try app.services(for: .help(topic: []))
        return App.commands(services)
    }

    private func names(_ words: String..., grammar: CommandGrammar = .prompt) throws -> [String] {
        let all = try commands()
        let there = grammar == .prompt ? SlashCommand.atPrompt(all) : all
        return HelpSearch(commands: there, grammar: grammar).find(words).map(\.name)
    }

    func testNamesComeBeforeWhatIsSaidOfThem() throws {
        XCTAssertEqual(try names("redact").first, "/redact")
        let trash = try names("trash")
        XCTAssertEqual(trash.first, "/library empty-trash")
        XCTAssertTrue(trash.contains("/delete"), "\(trash)")
        let clipboard = try names("clipboard")
        XCTAssertEqual(clipboard.first, "clipboard")
        // An option, a setting, a page.
        XCTAssertTrue(try names("priority").contains("/reminders add"))
        XCTAssertTrue(try names("vdirsyncer").contains("sync.md"))
        XCTAssertTrue(try names("voice").contains("speech.voice"))
        // In another number, with an accent, and with the slash.
        XCTAssertEqual(try names("alert").first, "/alerts")
        XCTAssertTrue(try names("resumes").contains("letters.md"))
        XCTAssertEqual(try names("/thinking").first, "/thinking")
        // What people call it.
        for word in ["alarm", "alarms"] {
            XCTAssertTrue(try names(word).prefix(4).contains("/alerts"), word)
            XCTAssertTrue(try names(word).prefix(4).contains("/alerts snooze"), word)
        }
        XCTAssertTrue(
            try names("alarm", grammar: .shell).prefix(4).contains("chat reminders snooze"))
        XCTAssertEqual(try names("xyzzy"), [])
        XCTAssertEqual(try names(""), [])
    }

    func testAllWordsMustFit() throws {
        let found = try names("calendar", "delete")
        XCTAssertEqual(found.first, "/calendar delete")
        XCTAssertEqual(try names("calendar", "xyzzy"), [])
    }

    func testInTheShellItNamesWhatTheShellHas() throws {
        let found = try names("redact", grammar: .shell)
        XCTAssertTrue(found.contains("chat redact"), "\(found)")
        XCTAssertTrue(found.contains("chat --redact"), "\(found)")
        XCTAssertFalse(found.contains { $0.hasPrefix("/") })
    }

    func testOneAnswerFitsOnAScreen() throws {
        let all = SlashCommand.atPrompt(try commands())
        let search = HelpSearch(commands: all, grammar: .prompt)
        for columns in [40, 80] {
            let help = HelpText(commands: all, columns: columns)
            for word in ["a", "the", "set", "list", "file", "model"] {
                let lines = try XCTUnwrap(search.lines([word], help: help), word)
                XCTAssertLessThanOrEqual(lines.count, HelpSearch.limit + 1, word)
                for line in lines {
                    XCTAssertLessThanOrEqual(line.text.count, columns, line.text)
                }
            }
        }
    }

    /// The commands that lines begin with.
    private func named(_ lines: [StyledLine], _ prefix: String) -> [String] {
        lines.map(\.text).filter { $0.hasPrefix("  " + prefix) }.compactMap {
            $0.dropFirst(2 + prefix.count).split(separator: " ").first.map(String.init)
        }
    }

    /// A few at first, and every command once, with what is behind `more`.
    func testTheTwoPagesHaveEveryCommandOnce() throws {
        let all = try commands()
        let prompt = SlashCommand.atPrompt(all)
        let help = HelpText(commands: prompt)
        let first = named(help.everyday(), "/")
        XCTAssertLessThanOrEqual(first.count, 15)
        let hidden = prompt.filter(\.isHiddenAtPrompt).map(\.name)
        let expected = Set(SlashCommand.listed.map(\.rawValue)).union(prompt.map(\.name))
            .subtracting(Set(hidden).subtracting(SlashCommand.listed.map(\.rawValue)))
        let words = first + named(help.more(.prompt), "/")
        XCTAssertEqual(words.sorted(), expected.sorted())
        XCTAssertLessThanOrEqual(words.count, 51)
        XCTAssertEqual(
            named(HelpText(commands: all).more(.shell), "chat ").sorted(), all.map(\.name).sorted())
        // No place is without a command.
        let placed = HelpOverview.groups.flatMap { $0.names.split(separator: " ").map(String.init) }
        XCTAssertEqual(Set(placed), expected.union(all.map(\.name)))
        XCTAssertEqual(placed.count, Set(placed).count)
        // A new one is shown all the same.
        let newer = Command(name: "newer", summary: "", verbs: [Verb("", "")])
        XCTAssertTrue(
            HelpText(commands: prompt + [newer]).more(.prompt).contains {
                $0.text.hasPrefix("  /newer")
            })
    }

    func testEveryPageOfTheManualIsFoundByItsNameAndByItsOldNames() throws {
        let manual = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/manual").standardized
        let pages = try FileManager.default.contentsOfDirectory(atPath: manual.path)
            .filter { $0.hasSuffix(".md") && $0 != "index.md" }
        XCTAssertGreaterThan(pages.count, 20)
        let search = HelpSearch(commands: [], grammar: .shell)
        for page in pages {
            let entry = try XCTUnwrap(search.find([page]).first { $0.name == page }, page)
            XCTAssertTrue(entry.summary.hasPrefix("manual: "), page)
        }
        // `| dates, keys | [models](models.md#keys) |`
        let table = try String(
            contentsOf: manual.appendingPathComponent("where-everything-went.md"), encoding: .utf8)
        var old: [String] = []
        for row in table.components(separatedBy: "## Requirements")[0].components(
            separatedBy: "\n")
        {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2,
                let link = cells[1].components(separatedBy: "](").dropFirst().first
            else { continue }
            let page = String(link.prefix { $0 != "#" && $0 != ")" })
            for name in cells[0].components(separatedBy: ", ") {
                old.append(name)
                XCTAssertFalse(pages.contains(name + ".md"), name)
                for word in [name, name + ".md"] {
                    XCTAssertTrue(search.find([word]).contains { $0.name == page }, word)
                }
            }
        }
        XCTAssertGreaterThan(old.count, 15)
    }
}
