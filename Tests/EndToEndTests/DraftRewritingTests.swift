import AgentCore
import Foundation
import Glibc
import TestSupport
import XCTest

/// The writing tools on the line that is typed, with a model on the loopback.
final class DraftRewritingTests: XCTestCase {
    private let draft = "teh cat sat on teh mat"
    private let version = "The cat sat on the mat"

    private func open(_ server: ProviderServer) throws -> ChatTerminal {
        let repl = try ChatTerminal(
            try ChatProgram(server), ["--provider", server.provider])
        try repl.waitForPrompt(after: "/help")
        return repl
    }

    private func type(_ text: String, into repl: ChatTerminal) throws {
        repl.terminal.type(text)
        try repl.waitForLine("> " + text)
    }

    func testAltWReplacesTheDraftAndUndoBringsItBack() throws {
        for format in [WireFormat.responses, .chat, .messages] {
            let server = try ProviderServer(format, [.text(version)])
            let repl = try open(server)
            try type(draft, into: repl)
            repl.terminal.type("\u{1B}w")
            try repl.waitForLine(
                "  Proofread  Rewrite  Friendly  prOfessional  Concise · Esc leaves")
            repl.terminal.type("f")
            try repl.waitForLine(
                "  y accept · n keep · a accept all · r reject all · e edit · Esc leave")
            try repl.waitFor("> ▸teh→The cat sat on teh→the mat")
            repl.terminal.type("a")
            try repl.waitForLine("> " + version)
            try repl.waitFor("Ctrl-_ brings the original back")
            repl.terminal.type("!")
            try repl.waitForLine("> \(version)!")
            repl.terminal.type("\u{1F}\u{1F}")
            try repl.waitForLine("> " + draft)
            repl.terminal.type("\u{03}")
            try repl.waitForPrompt()
            repl.leave()
            XCTAssert(try server.messages(0).last?.contains(draft) == true)
            server.finish()
        }
    }

    func testCtrlCInEachStateGivesTheDraftBackAndTheTerminalIsAsItWas() throws {
        let asked = Gate()
        let server = try ProviderServer(
            .messages, [.stall(after: "The cat", sent: asked), .text(version)])
        let repl = try open(server)
        try type(draft, into: repl)
        repl.terminal.type("\u{1B}w")
        try repl.waitForLine("  Proofread  Rewrite  Friendly  prOfessional  Concise · Esc leaves")
        repl.terminal.type("\u{03}")
        try repl.waitForLine("> " + draft)
        repl.terminal.type("\u{1B}wc")
        try repl.waitForLine("  Concise … · Esc stops")
        asked.block()
        repl.terminal.type("\u{03}")
        try repl.waitFor("Stopped; the text is unchanged.")
        try repl.waitForLine("> " + draft)
        repl.terminal.type("\u{1B}wr")
        try repl.waitFor("Rewrite · 1 of 2")
        repl.terminal.resize(rows: 20, columns: 40)
        try repl.waitForLine("  [y]es [n]o [a]ll [r]eject [e]dit Esc")
        repl.terminal.type("y\u{03}")
        try repl.waitForLine("> " + draft)
        repl.terminal.type("\u{03}")
        try repl.waitForPrompt()
        repl.leave()
        server.finish()
    }

    func testAnEndInTheReviewKeepsTheDraft() throws {
        let server = try ProviderServer(.messages, [.text(version)])
        let repl = try open(server)
        try type(draft, into: repl)
        repl.terminal.type("\u{1B}wf")
        try repl.waitFor("Friendly · 1 of 2")
        repl.terminal.signal(SIGTERM)
        repl.assertEnd(130)
        XCTAssertEqual(
            String(decoding: try repl.chat.bytes("state/draft"), as: UTF8.self)
                .trimmingCharacters(in: .newlines), draft)
        server.finish()
    }

    func testAPromptForAKeyHasNoWritingTools() throws {
        let repl = try ChatTerminal(try ChatProgram(), ["keys", "set", "claude"])
        try repl.waitFor("Key for Claude")
        let before = repl.transcript
        repl.terminal.type("one two three four five\u{1B}w\u{18}\u{17}")
        repl.terminal.type("\u{03}")
        repl.assertEnd(130)
        XCTAssertEqual(repl.transcript.prefix(before.count), before[...])
        XCTAssertFalse(repl.transcript.contains { $0.contains("Proofread") })
        XCTAssertFalse(repl.transcript.contains { $0.contains("three") })
    }
}
