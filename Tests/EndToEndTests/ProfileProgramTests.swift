import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Who the user is, in the real program: asked for at the terminal, kept in one
/// private file, and in no other.
final class ProfileProgramTests: XCTestCase {
    private static let values = ["Ida Svensson", "ida@mail.example", "+46 8 123 456"]

    /// Files of the home in which one of the literals stands.
    private func holders(_ chat: ChatProgram, _ literals: [String] = values) throws -> [String] {
        try chat.files.filter { name in
            let data = Data(try chat.bytes(name))
            return literals.contains { data.range(of: Data($0.utf8)) != nil }
        }
    }

    func testInTheShellAValueIsAskedForAndKeptPrivately() throws {
        for term in ["xterm-256color", "dumb"] {
            let chat = try ChatProgram(["TERM": term])
            let shell = try ChatTerminal(chat, ["profile", "set", "name"])
            try shell.answer("Ida Svensson", to: "Name:", until: "✓ name: I••• S•••")
            shell.assertEnd(0)
            XCTAssertEqual(chat.files, ["profile.json"])
            let attributes = try FileManager.default.attributesOfItem(
                atPath: chat.file("profile.json"))
            XCTAssertEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o600)
            let stopped = try ChatTerminal(chat, ["profile", "set", "email"])
            try stopped.waitFor("E-mail:")
            stopped.terminal.type("ida\u{03}")
            stopped.assertEnd(130)
            XCTAssertEqual(
                try chat.json(["profile", "show", "--reveal", "--json"])["email"], [])
        }
    }

    func testAtThePromptNoValueGetsIntoTheHistoryTheDraftOrTheConversation() throws {
        let server = try ProviderServer(.messages, [.text("Hello.")])
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/profile set name Ida Svensson", until: "✓ name: I••• S•••")
        repl.enter("/profile set email")
        try repl.answer("ida@mail.example", to: "E-mail:", until: "✓ e-mail: i•••@•••.example")
        try repl.waitForPrompt()
        try repl.enter("/profile sett phone +46 8 123 456", until: "has no \"sett\"")
        try repl.enter("/redact please hide Ida Svensson", until: "does not know")
        try repl.enter("/profile show", until: "••• ")
        // What tells who the user is can be sent, and is in no file of the prompt's own.
        try repl.enter("hello there", until: "Hello.")
        repl.terminal.type("/profile add phone +46 8 123 456")
        try repl.waitForLine("> /profile add phone +46 8 123 456")
        repl.terminal.signal(SIGTERM)
        repl.assertEnd(130)
        XCTAssertEqual(try holders(chat), ["profile.json"])
        let history = String(decoding: try chat.bytes("state/history"), as: UTF8.self)
        XCTAssert(history.contains("/profile set email\n"), history)
        XCTAssert(history.contains("hello there"), history)
        server.finish()
    }

    func testAMessageThatTellsWhoOneIsStaysOutOfTheHistoryFile() throws {
        let chat = try ChatProgram()
        try chat.run(["profile", "set", "name", "-"], input: "Ida Svensson\n")
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/rename letter of ida svensson", until: "rename")
        repl.terminal.type("\u{1B}[A")
        try repl.waitForLine("> /rename letter of ida svensson")
        repl.terminal.type("\u{03}")
        try repl.waitForPrompt()
        repl.leave()
        XCTAssertEqual(try holders(chat, ["ida svensson", "Ida Svensson"]), ["profile.json"])
    }
}
