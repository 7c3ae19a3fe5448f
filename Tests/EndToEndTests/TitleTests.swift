import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Titles at the prompt: asked for behind it, never in its way.
final class TitleTests: XCTestCase {
    private func titles(_ chat: ChatProgram) throws -> [String] {
        try (chat.json(["conversations", "list", "--json"]).arrayValue ?? [])
            .compactMap { $0["title"]?.stringValue }
    }

    func testATitleComesBehindALineThatIsBeingTypedAndIsAskedForOnce() throws {
        for format in [WireFormat.messages, .responses] {
            let (asked, go) = (Gate(), Gate())
            let title = ProviderServer.Reply { format in
                let body = WireScript.text(["Ferry prices"], format: format)
                return ServerScript([
                    .open(asked), .wait(go), ServerScript.sseHead(), .chunk(body), .lastChunk,
                ])
            }
            let server = try ProviderServer(
                format, [.text("About 40."), .text("The same.")], titles: title)
            let chat = try ChatProgram(server)
            let repl = try ChatTerminal(chat)
            try repl.waitForPrompt(after: "/help")
            try repl.enter("What does the ferry cost?", until: "About 40.")
            asked.block()
            repl.terminal.type("half a li")
            try repl.waitForLine("> half a li")
            go.open()
            repl.terminal.type("ne")
            try repl.waitForLine("> half a line")
            repl.terminal.type("\r")
            try repl.waitForPrompt(after: "The same.")
            // It is stored behind the prompt, soon.
            for _ in 0..<200 { if try titles(chat) == ["Ferry prices"] { break } }
            XCTAssertFalse(repl.terminal.screen.text.contains("Ferry prices"))
            repl.leave()
            XCTAssertEqual(server.titleRequests.count, 1)
            XCTAssertEqual(
                try server.messages(1).last, "user: half a line", "no request has the title's words"
            )
            XCTAssertEqual(try titles(chat), ["Ferry prices"])
            let found = try chat.run(["conversations", "show", "what does the ferry"])
            XCTAssertEqual(found.exit, 0, found.errorText)
            server.finish()
        }
    }

    func testTheProgramEndsAtOnceWhileATitleIsAwaited() throws {
        let asked = Gate()
        let server = try ProviderServer(
            .messages, [.text("About 40.")],
            titles: ProviderServer.Reply { _ in ServerScript([.open(asked), .stall]) })
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("What does the ferry cost?", until: "About 40.")
        asked.block()
        repl.leave()
        XCTAssertEqual(try titles(chat), ["What does the ferry cost?"])
        server.finish()
    }
}
