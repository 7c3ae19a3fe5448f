import AgentCore
import Foundation
import TestSupport
import XCTest

/// Alerts on a screen on which something else is going on.
final class AlertScreenTests: XCTestCase {
    func testWhileAnAnswerStreamsItStandsBetweenItsLines() throws {
        let gate = Gate()
        let server = try ProviderServer(
            .messages, [.paused(after: "The first half ", until: gate, rest: "and the second.")])
        let chat = try ChatProgram(server)
        let session = try ChatTerminal(chat)
        try session.waitForPrompt()
        session.enter("tell me")
        try session.waitFor("The first half")
        try chat.putReminder("tea", dueIn: 0)
        try session.waitFor("tea · /done")
        gate.open()
        try session.waitForPrompt(after: "and the second.")
        let lines = session.transcript
        XCTAssert(lines.contains { $0.hasPrefix("The first half") && !$0.contains("tea") })
        XCTAssert(lines.contains { $0.hasPrefix("⏰") && $0.hasSuffix("/snooze 10m") })
        session.leave()
        server.finish()
    }

    func testAQuestionIsNotDisturbedAndTheAlertFollowsIt() throws {
        let chat = try ChatProgram()
        let session = try ChatTerminal(chat)
        try session.waitForPrompt()
        session.enter("/keys set claude")
        try session.waitFor("Key for")
        let before = session.terminal.screen.lines
        try chat.putReminder("tea", dueIn: 0)
        // The log says when it was given; the screen is as it was.
        do {
            try session.terminal.waitFor("an alert too early", limit: 1.5) { screen in
                screen.transcript.contains { $0.contains("tea") }
            }
            XCTFail("the question was disturbed")
        } catch {}
        XCTAssertEqual(session.terminal.screen.lines, before)
        session.terminal.type("\u{03}")
        try session.waitForPrompt(after: "tea · /done")
        session.leave()
    }

    func testALineOverSeveralRowsSurvivesAlsoInAWindowThatChanged() throws {
        let chat = try ChatProgram()
        let session = try ChatTerminal(chat, columns: 60)
        try session.waitForPrompt()
        let line = (1...30).map { "word\($0)" }.joined(separator: " ")
        session.terminal.type(line)
        try session.waitFor("word30")
        session.terminal.resize(rows: 40, columns: 50)
        try chat.putReminder("tea", dueIn: 0)
        try session.terminal.waitFor("the alert above the whole line") { screen in
            let rows = screen.lines.drop { !$0.hasPrefix("> word1") }
            return rows.joined().filter { $0 != " " }
                == "> \(line)".filter { $0 != " " }
                && screen.transcript.contains { $0.contains("tea · /done") }
        }
        session.terminal.type("\u{15}")
        try session.waitForPrompt()
        session.leave()
    }
}
