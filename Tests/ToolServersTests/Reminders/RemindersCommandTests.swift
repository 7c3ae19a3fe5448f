import AgentCore
import Foundation
import XCTest

@testable import ToolServers

final class RemindersCommandTests: XCTestCase {
    private func run(
        _ server: RemindersServer, _ words: String...
    ) async throws -> CommandOutput {
        let command = try XCTUnwrap(server.commands.first)
        return try await command.run(
            CommandInvocation(verb: words[0], arguments: Array(words.dropFirst())))
    }

    private func usage(_ server: RemindersServer, _ words: [String]) async -> UsageError? {
        do {
            _ = try await server.commands[0].run(
                CommandInvocation(verb: words[0], arguments: Array(words.dropFirst())))
            return nil
        } catch { return error as? UsageError }
    }

    func testListIsTheFirstVerb() throws {
        let folder = try CalendarFolder()
        XCTAssertEqual(folder.server.commands.map(\.name), ["reminders"])
        XCTAssertEqual(
            folder.server.commands[0].verbs.map(\.name),
            ["list", "add", "done", "delete", "search"])
    }

    func testAddListDoneSearchDelete() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        let empty = try await run(server, "list")
        XCTAssertEqual(
            empty, CommandOutput(lines: [StyledLine("No open reminders.", .dim)], json: []))
        let added = try await run(
            server, "add", "call", "mom", "--due", "2026-12-24", "--priority=1", "--notes",
            "about Oslo")
        XCTAssertEqual(added.lines, [StyledLine("✓ call mom · Thu 24 Dec", .success)])
        let dashed = try await run(server, "add", "--", "--odd", "title")
        XCTAssertEqual(dashed.lines, [StyledLine("✓ --odd title", .success)])
        let listed = try await run(server, "list")
        XCTAssertEqual(
            listed.lines.map(\.text).filter { !$0.hasPrefix("  ") }, ["Later", "", "No date"])
        let object = try XCTUnwrap(listed.json?[0]?.objectValue)
        XCTAssertEqual(
            object.names,
            [
                "uid", "title", "due", "completed", "completedAt", "priority", "categories", "list",
                "notes", "recurrence", "path",
            ])
        XCTAssertEqual(object["due"], "2026-12-24")
        XCTAssertEqual(object["priority"], 1)
        XCTAssertEqual(object["notes"], "about Oslo")
        XCTAssertEqual(object["completedAt"], .null)
        XCTAssertEqual(object["categories"], [])
        XCTAssertEqual(object["list"], "reminders")
        let done = try await run(server, "done", "call")
        XCTAssertEqual(done.lines, [StyledLine("✓ done: call mom", .success)])
        XCTAssertEqual(done.json?["completed"], true)
        let open = try await run(server, "list")
        XCTAssertEqual(open.json?.arrayValue?.count, 1)
        let all = try await run(server, "list", "--all")
        XCTAssertEqual(all.json?.arrayValue?.count, 2)
        let found = try await run(server, "search", "oslo")
        XCTAssertEqual(found.json?[0]?["title"], "call mom")
        let none = try await run(server, "search", "bergen")
        XCTAssertEqual(none.lines.map(\.text), ["Nothing has \"bergen\" in its title or notes."])
        let gone = try await run(server, "delete", "--", "--odd", "title")
        XCTAssertEqual(gone.lines, [StyledLine("✓ deleted: --odd title (in the trash)", .success)])
    }

    func testWordsThatCannotBeUsedSayWhatWould() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        let cases: [([String], String)] = [
            (["add"], "add needs a title"), (["add", " "], "add needs a title"),
            (["add", "x", "--due"], "--due needs a value"),
            (["add", "x", "--due", ""], "--due is empty; use \(ISO8601.accepted)"),
            (
                ["add", "x", "--due", "2026-02-31"],
                "--due \"2026-02-31\" names a day the calendar does not have; use \(ISO8601.accepted)"
            ),
            (["add", "x", "--priority", "0"], "--priority \"0\" is not a number from 1 to 9"),
            (["add", "x", "--due=2026-01-01", "--due=2026-01-02"], "--due is given twice"),
            (["add", "x", "--colour"], "add has no option --colour"),
            (["list", "milk"], "list takes no \"milk\""), (["done"], "done needs a title or an id"),
            (["search"], "search needs a word"), (["done", "--all"], "done has no option --all"),
            (["fly"], "reminders has no verb \"fly\""),
            (
                ["add", String(repeating: "x", count: 501)],
                "title must have at most 500 characters"
            ),
        ]
        for (words, problem) in cases {
            let error = await usage(server, words)
            XCTAssertEqual(error?.problem, problem, words.joined(separator: " "))
        }
        XCTAssertEqual(try folder.names(folder.path), [])
    }

    func testFilesThatCannotBeReadAreNamed() async throws {
        let folder = try CalendarFolder()
        try folder.put([1], "junk.ics")
        let listed = try await run(folder.server, "list")
        XCTAssertEqual(listed.notices, ["cannot read \(folder.list)/junk.ics: noCalendar"])
    }
}
