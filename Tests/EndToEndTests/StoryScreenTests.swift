import Base
import Foundation
import TestSupport
import XCTest

/// Listening to a story in the real program, with the real espeak-ng and a player that
/// swallows the sound at the pace at which it would be heard.
final class StoryScreenTests: XCTestCase {
    private static let tide =
        "Chapter 1. Ebb\n\n“Will it rise?” asked Ida. “I do not know,” said Bo, and looked at the "
        + "sea for as long as there was any light, for he had nothing else to do.\n\n"
        + "Chapter 2. Flood\n\nIt rose in the night, without a word. “There it is!” cried Ida. "
        + "“I told you so,” said Bo, though he had not, and everybody there knew it well.\n\n"
        // Not to be over before a slow machine has looked.
        + String(repeating: "It rose again on the next day, and fell again.\n\n", count: 30)

    private func program(imports: Bool = true) throws -> ChatProgram {
        let chat = try ChatProgram()
        try chat.usesEspeak()
        // The lock ends with it, however it ends.
        chat.variables["CHAT_PLAYER"] = try script(
            """
            exec 9>"$HOME/playing"
            flock --nonblock 9 || echo together >>"$HOME/together"
            echo $$ >"$HOME/pid"; exec cat >/dev/null
            """, "player", chat)
        guard imports else { return chat }
        let path = try chat.folder.write(Self.tide.utf8, to: "tide.txt")
        // Voices are tried once, and on a busy machine that takes longer than a screen
        // is waited for.
        for words in [["import", path], ["index", "--offline"], ["voices", "s1"]] {
            let done = try chat.run(["story"] + words)
            XCTAssertEqual(done.exit, 0, done.errorText)
        }
        return chat
    }

    @discardableResult
    private func script(_ body: String, _ name: String, _ chat: ChatProgram) throws -> String {
        let path = try chat.folder.write(("#!/bin/sh\n" + body + "\n").utf8, to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    func testTheScreenOfTheShellTakesItsKeysAndKeepsThePlace() throws {
        let chat = try program()
        let shown = try ChatTerminal(chat, ["story", "play", "s1"], rows: 24)
        try shown.waitFor("tide · 1 of 2: Ebb")
        try shown.waitFor("Space pauses")
        shown.terminal.type(" ")
        try shown.waitFor("⏸ Paused")
        shown.terminal.type("?")
        try shown.waitFor("wrong speaker")
        shown.terminal.type("x]")
        try shown.waitFor("2 of 2: Flood")
        shown.terminal.type("/told you\r")
        try shown.waitFor("▸ “I told you so")
        shown.terminal.type("b")
        try shown.waitFor("✓ bookmark 1")
        shown.terminal.type("g900\r")
        try shown.waitFor("There is no segment 900")
        shown.terminal.type("w")
        try shown.waitFor("Who says it?")
        // Letters search in the list and do nothing else.
        shown.terminal.type("ida\r")
        try shown.waitFor("✓ Ida says")
        shown.terminal.type("q")
        shown.assertEnd(0)
        let fixed = try chat.json(["story", "segments", "s1", "--json"]).arrayValue?
            .first { $0["text"]?.stringValue?.contains("told you so") ?? false }
        XCTAssertEqual(fixed?["speaker"], "Ida")
        XCTAssertEqual(fixed?["by"], "user")
        let marks = try chat.json(["story", "bookmark", "list", "s1", "--json"]).arrayValue
        XCTAssertEqual(marks?.count, 1)

        let again = try ChatTerminal(chat, ["story", "play"], rows: 12, columns: 40)
        try again.waitFor("▸ “I told you so")
        try chat.waitForPlayer()
        again.terminal.type("\u{03}")
        again.assertEnd(130)
        try chat.waitForSilence()
    }

    func testAtThePromptItGoesOnBehindWhatIsTyped() throws {
        let chat = try program()
        let repl = try ChatTerminal(chat, rows: 24)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/play")
        try repl.waitFor("Esc to the prompt")
        repl.terminal.type("\u{1B}")
        try repl.waitForStatus("  ▶ tide · ")
        repl.terminal.type("half")
        try repl.terminal.waitFor("the typed words") { $0.lines.suffix(2).first == "> half" }
        repl.terminal.type("\u{15}/pause\r")
        try repl.terminal.waitFor("the pause") {
            $0.lines.last?.hasPrefix("  ⏸ tide · paused · /play resumes") ?? false
        }
        repl.enter("/play")
        try repl.waitForStatus("  ▶ tide · ")
        try chat.waitForPlayer()
        repl.enter("/stop")
        try repl.waitForPrompt(after: "/play continues there")
        try chat.waitForSilence()
        repl.enter("/pause")
        try repl.waitForPrompt(after: "No story is playing.")
        repl.leave()
    }

    private func playBehind(_ repl: ChatTerminal) throws {
        repl.enter("/story play s1")
        try repl.waitFor("Esc to the prompt")
        repl.terminal.type("\u{1B}")
        try repl.terminal.waitFor("the prompt") { screen in
            !screen.lines.contains { $0.contains("Esc to the prompt") }
        }
    }

    func testWhatReadsATextTakesTheSoundAndTheLineSaysSo() throws {
        let chat = try program()
        let repl = try ChatTerminal(chat, rows: 24)
        try repl.waitForPrompt(after: "/help")
        try playBehind(repl)
        // Its player is there: it is heard.
        try chat.waitForPlayer()
        repl.enter("/say Good morning")
        try repl.terminal.waitFor("the reason") {
            $0.lines.last?.contains("paused for something else") ?? false
        }
        repl.leave()
        try chat.waitForSilence()
    }

    /// Both want the sound in the same moment, and which is ready first is not known.
    func testWhatIsReadInTheFirstMomentOfAStoryIsHeardAloneAndToItsEnd() throws {
        let chat = try program()
        let repl = try ChatTerminal(chat, rows: 24)
        try repl.waitForPrompt(after: "/help")
        try playBehind(repl)
        repl.enter("/say " + String(repeating: "Good morning to you. ", count: 40))
        // The second sentence: the first was heard.
        try repl.waitFor("2 of 40")
        repl.terminal.type("q")
        // On a slow machine the story is ready only now.
        try repl.waitForStatus("  ⏸ tide · paused for something else", or: "  ▶ tide · ")
        repl.enter("/stop")
        try repl.waitForPrompt(after: "continues there")
        try chat.waitForSilence()
        XCTAssertFalse(chat.files.contains("account/together"), "two were heard at once")
        repl.leave()
    }

    func testASecondProgramSaysWhoPlaysAndHowToStopIt() throws {
        let chat = try program()
        let first = try ChatTerminal(chat, ["story", "play", "s1"], rows: 24)
        try first.waitFor("▸")
        try chat.waitForPlayer()
        let pid = first.terminal.child
        let second = try chat.run(["say", "Good morning"])
        second.assertFailure(1, "Already playing “tide” in another chat (pid \(pid)).")
        XCTAssertTrue(second.errorText.contains("kill \(pid)"), second.errorText)
        first.terminal.type(" ")
        try first.waitFor("⏸ Paused")
        // A pause lets others be heard, when what was under way has been heard.
        let heard = try OtherProcess.waitUntil("that another is heard") { () -> Bool? in
            let third = try chat.run(["say", "Hm."])
            return third.errorText.contains("Already playing") ? nil : third.exit == 0
        }
        XCTAssertTrue(heard)
        first.terminal.type("s")
        first.assertEnd(0)
    }

    func testAKillEndsTheSoundAndKeepsThePlace() throws {
        let chat = try program()
        let first = try ChatTerminal(chat, ["story", "play", "s1", "--chapter", "2"], rows: 24)
        try first.waitFor("2 of 2")
        try chat.waitForPlayer()
        first.kill()
        try chat.waitForSilence()
        let again = try ChatTerminal(chat, ["story", "play"], rows: 24)
        try again.waitFor("2 of 2")
        again.terminal.type("q")
        again.assertEnd(0)
    }

    func testWithoutStoriesItSaysHowToGetOne() throws {
        let chat = try program(imports: false)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/play")
        try repl.waitForPrompt(after: "/story import FILE")
        repl.leave()
    }

    func testTheWindowMayChangeItsSize() throws {
        let chat = try program()
        let shown = try ChatTerminal(chat, ["story", "play", "s1"], rows: 24)
        try shown.waitFor("▸")
        shown.terminal.type(" ")
        try shown.waitFor("⏸ Paused")
        shown.terminal.resize(rows: 12, columns: 40)
        try shown.terminal.waitFor("a picture of 40 columns") {
            $0.lines.contains { $0.hasPrefix("  tide · 1/2") }
                && $0.lines.allSatisfy { $0.count < 40 }
        }
        shown.terminal.type("q")
        shown.assertEnd(0)
    }
}

extension ChatTerminal {
    /// Waits for an empty prompt above a status line that begins so.
    fileprivate func waitForStatus(_ start: String, or other: String? = nil) throws {
        try terminal.waitFor("a prompt above “\(start)”") { screen in
            guard screen.lines.suffix(2).first == ">", let last = screen.lines.last else {
                return false
            }
            return last.hasPrefix(start) || other.map(last.hasPrefix) ?? false
        }
    }
}
