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
        let there = grammar == .prompt ? all.compactMap(\.atPrompt) : all
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
            XCTAssertTrue(try names(word).prefix(4).contains("/snooze"), word)
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
        let all = try commands().compactMap(\.atPrompt)
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

    /// Every command once, on one screen.
    func testTheOverviewHasEveryCommandOnce() throws {
        let all = try commands().compactMap(\.atPrompt)
        let lines = HelpText(commands: all).slashCommands()
        XCTAssertLessThanOrEqual(lines.count, 40)
        var words = lines.dropLast().flatMap { $0.text.split(separator: " ") }
            .filter { $0.hasPrefix("/") }.map { String($0.dropFirst()) }
        words.removeAll { $0.isEmpty }
        let expected = Set(SlashCommand.allCases.map(\.rawValue)).union(all.map(\.name))
        XCTAssertEqual(words.sorted(), expected.sorted())
        // None of them is without a place, and no place is without a command.
        let placed = HelpOverview.groups.flatMap(\.rows).flatMap(\.names)
        XCTAssertEqual(Set(placed).symmetricDifference(expected), [])
        for line in lines { XCTAssertLessThanOrEqual(line.text.count, 80, line.text) }
        // A new one is shown all the same.
        let more = HelpText(
            commands: all + [Command(name: "newer", summary: "", verbs: [Verb("", "")])]
        ).slashCommands()
        XCTAssertTrue(more.contains { $0.text == "  /newer" })
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
