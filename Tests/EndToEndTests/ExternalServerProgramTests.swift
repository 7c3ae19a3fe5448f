import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// External tool servers with the real program: in the shell, at the prompt, and after
/// `kill -9`.
final class ExternalServerProgramTests: XCTestCase {
    private func add(_ chat: ChatProgram, _ words: [String] = [], options: [String] = []) throws {
        let result = try chat.run(
            ["mcp", "add", "own", "--yes"] + options + ["--"]
                + ToolServerScript.command(words))
        XCTAssertEqual(result.exit, 0, result.errorText)
        XCTAssert(result.text.hasPrefix("✓ own  9 tools · own 1 · 2025-06-18"), result.text)
    }

    func testTheCommandsOfTheShell() throws {
        let chat = try ChatProgram()
        XCTAssert(try chat.run(["mcp", "list"]).text.contains("chat mcp add NAME -- COMMAND"))
        let refused = try chat.run(["mcp", "add", "own", "--"] + ToolServerScript.command())
        XCTAssertEqual(refused.exit, 3)
        XCTAssert(refused.errorText.contains("server.py"), refused.errorText)
        XCTAssert(refused.errorText.contains("chat: own was not added."), refused.errorText)
        try chat.run(["mcp", "add", "my_own", "--yes", "--"] + ToolServerScript.command())
            .assertFailure(2, "letters, digits and hyphens")
        try chat.run(["mcp", "add", "own", "--url", "http://example.org/mcp"])
            .assertFailure(2, "https")
        try add(chat)
        try chat.run(["mcp", "add", "own", "--yes", "--"] + ToolServerScript.command())
            .assertFailure(2, "There is already a tool server own.")
        let row = try chat.json(["mcp", "list", "--json"])[0]
        XCTAssertEqual(row?["state"], "approved")
        XCTAssertEqual(row?["tools"], 9)
        XCTAssert(try chat.run(["mcp", "check"]).text.hasPrefix("✓ own  9 tools"))
        try chat.run(["mcp", "check", "owm"]).assertFailure(1, "Did you mean own?")
        let removed = try chat.run(["mcp", "remove", "own"])
        XCTAssertEqual(removed.text, "✓ removed: own\n")
        XCTAssert(removed.errorText.contains("chat mcp add own -- "), removed.errorText)
        for name in ["mcp.json", "mcp-pins.json"] {
            var status = stat()
            XCTAssertEqual(stat(chat.file(name), &status), 0, name)
            XCTAssertEqual(status.st_mode & 0o777, 0o600, name)
        }
    }

    /// Without a terminal a call of a tool of others is refused, unless it was allowed.
    func testAOneShotUsesAnAllowedTool() throws {
        for isAllowed in [false, true] {
            let server = try ProviderServer(
                .messages,
                [.toolCall("own__echo", #"{"text":"seven bridges"}"#), .text("It said so.")])
            let chat = try ChatProgram(server)
            try add(chat)
            if isAllowed {
                for name in ["own__ecko", "add_remindr"] {
                    try chat.run(["--allow", name, "-p", "own: say it"]).assertFailure(2, name)
                }
                XCTAssertEqual(server.allRequests, [])
            }
            let result = try chat.run(
                (isAllowed ? ["--allow", "own__echo"] : []) + ["-p", "own: say it"])
            XCTAssertEqual(result.exit, isAllowed ? 0 : 3, result.errorText)
            let sent = server.requests.last?.bodyText ?? ""
            XCTAssertEqual(sent.contains(#""content":"seven bridges""#), isAllowed, sent)
            XCTAssert(sent.contains(#""name":"own__echo""#))
            server.finish()
        }
    }

    func testAtThePromptACallIsAskedAboutAndRuns() throws {
        let server = try ProviderServer(
            .messages,
            [.toolCall("own__echo", #"{"text":"seven bridges"}"#), .text("It said so.")])
        let chat = try ChatProgram(server)
        try add(chat)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/mcp", until: "approved")
        repl.enter("own: say it")
        try repl.answer("send", to: "Type send", until: "It said so.")
        try repl.waitForPrompt(after: "It said so.")
        repl.leave()
        server.finish()
    }

    // MARK: - Servers that do not start

    /// Adds a server that is a script, and has the script do something else from then on.
    private func addScript(_ chat: ChatProgram, then line: String) throws {
        let words = try ToolServerScript.command().map { "'\($0)'" }.joined(separator: " ")
        try chat.prepare("server.sh", "exec \(words)\n")
        let added = try chat.run(["mcp", "add", "own", "--yes", "--", "sh", chat.file("server.sh")])
        XCTAssertEqual(added.exit, 0, added.errorText)
        try chat.prepare("server.sh", line + "\n")
    }

    /// The answer comes; that tools were missing is said, and is the exit code.
    func testAServerThatDoesNotStartIsADegradation() throws {
        for (line, settings) in [
            ("exit 1", "{}"), ("exec sleep 600", #"{"mcp": {"start_timeout": 1}}"#),
        ] {
            let server = try ProviderServer(.messages, [.text("Without it.")])
            let chat = try ChatProgram(server)
            try addScript(chat, then: line)
            try chat.prepare("config.json", settings)
            let result = try chat.run(["-p", "own: say it"])
            XCTAssertEqual(result.exit, 6, result.errorText)
            XCTAssertEqual(result.text, "Without it.\n")
            XCTAssert(
                result.errorText.contains("Answered without the tools of own."), result.errorText)
            XCTAssert(result.errorText.contains("chat mcp check"), result.errorText)
            server.finish()
        }
    }

    func testEscGoesOnWithoutTheServerThatIsWaitedFor() throws {
        let server = try ProviderServer(.messages, [.text("Without it."), .text("Again.")])
        let chat = try ChatProgram(server)
        try addScript(chat, then: "exec sleep 600")
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("own: say it")
        try repl.waitFor("starting own")
        XCTAssertEqual(server.requests.count, 0)
        repl.terminal.type("\u{1B}")
        try repl.waitForPrompt(after: "Without it.")
        try repl.waitFor("The server own has not started yet")
        // It is not waited for again.
        try repl.enter("and now?", until: "Again.")
        repl.leave()
        server.finish()
    }

    /// Nothing outlives the program, however it ends.
    func testNoServerOutlivesAKilledChat() throws {
        for words in [
            ["never"], ["never", "forks", "stubborn"], ["never", "daemon"],
            ["never", "forks", "daemon", "stubborn"],
        ] {
            let chat = try ChatProgram()
            let pids = chat.folder.path("pids")
            let running = try chat.start(
                ["mcp", "add", "own", "--yes", "--"]
                    + ToolServerScript.command(words + ["pids=\(pids)"]))
            let all = try OtherProcess.waitUntil("the server runs") { () -> [pid_t]? in
                let text = (try? String(contentsOfFile: pids, encoding: .utf8)) ?? ""
                let all = text.split(separator: "\n").compactMap { pid_t($0) }
                return text.hasSuffix("\n") && all.count == words.count / 2 + 1 ? all : nil
            }
            running.signal(SIGKILL)
            XCTAssertEqual(try running.finish().exit, -SIGKILL)
            for pid in all {
                _ = try OtherProcess.waitUntil("\(pid) ends") {
                    OtherProcess.hasEnded(pid) ? true : nil
                }
            }
        }
    }
}
