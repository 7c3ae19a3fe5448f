import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Answers that are kept, and items that come back into messages, in the real
/// program.
final class KeptAnswerTests: XCTestCase {
    func testAnAnswerIsKeptNamedAndSentAgain() throws {
        let server = try ProviderServer(
            .messages,
            [.text("Use this:\n\n```sh\ndu -sh *\n```\n"), .text("Seen."), .text("Also.")])
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat, ["--provider", "claude"])
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/keep", until: "There is no answer yet.")
        try repl.enter("which folder is large?", until: "du -sh")
        try repl.enter("/keep 1 as idea Sizes of folders", until: "✓ kept: i1")
        try repl.enter("/keep", until: "✓ kept: i2")
        try repl.enter("/keep 2", until: "The last answer has 1 code block.")
        try repl.enter("what does @i1 do? and @i99?", until: "Seen.")
        try repl.waitFor("+ i1 Sizes of folders  9 bytes, 1 line")
        try repl.waitFor("@i99 is not in the library; it goes as text.")
        try repl.enter("/attach i1", until: "with the next message")
        try repl.enter("/attach i98", until: "There is no item i98.")
        try repl.enter("again", until: "Also.")
        try repl.enter("/undo", until: "Use this:")
        repl.leave()
        let sent = try server.messages(1).joined()
        XCTAssertTrue(sent.contains("du -sh *"), sent)
        XCTAssertTrue(sent.contains("what does @i1 do? and @i99?"), sent)
        XCTAssertTrue(try server.messages(2).last?.contains("File i1 Sizes of folders") == true)
        let shown = try chat.run(["library", "history", "i1", "--json"])
        let revision = try JSONParser.parse(Array(shown.text.utf8))[0]
        XCTAssertEqual(revision?["made"]?.stringValue.map { !$0.isEmpty }, true)
        XCTAssertEqual(revision?["by"]?.stringValue, "model")
        XCTAssertEqual(revision?["conversation"]?.stringValue?.isEmpty, false)
        server.finish()
    }

    func testAnItemGoesWithOneAnswer() throws {
        let server = try ProviderServer(.messages, [.text("Short.")])
        let chat = try ChatProgram(server)
        try chat.run(["prompt", "new", "mine", "Some words of a prompt."])
        try chat.run(["-p", "shorter", "--attach", "i1"]).assertAnswer("Short.\n")
        XCTAssertTrue(try server.messages(0)[0].contains("Some words of a prompt."))
        try chat.run(["-p", "x", "--attach", "i9"]).assertFailure(1, "There is no item i9.")
        server.finish()
    }
}
