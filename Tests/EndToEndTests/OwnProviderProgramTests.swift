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
