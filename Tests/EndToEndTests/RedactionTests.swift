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
}
