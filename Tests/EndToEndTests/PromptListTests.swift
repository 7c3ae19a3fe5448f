import AgentCore
import Foundation
import TestSupport
import XCTest

/// The list that opens below the prompt while one types, in the real program.
final class PromptListTests: XCTestCase {
    private func wait(_ repl: ChatTerminal, _ what: String, _ isReady: ([String]) -> Bool) throws {
        try repl.terminal.waitFor(what) { isReady($0.lines) }
    }

    func testCommandsAndFilesAreChosenFromTheListThatOpens() throws {
        let chat = try ChatProgram()
        let folder = chat.variables["HOME"] ?? ""
        try Data("words".utf8).write(to: URL(fileURLWithPath: "\(folder)/meeting notes.txt"))
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.terminal.type("/thin")
        try wait(repl, "the list") {
            $0.contains { $0.hasPrefix("  ▸ /thinking [off|summary|full]  how much") }
        }
        repl.terminal.type("\r")
        try repl.waitForLine("> /thinking")
        repl.terminal.type("\r")
        try repl.waitForPrompt(after: "/thinking WORD changes it")
        XCTAssertFalse(repl.transcript.contains { $0.contains("▸") })
        repl.terminal.type("look at @~/")
        try wait(repl, "the folder") { $0.last == "    meeting notes.txt" }
        repl.terminal.type("mn")
        try wait(repl, "the file") {
            $0.last == "    meeting notes.txt" && $0.contains("> look at @~/mn")
        }
        repl.terminal.type("\t")
        try repl.waitForLine("> look at @~/meeting\\ notes.txt")
        repl.terminal.type("\u{03}")
        try repl.terminal.waitFor("an empty prompt") { $0.isAtEmptyPrompt }
        repl.leave()
    }

    func testTheListIsTurnedOffByASetting() throws {
        let chat = try ChatProgram()
        try chat.prepare("config.json", #"{ "complete_while_typing": "off" }"#)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.terminal.type("/mo")
        try repl.waitForLine("> /mo")
        repl.terminal.type("del us")
        // Drawn after the list would have been.
        try repl.waitForLine("> /model us")
        repl.terminal.type("\u{03}")
        try repl.terminal.waitFor("an empty prompt") { $0.isAtEmptyPrompt }
        XCTAssertFalse(repl.transcript.contains { $0.contains("▸") })
        repl.leave()
    }
}
