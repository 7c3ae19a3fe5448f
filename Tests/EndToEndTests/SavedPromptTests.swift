import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Prompts that are kept under a name, in the real program.
final class SavedPromptTests: XCTestCase {
    private func translating(_ chat: ChatProgram) throws {
        try chat.run([
            "prompt", "new", "translate", "Into {{lang|English}}: {{input}}", "--summary",
            "other words",
        ])
    }

    func testAPromptIsACommandOfTheShell() throws {
        let server = try ProviderServer(
            .messages, [.text("Morning."), .text("Matin."), .text("Piped.")])
        let chat = try ChatProgram(server)
        try translating(chat)
        try chat.run(["-P", "translate", "Guten Morgen"]).assertAnswer("Morning.\n")
        try chat.run(["-P", "translate", "Guten", "Morgen", "lang=French"]).assertAnswer("Matin.\n")
        // A place in the data stays data.
        try chat.run(["-P", "translate", "lang=French"], input: "say {{lang}}\n")
            .assertAnswer("Piped.\n")
        XCTAssertEqual(try server.messages(0), ["user: Into English: Guten Morgen"])
        XCTAssertEqual(try server.messages(1), ["user: Into French: Guten Morgen"])
        XCTAssertEqual(try server.messages(2), ["user: Into French: say {{lang}}"])
        server.finish()
    }

    private func body(_ server: ProviderServer, _ index: Int) throws -> JSONValue {
        try JSONParser.parse(server.requests[index].body)
    }

    func testWhatTheHeadSaysHoldsForThatAnswerAndTheCommandLineComesFirst() throws {
        let server = try ProviderServer(.chat, [.text("One."), .text("Two."), .text("Three.")])
        let chat = try ChatProgram(server)
        let file = try chat.folder.write(
            Array("---\nmodel: local/tiny\ntemperature: 0.3\nmax_tokens: 77\n---\nSay.".utf8),
            to: "say.md")
        try chat.run(["prompt", "new", "say", "--from", file])
        try chat.run(["-P", "say"]).assertAnswer("One.\n")
        try chat.run(["-P", "say", "-m", "local/other"]).assertAnswer("Two.\n")
        try chat.run(["-p", "hi", "--provider", "local", "-m", "tiny"]).assertAnswer("Three.\n")
        XCTAssertEqual(try body(server, 0)["model"], "tiny")
        XCTAssertEqual(try body(server, 0)["temperature"]?.doubleValue, 0.3)
        XCTAssertEqual(try body(server, 1)["model"], "other")
        XCTAssertNil(try body(server, 2)["temperature"])
        for (index, limit) in [(0, true), (1, true), (2, false)] {
            let body = try body(server, index)
            let tokens = body["max_completion_tokens"] ?? body["max_tokens"]
            XCTAssertEqual(tokens == 77, limit, "\(index)")
        }
        server.finish()
    }

    func testWhatIsPipedIntoAPromptCountsAsForeignText() throws {
        let server = try ProviderServer(.messages, [.text("Short."), .text("Both.")])
        let chat = try ChatProgram(server)
        try chat.run(["prompt", "new", "sum", "Sum up: {{input}}"])
        try chat.run(["-P", "sum"], input: "a page\n").assertAnswer("Short.\n")
        XCTAssertEqual(try server.messages(0), ["user: Sum up: a page"])
        let kept = try chat.run(["conversations", "export", "--format", "json"]).text
        XCTAssertTrue(kept.contains("is_kept_only"), kept)
        try chat.run(["-P", "sum", "only money"], input: "a page\n").assertAnswer("Both.\n")
        let both = try server.messages(1).joined()
        XCTAssertTrue(both.contains("File stdin:"), both)
        XCTAssertTrue(both.contains("Sum up: only money"), both)
        server.finish()
    }

    func testEditedRecipesAndMarkedPromptsCountAtOnce() throws {
        let text = "this sentence is long enough to be written anew"
        let server = try ProviderServer(
            .messages, [.text("Arr, " + text), .text(text), .text("An idea.")])
        let chat = try ChatProgram(
            server.variables.merging(["EDITOR": "sed -i $a\\ALWAYS-IN-GREEN"]) { $1 })
        try chat.run(["prompt", "new", "pirate", "Like a pirate: {{input}}", "--writing-tool"])
        let tools = try chat.run(["prompt", "list", "--writing-tools"])
        XCTAssertTrue(tools.text.contains("pirate"), tools.text)
        _ = try chat.run(["write", "with", "pirate", "-"], input: text + "\n")
        try chat.run(["prompt", "edit", "concise"])
        _ = try chat.run(["write", "concise", "-"], input: text + "\n")
        try chat.run(["prompt", "edit", "idea"])
        try chat.run(["idea", "prompt", "set", "One app idea"])
        _ = try chat.run(["idea"])
        XCTAssertEqual(server.requests.count, 3)
        let systems = try (0..<3).map { JSONWriter.string(try body(server, $0)["system"] ?? .null) }
        XCTAssertTrue(systems[0].contains("Like a pirate: (the text that is given)"), systems[0])
        XCTAssertTrue(systems[1].contains("ALWAYS-IN-GREEN"), systems[1])
        XCTAssertTrue(systems[2].contains("ALWAYS-IN-GREEN"), systems[2])
        server.finish()
    }

    func testAtThePromptTheTextIsAsItWasTyped() throws {
        let server = try ProviderServer(.messages, [.text("Done."), .text("Done again.")])
        let chat = try ChatProgram(server)
        try translating(chat)
        let repl = try ChatTerminal(chat, ["--provider", "claude"])
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/p translate lang=French it's \"quoted\" {{lang}}", until: "Done.")
        try repl.waitFor("translate: Into French: it's \"quoted\" {{lang}}")
        try repl.enter("/p translate", until: "translate needs a text.")
        try repl.enter("/p shell list files by size", until: "Done again.")
        repl.leave()
        XCTAssertEqual(
            try server.messages(0), ["user: Into French: it's \"quoted\" {{lang}}"])
        XCTAssertEqual(
            try server.messages(1).last?.hasSuffix("\n\nlist files by size"), true)
        server.finish()
    }

    func testThePromptsModelIsSwitchedToOnceAndSaid() throws {
        let server = try ProviderServer(.chat, [.text("One."), .text("Two."), .text("Three.")])
        let chat = try ChatProgram(server)
        let file = try chat.folder.write(
            Array("---\nmodel: local/tiny\nmax_tokens: 77\nodd\n---\nSay.".utf8), to: "say.md")
        try chat.run(["prompt", "new", "say", "--from", file])
        let repl = try ChatTerminal(chat, ["--provider", "local", "-m", "large"])
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/p say", until: "One.")
        try repl.waitFor("not understood: odd")
        try repl.waitFor("tiny · local")
        try repl.enter("/p say", until: "Two.")
        try repl.enter("and plainly", until: "Three.")
        let said = repl.terminal.screen.transcript.filter { $0.contains("tiny · local") }
        XCTAssertEqual(said.count, 1)
        repl.leave()
        XCTAssertEqual(try (0..<3).map { try body(server, $0)["model"] }, ["tiny", "tiny", "tiny"])
        let limits = try (0..<3).map { index in
            let body = try body(server, index)
            return (body["max_completion_tokens"] ?? body["max_tokens"]) == 77
        }
        XCTAssertEqual(limits, [true, true, false])
        server.finish()
    }
}
