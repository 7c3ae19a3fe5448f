import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// The loop of ideas in a terminal: acceptance check 9, and the rest that its
/// keys do.
final class IdeaKeysTests: XCTestCase {
    private func loop(
        _ server: ProviderServer, rows: Int = 24, columns: Int = 80
    ) throws -> ChatTerminal {
        let chat = try ChatProgram(server)
        XCTAssertEqual(try chat.run(["idea", "prompt", "set", "One app idea"]).exit, 0)
        return try ChatTerminal(chat, ["idea", "loop"], rows: rows, columns: columns)
    }

    private func kept(_ chat: ChatProgram) throws -> [String] {
        (try chat.json(["idea", "list", "--json"]).arrayValue ?? []).compactMap {
            $0["title"]?.stringValue
        }
    }

    func testDiscardingWhileItIsWrittenCancelsAndBeginsTheNext() throws {
        let server = try ProviderServer(
            .messages, [.stall(after: "A choir on"), .text("Soup by post.")])
        let loop = try loop(server)
        try loop.waitFor("A choir on")
        loop.terminal.type("d")
        try loop.waitFor("Soup by post.")
        XCTAssertEqual(server.requests.count, 2)
        // The server waits for the end of the first request: its client has gone.
        loop.terminal.type("s")
        loop.terminal.type("q")
        loop.assertEnd(0)
        server.stop()
    }

    func testSavingWhileItIsWrittenKeepsNothingThatIsNotThere() throws {
        let server = try ProviderServer(
            .messages, [.text("A choir on a bus."), .text("Soup by post."), .stall(after: "A")])
        let loop = try loop(server)
        try loop.waitFor("A choir on a bus.")
        loop.terminal.type("s")
        try loop.waitFor("Soup by post.")
        loop.terminal.type("s")
        try loop.waitFor("✓ i2  Soup by post.")
        loop.terminal.type("q")
        loop.assertEnd(0)
        XCTAssertEqual(try kept(loop.chat), ["A choir on a bus.", "Soup by post."])
        server.stop()
    }

    func testControlCAtAnyMomentGivesTheTerminalBack() throws {
        for isWriting in [true, false] {
            let server = try ProviderServer(
                .messages, [isWriting ? .stall(after: "A choir on") : .text("A choir on a bus.")])
            let loop = try loop(server)
            try loop.waitFor(isWriting ? "A choir on" : "A choir on a bus.")
            loop.terminal.type("\u{03}")
            loop.assertEnd(130)
            server.stop()
        }
    }

    func testUndoBringsTheLatestDecisionBack() throws {
        let server = try ProviderServer(
            .messages,
            [.text("A choir on a bus."), .text("Soup by post."), .text("A lamp that hums.")])
        let loop = try loop(server)
        try loop.waitFor("A choir on a bus.")
        loop.terminal.type("s")
        try loop.terminal.waitFor("the second idea") {
            $0.text.contains("Soup by post.") && $0.text.contains("u undoes")
        }
        loop.terminal.type("u")
        try loop.terminal.waitFor("the first idea") { screen in
            screen.text.contains("A choir on a bus.") && screen.text.contains("Back again")
        }
        loop.terminal.type("q")
        loop.assertEnd(0)
        XCTAssertEqual(try kept(loop.chat), [])
        server.stop()
    }

    func testItsKeysFitAnyWindowAndAResize() throws {
        let server = try ProviderServer(.messages, [.text("A choir on a bus that never stops.")])
        let loop = try loop(server, rows: 12, columns: 40)
        try loop.terminal.waitFor("the keys") { $0.lines.last?.contains("q quit") == true }
        loop.terminal.resize(rows: 12, columns: 36)
        try loop.terminal.waitFor("the keys of a narrow window") {
            $0.lines.last?.contains("q quit") == true && $0.text.contains("stops.")
        }
        loop.terminal.resize(rows: 30, columns: 110)
        try loop.terminal.waitFor("all keys") { $0.lines.last?.contains("y copy") == true }
        loop.terminal.type("q")
        loop.assertEnd(0)
        server.stop()
    }

    func testOnATerminalWithoutACursorLettersAndEnterDoTheSame() throws {
        let server = try ProviderServer(
            .messages, [.text("A choir on a bus."), .text("Soup by post."), .text("A lamp.")])
        let chat = try ChatProgram(server)
        chat.variables["TERM"] = "dumb"
        XCTAssertEqual(try chat.run(["idea", "prompt", "set", "One app idea"]).exit, 0)
        let loop = try ChatTerminal(chat, ["idea", "loop"])
        try loop.waitFor("A choir on a bus.")
        loop.enter("s")
        try loop.waitFor("Soup by post.")
        loop.enter("d")
        try loop.waitFor("A lamp.")
        loop.enter("q")
        loop.assertEnd(0)
        XCTAssertEqual(try kept(chat), ["A choir on a bus."])
        XCTAssertFalse(loop.terminal.transcript.contains(0x1B))
        server.finish()
    }
}
