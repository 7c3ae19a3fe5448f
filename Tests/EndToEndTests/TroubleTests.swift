import AgentCore
import Foundation
import TestSupport
import XCTest

/// Failures of a provider and conversations that are too long, at the prompt.
final class TroubleTests: XCTestCase {
    private static let noMoney = ProviderServer.Reply.response(
        429, [HTTPHeader("Content-Type", "application/json")],
        #"{"error":{"type":"insufficient_quota","message":"You have no credit"}}"#)

    private func two(
        _ claude: [ProviderServer.Reply], _ openai: [ProviderServer.Reply]
    ) throws -> (ProviderServer, ProviderServer, ChatProgram) {
        let first = try ProviderServer(.messages, claude)
        let second = try ProviderServer(.responses, openai)
        return (
            first, second,
            try ChatProgram(first.variables.merging(second.variables) { one, _ in one })
        )
    }

    func testAYesHasTheSameMessageAnsweredByTheOtherProvider() throws {
        let (claude, openai, chat) = try two(
            [.text("One."), Self.noMoney], [.text("Two."), .text("Three.")])
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("first", until: "One.")
        repl.enter("second")
        try repl.waitFor("Go on with OpenAI?")
        try repl.answer("y", to: "Enter for no", until: "Two.")
        try repl.waitForPrompt(after: "Two.")
        try repl.enter("third", until: "Three.")
        repl.leave()
        XCTAssertEqual(
            try openai.messages(0), ["user: first", "assistant: One.", "user: second"])
        XCTAssertEqual(
            try chat.conversation(),
            [
                "user: first (done)", "assistant: One. (done)", "user: second (done)",
                "assistant: Two. (done)", "user: third (done)", "assistant: Three. (done)",
            ])
        claude.finish()
        openai.finish()
    }

    func testEnterAndControlCSendNothingElsewhereAndKeepTheMessage() throws {
        for answer in ["", "\u{03}"] {
            let (claude, openai, chat) = try two([Self.noMoney], [])
            let repl = try ChatTerminal(chat)
            try repl.waitForPrompt(after: "/help")
            repl.enter("first")
            try repl.waitFor("Enter for no")
            if answer.isEmpty {
                try repl.answer("", to: "Enter for no", until: "switch: /model")
                try repl.waitForPrompt()
                // The cause stands above the question.
                XCTAssertEqual(repl.transcript.filter { $0.contains("no money") }.count, 1)
            } else {
                repl.terminal.type(answer)
                try repl.waitForPrompt(after: "Enter for no")
            }
            repl.leave()
            XCTAssertEqual(openai.requests.count, 0)
            XCTAssertEqual(try chat.conversation().map { $0.prefix(11) }, ["user: first"])
            claude.finish()
            openai.finish()
        }
    }

    func testASummaryThatIsStoppedChangesNothingAndTheNextOneIsMade() throws {
        let arrived = Gate()
        let server = try ProviderServer(
            .messages,
            [
                .text("One."), .text("Two."), .text("Three."),
                .init { _ in ServerScript([.open(arrived), .stall]) },
                .text("They counted to three."), .text("Four."),
            ])
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        for (word, answer) in [("one", "One."), ("two", "Two."), ("three", "Three.")] {
            try repl.enter("\(word) \(String(repeating: "long ", count: 60))", until: answer)
        }
        repl.enter("/compact")
        arrived.block()
        repl.terminal.type("\u{03}")
        try repl.waitForPrompt(after: "Stopped")
        try repl.enter("/compact the numbers", until: "the originals are kept")
        try repl.enter("and now?", until: "Four.")
        repl.leave()
        let sent = try server.messages(5)
        XCTAssertTrue(sent[0].contains("They counted to three."), sent[0])
        XCTAssertEqual(sent.last, "user: and now?")
        XCTAssertEqual(try chat.conversation().count, 8)
        server.finish()
    }
}
