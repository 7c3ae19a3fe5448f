import Base
import Foundation
import TestSupport
import XCTest

/// `chat story review` on a terminal, at TERM=dumb and in a pipe.
final class StoryReviewProgramTests: XCTestCase {
    private static let tea = """
        “Good evening,” said Ann. “Good evening,” said Bob.

        Ann and Bob sat by the fire.

        “Tea?”

        “Yes.”

        “Milk?”

        “No.”
        """

    private func chat() throws -> ChatProgram {
        let chat = try ChatProgram()
        let path = try chat.folder.write(Array(Self.tea.utf8), to: "tea.txt")
        XCTAssertEqual(try chat.run(["story", "import", path]).exit, 0)
        XCTAssertEqual(try chat.run(["story", "index", "s1"]).exit, 0)
        return chat
    }

    /// `Bob user` for each quotation after the tags.
    private func speakers(_ chat: ChatProgram) throws -> [String] {
        let segments = try chat.json(["story", "segments", "s1", "--json"]).arrayValue ?? []
        return segments.filter { $0["kind"] == "quotation" }.dropFirst(2).map {
            "\($0["speaker"]?.stringValue ?? "nobody") \($0["by"]?.stringValue ?? "")"
        }
    }

    func testKeysDecideTakeBackAndLeave() throws {
        for (columns, rows) in [(80, 24), (40, 20)] {
            let chat = try chat()
            let screen = try ChatTerminal(
                chat, ["story", "review", "s1", "--all"], rows: rows, columns: columns)
            try screen.waitFor("“Tea?”")
            try screen.waitFor("q quit")
            screen.terminal.type("n")
            try screen.waitFor("none of the cast")
            screen.terminal.type("u")
            try screen.waitFor("Taken back")
            screen.terminal.type("2")
            try screen.waitFor("Bob · also changed")
            screen.terminal.type("q")
            screen.assertEnd(0)
            let found = try speakers(chat)
            XCTAssertEqual(found.first, "Bob user")
            XCTAssertEqual(found.map { $0.prefix(3) }, ["Bob", "Ann", "Bob", "Ann"])
            XCTAssertEqual(try chat.run(["undo"]).exit, 0)
            XCTAssertFalse(try speakers(chat).contains { $0.hasSuffix("user") })
        }
    }

    func testAPipeDecidesLineByLine() throws {
        let chat = try chat()
        let done = try chat.run(["story", "review", "--all"], input: "Bob\nx\nq\n")
        XCTAssertEqual(done.exit, 0, done.errorText)
        XCTAssert(done.text.hasPrefix("✓ 1 decided, "), done.text)
        XCTAssert(done.errorText.contains("“Tea?”"), done.errorText)
        XCTAssert(done.errorText.contains("Bob · also changed: "), done.errorText)
        XCTAssert(done.errorText.contains("No one in the cast is called \"x\""), done.errorText)
        XCTAssertEqual(try speakers(chat).first, "Bob user")
    }

    func testATerminalWithoutACursorGetsLinesAndLetters() throws {
        let chat = try chat()
        chat.variables["TERM"] = "dumb"
        let screen = try ChatTerminal(chat, ["story", "review", "--all"])
        try screen.waitFor("n nobody")
        screen.terminal.type("n\r")
        try screen.waitFor("none of the cast")
        screen.terminal.type("q\r")
        screen.assertEnd(0)
        XCTAssertEqual(try speakers(chat).first, "nobody user")
    }
}
