import AgentCore
import Foundation
import Glibc
import TestSupport
import XCTest

/// What ends the reading of an answer, each key by itself: the speech would
/// go on for minutes otherwise.
final class SilencingTests: XCTestCase {
    private static let long = String(
        repeating: "This is read aloud for quite some time. ", count: 60)

    private struct Rig {
        let chat: ChatProgram
        let repl: ChatTerminal
        let server: ProviderServer

        /// The player that was started as the nth, from 1.
        func player(_ number: Int) throws -> pid_t {
            let limit = Date(timeIntervalSinceNow: 20)
            while Date() < limit {
                // It is written whole or not yet.
                let text = (try? chat.folder.read("account/pids")) ?? []
                let pids = String(decoding: text, as: UTF8.self).split(separator: "\n")
                if pids.count >= number, let pid = pid_t(pids[number - 1]) { return pid }
                poll(nil, 0, 10)
            }
            XCTFail("no player number \(number)")
            return 0
        }

        func assertSilent(_ pid: pid_t, line: UInt = #line) {
            let limit = Date(timeIntervalSinceNow: 10)
            while Date() < limit, kill(pid, 0) == 0 { poll(nil, 0, 10) }
            XCTAssertEqual(kill(pid, 0), -1, "the player plays on", line: line)
        }

        func assertSpeaking(_ pid: pid_t, line: UInt = #line) {
            XCTAssertEqual(kill(pid, 0), 0, "it is silent", line: line)
        }

        func finish() {
            repl.leave()
            XCTAssertEqual(server.violations, [])
            server.finish()
        }
    }

    private func rig(_ replies: ProviderServer.Reply...) throws -> Rig {
        let chat = try ChatProgram()
        _ = try TestMachine.find("espeak-ng", package: "espeak-ng")
        let script = "#!/bin/sh\necho $$ >>\"$HOME/pids\"; exec cat >/dev/null"
        let path = try chat.folder.write(script.utf8, to: "player")
        chmod(path, 0o755)
        chat.variables["CHAT_PLAYER"] = path
        let server = try ProviderServer(.chat, replies)
        chat.variables.merge(server.variables) { $1 }
        let repl = try ChatTerminal(chat, ["--provider", server.provider])
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/speak on", until: "read aloud")
        return Rig(chat: chat, repl: repl, server: server)
    }

    func testEnterOnAnEmptyLineIsSilence() throws {
        let rig = try rig(.text(Self.long))
        try rig.repl.enter("hello", until: "read aloud for")
        let player = try rig.player(1)
        rig.assertSpeaking(player)
        rig.repl.terminal.type("\r")
        rig.assertSilent(player)
        rig.finish()
    }

    func testControlCAtThePromptIsSilenceFirstAndTheLineStays() throws {
        let rig = try rig(.text(Self.long))
        try rig.repl.enter("hello", until: "read aloud for")
        let player = try rig.player(1)
        rig.repl.terminal.type("half a lin")
        try rig.repl.waitForLine("> half a lin")
        rig.assertSpeaking(player)
        rig.repl.terminal.type("\u{03}")
        rig.assertSilent(player)
        rig.repl.terminal.type("e")
        try rig.repl.waitForLine("> half a line")
        // The next one clears it, and says nothing of leaving.
        rig.repl.terminal.type("\u{03}")
        try rig.repl.waitForPrompt()
        XCTAssertFalse(rig.repl.transcript.contains { $0.contains("leaves") })
        rig.finish()
    }

    func testControlCWhileAnAnswerStreamsStopsTheAnswerAndTheVoice() throws {
        let rig = try rig(.stall(after: Self.long))
        rig.repl.enter("hello")
        let player = try rig.player(1)
        rig.assertSpeaking(player)
        rig.repl.terminal.type("\u{03}")
        rig.assertSilent(player)
        try rig.repl.waitForPrompt(after: "topped")
        rig.finish()
    }

    func testEnterWhileAnAnswerStreamsIsSilenceAndTheAnswerGoesOn() throws {
        let gate = Gate()
        let rig = try rig(.paused(after: Self.long, until: gate, rest: "Here it ends."))
        rig.repl.enter("hello")
        let player = try rig.player(1)
        rig.assertSpeaking(player)
        rig.repl.terminal.type("\r")
        rig.assertSilent(player)
        gate.open()
        try rig.repl.waitForPrompt(after: "Here it ends.")
        XCTAssertEqual(
            String(decoding: try rig.chat.folder.read("account/pids"), as: UTF8.self)
                .split(separator: "\n").count, 1, "it was read on")
        rig.finish()
    }

    func testThatNothingPlaysIsNotSaidInTheMiddleOfALine() throws {
        let gate = Gate()
        let rig = try rig(
            .paused(after: Self.long + "And the end of", until: gate, rest: " it is here."))
        let script = "#!/bin/sh\necho 'Connection refused' >&2\nexit 1\n"
        try rig.chat.folder.write(script.utf8, to: "player")
        rig.repl.enter("hello")
        try rig.repl.waitFor("The sound server cannot be reached")
        gate.open()
        try rig.repl.waitForPrompt(after: "it is here.")
        let text = rig.repl.transcript.joined().filter { !$0.isWhitespace }
        XCTAssertTrue(text.contains("Andtheendofitishere."), text)
        rig.finish()
    }

    func testANewMessageEndsTheOldAnswerAndItsOwnIsRead() throws {
        let rig = try rig(.text(Self.long), .text("Another one. " + Self.long))
        try rig.repl.enter("hello", until: "read aloud for")
        let first = try rig.player(1)
        rig.assertSpeaking(first)
        try rig.repl.enter("again", until: "Another one.")
        rig.assertSilent(first)
        let second = try rig.player(2)
        rig.assertSpeaking(second)
        rig.repl.terminal.type("\r")
        rig.assertSilent(second)
        rig.finish()
    }
}
