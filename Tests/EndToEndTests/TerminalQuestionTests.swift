import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Questions at the terminal: keys that are entered unseen, deletions of more
/// than one thing, and terminals that go away.
final class TerminalQuestionTests: XCTestCase {
    private static let canary = "sk-canary-Zq8vN3xT5bL7wR2mK9pJ4hG6"

    private func keyless(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        chat.variables["ANTHROPIC_API_KEY"] = nil
        return chat
    }

    func testAKeyIsEnteredUnseenInTheShell() throws {
        let server = try ProviderServer(.messages, [], accepts: Self.canary)
        let chat = try keyless(server)
        let stopped = try ChatTerminal(chat, ["keys", "set", "claude"])
        try stopped.waitFor("Key for")
        stopped.terminal.type("\u{03}")
        stopped.assertEnd(130)
        XCTAssertEqual(chat.files, [])
        let terminal = try ChatTerminal(chat, ["keys", "set", "claude"])
        try terminal.answer(Self.canary, to: "Key for", until: "Saved claude")
        terminal.assertEnd(0)
        XCTAssertEqual(CanaryScan(Self.canary).hits(in: terminal.terminal.transcript), [])
        // The check of the key is in the ledger, and tells the server's models.
        let expected = ["keys.json", "state/log", "state/models.json", "chat.db"]
        XCTAssertEqual(chat.files.filter { !expected.contains($0) }, [])
        server.finish()
    }

    func testAKeyIsEnteredUnseenInTheChatAndUsedAtOnce() throws {
        let server = try ProviderServer(.messages, [.text("connected")], accepts: Self.canary)
        let chat = try keyless(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/keys set claude")
        try repl.answer(Self.canary, to: "Key for", until: "Saved claude")
        try repl.waitForPrompt(after: "Saved claude")
        try repl.enter("hello", until: "connected")
        repl.leave()
        let scan = CanaryScan(Self.canary)
        XCTAssertEqual(scan.hits(in: repl.terminal.transcript), [])
        for name in chat.files where name != "keys.json" {
            XCTAssertEqual(scan.hits(in: try chat.bytes(name)), [], name)
        }
        server.finish()
    }

    /// Two deletions in one reply are one question, and `y` is not enough.
    private func twoDeletions() -> ProviderServer.Reply {
        .init { _ in
            let calls = ["buy milk", "call Bo"].enumerated().map { index, title -> JSONValue in
                [
                    "index": JSONValue(index), "id": .string("call_\(index)"), "type": "function",
                    "function": [
                        "name": "delete_reminder",
                        "arguments": .string("{\"title\":\"\(title)\"}"),
                    ],
                ]
            }
            func chunk(_ delta: JSONValue, _ reason: JSONValue) -> [UInt8] {
                WireScript.event([
                    "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
                    "choices": [["index": 0, "delta": delta, "finish_reason": reason]],
                ])
            }
            return .sse(
                chunk(["role": "assistant", "tool_calls": .array(calls)], .null)
                    + chunk(.object(JSONObject()), "tool_calls") + Array("data: [DONE]\n\n".utf8))
        }
    }

    func testAHeldKeyApprovesNothing() throws {
        let server = try ProviderServer(
            .chat, [.toolCall("delete_reminder", #"{"title":"milk"}"#), .text("So be it.")])
        let chat = try ChatProgram(server)
        try chat.run(["reminders", "add", "buy milk"])
        let repl = try ChatTerminal(chat, ["--provider", "local"])
        try repl.waitForPrompt(after: "/help")
        repl.enter("clean up")
        try repl.waitFor("y to do it")
        // As a keyboard repeats it, for longer than a question waits.
        for _ in 0..<25 {
            repl.terminal.type("y")
            do { try repl.terminal.waitFor("a repetition", limit: 0.03) { _ in false } } catch {}
        }
        try repl.answer("", to: "y to do it", until: "So be it.")
        try repl.waitForPrompt(after: "So be it.")
        repl.leave()
        XCTAssertEqual(try chat.json(["reminders", "list", "--json"]).arrayValue?.count, 1)
        server.finish()
    }

    func testWhatIsNoAnswerToAnApprovalIsNoAndTheModelIsToldWhy() throws {
        for isPasted in [false, true] {
            let said = "no, move it to Friday instead"
            let server = try ProviderServer(.chat, [twoDeletions(), .text("So be it.")])
            let chat = try ChatProgram(server)
            for title in ["buy milk", "call Bo"] { try chat.run(["reminders", "add", title]) }
            let repl = try ChatTerminal(chat, ["--provider", "local"])
            try repl.waitForPrompt(after: "/help")
            repl.enter("clean up")
            try repl.answer(
                isPasted ? "" : said, pasted: isPasted ? said : "", to: "Type delete",
                until: "So be it.")
            try repl.waitForPrompt(after: "So be it.")
            repl.leave()
            XCTAssertEqual(try chat.json(["reminders", "list", "--json"]).arrayValue?.count, 2)
            let request = String(decoding: server.requests[1].body, as: UTF8.self)
            XCTAssert(
                request.contains("The user did not allow delete_reminder, and said: \(said)"),
                request)
            let log = try XCTUnwrap(try chat.json(["tools", "log", "--json"]).arrayValue)
            XCTAssertEqual(log.map { $0["approval"] }, ["denied: user", "denied: user"])
            XCTAssertEqual(log.map { $0["reason"] }, [.string(said), .string(said)])
            server.finish()
        }
    }

    func testALostTerminalSavesAndEnds() throws {
        let server = try ProviderServer(.messages, [.stall(after: "half an ", "answer")])
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("x")
        try repl.waitFor("half an answer")
        repl.loseTerminal()
        XCTAssertEqual(
            try chat.conversation(),
            ["user: x (interrupted)", "assistant: half an answer (interrupted)"])
        server.finish()
    }

    func testWithoutALocaleOrTerminalTypeTheChatWorks() throws {
        for (language, term) in [(nil, "xterm"), ("C", "xterm"), ("C.UTF-8", nil), ("x", "y")] {
            let server = try ProviderServer(.messages, [.text("wörld")])
            let chat = try ChatProgram(server)
            chat.variables["LANG"] = language
            chat.variables["TERM"] = term
            let repl = try ChatTerminal(chat)
            try repl.waitForPrompt(after: "/help")
            try repl.enter("grüße", until: "wörld")
            repl.leave()
            XCTAssertEqual(try server.messages(0), ["user: grüße"])
            server.finish()
        }
    }
}
