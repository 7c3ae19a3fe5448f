import Base
import Foundation
import TestSupport
import XCTest

/// `chat story play` with the real program, the real espeak-ng and a player that writes
/// down what it gets: checks 28, 29 and 33, line by line (`TERM=dumb`).
final class StoryPlayProgramTests: XCTestCase {
    private static let tide =
        "Chapter 1\n\n“Will it rise?” asked Ida. “I do not know,” said Bo, and looked at the sea "
        + "for as long as there was any light, and for a while longer.\n\nChapter 2\n\n"
        + "It rose. “There it is, and it comes up to the wall of the garden, as it did in the "
        + "year of the storm!” cried Ida.\n"

    /// Its espeak-ng speaks one sentence a run and not line after line, and writes down each
    /// that it speaks; its player writes all it gets behind what came before.
    private func program(
        player: String = "echo $$ >\"$HOME/pid\"; exec cat >>\"$HOME/heard\""
    ) throws -> ChatProgram {
        let chat = try ChatProgram()
        try chat.usesEspeak(
            """
            *" --stdin "*" -s "*) echo spoken >>"$HOME/spoken" ;;
            *" -s "*) exit 1 ;;
            """)
        let script = try chat.folder.write(("#!/bin/sh\n" + player).utf8, to: "player")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        chat.variables["CHAT_PLAYER"] = chat.folder.path("player")
        chat.variables["TERM"] = "dumb"
        let path = try chat.folder.write(Self.tide.utf8, to: "tide.txt")
        let imported = try chat.run(["story", "import", path])
        XCTAssertEqual(imported.exit, 0, imported.errorText)
        // Trying the voices takes its time on a busy machine; they are kept.
        for verb in ["index", "voices"] {
            let done = try chat.run(["story", verb, "s1"])
            XCTAssertEqual(done.exit, 0, done.errorText)
        }
        return chat
    }

    private func count(_ chat: ChatProgram, _ name: String) -> Int {
        (try? chat.folder.read("account/\(name)"))?.count ?? 0
    }

    private func spoken(_ chat: ChatProgram) -> Int {
        ((try? chat.folder.read("account/spoken")) ?? []).count { $0 == 0x0A }
    }

    /// The samples of a rendering: what is to be heard.
    private func samples(_ chat: ChatProgram) throws -> [UInt8] {
        let path = chat.folder.path("all.wav")
        let done = try chat.run(["story", "render", "s1", "-o", path])
        XCTAssertEqual(done.exit, 0, done.errorText)
        return Array(try chat.folder.read("all.wav").dropFirst(44))
    }

    /// All samples but those of silence: a pause between sentences that ends within a
    /// sample is a sample longer in a file now and then.
    private func sound(_ bytes: [UInt8]) -> [UInt8] {
        var sound: [UInt8] = []
        sound.reserveCapacity(bytes.count)
        for place in stride(from: 0, to: bytes.count - 1, by: 2)
        where bytes[place] != 0 || bytes[place + 1] != 0 {
            sound.append(bytes[place])
            sound.append(bytes[place + 1])
        }
        return sound
    }

    private func assertHeard(
        _ heard: [UInt8], isTheEndOf whole: [UInt8], line: UInt = #line
    ) {
        let (end, all) = (sound(heard), sound(whole))
        XCTAssertFalse(end.isEmpty, line: line)
        XCTAssertTrue(all.suffix(end.count) == end[...], line: line)
    }

    /// Waits until nothing comes any more.
    private func settled(_ chat: ChatProgram, _ play: ChatTerminal) throws -> Int {
        var last = -1
        var now = count(chat, "heard")
        while last != now {
            last = now
            do { try play.terminal.waitFor("silence", limit: 0.3) { _ in false } } catch {}
            now = count(chat, "heard")
        }
        return now
    }

    func testAPauseIsExactAndStopKeepsThePlace() throws {
        let chat = try program()
        let whole = try samples(chat)
        try? FileManager.default.removeItem(atPath: chat.folder.path("account/heard"))
        let play = try ChatTerminal(chat, ["story", "play", "s1"])
        try play.waitFor("Now speaking: Ida")
        play.terminal.type("\r")
        try play.waitFor("Paused: ")
        let before = try settled(chat, play)
        XCTAssertGreaterThan(before, 0)
        XCTAssertLessThan(before, whole.count)
        play.terminal.type("\r")
        try play.waitFor("heard to the end")
        play.assertEnd(0)
        // No sample is missing and none comes twice.
        let heard = Array(try chat.folder.read("account/heard"))
        XCTAssertTrue(sound(heard) == sound(whole))
        // A sample for each of nine pauses at most.
        XCTAssertLessThanOrEqual(abs(heard.count - whole.count), 18)
        let lines = play.transcript
        XCTAssertTrue(lines.contains { $0.hasPrefix("Now speaking: Narrator  1/") }, "\(lines)")
        XCTAssertTrue(lines.contains { $0.hasPrefix("Now speaking: Bo  ") }, "\(lines)")

        // Stopped in the second chapter, it goes on there; a slow machine stops it later.
        let stopped = try ChatTerminal(chat, ["story", "play", "s1", "--chapter", "2"])
        try stopped.waitFor("Now speaking: Ida")
        stopped.terminal.type("s\r")
        try stopped.waitFor("Stopped at ")
        stopped.assertEnd(0)
        try? FileManager.default.removeItem(atPath: chat.folder.path("account/heard"))
        let again = try chat.json(["story", "play", "--json"])
        XCTAssertEqual(again["finished"], .bool(true))
        let left = try XCTUnwrap(again["spoken"]?.integerValue)
        XCTAssertTrue((1...2).contains(left), "\(left)")
        let rest = Array(try chat.folder.read("account/heard"))
        assertHeard(rest, isTheEndOf: whole)
        XCTAssertLessThan(rest.count, whole.count / 2)
    }

    /// Killed without a word it goes on at the sentence, and what was made is not made again.
    func testAKilledStoryGoesOnWhereItWas() throws {
        let chat = try program()
        let play = try ChatTerminal(chat, ["story", "play", "s1"])
        try play.waitFor("Now speaking: Bo")
        play.kill()
        try chat.waitForSilence()
        let made = spoken(chat)
        XCTAssertGreaterThan(made, 2)
        let before = sound(Array(try chat.folder.read("account/heard")))
        try FileManager.default.removeItem(atPath: chat.folder.path("account/heard"))
        let again = try chat.json(["story", "play", "s1", "--json"])
        XCTAssertEqual(again["finished"], .bool(true))
        // Of nine sentences the first two at least were over; nothing was spoken twice, but
        // for the two that may have been under way when it was killed.
        let left = try XCTUnwrap(again["spoken"]?.integerValue)
        XCTAssertTrue((1...7).contains(left), "\(left)")
        let all = spoken(chat)
        XCTAssertTrue((9...11).contains(all), "\(all)")
        let rest = Array(try chat.folder.read("account/heard"))
        let whole = try samples(chat)
        XCTAssertEqual(spoken(chat), all)
        assertHeard(rest, isTheEndOf: whole)
        // It goes on at the start of a sentence that was not over, so that nothing is missing
        // and no more than that is heard again.
        XCTAssertTrue(sound(whole).starts(with: before))
        let start = sound(whole).count - sound(rest).count
        XCTAssertGreaterThan(start, 0)
        XCTAssertLessThanOrEqual(start, before.count)
        XCTAssertLessThan(before.count - start, sound(whole).count / 2)
    }

    func testALetterSkipsGoesSetsABookmarkAndControlCKeepsThePlace() throws {
        let chat = try program()
        let play = try ChatTerminal(chat, ["story", "play", "s1"])
        try play.waitFor("Now speaking: Narrator  1/")
        // Paused, it stays where a key has brought it.
        play.terminal.type("\r")
        try play.waitFor("Paused: ")
        play.terminal.type("]\r")
        try play.terminal.waitFor("the pause in the second chapter") {
            $0.transcript.filter { $0.contains("Paused: ") }.count == 2
        }
        play.terminal.type("b the tide\r")
        try play.waitFor("✓ bookmark 1: the tide")
        play.terminal.type("\u{03}")
        play.assertEnd(130)
        let list = try chat.json(["story", "bookmark", "list", "s1", "--json"])
        XCTAssertEqual(list.arrayValue?.first?["note"], .string("the tide"))
        XCTAssertEqual(list.arrayValue?.first?["chapter"]?.integerValue, 2)
        let again = try chat.json(["story", "bookmark", "go", "1", "--json"])
        XCTAssertEqual(again["finished"], .bool(true))
        XCTAssertEqual(again["spoken"]?.integerValue, 4)
    }

    func testWhatKeepsItFromBeingHeardIsSaid() throws {
        let chat = try program(player: "echo 'no such device' >&2; exit 1")
        let deaf = try chat.run(["story", "play", "s1"])
        XCTAssertEqual(deaf.exit, 1)
        XCTAssertTrue(
            deaf.errorText.contains("chat: There is no sound device (tried "), deaf.errorText)
        try chat.run(["story", "play", "s1", "--from", "99"])
            .assertFailure(2, "There is no segment 99")
        try chat.run(["story", "play", "s1", "--rate", "7"]).assertFailure(2, "--rate is a number")
        _ = try chat.run(["story", "import", "-", "--title", "Other"], input: "Another story.")
        let other = try ChatProgram()
        try other.run(["story", "play"]).assertFailure(2, "There are no stories yet.")
        // No player at all.
        chat.variables["CHAT_PLAYER"] = nil
        chat.variables["PATH"] = chat.folder.path
        let without = try chat.run(["story", "play", "s2"])
        XCTAssertEqual(without.exit, 5, without.errorText)
    }
}
