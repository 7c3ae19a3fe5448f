import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// What a new user meets in the first hour, on a real terminal.
final class FirstHourTests: XCTestCase {
    func testNoticesErrorsAndTablesBreakBetweenWordsAtAnyWidth() throws {
        for columns in [24, 40, 57] {
            let chat = try ChatProgram()
            let repl = try ChatTerminal(chat, columns: columns)
            try repl.waitForPrompt(after: "/help")
            try repl.enter("remind me to water the plants tomorrow at 9", until: "/undo")
            try repl.enter("/undo", until: "✓ undone")
            try repl.enter("/nonsense-word", until: "There is no")
            try repl.enter("/config show budget", until: "(default)")
            try repl.enter("/doctor", until: "Everything")
            let screen = try repl.enter("/reminders add", until: "needs")
            XCTAssert(screen.transcript.contains { $0.hasPrefix("  ✓ undone") }, screen.text)
            // What a terminal has folded is a row that fills the window.
            let folded = screen.transcript.filter { line in
                line.count >= columns && !line.hasPrefix(">")
                    && line.split(separator: " ").allSatisfy { $0.count < columns / 2 }
            }
            XCTAssertEqual(folded, [], "\(columns)")
            repl.leave()
        }
    }

    func testAModelThatIsNotListedIsAskedAbout() throws {
        let server = try ProviderServer(.messages, [.text("Hello.")])
        let repl = try ChatTerminal(try ChatProgram(server))
        try repl.waitForPrompt(after: "/help")
        repl.enter("/model")
        try repl.waitFor("alpha-small")
        XCTAssertFalse(repl.terminal.screen.text.contains("openai"), repl.terminal.screen.text)
        repl.terminal.type("\u{1B}")
        try repl.waitForPrompt()
        repl.enter("/model alpha-lrge")
        try repl.answer(
            "", to: "Use it all the same?", until: "The model is as it was.")
        try repl.waitFor("claude does not list alpha-lrge. Did you mean alpha-large?")
        repl.enter("/model alpha-lrge")
        try repl.answer("y", to: "Use it all the same?", until: "alpha-lrge · claude")
        try repl.enter("/model alpha-small", until: "alpha-small · claude")
        repl.leave()
        server.stop()
    }

    func testACommandAloneDoesWhatIsNearest() throws {
        let chat = try ChatProgram()
        let shell = try RunningProgram(
            "/bin/bash",
            [
                "-c", #"cd "$1" && "$0" backup && "$0" backup && ls"#, try ChatProgram.path(),
                chat.folder.path,
            ], environment: chat.variables)
        shell.endInput()
        let result = try shell.finish()
        let names = result.text.split(separator: "\n").filter {
            $0.hasPrefix("chat-") && $0.hasSuffix(".zip")
        }
        XCTAssertEqual(names.count, 2, "\(result.text) \(result.errorText)")
        XCTAssertEqual(try chat.run(["story"]).text, try chat.run(["story", "list"]).text)
        try chat.prepare("config.json", #"{"model": "alpha"}"#)
        XCTAssertEqual(try chat.run(["config", "get", "model"]).text, "alpha\n")
        try chat.run(["config", "get", "modle"]).assertFailure(2, "Did you mean model?")
        XCTAssertEqual(
            try chat.json(["config", "get", "model", "--json"]).arrayValue?.first?["value"], "alpha"
        )
    }
}
