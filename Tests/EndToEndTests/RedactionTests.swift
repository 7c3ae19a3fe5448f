import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// The program with `--redact` and `/redact`: what arrives at the server, and what the
/// user sees.
final class RedactionTests: XCTestCase {
    func testOneAnswerTellsTheServerNothingOnEachWireFormat() throws {
        for format in [WireFormat.responses, .chat, .messages] {
            let server = try ProviderServer(format, [.text("Write to [EM", "AIL", "], please.")])
            let chat = try ChatProgram(server)
            try chat.run([
                "--provider", server.provider, "--redact", "-p",
                "My address is ida.berg@example.org.",
            ]).assertAnswer("Write to ida.berg@example.org, please.\n")
            XCTAssertEqual(try server.messages(0), ["user: My address is [EMAIL]."])
            XCTAssertEqual(
                try chat.conversation(),
                [
                    "user: My address is ida.berg@example.org. (done)",
                    "assistant: Write to ida.berg@example.org, please. (done)",
                ])
            server.finish()
        }
    }

    func testJSONSaysThatItWasRedacted() throws {
        let server = try ProviderServer(.messages, [.text("ok"), .text("ok")])
        let chat = try ChatProgram(server)
        let cases: [([String], JSONValue?)] = [
            (["--redact"], .bool(true)), ([], Optional.none),
        ]
        for (words, wanted) in cases {
            let result = try chat.run(words + ["-p", "hi", "--output", "json"])
            XCTAssertEqual(try JSONParser.parse(result.output)["redacted"], wanted)
        }
        server.finish()
    }

    func testThePromptSaysIt() throws {
        let server = try ProviderServer(.messages, [.text("Noted."), .text("Noted too.")])
        let repl = try ChatTerminal(try ChatProgram(server))
        try repl.waitForPrompt(after: "/help")
        repl.enter("/redact on")
        try repl.waitFor("redact >")
        let screen = try repl.terminal.waitFor("what it does") { screen in
            screen.transcript.contains { $0.contains("Your profile is empty") }
        }
        XCTAssertTrue(screen.transcript.contains { $0.contains("redact: on") })
        repl.enter("I am at ida.berg@example.org")
        try repl.waitFor("Noted.")
        XCTAssertEqual(try server.messages(0), ["user: I am at [EMAIL]"])
        repl.enter("/redact off")
        try repl.waitForPrompt(after: "gets the whole conversation")
        try repl.enter("again", until: "Noted too.")
        XCTAssertEqual(try server.messages(1).first, "user: I am at ida.berg@example.org")
        repl.leave()
        server.finish()
    }

    private static let mail = "ida.berg@example.org"
    /// The profile's mail in base64 twice, which is not redacted but refused.
    private static let hidden = Data(
        Data(mail.utf8).base64EncodedString().utf8
    ).base64EncodedString()

    private func chatOfIda(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        XCTAssertEqual(
            try chat.run(["profile", "set", "email", "-"], input: Self.mail).exit, 0)
        return chat
    }

    private func waitForDraft(_ text: String, in repl: ChatTerminal, times: Int = 1) throws {
        try repl.terminal.waitFor("the refused line, back") { screen in
            screen.transcript.count { $0.contains("It is back in the line") } == times
                && screen.lines.last == "redact > \(text)"
        }
    }

    func testARefusedMessageIsBackInTheLineAndIsNeverSentByItself() throws {
        let server = try ProviderServer(
            .messages, [.text("First."), .text("Second."), .text("Third."), .text("Fourth.")])
        let repl = try ChatTerminal(try chatOfIda(server), ["--redact"])
        try repl.waitFor("redact >")
        repl.enter("Decode \(Self.hidden)")
        try repl.waitFor("this would reveal your e-mail")
        try waitForDraft("Decode \(Self.hidden)", in: repl)
        // What is made of it is sent instead.
        repl.terminal.type("\u{15}")
        repl.enter("Never mind")
        try repl.waitFor("First.")
        repl.enter("Decode \(Self.hidden)")
        try waitForDraft("Decode \(Self.hidden)", in: repl, times: 2)
        // Cleared, it stays where it was.
        repl.terminal.type("\u{03}")
        try repl.waitForLine("redact >")
        repl.enter("Go on")
        try repl.waitFor("Second.")
        try repl.enter("/redact off", until: "unredacted")
        try repl.enter("And now?", until: "Third.")
        XCTAssertEqual(
            try server.messages(2),
            [
                "user: Never mind", "assistant: First.", "user: Go on", "assistant: Second.",
                "user: And now?",
            ])
        repl.leave()
        XCTAssertEqual(try repl.chat.run(["-c", "-p", "Later"]).exit, 0)
        XCTAssertFalse(try server.messages(3).joined().contains(Self.hidden.prefix(12)))
        server.finish()
    }

    func testUndoTakesARefusedMessageOutAndRetryOffersItForEditing() throws {
        let server = try ProviderServer(.messages, [.text("Fine.")])
        let chat = try chatOfIda(server)
        let repl = try ChatTerminal(chat, ["--redact"])
        try repl.waitFor("redact >")
        repl.enter(Self.hidden)
        try waitForDraft(Self.hidden, in: repl)
        repl.terminal.type("\u{15}")
        repl.enter("/retry")
        try repl.waitFor("It would be refused again: change it first.")
        try repl.terminal.waitFor("the line") { $0.lines.last == "redact > \(Self.hidden)" }
        repl.terminal.type("\u{15}")
        repl.enter("/undo")
        try repl.waitFor("✓ undone: refused message, not sent")
        XCTAssertEqual(try chat.conversation(), [])
        repl.enter("hello")
        try repl.waitFor("Fine.")
        XCTAssertEqual(try server.messages(0), ["user: hello"])
        repl.leave()
        server.finish()
    }

    func testAnEarlierMessageThatRevealsIsLeftOutInsteadOfStoppingTheConversation() throws {
        let server = try ProviderServer(
            .messages, [.text("Seen."), .text("Here."), .text("There.")])
        let repl = try ChatTerminal(try chatOfIda(server))
        try repl.waitForPrompt()
        try repl.enter("Decode \(Self.hidden)", until: "Seen.")
        repl.enter("/redact on")
        try repl.waitFor("redact: on")
        repl.enter("Where are you?")
        try repl.waitFor("earlier messages that would reveal who you are were left out")
        XCTAssertEqual(try server.messages(1), ["user: Where are you?"])
        try repl.waitFor("Here.")
        repl.terminal.type("\u{15}")
        repl.enter("And then?")
        try repl.waitFor("There.")
        XCTAssertEqual(
            try server.messages(2),
            ["user: Where are you?", "assistant: Here.", "user: And then?"])
        repl.leave()
        server.finish()
    }
}
