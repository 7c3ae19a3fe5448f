import Base
import Foundation
import Persistence
import StoryKit
import Synchronization
import TestSupport
import XCTest

@testable import Library
@testable import Sound
@testable import Stories

/// `StoryPlayer` to the byte: what is heard, in which order, and which place is kept.
final class StoryPlayerTests: XCTestCase {
    func testAStoryIsHeardWholeAndEachPlaceIsKept() async throws {
        let rig = try await StoryPlayerRig()
        try await rig.player.play(rig.item)
        let report = await rig.player.finished()
        XCTAssertEqual(report, StoryPlayer.Report(spoken: 9))
        let heard = await rig.sink.bytes
        let whole = try await rig.sound(0..<9)
        XCTAssertTrue(heard == whole)
        let reading = try await rig.reading()
        XCTAssertEqual(reading.lines.map(\.text), StoryPlayerRig.lines)
        // One that is so short that no state was seen may be left out, never out of order.
        let kept = rig.kept.withLock { $0 }
        XCTAssertEqual(kept, kept.sorted())
        XCTAssertEqual(kept.last, rig.item.body.utf8.count)
        let state = try XCTUnwrap(rig.player.state)
        XCTAssertEqual(state.phase, .ended)
        XCTAssertEqual(state.fraction, 1)

        XCTAssertEqual(rig.trials.withLock { $0 }, [VoiceTrial(done: 34, count: 102)])
        XCTAssertNil(state.trial)

        // Who heard it to its end hears it again from the beginning.
        try await rig.player.play(rig.item)
        _ = await rig.player.finished()
        let again = await rig.sink.bytes
        XCTAssertTrue(again == whole + whole)
    }

    func testTheSentencesOfTheSourceAreTheOnesThatAreSpoken() async throws {
        let rig = try await StoryPlayerRig("“Oh -- *no*!”  he   said.\n\n_Stop_ (or not). … Go.")
        let reading = try await rig.reading()
        let bytes = Array(rig.item.body.utf8)
        XCTAssertEqual(
            reading.lines.map { String(decoding: bytes[$0.sentence], as: UTF8.self) },
            ["“Oh -- *no*!”", "he   said.", "_Stop_ (or not).", "Go."])
    }

    func testItBeginsAtASegmentAChapterOrAPlace() async throws {
        let rig = try await StoryPlayerRig()
        let reading = try await rig.reading()
        let quotation =
            try XCTUnwrap(
                reading.lines.first { $0.text == "“Yes,”" }
            ).span + 1
        for (start, first) in [
            (StoryPlayer.Start.segment(quotation), 6), (.chapter(2), 5),
            (.offset(reading.lines[3].sentence.lowerBound + 2), 3), (.segment(1), 0),
        ] {
            let before = await rig.sink.bytes.count
            try await rig.player.play(rig.item, from: start)
            _ = await rig.player.finished()
            let heard = await rig.sink.bytes.dropFirst(before)
            let expected = try await rig.sound(first..<9)
            XCTAssertTrue(Array(heard) == expected, "\(start)")
        }
        for (start, what) in [
            (StoryPlayer.Start.segment(99), "There is no segment 99: s1 has "),
            (.segment(0), "There is no segment 0"),
            (.chapter(3), "There is no chapter 3: s1 has 2 chapters."),
            (.offset(10_000), "There is no byte 10,000"),
        ] {
            do {
                try await rig.player.play(rig.item, from: start)
                XCTFail("\(start)")
            } catch let error as StoryPlayError {
                XCTAssertTrue(error.diagnostic.what.hasPrefix(what), error.diagnostic.what)
                XCTAssertEqual(error.diagnostic.exit, .usage)
            }
        }
    }

    func testAPauseKeepsTheSampleAndStopKeepsThePlace() async throws {
        let rig = try await StoryPlayerRig()
        let player = rig.player
        let pauses = Mutex(0)
        let paused = Mutex<[Task<Void, Never>]>([])
        await rig.sink.afterEachBlock { count in
            // In the middle of sentences, and in silences.
            guard count % 1_640 == 0 else { return }
            await player.pause()
            pauses.withLock { $0 += 1 }
            let before = await rig.sink.bytes.count
            paused.withLock { tasks in
                tasks.append(
                    Task {
                        for _ in 0..<50 { await Task.yield() }
                        let after = await rig.sink.bytes.count
                        XCTAssertEqual(before, after, "sound in the pause")
                        XCTAssertEqual(player.state?.phase, .paused(.user))
                        await player.resume()
                    })
            }
        }
        try await player.play(rig.item)
        _ = await player.finished()
        for task in paused.withLock({ $0 }) { await task.value }
        XCTAssertGreaterThan(pauses.withLock { $0 }, 2)
        let heard = await rig.sink.bytes
        let whole = try await rig.sound(0..<9)
        XCTAssertTrue(heard == whole)
    }

    func testStopKeepsThePlaceAndPlayingAgainGoesOnThere() async throws {
        let rig = try await StoryPlayerRig()
        let player = rig.player
        let third = try await rig.sound(0..<3).count
        let stopping = Mutex<Task<Void, Never>?>(nil)
        await rig.sink.afterEachBlock { count in
            guard count > third, stopping.withLock({ $0 == nil }) else { return }
            // The player learns a moment after a block, which may be in the next one, of
            // which line it was: each block of the line leaves it time.
            for _ in 0..<1_000 where player.state?.lineIndex != 3 { await Task.yield() }
            guard player.state?.lineIndex == 3 else { return }
            let task = Task { await player.stop() }
            stopping.withLock { $0 = task }
            // What stops waits for this block.
            for _ in 0..<20 { await Task.yield() }
        }
        try await player.play(rig.item)
        let report = await player.finished()
        await stopping.withLock { $0 }?.value
        XCTAssertTrue(report.wasStopped)
        let reading = try await rig.reading()
        XCTAssertEqual(rig.place, reading.lines[3].sentence.lowerBound)
        XCTAssertEqual(player.state?.phase, .ended)
        let before = await rig.sink.bytes.count
        try await player.play(rig.item)
        _ = await player.finished()
        let rest = await rig.sink.bytes.dropFirst(before)
        let expected = try await rig.sound(3..<9)
        XCTAssertTrue(Array(rest) == expected)
    }

    func testASkipEndsTheOldSoundBeforeTheNewBegins() async throws {
        let rig = try await StoryPlayerRig()
        let player = rig.player
        let asked = Mutex(false)
        let skipping = Mutex<Task<Void, Never>?>(nil)
        await rig.sink.afterEachBlock { count in
            guard count >= 400, !asked.withLock({ $0 }) else { return }
            asked.withLock { $0 = true }
            let task = Task { await player.skip(chapters: 1) }
            skipping.withLock { $0 = task }
            for _ in 0..<2_000 { await Task.yield() }
        }
        try await player.play(rig.item, from: .offset(10))
        _ = await player.finished()
        await skipping.withLock { $0 }?.value
        let heard = await rig.sink.bytes
        let expected = try await rig.sound(5..<9)
        XCTAssertTrue(heard.suffix(expected.count) == expected[...])
        // Begin, stop, and only then begin again.
        let events = await rig.sink.events
        let begins = events.indices.filter { events[$0] == .begin(NotedEngine.format) }
        XCTAssertEqual(begins.count, 2)
        XCTAssertTrue(events[begins[0]..<begins[1]].contains(.stop))
    }

    func testSegmentsAreSkippedBothWaysWithoutThoseThatHaveNoWords() async throws {
        let rig = try await StoryPlayerRig()
        let reading = try await rig.reading()
        // Line 4 is told in the same segment as 3 and 2; the heading is one of its own.
        XCTAssertEqual(reading.line(1, segments: 1, isBegun: false), 2)
        XCTAssertEqual(reading.line(2, segments: 1, isBegun: false), 5)
        XCTAssertEqual(reading.line(4, segments: -1, isBegun: false), 2)
        XCTAssertEqual(reading.line(2, segments: -1, isBegun: true), 2)
        XCTAssertEqual(reading.line(2, segments: -1, isBegun: false), 1)
        XCTAssertEqual(reading.line(0, segments: -3, isBegun: true), 0)
        XCTAssertEqual(reading.line(8, segments: 1, isBegun: false), 9)
        XCTAssertEqual(reading.line(3, chapters: 1, isBegun: false), 5)
        XCTAssertEqual(reading.line(7, chapters: -1, isBegun: false), 5)
        XCTAssertEqual(reading.line(5, chapters: -1, isBegun: false), 0)
    }

    func testTheSpeedIsRemembered() async throws {
        let rig = try await StoryPlayerRig(rate: 1.32)
        try await rig.player.play(rig.item)
        XCTAssertEqual(rig.player.state?.rate, 1.3)
        await rig.player.changeRate(steps: 2)
        XCTAssertEqual(rig.rate.withLock { $0 }, 1.5)
        await rig.player.stop()
    }

    func testTheSleepTimerStopsItAndKeepsThePlace() async throws {
        // The clock of this rig does not wait.
        let rig = try await StoryPlayerRig()
        let player = rig.player
        let first = try await rig.sound(0..<1).count
        await rig.sink.afterEachBlock { count in
            guard count == first + 40 else { return }
            await player.sleep(after: 0.001)
            // It has stopped by then, but for the end of this block.
            while await player.sleepsAt != nil { await Task.yield() }
        }
        try await player.play(rig.item)
        let report = await player.finished()
        XCTAssertTrue(report.fellAsleep && report.wasStopped)
        XCTAssertLessThan(report.spoken, 9)
        XCTAssertNil(player.state?.sleepsIn)
        XCTAssertEqual(try StoryPlayer.sleepSeconds("1h30m"), 5_400)
        XCTAssertNil(try StoryPlayer.sleepSeconds("off"))
        XCTAssertThrowsError(try StoryPlayer.sleepSeconds("a while"))
    }

    func testAnotherRateIsHeardFromTheNextSentenceOn() async throws {
        let rig = try await StoryPlayerRig()
        let player = rig.player
        let first = try await rig.sound(0..<1).count
        await rig.sink.afterEachBlock { count in
            if count == first + 40 { await player.setRate(1.53) }
        }
        try await player.play(rig.item)
        _ = await player.finished()
        XCTAssertEqual(player.state?.rate, 1.5)
        let heard = await rig.sink.bytes
        let slow = try await rig.sound(0..<2)
        let fast = try await rig.sound(2..<9, rate: 1.5)
        XCTAssertTrue(heard == slow + fast)
        // It stays within what can be understood.
        await player.setRate(9)
        await player.changeRate(steps: 1)
        try await player.play(rig.item)
        XCTAssertEqual(player.state?.rate, 2)
        await player.stop()
    }

    func testAChangedVoiceIsHeardAtTheSamePlace() async throws {
        let rig = try await StoryPlayerRig()
        let player = rig.player
        let reached = try await rig.sound(0..<1).count + 80
        await rig.pause(at: reached)
        try await player.play(rig.item)
        await rig.wait { $0.phase == .paused(.user) }
        rig.pitch.withLock { $0 = 1.4 }
        try await player.reload(rig.item)
        XCTAssertEqual(player.state?.phase, .paused(.user))
        XCTAssertEqual(player.state?.lineIndex, 1)
        await player.resume()
        _ = await player.finished()
        let heard = await rig.sink.bytes
        let expected = try await rig.sound(1..<9, pitch: 1.4)
        XCTAssertEqual(heard.count, reached + expected.count)
        XCTAssertTrue(heard.suffix(expected.count) == expected[...])
    }

    func testAPauseBeforeAnythingIsHeardHoldsItBackAndCanBeTakenBack() async throws {
        let rig = try await StoryPlayerRig()
        let player = rig.player
        rig.onPreparing.withLock { $0 = { await player.pause() } }
        try await player.play(rig.item)
        XCTAssertEqual(player.state?.phase, .paused(.user))
        let none = await rig.sink.bytes
        XCTAssertEqual(none, [])
        await player.resume()
        _ = await player.finished()
        let heard = await rig.sink.bytes
        let whole = try await rig.sound(0..<9)
        XCTAssertTrue(heard == whole)

        rig.onPreparing.withLock { $0 = { for _ in 1...2 { await player.togglePause() } } }
        rig.places.withLock { $0 = [:] }
        try await player.play(rig.item)
        _ = await player.finished()
        let again = await rig.sink.bytes
        XCTAssertTrue(again == whole + whole)

        // What could not begin was not heard to its end.
        rig.onPreparing.withLock { $0 = { await player.stop() } }
        do {
            try await player.play(rig.item)
            XCTFail("it was stopped")
        } catch { XCTAssertTrue(error is CancellationError, "\(error)") }
        let report = await player.finished()
        XCTAssertTrue(report.wasStopped)
    }

    func testOtherPausesAreHeardFromTheSameSentenceOn() async throws {
        let rig = try await StoryPlayerRig()
        let player = rig.player
        let reached = try await rig.sound(0..<3).count + 80
        await rig.pause(at: reached)
        try await player.play(rig.item)
        await rig.wait { $0.phase == .paused(.user) }
        rig.pauses.withLock { $0 = VoicePauses(sameSpeaker: 0.5, change: 0.1, chapter: 1) }
        try await player.reload(rig.item)
        XCTAssertEqual(player.state?.lineIndex, 3)
        await player.resume()
        _ = await player.finished()
        let heard = await rig.sink.bytes
        let expected = try await rig.sound(3..<9)
        XCTAssertEqual(heard.count, reached + expected.count)
        XCTAssertTrue(heard.suffix(expected.count) == expected[...])
    }

    func testAStoryThatWasNotChangedGoesOnWithoutABreak() async throws {
        let rig = try await StoryPlayerRig()
        let player = rig.player
        await rig.sink.afterEachBlock { count in
            if count % 800 == 0 { try? await player.follow() }
        }
        try await player.play(rig.item)
        _ = await player.finished()
        let heard = await rig.sink.bytes
        let whole = try await rig.sound(0..<9)
        XCTAssertTrue(heard == whole)
    }

    func testADecisionThatIsMadeWhileItIsHeardIsFollowed() async throws {
        let rig = try await StoryPlayerRig()
        let player = rig.player
        _ = try await rig.stories.run("index", "s1")
        let item = try await rig.book.lookup.find("s1")
        rig.pitch.withLock { $0 = 1.3 }
        await rig.pause(at: 80)
        try await player.play(item, from: .chapter(2))
        await rig.wait { $0.phase == .paused(.user) }
        let reading = try await rig.reading()
        let said = try XCTUnwrap(reading.lines.first { $0.text == "“Yes,”" })
        _ = try await rig.stories.run("fix", "s1", "\(said.span + 1)", "nobody")
        try await player.follow()
        let followed = await player.reading
        let following = try XCTUnwrap(followed)
        XCTAssertEqual(following.lines[6].speaker, .narrator)
        await player.resume()
        _ = await player.finished()
        let heard = await rig.sink.bytes
        let expected = following.lines[6...].indices.flatMap { index -> [UInt8] in
            let line = following.lines[index]
            return NotedEngine.bytes(line.text, following.voice(of: index, rate: 1))
                + [UInt8](repeating: 0, count: NotedEngine.format.bytes(ofSeconds: line.pause))
        }
        XCTAssertTrue(heard.suffix(expected.count) == expected[...])
    }
}
