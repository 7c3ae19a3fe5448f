import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Turns at the prompt: what streams, what stops, what is asked, and what two
/// instances do to each other.
final class ReplTurnTests: XCTestCase {
    func testControlCKeepsThePartialAnswerAndTheNextTurnIsValid() throws {
        for format in [WireFormat.responses, .chat, .messages] {
            let server = try ProviderServer(
                format, [.stall(after: "half an ", "answer"), .text("the rest")])
            let chat = try ChatProgram(server)
            let repl = try ChatTerminal(chat, ["--provider", server.provider])
            try repl.waitForPrompt(after: "/help")
            repl.enter("tell me")
            try repl.waitFor("half an answer")
            repl.terminal.type("\u{03}")
            try repl.waitForPrompt(after: "stopped")
            try repl.enter("go on", until: "the rest")
            repl.leave()
            XCTAssertEqual(
                try server.messages(1),
                ["user: tell me", "assistant: half an answer", "user: go on"])
            XCTAssertEqual(
                try chat.conversation(),
                [
                    "user: tell me (interrupted)", "assistant: half an answer (interrupted)",
                    "user: go on (done)", "assistant: the rest (done)",
                ])
            server.finish()
        }
    }

    func testControlCBeforeTheFirstByteAndInAWaitGivesThePromptBack() throws {
        let arrived = Gate()
        let server = try ProviderServer(
            .messages,
            [
                .init { _ in ServerScript([.open(arrived), .stall]) },
                .response(429, [HTTPHeader("Retry-After", "50")], "{}"), .text("now"),
            ])
        let repl = try ChatTerminal(try ChatProgram(server))
        try repl.waitForPrompt(after: "/help")
        repl.enter("one")
        arrived.block()
        repl.terminal.type("\u{03}")
        try repl.waitForPrompt(after: "stopped")
        repl.enter("two")
        try repl.waitFor("attempt 2 of 3")
        repl.terminal.type("\u{03}")
        try repl.terminal.waitFor("the second stop") { screen in
            screen.isAtEmptyPrompt
                && screen.transcript.filter { $0.contains("stopped") }.count == 2
        }
        try repl.enter("three", until: "now")
        repl.leave()
        XCTAssertEqual(try server.messages(2).last?.hasSuffix("three"), true)
        server.finish()
    }

    func testEscStopsTheAnswerAndWhatWasQueuedIsADraft() throws {
        let server = try ProviderServer(
            .messages, [.stall(after: "half an ", "answer"), .text("the rest")])
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("tell me")
        try repl.waitFor("half an answer")
        // Up and Alt-x are no Esc.
        repl.terminal.type("one\rtwo\r\u{1B}[Ax\r")
        try repl.waitForLine("  next: twox")
        repl.terminal.type("\u{1B}x\u{1B}")
        try repl.waitForLine("twox")
        // The rest of a key that came too late, and no Alt-r.
        repl.terminal.type("[Aremind")
        try repl.waitForLine("twoxremind")
        XCTAssert(repl.transcript.contains { $0.contains("(stopped") })
        repl.terminal.type("\u{03}")
        try repl.enter("go on", until: "the rest")
        repl.leave()
        XCTAssertEqual(
            try server.messages(1), ["user: tell me", "assistant: half an answer", "user: go on"])
        server.finish()
    }

    func testWhatWasPastedDuringAnAnswerIsFoldedAtThePrompt() throws {
        let server = try ProviderServer(.messages, [.stall(after: "half an ", "answer")])
        let repl = try ChatTerminal(try ChatProgram(server))
        try repl.waitForPrompt(after: "/help")
        repl.enter("tell me")
        try repl.waitFor("half an answer")
        let pasted = (1...40).map { "line \($0)" }.joined(separator: "\r")
        repl.terminal.type("\u{1B}[200~\(pasted)\u{1B}[201~\u{03}")
        _ = try repl.terminal.waitFor("a fold") { screen in
            screen.lines.last?.contains("40 lines") == true
        }
        XCTAssertFalse(repl.transcript.contains { $0 == "line 39" })
        repl.terminal.type("\u{03}")
        repl.leave()
        server.finish()
    }

    func testWhatIsTypedDuringAnAnswerStandsAtTheNextPrompt() throws {
        let rest = Gate()
        let server = try ProviderServer(
            .messages, [.paused(after: "slow ", until: rest, rest: "answer"), .text("second")])
        let repl = try ChatTerminal(try ChatProgram(server))
        try repl.waitForPrompt(after: "/help")
        repl.enter("first")
        try repl.waitFor("slow")
        repl.terminal.type("typed ahead")
        // Below the answer while it comes, then at the prompt.
        try repl.waitForLine("> typed ahead")
        rest.open()
        try repl.waitFor(" out · ")
        try repl.waitForLine("> typed ahead")
        XCTAssert(repl.transcript.contains("slow answer"), repl.transcript.joined(separator: "\n"))
        try repl.enter(" of time", until: "second")
        repl.leave()
        XCTAssertEqual(try server.messages(1).last, "user: typed ahead of time")
        server.finish()
    }

    func testNothingTypedOrPastedEarlyApprovesACall() async throws {
        let rest = Gate()
        let call = WireScript.toolCall(
            "delete_reminder", arguments: #"{"title":"buy milk"}"#, format: .messages)
        let held = ProviderServer.Reply { _ in
            ServerScript([ServerScript.sseHead(), .wait(rest), .chunk(call), .lastChunk])
        }
        let server = try ProviderServer(
            .messages, [held, .text("As you wish."), .text("more"), .text("more")], repeats: true)
        let chat = try ChatProgram(server)
        try chat.run(["reminders", "add", "buy milk"])
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("clean up")
        // Typed before that was read, it would be one burst with it.
        await server.waitForRequests(1)
        repl.terminal.type("y\ry\ryes\r")
        repl.terminal.paste("y\ny\n")
        rest.open()
        try repl.waitFor("buy milk")
        // A paste is never an answer, also when its time has come.
        try repl.answer("", to: "Enter for no", until: "As you wish.")
        repl.kill()
        XCTAssertEqual(
            try chat.json(["reminders", "list", "--json"]).arrayValue?.map { $0["title"] },
            ["buy milk"])
        XCTAssert(
            server.requests[1].bodyText.contains("is_error"), "the model is not told of the no")
        server.finish()
    }

    func testASecondInstanceStartsANewConversationAndBothChat() throws {
        let server = try ProviderServer(.messages, [.text("answer")], repeats: true)
        let chat = try ChatProgram(server)
        let first = try ChatTerminal(chat)
        try first.waitForPrompt(after: "/help")
        try first.enter("mine", until: "answer")
        let second = try ChatTerminal(chat)
        try second.waitForPrompt(after: "is open in another chat")
        try second.enter("yours", until: "answer")
        try first.enter("mine again", until: "mine again")
        try first.waitForTwo("answer")
        try second.enter("/resume mine", until: "open in another chat")
        first.leave()
        try second.enter("/resume mine", until: "> mine again")
        second.leave()
        let list = try chat.json(["conversations", "list", "--json"]).arrayValue ?? []
        XCTAssertEqual(
            list.map { "\($0["title"]?.stringValue ?? "") \($0["messages"]?.integerValue ?? 0)" }
                .sorted(), ["mine 4", "yours 2"])
        server.finish()
    }

    func testAFailureIsToldAndTheReplGoesOn() throws {
        let server = try ProviderServer(
            .messages,
            [
                .response(
                    404, [],
                    #"{"error":{"type":"not_found_error","message":"model: gpt-7"}}"#),
                .cut(after: "half"), .text("whole"),
            ])
        let repl = try ChatTerminal(try ChatProgram(server), ["-m", "claude/alpha-lage"])
        try repl.waitForPrompt(after: "/help")
        try repl.enter("one", until: "Nearest: alpha-large")
        try repl.enter("two", until: "What arrived is kept")
        try repl.enter("/model alpha-large", until: "alpha-large · claude")
        try repl.enter("three", until: "whole")
        repl.leave()
        server.finish()
    }

    func testAModelWithoutAKeyIsNotSwitchedTo() throws {
        let server = try ProviderServer(.messages, [.text("first")])
        let repl = try ChatTerminal(try ChatProgram(server))
        try repl.waitForPrompt(after: "/help")
        try repl.enter("why", until: "first")
        let screen = try repl.enter("/model openai/gpt-x", until: "There is no key for OpenAI.")
        XCTAssertFalse(screen.transcript.contains { $0.contains("gpt-x · openai") })
        let same = try repl.enter("/usage", until: "By model")
        XCTAssertFalse(same.transcript.contains { $0.contains("gpt-x · openai") })
        repl.leave()
        server.finish()
    }
}
