import AgentCore
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

    func testWhatIsMissingIsNamedAndNothingIsAsked() throws {
        let server = try ProviderServer(.messages, [])
        let chat = try ChatProgram(server)
        try chat.run(["prompt", "new", "into", "Into {{lang}}: {{input}}"])
        try chat.run(["-P", "into", "hello"]).assertFailure(2, "into needs a value for lang.")
        try chat.run(["-P", "into", "lang=de"]).assertFailure(2, "into needs a text.")
        try chat.run(["-P", "intoo", "hello"]).assertFailure(2, "Did you mean into?")
        let hint = try chat.run(["-P", "into", "hello"]).errorText
        XCTAssertTrue(hint.contains("chat -P into lang=… TEXT"), hint)
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

    func testEditingABuiltInOneInTheEditorIsUndoneByResetting() throws {
        let chat = try ChatProgram(["EDITOR": "sed -i s/Linux/Plan9/"])
        try chat.run(["prompt", "edit", "shell"]).assertAnswer(
            "✓ shell is changed as i1 · chat undo\n")
        let shown = try chat.run(["prompt", "show", "shell"])
        XCTAssertTrue(shown.text.contains("on Plan9."), shown.text)
        XCTAssertTrue(shown.errorText.contains("instead of the built-in one"), shown.errorText)
        try chat.run(["prompt", "edit", "shell"]).assertAnswer("Nothing changed.\n")
        XCTAssertEqual(try chat.run(["prompt", "reset", "shell"]).exit, 0)
        let again = try chat.run(["prompt", "show", "shell"])
        XCTAssertTrue(again.text.contains("on Linux."), again.text)
    }
}
