import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// A provider of the user's configuration with the real program.
final class OwnProviderProgramTests: XCTestCase {
    private func chat(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(["LAN_KEY": ProviderServer.key])
        try configure(chat, server)
        return chat
    }

    private func configure(_ chat: ChatProgram, _ server: ProviderServer) throws {
        try chat.prepare(
            "config.json",
            #"{"providers": {"lan": {"base_url": "\#(server.url)/v1", "key_env": "LAN_KEY"}}}"#)
    }

    func testItIsApprovedOnceAndAnswers() throws {
        let server = try ProviderServer(.chat, [.text("one"), .text("two"), .text("three")])
        let chat = try chat(server)
        try chat.run(["--provider", "lan", "-p", "x"])
            .assertFailure(3, "You have not approved that Lan at", "chat keys approve lan")
        let refused = try chat.run(["keys", "approve", "lan"])
        XCTAssertEqual(refused.exit, 3)
        XCTAssert(refused.errorText.contains("Send the key in the variable LAN_KEY to http://127"))
        XCTAssertEqual(server.allRequests, [])

        XCTAssertEqual(try chat.run(["keys", "approve", "lan", "--yes"]).exit, 0)
        try chat.run(["--provider", "lan", "-p", "x"]).assertAnswer("one\n")
        try chat.run(["-m", "lan/beta-1", "-p", "y"]).assertAnswer("two\n")
        XCTAssertEqual(try chat.json(["conversations", "list", "--json"])[0]?["provider"], "lan")
        // The conversation stays with it.
        try chat.run(["-c", "-p", "z"]).assertAnswer("three\n")
        XCTAssertEqual(try server.messages(2).first, "user: y")
        XCTAssert(try chat.run(["keys", "check", "lan"]).text.contains("The key is valid"))
        XCTAssert(try chat.run(["models", "lan"]).text.contains("alpha-large"))
        XCTAssert(try chat.run(["doctor"]).text.contains("lan: 127.0.0.1"))
        try chat.run(["--provider", "lam", "-p", "x"])
            .assertFailure(2, "There is no provider \"lam\".", "Did you mean --provider lan?")

        // The same configuration with another address is not what was approved.
        let other = try ProviderServer(.chat, [.text("stolen")])
        try configure(chat, other)
        try chat.run(["--provider", "lan", "-p", "x"]).assertFailure(3, "chat keys approve lan")
        XCTAssertEqual(other.allRequests, [])
        try chat.prepare("config.json", "{}")
        try chat.run(["-c", "-p", "x"]).assertFailure(2, "has no provider \"lan\"")
        server.finish()
        other.finish()
    }

    func testAtThePromptTheFirstMessageAsks() throws {
        let server = try ProviderServer(.chat, [.text("Here.")])
        let chat = try chat(server)
        let repl = try ChatTerminal(chat, ["--provider", "lan"])
        try repl.waitForPrompt(after: "/help")
        repl.enter("hello")
        try repl.answer("y", to: "Send the key in the variable LAN_KEY", until: "Here.")
        try repl.waitForPrompt(after: "Here.")
        repl.leave()
        server.finish()
    }
}
