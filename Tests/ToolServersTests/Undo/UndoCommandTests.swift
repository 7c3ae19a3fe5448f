import AgentCore
import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Library

/// What is typed and what is printed.
final class UndoCommandTests: XCTestCase {
    private func run(_ folder: CalendarFolder, _ verb: String, _ words: String...) async throws
        -> CommandOutput
    {
        try await UndoCommand(
            UndoHistory([CalendarUndoSource(folder.store)]), environment: folder.environment
        ).command.run(
            [verb] + words)
    }

    private func filled() async throws -> CalendarFolder {
        let folder = try CalendarFolder()
        for title in ["call mom", "call dad", "buy milk"] {
            _ = try await folder.store.create(
                CalendarUndoTests.todo(title), uid: title.filter { $0 != " " }, in: "reminders",
                step: CalendarUndoTests.step("created", title))
        }
        try await folder.store.change(
            folder.list + "/buymilk.ics",
            step: CalendarUndoTests.step("renamed", "x")
        ) { CalendarUndoTests.retitle(&$0, "y") }
        return folder
    }

    func testTheLatestIsUndoneAndTheNextIsNamed() async throws {
        let folder = try await filled()
        let output = try await run(folder, "step")
        XCTAssertEqual(
            output.lines.map(\.text),
            ["✓ undone: renamed reminder x", "  next: created reminder buy milk · \(clock)"])
        XCTAssertEqual(output.json?["undone"]?["title"]?.stringValue, "x")
        XCTAssertEqual(output.json?["next"]?["title"]?.stringValue, "buy milk")
        let redone = try await run(folder, "redo")
        XCTAssertEqual(redone.lines.map(\.text), ["✓ redone: renamed reminder x"])
        let nothing = try await run(folder, "redo")
        XCTAssertEqual(nothing.lines.map(\.text), ["Nothing to redo."])
        XCTAssertEqual(nothing.outcome, .failure)
    }

    private var clock: String { LocalTime().civil(at: CalendarFolder.now).clockText }

    func testTheListHasNumbersThatCanBeTyped() async throws {
        let folder = try await filled()
        _ = try await run(folder, "step")
        _ = try await run(folder, "step", "buy", "milk")
        let output = try await run(folder, "list")
        XCTAssertEqual(
            output.lines.map(\.text),
            [
                "   1  \(clock)  created reminder call dad",
                "   2  \(clock)  created reminder call mom",
                "Undone (chat undo redo takes the latest back)",
                "      \(clock)  created reminder buy milk",
                "      \(clock)  renamed reminder x",
            ])
        let second = try await run(folder, "step", "2")
        XCTAssertEqual(second.lines.first?.text, "✓ undone: created reminder call mom")
    }

    func testAnItemIsNamedByTitleFileOrId() async throws {
        let folder = try await filled()
        let shown = try await run(folder, "show", "mom")
        XCTAssertTrue(shown.lines[0].text.hasPrefix("created reminder call mom · "))
        let ambiguous = try await run(folder, "step", "call")
        XCTAssertEqual(ambiguous.outcome, .refused)
        XCTAssertEqual(
            ambiguous.choices.map(\.label),
            ["created reminder call dad · \(clock)", "created reminder call mom · \(clock)"])
        let chosen = ambiguous.choices[1].command
        XCTAssertEqual(chosen.prefix(2), ["undo", "step"])
        let undone = try await run(folder, "step", chosen[2])
        XCTAssertEqual(undone.lines[0].text, "✓ undone: created reminder call mom")
        do {
            _ = try await run(folder, "step", "nothing like it")
            XCTFail("found")
        } catch ToolError.failed(let text) {
            XCTAssertTrue(text.contains("No change of \"nothing like it\""), text)
        }
    }

    func testShowComparesWithWhatIsThereNow() async throws {
        let folder = try CalendarFolder()
        try folder.put(CalendarFixtures.file("todoman.ics"), "rich.ics")
        try await folder.store.change(
            folder.list + "/rich.ics", step: CalendarUndoTests.step("renamed", "x")
        ) { CalendarUndoTests.retitle(&$0, "new") }
        let asLeft = try await run(folder, "show").lines.map(\.text)
        XCTAssertTrue(asLeft.contains("    - SUMMARY:new"), "\(asLeft)")
        try folder.put(CalendarWriter.bytes(CalendarUndoTests.todo("theirs")), "rich.ics")
        let changed = try await run(folder, "show").lines.map(\.text)
        XCTAssertTrue(changed.contains("    + SUMMARY:theirs"), "\(changed)")
        XCTAssertTrue(changed.contains("    - SUMMARY:new"), "\(changed)")
    }

    func testPlainWordsUndoOnlyWhatIsThere() async throws {
        let folder = try await filled()
        let server = UndoServer(
            UndoHistory([CalendarUndoSource(folder.store)]), environment: folder.environment)
        for message in ["undo", "Undo that!", "please undo", "redo it"] {
            XCTAssertTrue(server.canHandle(message: message).isComplete, message)
        }
        for message in ["undo the tie of the knot", "how do I undo a commit?", ""] {
            XCTAssertEqual(server.canHandle(message: message), .none, message)
        }
        let output = try await server.handle(message: "undo that")
        XCTAssertEqual(output?.lines.first?.text, "✓ undone: renamed reminder x")
        let empty = try CalendarFolder()
        let other = UndoServer(
            UndoHistory([CalendarUndoSource(empty.store)]), environment: empty.environment)
        let left = try await other.handle(message: "undo that")
        XCTAssertNil(left)
    }

    func testTheToolUndoesAndAsksBackWhereItIsUnclear() async throws {
        let folder = try await filled()
        let server = UndoServer(
            UndoHistory([CalendarUndoSource(folder.store)]), environment: folder.environment)
        let output = try await server.callTool("undo_change", arguments: JSONObject([]))
        XCTAssertEqual(output.text, "✓ undone: renamed reminder x")
        do {
            _ = try await server.callTool(
                "undo_change", arguments: JSONObject([.init("item", "call")]))
            XCTFail("chosen")
        } catch ToolError.ambiguous(_, let candidates) {
            XCTAssertEqual(candidates.count, 2)
        }
    }

    func testAnActThatCannotBeUndoneSaysSo() async throws {
        let folder = try CalendarFolder()
        try FileManager.default.createDirectory(
            atPath: folder.state + "/calendar.db", withIntermediateDirectories: true)
        let store = folder.store
        let server = UndoNoticeServer(ActingServer(store: store), store: store)
        let output = try await server.commands[0].run(
            ["add"])
        XCTAssertEqual(output.notices.count, 1)
        XCTAssertTrue(
            output.notices[0].hasPrefix("This cannot be undone. "), "\(output.notices)")
        XCTAssertEqual(output.outcome, .degraded)
        let handled = try await server.handle(message: "x")
        XCTAssertEqual(handled?.notices, output.notices)
        let called = try await server.callTool("add", arguments: JSONObject([]))
        XCTAssertEqual(called.summary, "done · \(output.notices[0])")
    }
}

/// Creates a file whatever it is asked.
private struct ActingServer: ToolServer {
    let name = "acting"
    let description = ""
    let store: CalendarStore

    func act() async throws -> CommandOutput {
        let uid = UUID().uuidString
        _ = try await store.create(
            CalendarUndoTests.todo("x"), uid: uid, in: "reminders",
            step: CalendarUndoTests.step("created"))
        return CommandOutput()
    }

    var commands: [Command] {
        [
            Command(name: "add", summary: "", verbs: [Verb("add", "") { _ in try await act() }])
        ]
    }
    func listTools() -> [Tool] { [] }
    func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? { try await act() }
    func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        _ = try await act()
        return ToolOutput(text: "done", summary: "done")
    }
}
