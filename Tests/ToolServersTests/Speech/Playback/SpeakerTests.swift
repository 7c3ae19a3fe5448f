import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound

/// `Speaker` with a scripted engine: what a player hears, to the byte. Above 400 lines
/// because every key and every failure is tried on the same bytes.
final class SpeakerTests: XCTestCase {
    private let format = ScriptedEngine.format

    /// Different for each utterance, and at each place in it.
    private static func bytes(_ text: String, frames: Int) -> [UInt8] {
        var random = SplitMix(seed: UInt64(text) ?? 99)
        return (0..<frames * 2).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    private static func frames(_ text: String) -> Int { 700 + (Int(text) ?? 0) * 131 }

    private func engine() -> ScriptedEngine {
        ScriptedEngine { .bytes(Self.bytes($0, frames: Self.frames($0)), Self.format) }
    }

    private static let format = ScriptedEngine.format

    /// The sound of an utterance with its silence.
    private func whole(_ utterance: Utterance) -> [UInt8] {
        Self.bytes(utterance.text, frames: Self.frames(utterance.text))
            + [UInt8](repeating: 0, count: format.bytes(ofSeconds: utterance.pause))
    }

    func testAPlayerHearsAllOfItWithThePausesAndNothingElse() async throws {
        let player = try FakePlayer()
        let speaker = Speaker(engine: engine(), sink: player.sink())
        let report = try await speaker.speak(utterances(5))
        XCTAssertEqual(report, Speaker.Report(spoken: 5))
        XCTAssertEqual(try player.sound, utterances(5).flatMap(whole))
        try player.assertGone()
        let state = await speaker.state
        XCTAssertEqual(state.phase, .ended)
        XCTAssertEqual(state.index, 5)
    }

    func testTwentyPausesAtRandomPlacesLeaveNoGapAndNoRepeat() async throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let player = try FakePlayer()
            let sink = WatchedSink(player.sink())
            let speaker = Speaker(engine: engine(), sink: sink)
            let all = utterances(8)
            let expected = all.flatMap(whole)
            var random = SplitMix(seed: seed)
            let places = Mutex(
                (0..<20).map { _ in Int.random(in: 1..<expected.count, using: &random) }.sorted())
            let resuming = Mutex<[Task<Void, Never>]>([])
            let pauses = Mutex(0)
            await sink.afterEachBlock { count in
                let isDue = places.withLock { places in
                    let isDue = places.first.map { $0 <= count } ?? false
                    places.removeAll { $0 <= count }
                    return isDue
                }
                guard isDue else { return }
                await speaker.pause()
                pauses.withLock { $0 += 1 }
                let before = await sink.bytes.count
                let task = Task {
                    // Long enough for the pump to go on if it wanted to.
                    for _ in 0..<50 { await Task.yield() }
                    let state = await speaker.state
                    XCTAssertEqual(state.phase, .paused)
                    let after = await sink.bytes.count
                    XCTAssertEqual(before, after, "sound in the pause")
                    await speaker.resume()
                }
                resuming.withLock { $0.append(task) }
            }
            let report = try await speaker.speak(all)
            for task in resuming.withLock({ $0 }) { await task.value }
            XCTAssertEqual(report.spoken, 8)
            XCTAssertGreaterThan(pauses.withLock { $0 }, 12)
            XCTAssertTrue(try player.sound == expected, "seed \(seed)")
        }
    }

    func testSkipsAtRandomPlacesPlayExactlyWhatTheyShould() async throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            var random = SplitMix(seed: seed)
            let all = utterances(12)
            // After so many blocks, a skip by so many.
            let skips: [Int: Int] = Dictionary(
                (0..<20).map { _ in
                    (
                        Int.random(in: 1..<500, using: &random),
                        [-2, -1, -1, 1, 2].randomElement(using: &random) ?? 1
                    )
                }, uniquingKeysWith: { first, _ in first })
            // What should be heard, by a second way of counting.
            var expected: [UInt8] = []
            var blocks = 0
            var index = 0
            utterances: while index < all.count {
                let sound = Self.bytes(all[index].text, frames: Self.frames(all[index].text))
                let silence = whole(all[index]).dropFirst(sound.count)
                var offset = 0
                for part in [sound[...], silence] {
                    var rest = part
                    while !rest.isEmpty {
                        let block = rest.prefix(40)
                        expected += block
                        offset += block.count
                        rest = rest.dropFirst(40)
                        blocks += 1
                        if let skip = skips[blocks] {
                            let isDeep = min(offset, sound.count) > 2000
                            index = max(0, index + skip + (skip < 0 && isDeep ? 1 : 0))
                            continue utterances
                        }
                    }
                }
                index += 1
            }
            let sink = WatchedSink()
            let speaker = Speaker(engine: engine(), sink: sink)
            let count = Mutex(0)
            await sink.afterEachBlock { _ in
                // A skip ends at the last utterance that has come.
                while await speaker.state.count < all.count { await Task.yield() }
                let block = count.withLock { count in
                    count += 1
                    return count
                }
                if let skip = skips[block] { await speaker.skip(skip) }
            }
            _ = try await speaker.speak(all)
            let heard = await sink.bytes
            XCTAssertTrue(heard == expected, "seed \(seed)")
            // What was under way of the old place went with its player.
            let events = await sink.events
            XCTAssertEqual(
                events.filter { $0 == .begin(format) }.count,
                1 + events.filter { $0 == .drop }.count)
        }
    }

    func testASkipEndsThePlayerAndTheNextOneGetsTheNewSentenceWhole() async throws {
        let player = try FakePlayer()
        let sink = WatchedSink(player.sink(.system(variables: [:])))
        let engine = ScriptedEngine { text in
            .bytes(Self.bytes(text, frames: text == "0" ? 60_000 : 400), Self.format)
        }
        let speaker = Speaker(engine: engine, sink: sink)
        let old = Mutex<Int32?>(nil)
        await sink.afterEachBlock { _ in
            guard old.withLock({ $0 }) == nil else { return }
            while player.pid == nil { await Task.yield() }
            old.withLock { $0 = player.pid }
            await speaker.skip(1)
        }
        let report = try await speaker.speak(utterances(2))
        XCTAssertEqual(report.spoken, 1)
        XCTAssertEqual(
            try player.sound,
            Self.bytes("1", frames: 400)
                + [UInt8](repeating: 0, count: format.bytes(ofSeconds: 0.05)))
        XCTAssertNotEqual(player.pid, old.withLock { $0 })
        try player.assertGone()
    }

    func testGoingBackWhileTheLastWordsAreHeardReadsThemAgain() async throws {
        let sink = WatchedSink()
        let speaker = Speaker(engine: engine(), sink: sink)
        let isDone = Mutex(false)
        await sink.beforeEnd {
            let isFirst = isDone.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
            if isFirst { await speaker.skip(-1) }
        }
        let report = try await speaker.speak(utterances(2))
        XCTAssertEqual(report.spoken, 3)
        let heard = await sink.bytes
        XCTAssertEqual(heard, (utterances(2) + utterances(2).suffix(1)).flatMap(whole))
    }

    func testADeviceThatWakesSlowlyIsSaidToBeWakingAndLosesNothing() async throws {
        let folder = try TemporaryFolder()
        let door = folder.path("door")
        XCTAssertEqual(mkfifo(door, 0o600), 0)
        let slow = try FakePlayer("read go < '\(door)'; exec cat > \"$1\"")
        // More than a pipe holds.
        let (sound, rate) = (Self.bytes("1", frames: 22_050), PCMFormat(rate: 22_050))
        let engine = ScriptedEngine { _ in .bytes(sound, rate) }
        let speaker = Speaker(engine: engine, sink: slow.sink())
        let states = speaker.states
        let watching = Task {
            var phases: [PlaybackState.Phase] = []
            var isOpen = false
            for await state in states {
                if phases.last != state.phase { phases.append(state.phase) }
                if state.phase == .waking, !isOpen {
                    isOpen = true
                    let descriptor = open(door, O_WRONLY | O_CLOEXEC)
                    XCTAssertEqual(write(descriptor, "go\n", 3), 3)
                    close(descriptor)
                }
                if state.phase == .ended { break }
            }
            return phases
        }
        let report = try await speaker.speak([Utterance(text: "1", pause: 0)])
        XCTAssertEqual(report, Speaker.Report(spoken: 1))
        XCTAssertTrue(try slow.sound == sound)
        let phases = await watching.value
        XCTAssertTrue(phases.contains(.waking), "\(phases)")
        XCTAssertEqual(phases.last, .ended)
        try slow.assertGone()
    }

    func testTheNextUtteranceIsMadeWhileOnePlaysAndNoFurther() async throws {
        let engine = engine()
        let sink = WatchedSink()
        let speaker = Speaker(engine: engine, sink: sink)
        let seen = Mutex<[Int]>([])
        await sink.afterEachBlock { _ in
            await Task.yield()
            let index = await speaker.state.index
            let asked = engine.texts.count
            seen.withLock { $0.append(asked - index) }
        }
        _ = try await speaker.speak(utterances(6))
        XCTAssertEqual(engine.texts, ["0", "1", "2", "3", "4", "5"])
        XCTAssertEqual(seen.withLock { $0.max() }, 2, "more than one ahead")
    }

    func testTextThatComesLateIsReadWhenItComes() async throws {
        let sink = WatchedSink()
        let speaker = Speaker(engine: engine(), sink: sink)
        let (source, feed) = AsyncStream.makeStream(of: Utterance.self)
        let speaking = Task { try await speaker.speak(source) }
        let all = utterances(2)
        feed.yield(all[0])
        while await speaker.state.index < 1 { await Task.yield() }
        while await speaker.state.phase != .waiting { await Task.yield() }
        let heard = await sink.bytes
        XCTAssertEqual(heard, whole(all[0]))
        feed.yield(all[1])
        feed.finish()
        let report = try await speaking.value
        XCTAssertEqual(report.spoken, 2)
        let rest = await sink.bytes
        XCTAssertEqual(rest, all.flatMap(whole))
        let events = await sink.events
        XCTAssertEqual(events, [.begin(format), .finish])
    }

    func testAnUtteranceThatFailsIsReportedAndTheOthersAreRead() async throws {
        let error = SpeechError(reason: .server(status: 500, message: nil), host: "voice.test")
        let engine = ScriptedEngine { text in
            ["1", "2", "4"].contains(text)
                ? .fails(error) : .bytes(Self.bytes(text, frames: 30), Self.format)
        }
        let sink = WatchedSink()
        let report = try await Speaker(engine: engine, sink: sink).speak(
            utterances(6, pause: 0))
        XCTAssertEqual(
            report,
            Speaker.Report(
                spoken: 3, problems: [1, 2, 4].map { Speaker.Problem(index: $0, error: error) }))
        let heard = await sink.bytes
        XCTAssertEqual(heard, ["0", "3", "5"].flatMap { Self.bytes($0, frames: 30) })
    }

    func testAnEngineThatAlwaysFailsIsNotAskedForAWholeBook() async throws {
        let error = SpeechError(reason: .noKey)
        let engine = ScriptedEngine { _ in .fails(error) }
        let sink = WatchedSink()
        do {
            _ = try await Speaker(engine: engine, sink: sink).speak(utterances(500))
            XCTFail("no error")
        } catch let thrown as SpeechError {
            XCTAssertEqual(thrown, error)
        }
        XCTAssertLessThanOrEqual(engine.texts.count, 4)
        do {
            _ = try await Speaker(engine: engine, sink: sink).speak(utterances(1))
            XCTFail("nothing was heard")
        } catch let thrown as SpeechError {
            XCTAssertEqual(thrown, error)
        }
    }

    func testWhatHasNoSoundIsNoFaultUnlessThereIsNothingElse() async throws {
        let nothing = SpeechError(reason: .nothingToSay)
        let engine = ScriptedEngine { $0 == "5" ? .bytes([1, 2], Self.format) : .fails(nothing) }
        let sink = WatchedSink()
        let report = try await Speaker(engine: engine, sink: sink).speak(
            utterances(9, pause: 0))
        XCTAssertEqual(report, Speaker.Report(spoken: 1))
        do {
            _ = try await Speaker(engine: engine, sink: sink).speak(utterances(5))
            XCTFail("no error")
        } catch let error as SpeechError {
            XCTAssertEqual(error, nothing)
        }
    }

    func testEspeakIsHeardByThePlayerAsItWasMadeAndFitsIntoAFile() async throws {
        _ = try TestMachine.find("espeak-ng", package: "espeak-ng")
        let player = try FakePlayer()
        let environment = hurriedEnvironment(TestMachine.variables)
        let engine = try EspeakEngine(environment: environment)
        let texts = ["One sentence.", "And, well, a second one!"].map { Utterance(text: $0) }
        var expected: [UInt8] = []
        var rate = 0
        for text in texts {
            let audio = try await engine.synthesize(text)
            while let bytes = try await audio.next() { expected += bytes }
            expected += [UInt8](repeating: 0, count: audio.format.bytes(ofSeconds: text.pause))
            rate = audio.format.rate
        }
        let report = try await Speaker(engine: engine, sink: player.sink(environment)).speak(texts)
        XCTAssertEqual(report.spoken, 2)
        XCTAssertGreaterThan(expected.count, 100_000)
        XCTAssertTrue(try player.sound == expected, "the player heard something else")
        let path = player.folder.path("said.wav")
        _ = try await Speaker(
            engine: engine, sink: WaveFileSink(path: path, environment: environment)
        ).speak(texts)
        let file = try player.folder.read("said.wav")
        XCTAssertEqual(try AudioFile(path).wave?.format, PCMFormat(rate: rate))
        XCTAssertTrue(Array(file.dropFirst(44)) == expected)
    }

    func testAnotherFormatBeginsTheSinkAgain() async throws {
        let stereo = PCMFormat(rate: 500, channels: 2)
        let engine = ScriptedEngine { text in
            .bytes([1, 2, 3, 4, 5], text == "1" ? stereo : Self.format)
        }
        let sink = WatchedSink()
        _ = try await Speaker(engine: engine, sink: sink).speak(utterances(3, pause: 0.002))
        let events = await sink.events
        XCTAssertEqual(events, [.begin(format), .begin(stereo), .begin(format), .finish])
        // Whole frames, and silence in the format of its utterance.
        let heard = await sink.bytes
        XCTAssertEqual(
            heard, [1, 2, 3, 4, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0])
    }

    // MARK: - Ends

    func testStoppingLeavesNoPlayerAndTellsThePlace() async throws {
        let player = try FakePlayer()
        let sink = WatchedSink(player.sink(.system(variables: [:])))
        let speaker = Speaker(engine: engine(), sink: sink)
        let speaking = Task { try await speaker.speak(utterances(9)) }
        while await speaker.state.seconds < 0.2 { await Task.yield() }
        await speaker.stop()
        let report = try await speaking.value
        XCTAssertEqual(report, Speaker.Report(wasStopped: true))
        try player.assertGone()
        let state = await speaker.state
        XCTAssertEqual(state.phase, .ended)
        XCTAssertEqual(state.index, 0)
        XCTAssertEqual(state.text, "0")
        XCTAssertGreaterThanOrEqual(state.seconds, 0.2)
        // It reads on from there when it is told to.
        let again = try await speaker.speak([Utterance(text: "0", pause: 0)])
        XCTAssertEqual(again.spoken, 1)
    }

    func testCancellingTheTaskEndsEverything() async throws {
        let player = try FakePlayer()
        let speaker = Speaker(engine: engine(), sink: player.sink(.system(variables: [:])))
        let speaking = Task { try await speaker.speak(utterances(9)) }
        while player.pid == nil { await Task.yield() }
        speaking.cancel()
        do {
            _ = try await speaking.value
            XCTFail("not cancelled")
        } catch is CancellationError {}
        try player.assertGone()
    }

    func testAnEngineThatHangsDoesNotKeepTheKeysFromWorking() async throws {
        let engine = ScriptedEngine { text in
            text == "0" ? .hangs(Self.bytes("0", frames: 30)) : .bytes([1, 2], Self.format)
        }
        let sink = WatchedSink()
        let speaker = Speaker(engine: engine, sink: sink)
        let speaking = Task { try await speaker.speak(utterances(2, pause: 0)) }
        while await sink.bytes.count < 60 { await Task.yield() }
        await speaker.skip(1)
        let report = try await speaking.value
        XCTAssertEqual(report.spoken, 1)
        let heard = await sink.bytes
        XCTAssertEqual(heard, Self.bytes("0", frames: 30) + [1, 2])
        let other = Task { try await speaker.speak(utterances(1)) }
        while await sink.bytes.count < 122 { await Task.yield() }
        await speaker.stop()
        let stopped = try await other.value
        XCTAssertTrue(stopped.wasStopped)
    }

    func testAPlayerThatCrashesEndsTheReading() async throws {
        let player = try FakePlayer("head -c 1000 > /dev/null; exit 5")
        let speaker = Speaker(engine: engine(), sink: player.sink())
        do {
            _ = try await speaker.speak(utterances(30))
            XCTFail("no error")
        } catch let error as SpeechError {
            XCTAssertEqual(
                error.reason, .programFailed("/bin/sh", status: 5, message: ""))
        }
        try player.assertGone()
    }

    func testAFailingSourceIsToldAfterWhatCameBefore() async throws {
        struct Broken: Error {}
        let all = utterances(2)
        let source = AsyncThrowingStream<Utterance, any Error> { continuation in
            for utterance in all { continuation.yield(utterance) }
            continuation.finish(throwing: Broken())
        }
        let sink = WatchedSink()
        do {
            _ = try await Speaker(engine: engine(), sink: sink).speak(source)
            XCTFail("no error")
        } catch is Broken {}
        let heard = await sink.bytes
        XCTAssertEqual(heard, all.flatMap(whole))
    }

    func testASecondReadingStopsTheFirst() async throws {
        let engine = ScriptedEngine { text in
            text == "0" ? .hangs([1, 2]) : .bytes([3, 4], Self.format)
        }
        let sink = WatchedSink()
        let speaker = Speaker(engine: engine, sink: sink)
        let first = Task { try await speaker.speak(utterances(1)) }
        while await sink.bytes.isEmpty { await Task.yield() }
        let second = try await speaker.speak([Utterance(text: "7", pause: 0)])
        let stopped = try await first.value
        XCTAssertTrue(stopped.wasStopped)
        XCTAssertEqual(second.spoken, 1)
        let heard = await sink.bytes
        XCTAssertEqual(heard, [1, 2, 3, 4])
    }

    func testTheStatesTellAScreenWhatHappens() async throws {
        let speaker = Speaker(engine: engine(), sink: WatchedSink())
        let states = speaker.states
        let watching = Task {
            var last: PlaybackState?
            for await state in states {
                last = state
                if state.phase == .ended { break }
            }
            return last
        }
        _ = try await speaker.speak(utterances(2))
        let last = await watching.value
        XCTAssertEqual(last?.index, 2)
        XCTAssertEqual(last?.count, 2)
    }
}

private func utterances(_ count: Int, pause: Double = 0.05) -> [Utterance] {
    (0..<count).map { Utterance(text: "\($0)", pause: pause) }
}
