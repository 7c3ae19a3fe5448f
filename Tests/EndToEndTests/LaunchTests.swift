import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// What a launch opens, and with what: options, conversations, odd
/// surroundings.
final class LaunchTests: XCTestCase {
    /// A home with two conversations made at the prompt: ships and trains.
    private func used(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        for topic in ["ships", "trains"] {
            let repl = try ChatTerminal(chat, ["-n"])
            try repl.waitForPrompt(after: "/help")
            try repl.enter(topic, until: "About it.")
            repl.leave()
        }
        return chat
    }

    func testALaunchResumesTheLatestAndOptionsChooseAnother() throws {
        let server = try ProviderServer(.messages, [.text("About it.")], repeats: true)
        let chat = try used(server)
        for (arguments, seen) in [
            ([], "> trains"), (["-r", "ships"], "> ships"), (["--resume", "1"], "> "),
        ] {
            let repl = try ChatTerminal(chat, arguments)
            try repl.waitForPrompt(after: seen)
            repl.leave()
        }
        let fresh = try ChatTerminal(chat, ["--new"])
        let screen = try fresh.waitForPrompt(after: "/help")
        XCTAssertFalse(screen.text.contains("> trains"), screen.text)
        fresh.leave()
        let picked = try ChatTerminal(chat, ["-r"])
        try picked.waitFor("Which conversation?")
        // Enter before the search has answered: the marked one is another.
        try picked.enter("ships", until: "> ships")
        picked.leave()
        let missing = try ChatTerminal(chat, ["-r", "planes"])
        try missing.waitFor("No conversation matches \"planes\"")
        try missing.waitForPrompt(after: "New conversation")
        missing.leave()
        try chat.run(["-r", "planes"], input: "hello\n").assertFailure(
            1, "No conversation matches \"planes\"", "chat conversations list")
        let unpicked = try ChatTerminal(chat, ["-r"])
        try unpicked.waitFor("Which conversation?")
        unpicked.terminal.type("\u{1B}")
        try unpicked.waitFor("Nothing chosen.")
        try unpicked.waitForPrompt(after: "New conversation")
        unpicked.leave()
        // An empty new conversation leaves nothing behind.
        XCTAssertEqual(
            try chat.json(["conversations", "list", "--json"]).arrayValue?.count, 2)

        // A one-shot is what -c goes on with, not what a launch resumes.
        let latest = try chat.conversation().first ?? ""
        try chat.run(["-p", "in between"]).assertAnswer("About it.\n")
        let resumed = try ChatTerminal(chat)
        try resumed.waitForPrompt(after: "> \(latest.split(separator: " ")[1])")
        XCTAssertFalse(resumed.transcript.contains { $0.contains("in between") })
        resumed.leave()
        try chat.run(["-c", "-p", "and?"]).assertAnswer("About it.\n")
        XCTAssertEqual(try server.messages(3).first, "user: in between")
        server.finish()
    }

    func testKilledInAQuestionTheConversationGoesOnWithoutTheDeed() throws {
        let server = try ProviderServer(
            .messages,
            [.toolCall("delete_reminder", #"{"title":"buy milk"}"#), .text("Still there.")])
        let chat = try ChatProgram(server)
        try chat.run(["reminders", "add", "buy milk"])
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("clean up")
        try repl.waitFor("Enter for no")
        repl.kill()
        let again = try ChatTerminal(chat)
        try again.waitForPrompt(after: "interrupted")
        try again.enter("well?", until: "Still there.")
        again.leave()
        XCTAssertEqual(try chat.json(["reminders", "list", "--json"]).arrayValue?.count, 1)
        server.finish()
    }

    func testLinesOfAPipeAreNoSessionButOneMessage() throws {
        let server = try ProviderServer(.messages, [.text("one answer")])
        let chat = try ChatProgram(server)
        try chat.run([], input: "first\nsecond\n").assertAnswer("one answer\n")
        XCTAssertEqual(try server.messages(0), ["user: first\nsecond"])
        try chat.run([], input: "").assertFailure(2, "no text", "chat -p")
        try chat.run(["-p", ""], input: " \n").assertFailure(2, "no text")
        server.finish()
    }

    func testUsageErrorsAreOneClearExitCode() throws {
        let chat = try ChatProgram()
        for (arguments, words) in [
            (["--nonsense"], "--nonsense"), (["--modle", "x"], "--model"),
            (["--provider", "opena", "-p", "x"], "Did you mean --provider openai?"),
            (["--output", "xml", "-p", "x"], "text, json or stream-json"),
            (["reminders", "lst"], "list"), (["help", "remindrs"], "reminders"),
            (["-n", "-p", "x"], "-n"), (["-m"], "-m"),
            (["reminders", "add", "x", "--due", "2027-02-30"], "2027-02-30"),
        ] {
            let result = try chat.run(arguments, input: "x")
            result.assertFailure(2, words)
        }
    }

    func testABrokenConfigurationNamesItsLine() throws {
        let chat = try ChatProgram()
        try chat.prepare("config.json", "{\n  \"effort\": \"hihg\",\n}")
        try chat.run(["-p", "x"]).assertFailure(2, "config.json:2", "high")
        XCTAssertEqual(try chat.run(["reminders", "list"]).exit, 0)
        try chat.prepare("config.json", "{\n  \"tools\": 1\n}")
        for words in [["-p", "x"], ["reminders", "add", "milk"], ["mcp", "serve"]] {
            try chat.run(words, input: "x").assertFailure(2, "config.json:2", "chat config edit")
        }
        XCTAssertEqual(try chat.run(["reminders", "list"]).exit, 0)
        // Mended by hand, although another value is broken too.
        try chat.prepare("config.json", "{\n  \"tools\": 1, \"max_tokens\": 0\n}")
        XCTAssertEqual(try chat.run(["config", "unset", "tools"]).exit, 0)
        XCTAssertEqual(try chat.run(["reminders", "add", "milk"]).exit, 0)
        try chat.run(["config", "validate"]).assertFailure(2)
        try chat.prepare("config.json", "{\n  \"keys\" \"vi\"\n}")
        for words in [["-p", "x"], ["reminders", "list"]] {
            try chat.run(words).assertFailure(2, "config.json:2")
        }
        for words in [["--help"], ["help", "reminders"], ["completion", "bash"]] {
            let result = try chat.run(words)
            XCTAssertEqual(result.exit, 0)
            XCTAssert(result.errorText.contains("config.json:2"), "\(words)")
        }
    }
}
