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

/// `StoryPlayer` where its course is broken: one chapter alone, sentences without sound, a device
/// that goes away, a machine that slept, keys from everywhere.
final class StoryPlayerFaultTests: XCTestCase {
    func testAChapterAloneEndsAtItsEndAndTheNextIsKeptAsThePlace() async throws {
        let rig = try await StoryPlayerRig()
        try await rig.player.play(rig.item, from: .chapter(1), onlyChapter: true)
        XCTAssertEqual(rig.player.state?.isChapterAlone, true)
        let left = try XCTUnwrap(rig.player.state?.secondsLeft)
        let report = await rig.player.finished()
        XCTAssertEqual(report.spoken, 5)
        XCTAssertFalse(report.wasStopped)
        XCTAssertEqual(report.chapter, .init(number: 1, count: 2, title: "One"))
        let heard = await rig.sink.bytes
        let first = try await rig.sound(0..<5)
        XCTAssertTrue(heard == first)
        let reading = try await rig.reading()
        XCTAssertLessThan(left, reading.secondsLeft(at: 0, part: 0, pace: 1, to: 9))
        XCTAssertEqual(rig.place, reading.lines[5].sentence.lowerBound)

        // There it goes on, to the end of the story.
        try await rig.player.play(rig.item)
        let rest = await rig.player.finished()
        XCTAssertEqual(rest, StoryPlayer.Report(spoken: 4))
        let all = await rig.sink.bytes
        let whole = try await rig.sound(0..<9)
        XCTAssertTrue(all == whole)
    }

    func testAJumpOutOfAChapterAloneGoesOnToTheEnd() async throws {
        let rig = try await StoryPlayerRig()
        let player = rig.player
        let asked = Mutex(false)
        await rig.sink.afterEachBlock { count in
            guard count >= 400, !asked.withLock({ $0 }) else { return }
            asked.withLock { $0 = true }
            await player.pause()
        }
        try await player.play(rig.item, from: .chapter(2), onlyChapter: true)
        await rig.wait { $0.phase == .paused(.user) }
        await player.skip(segments: 1)
        XCTAssertEqual(player.state?.isChapterAlone, true)
        await player.skip(chapters: -2)
        XCTAssertEqual(player.state?.isChapterAlone, false)
        await player.resume()
        let report = await player.finished()
        XCTAssertNil(report.chapter)
        let heard = await rig.sink.bytes
        let whole = try await rig.sound(0..<9)
        XCTAssertTrue(heard.suffix(whole.count) == whole[...])
    }

    func testAPartOfTheTimeIsFoundAsAPlace() async throws {
        let reading = try await StoryPlayerRig().reading()
        for line in reading.lines.indices {
            let fraction = reading.fraction(at: line, part: 0)
            XCTAssertEqual(
                reading.offset(atFraction: fraction), reading.lines[line].sentence.lowerBound)
        }
        XCTAssertEqual(reading.offset(atFraction: 1), reading.text.bytes.count)
    }

    func testThreeSentencesInARowWithoutSoundPauseItAndSayWhatToDo() async throws {
        let isBroken = Mutex(true)
        let rig = try await StoryPlayerRig { text in
            guard isBroken.withLock({ $0 }), !text.contains("One") else { return nil }
            return SpeechError(
                reason: .programFailed("noted", status: 1, message: "no data"))
        }
        try await rig.player.play(rig.item)
        await rig.wait { $0.phase == .paused(.engineFailed) }
        let state = try XCTUnwrap(rig.player.state)
        XCTAssertTrue(try XCTUnwrap(state.problems.last).contains("noted ended (status 1)"))
        let failure = await rig.player.failure
        XCTAssertNotNil(failure)
        isBroken.withLock { $0 = false }
        await rig.player.resume()
        _ = await rig.player.finished()
        let heard = await rig.sink.bytes
        let last = try await rig.sound(8..<9)
        XCTAssertTrue(heard.suffix(last.count) == last[...])
    }

    func testASentenceWithoutSoundIsReportedAsSoonAsTheNextIsHeard() async throws {
        let rig = try await StoryPlayerRig { text in
            text == "Nobody knew."
                ? SpeechError(reason: .programFailed("noted", status: 1, message: "no data")) : nil
        }
        rig.voice.withLock { $0 = "en-us+Annie" }
        let player = rig.player
        let next = try await rig.sound(0..<3).count
        let said = Mutex<[StoryPlayer.State]>([])
        await rig.sink.afterEachBlock { count in
            // With the first block of the next sentence its place is published.
            guard count == next + 80 else { return }
            for _ in 0..<1_000_000 where player.state?.problems.isEmpty != false {
                await Task.yield()
            }
            said.withLock { $0 = [player.state].compactMap(\.self) }
        }
        try await player.play(rig.item)
        let report = await player.finished()
        let state = try XCTUnwrap(said.withLock { $0.first })
        let problem =
            "A sentence could not be read by en-us+Annie: noted ended (status 1): no data."
        XCTAssertEqual(state.problems, [problem])
        XCTAssertEqual([state.lineIndex, state.phase == .playing ? 1 : 0], [4, 1])
        XCTAssertEqual(report.problems, [problem])
    }

    func testADeviceThatGoesAwayPausesItAndItGoesOnWithTheSentence() async throws {
        let device = FailingSink(after: 5)
        let rig = try await StoryPlayerRig(inner: device)
        try await rig.player.play(rig.item)
        await rig.wait { $0.phase == .paused(.deviceGone) }
        let before = await rig.sink.bytes.count
        await rig.player.resume()
        _ = await rig.player.finished()
        let heard = await rig.sink.bytes.dropFirst(before)
        let whole = try await rig.sound(0..<9)
        XCTAssertTrue(Array(heard) == whole)
        let failure = await rig.player.failure
        XCTAssertNil(failure)
    }

    func testAMachineThatSleptFindsItPaused() async throws {
        let rig = try await StoryPlayerRig()
        await rig.sink.afterEachBlock { count in
            guard count == 2_000 else { return }
            // The state of a block before was seen.
            for _ in 0..<2_000 { await Task.yield() }
            rig.clock.sleep(3_600)
        }
        try await rig.player.play(rig.item)
        let state = await rig.wait { $0.phase == .paused(.suspended) || $0.phase == .ended }
        XCTAssertEqual(state?.phase, .paused(.suspended))
        await rig.player.resume()
        _ = await rig.player.finished()
        let heard = await rig.sink.bytes
        let whole = try await rig.sound(0..<9)
        XCTAssertTrue(heard == whole)
    }

    func testAClockThatIsSetIsNoSleep() async throws {
        let rig = try await StoryPlayerRig()
        await rig.sink.afterEachBlock { count in
            if count % 400 == 0 { rig.clock.jump(count % 800 == 0 ? 3_600 : -7_200) }
        }
        try await rig.player.play(rig.item)
        let state = await rig.wait { $0.phase == .paused(.suspended) || $0.phase == .ended }
        XCTAssertEqual(state?.phase, .ended)
    }

    func testCommandsFromEverywhereNeverMakeTwoSoundsAtOnce() async throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            let sink = ExclusiveSink()
            let rig = try await StoryPlayerRig(inner: sink)
            let player = rig.player
            try await player.play(rig.item)
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<3 as Range<UInt64> {
                    group.addTask {
                        var random = SplitMix(seed: seed * 10 + worker)
                        for _ in 0..<30 {
                            switch Int.random(in: 0..<7, using: &random) {
                            case 0: await player.togglePause()
                            case 1: await player.skip(segments: 1)
                            case 2: await player.skip(segments: -2)
                            case 3: await player.skip(chapters: -1)
                            case 4: try? await player.go(to: .segment(3))
                            case 5: await player.changeRate(steps: 1)
                            default:
                                if player.state?.phase == .ended {
                                    try? await player.play(rig.item)
                                }
                            }
                            await Task.yield()
                        }
                    }
                }
            }
            await player.stop()
            let overlaps = await sink.overlaps
            XCTAssertEqual(overlaps, 0, "seed \(seed)")
            XCTAssertEqual(player.state?.phase, .ended, "seed \(seed)")
            // It still plays.
            let before = await rig.sink.bytes.count
            await player.setRate(1)
            try await player.play(rig.item, from: .chapter(2))
            _ = await player.finished()
            let heard = await rig.sink.bytes.dropFirst(before)
            let expected = try await rig.sound(5..<9)
            XCTAssertTrue(Array(heard) == expected, "seed \(seed)")
        }
    }
}

/// A device that goes away once, after so many blocks.
private actor FailingSink: AudioSink {
    private var left: Int?

    init(after blocks: Int) { left = blocks }

    func begin(_ format: PCMFormat) {}

    func write(_ bytes: [UInt8]) throws {
        guard let now = left else { return }
        left = now - 1
        if now == 0 {
            left = nil
            throw SpeechError(
                reason: .programFailed("pw-play", status: 1, message: "device disappeared"))
        }
    }

    func finish() {}
    func stop() {}
}

/// Counts sound that comes while other sound is under way.
private actor ExclusiveSink: AudioSink {
    private var isOpen = false
    private(set) var overlaps = 0

    func begin(_ format: PCMFormat) {
        if isOpen { overlaps += 1 }
        isOpen = true
    }

    func write(_ bytes: [UInt8]) async throws {
        if !isOpen { overlaps += 1 }
        await Task.yield()
    }

    func finish() { isOpen = false }
    func stop() { isOpen = false }
}
