import Base
import Foundation
import Persistence
import StoryKit
import Synchronization
import TestSupport
import XCTest

@testable import Sound
@testable import Stories

/// Listening line by line: what is said, and what letters do.
final class StoryLinesTests: XCTestCase {
    func testALetterAndEnterDoesWhatAKeyDoes() {
        for (line, key) in [
            ("", StoryKey.togglePause), ("  ", .togglePause), ("n", .segments(1)),
            ("p ", .segments(-1)), ("]", .chapters(1)), ("[", .chapters(-1)), ("+", .rate(1)),
            ("-", .rate(-1)), ("g 42", .goTo(42)), ("g42", .goTo(42)),
            ("b", .bookmark(note: "")), ("b the tea", .bookmark(note: "the tea")), ("s", .stop),
            ("q", .stop), ("?", .help), ("g", .unknown("g")), ("g x", .unknown("g x")),
            ("next", .unknown("next")), ("stop it", .unknown("stop it")),
        ] {
            XCTAssertEqual(StoryKey(line), key, line)
        }
    }

    func testWhoSpeaksIsSaidOnceForEachSegment() {
        var state = StoryPlayer.State(
            phase: .preparing, item: ItemID(rawValue: 1), title: "The Tide")
        XCTAssertEqual(StoryLines.lines(state, after: nil), [])
        var last: StoryPlayer.State? = state
        func text() -> [String] {
            defer { last = state }
            return StoryLines.lines(state, after: last).map(\.text)
        }
        state.phase = .playing
        (state.segment, state.segments, state.fraction) = (11, 240, 0.0458)
        (state.speaker, state.isNarrator, state.tier) = ("Alice", false, .sure)
        state.chapter = .init(number: 2, count: 12, title: "CHAPTER II. The Pool\nof Tears")
        XCTAssertEqual(
            text(), ["Chapter 2 of 12: The Pool of Tears", "Now speaking: Alice  11/240  4 %"])
        state.fraction = 0.047
        XCTAssertEqual(text(), [])
        state.phase = .waiting
        XCTAssertEqual(text(), [])
        state.phase = .paused(.user)
        XCTAssertEqual(text(), ["Paused: 11/240  4 %  Enter resumes"])
        XCTAssertEqual(text(), [])
        state.phase = .playing
        XCTAssertEqual(text(), ["Now speaking: Alice  11/240  4 %"])
        (state.segment, state.speaker, state.tier) = (12, nil, .guess)
        XCTAssertEqual(text(), ["Now speaking: Unknown  12/240  4 %  guessed"])
        (state.segment, state.isNarrator, state.tier, state.rate) = (13, true, nil, 1.2)
        XCTAssertEqual(text(), ["Now speaking: Narrator  13/240  4 %  rate 1.2"])
        state.problems = ["A sentence could not be read: noted ended."]
        XCTAssertEqual(text(), ["! A sentence could not be read: noted ended."])
        state.phase = .paused(.suspended)
        XCTAssertEqual(text(), ["Paused after the machine slept: 13/240  4 %  Enter resumes"])
    }

    private final class Typed: Sendable {
        let said = Mutex<[String]>([])
        private let lines: AsyncStream<String>
        let type: AsyncStream<String>.Continuation
        private let iterator: Mutex<AsyncStream<String>.AsyncIterator?>

        init() {
            (lines, type) = AsyncStream.makeStream(of: String.self)
            iterator = Mutex(nil)
        }

        func lines(
            _ rig: StoryPlayerRig, isInteractive: Bool = true
        ) -> StoryLines {
            let (stream, type) = (lines, type)
            return StoryLines(
                player: rig.player, isInteractive: isInteractive,
                bookmark: { _, note in "✓ bookmark 1: \(note)" },
                readLine: {
                    for await line in stream { return line }
                    return nil
                }, endInput: { type.finish() },
                say: { lines in self.said.withLock { $0 += lines.map(\.text) } })
        }
    }

    func testLettersSteerItAndStopKeepsThePlace() async throws {
        let rig = try await StoryPlayerRig()
        let typed = Typed()
        await rig.sink.afterEachBlock { count in
            // It is paused before the first sentence is over, and typed to.
            if count == 80 { await rig.player.pause() }
        }
        try await rig.player.play(rig.item)
        let running = Task { try await typed.lines(rig).run() }
        await rig.wait { $0.phase == .paused(.user) }
        for line in ["g 99", "x", "b tea", "]", "s"] { typed.type.yield(line) }
        let report = try await running.value
        XCTAssertTrue(report.wasStopped)
        let reading = try await rig.reading()
        XCTAssertEqual(rig.place, reading.lines[5].sentence.lowerBound)
        let said = typed.said.withLock { $0 }
        XCTAssertTrue(said.contains("✓ bookmark 1: tea"), "\(said)")
        XCTAssertTrue(said.contains("\"x\" does nothing here; ? lists what does."), "\(said)")
        XCTAssertTrue(
            said.contains { $0.hasPrefix("! There is no segment 99: s1 has ") }, "\(said)")
    }

    func testTheEndOfAPipeStopsNothing() async throws {
        let rig = try await StoryPlayerRig()
        let typed = Typed()
        typed.type.finish()
        try await rig.player.play(rig.item)
        let report = try await typed.lines(rig, isInteractive: false).run()
        XCTAssertFalse(report.wasStopped)
        let heard = await rig.sink.bytes
        let whole = try await rig.sound(0..<9)
        XCTAssertTrue(heard == whole)
    }

    func testWithoutAPlayerItEndsAndSaysWhy() async throws {
        let rig = try await StoryPlayerRig(inner: DeafSink())
        let typed = Typed()
        try await rig.player.play(rig.item)
        do {
            _ = try await typed.lines(rig).run()
            XCTFail("it ended as if it were heard")
        } catch let error as SpeechError {
            XCTAssertEqual(error.diagnostic.exit, .missingProgram)
        }
    }

    func testCancellingItIsSilenceAndKeepsThePlace() async throws {
        let rig = try await StoryPlayerRig()
        let typed = Typed()
        await rig.sink.afterEachBlock { count in
            if count == 80 { await rig.player.pause() }
        }
        try await rig.player.play(rig.item)
        let running = Task { try await typed.lines(rig).run() }
        await rig.wait { $0.phase == .paused(.user) }
        running.cancel()
        do {
            _ = try await running.value
            XCTFail("it was cancelled")
        } catch is CancellationError {}
        XCTAssertEqual(rig.player.state?.phase, .ended)
        XCTAssertEqual(rig.place, 2)
    }
}

private actor DeafSink: AudioSink {
    func begin(_ format: PCMFormat) throws {
        throw SpeechError(reason: .needsProgram(["pw-play", "aplay"]))
    }

    func write(_ bytes: [UInt8]) {}
    func finish() {}
    func stop() {}
}
