import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound

/// One sound at a time, with real speakers, a scripted engine and a sound card that counts.
final class SoundOwnerTests: XCTestCase {
    private let format = ScriptedEngine.format

    /// No wait in it takes any time.
    private static let environment: Base.Environment = {
        var environment = Base.Environment.system(variables: [:])
        environment.sleep = { _ in
            for _ in 0..<10 { await Task.yield() }
            try Task.checkCancellation()
        }
        return environment
    }()

    /// Lets others run until something is so; the number is a guard against a hang.
    private static func yield(until isSo: @Sendable () async -> Bool) async {
        for _ in 0..<5_000_000 {
            if await isSo() { return }
            await Task.yield()
        }
    }

    /// Counts who is heard, and who was heard together.
    private final class Card: Sendable {
        private let state = Mutex((now: Set<Int>(), together: 0, heard: 0))

        var together: Int { state.withLock { $0.together } }
        var heard: Int { state.withLock { $0.heard } }
        var isSilent: Bool { state.withLock { $0.now.isEmpty } }

        func begins(_ id: Int) {
            state.withLock { state in
                if !state.now.subtracting([id]).isEmpty { state.together += 1 }
                if state.now.insert(id).inserted { state.heard += 1 }
            }
        }

        func ends(_ id: Int) { state.withLock { _ = $0.now.remove(id) } }
    }

    private final class Notes: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// A player of that card: its start, its sound and its end take turns of the scheduler.
    private actor CardSink: AudioSink {
        private let card: Card
        private let id: Int
        private var stops = 0

        init(_ card: Card, _ id: Int) {
            self.card = card
            self.id = id
        }

        func begin(_ format: PCMFormat) async throws {
            let before = stops
            await Task.yield()
            if before != stops { throw CancellationError() }
            card.begins(id)
        }

        func write(_ bytes: [UInt8]) async throws {
            await Task.yield()
            try Task.checkCancellation()
        }

        func finish() async throws {
            for _ in 0..<3 { await Task.yield() }
            card.ends(id)
        }

        func stop() async {
            stops += 1
            await Task.yield()
            card.ends(id)
        }
    }

    private func speaker(
        _ id: Int, _ card: Card, _ owner: SoundOwner, as use: SoundUse,
        frames: Int = 800, whenTaken: Speaker.Yielding = .stops
    ) -> Speaker {
        let engine = ScriptedEngine { _ in
            .bytes([UInt8](repeating: 1, count: frames * 2), ScriptedEngine.format)
        }
        return Speaker(
            engine: engine, sink: OwnedSink(CardSink(card, id), of: owner, as: use),
            whenTaken: whenTaken)
    }

    func testNeverAreTwoHeardInTwoHundredRandomSequences() async throws {
        var soundless = 0
        for seed in 1...200 as ClosedRange<UInt64> {
            var random = SplitMix(seed: seed)
            let card = Card()
            let owner = SoundOwner(path: nil, environment: Self.environment)
            let story = speaker(
                1, card, owner, as: .story("A"), frames: 6_000, whenTaken: .pauses)
            let answer = speaker(2, card, owner, as: .answer)
            let voice = speaker(3, card, owner, as: .preview)
            let text = [Utterance(text: "1", pause: 0.05), Utterance(text: "2", pause: 0)]
            var tasks: [Task<Void, Never>] = []
            // What refuses, fails or is stopped is of no interest here.
            tasks.append(Task { _ = try? await story.speak(text) })
            for step in 0..<12 {
                for _ in 0..<Int.random(in: 0...40, using: &random) { await Task.yield() }
                switch Int.random(in: 0..<8, using: &random) {
                case 0: tasks.append(Task { _ = try? await answer.speak(text) })
                case 1: tasks.append(Task { _ = try? await voice.speak(text) })
                case 2:
                    tasks.append(
                        Task {
                            await owner.ring {
                                card.begins(100 + step)
                                await Task.yield()
                                card.ends(100 + step)
                            }
                        })
                case 3:
                    tasks.append(
                        Task {
                            try? await owner.holding(.recording) {
                                card.begins(200 + step)
                                for _ in 0..<20 { await Task.yield() }
                                card.ends(200 + step)
                            }
                        })
                case 4: await story.togglePause()
                case 5: await story.skip(Bool.random(using: &random) ? 1 : -1)
                case 6: await answer.stop()
                default: tasks.append(Task { _ = try? await story.speak(text) })
                }
            }
            // Some begin only now, and pause the story for good.
            let ending = Task {
                while !Task.isCancelled {
                    for speaker in [story, answer, voice] { await speaker.stop() }
                    await Task.yield()
                }
            }
            for task in tasks { await task.value }
            ending.cancel()
            await ending.value
            XCTAssertEqual(card.together, 0, "seed \(seed)")
            XCTAssertTrue(card.isSilent, "seed \(seed)")
            if card.heard == 0 { soundless += 1 }
        }
        // In some, everything is stopped before it begins.
        XCTAssertLessThan(soundless, 100)
    }

    func testAnAlertLetsTheStoryGoOnAtTheSameSampleAndATextDoesNot() async throws {
        let owner = SoundOwner(path: nil, environment: Self.environment)
        let watched = WatchedSink()
        let sound = (0..<6_000).map { UInt8(truncatingIfNeeded: $0 / 2) }
        let engine = ScriptedEngine { _ in .bytes(sound, ScriptedEngine.format) }
        let story = Speaker(
            engine: engine, sink: OwnedSink(watched, of: owner, as: .story("A")),
            whenTaken: .pauses)
        let rung = Notes()
        await watched.afterEachBlock { count in
            // It has heard of the alert by then.
            if count == 1_200 { await Self.yield { await story.state.phase == .paused } }
            guard count == 400 else { return }
            let ring = Task {
                await owner.ring {
                    let state = await story.state
                    rung.add("\(state.phase) \(state.takenBy == .alert)")
                }
            }
            // The pump is between two blocks: the alert is on its way when it goes on.
            while await owner.use != .alert, await story.state.takenBy == nil {
                await Task.yield()
            }
            _ = ring
        }
        let report = try await story.speak([Utterance(text: "1", pause: 0)])
        XCTAssertEqual(report.spoken, 1)
        let heard = await watched.bytes
        XCTAssertTrue(heard == sound)
        XCTAssertEqual(rung.all, ["paused true"])

        // It does not end before another takes its place.
        await watched.afterEachBlock { count in
            guard count == sound.count + 400 else { return }
            while await story.state.takenBy == nil { await Task.yield() }
        }
        let listening = Task { try await story.speak([Utterance(text: "2", pause: 0)]) }
        while await owner.use != .story("A") { await Task.yield() }
        let reading = Speaker(
            engine: engine, sink: OwnedSink(WatchedSink(), of: owner, as: .reading))
        _ = try await reading.speak([Utterance(text: "3", pause: 0)])
        let state = await story.state
        XCTAssertEqual(state.phase, .paused)
        XCTAssertEqual(state.takenBy, .reading)
        let free = await owner.use
        XCTAssertNil(free)
        // It may have been taken before its first block.
        await watched.afterEachBlock { _ in }
        await story.resume()
        let second = try await listening.value
        XCTAssertEqual(second.spoken, 1)
        let all = await watched.bytes
        XCTAssertTrue(all == sound + sound)
    }

    /// A story whose sound takes its time, and a text that is asked for meanwhile.
    func testWhatIsAskedForBeforeAStoryIsReadyIsHeardAndTheStoryWaitsForItsUser() async throws {
        let owner = SoundOwner(path: nil, environment: Self.environment)
        let (sound, text) = ([UInt8](repeating: 1, count: 800), [UInt8](repeating: 2, count: 4_000))
        let isReady = PlaybackSignal()
        let engine = LateEngine(sound, isReady)
        let watched = WatchedSink()
        let story = Speaker(
            engine: engine, sink: OwnedSink(watched, of: owner, as: .story("A")),
            whenTaken: .pauses)
        let listening = Task { try await story.speak([Utterance(text: "1", pause: 0)]) }
        let heard = WatchedSink()
        await heard.afterEachBlock { count in
            guard count == 400 else { return }
            isReady.notify()
            while await story.state.takenBy == nil { await Task.yield() }
        }
        let reading = Speaker(
            engine: ScriptedEngine { _ in .bytes(text, ScriptedEngine.format) },
            sink: OwnedSink(heard, of: owner, as: .reading))
        let report = try await reading.speak([Utterance(text: "2", pause: 0)])
        XCTAssertEqual(report, Speaker.Report(spoken: 1))
        let whole = await heard.bytes
        XCTAssertTrue(whole == text)
        let state = await story.state
        XCTAssertEqual(state.phase, .paused)
        XCTAssertEqual(state.takenBy, .reading)
        let begun = await watched.events
        XCTAssertEqual(begun, [])
        let free = await owner.use
        XCTAssertNil(free)

        await story.resume()
        let second = try await listening.value
        XCTAssertEqual(second, Speaker.Report(spoken: 1))
        let all = await watched.bytes
        XCTAssertTrue(all == sound)
    }

    func testATextThatIsReadyOnlyWhenAStoryIsHeardIsNotRead() async throws {
        let owner = SoundOwner(path: nil, environment: Self.environment)
        let isReady = PlaybackSignal()
        let reading = Speaker(
            engine: LateEngine([UInt8](repeating: 2, count: 800), isReady),
            sink: OwnedSink(WatchedSink(), of: owner, as: .reading))
        let asked = Task { try await reading.speak([Utterance(text: "2", pause: 0)]) }
        let watched = WatchedSink()
        await watched.afterEachBlock { count in
            guard count == 400 else { return }
            isReady.notify()
            while await reading.state.phase != .ended { await Task.yield() }
        }
        let sound = [UInt8](repeating: 1, count: 4_000)
        let story = Speaker(
            engine: ScriptedEngine { _ in .bytes(sound, ScriptedEngine.format) },
            sink: OwnedSink(watched, of: owner, as: .story("A")), whenTaken: .pauses)
        let report = try await story.speak([Utterance(text: "1", pause: 0)])
        XCTAssertEqual(report.spoken, 1)
        let all = await watched.bytes
        XCTAssertTrue(all == sound)
        let stopped = try await asked.value
        XCTAssertTrue(stopped.wasStopped)
    }

    /// Has its sound only when it is told to.
    private struct LateEngine: SpeechEngine {
        let name = "late"
        let isReady: PlaybackSignal
        let engine: ScriptedEngine

        init(_ sound: [UInt8], _ isReady: PlaybackSignal) {
            self.isReady = isReady
            engine = ScriptedEngine { _ in .bytes(sound, ScriptedEngine.format) }
        }

        func voices() async throws -> [SpeechVoice] { [] }

        func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
            try await isReady.wait()
            return try await engine.synthesize(utterance)
        }
    }

    func testTwoProgramsOfAUserAreNotHeardTogetherAndTheSecondSaysWhoIs() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("state/sound.lock")
        let first = SoundOwner(path: path, environment: Self.environment)
        let second = SoundOwner(path: path, environment: Self.environment)
        let ticket = first.ticket()
        try await first.take(ticket, .story("Ali\u{1B}[31mce"))
        do {
            try await second.holding(.reading) {}
            XCTFail("both are heard")
        } catch let error as SpeechError {
            // Foreign words pass the allow-list when they are shown, not here.
            XCTAssertEqual(
                error.diagnostic.what,
                "Already playing “Ali\u{1B}[31mce” in another chat (pid \(getpid())).")
            XCTAssertEqual(
                error.diagnostic.todo,
                "Stop it there with q or /stop, or with: kill \(getpid())")
        }
        // What does not make room is not rung into.
        let rung = Notes()
        await second.ring { rung.add("rung") }
        XCTAssertEqual(rung.all, [])
        await first.release(ticket)
        await second.ring { rung.add("rung") }
        XCTAssertEqual(rung.all, ["rung"])
        // The bell is over; its silence is this program's own affair.
        try await first.check()
        try await second.holding(.reading) {}
        var status = stat()
        XCTAssertEqual(stat(path, &status), 0)
        XCTAssertEqual(status.st_mode & 0o777, 0o600)
    }

    func testAStoryMakesRoomForAnAlertOfAnotherProgramAndGoesOnAtTheSameSample() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("state/sound.lock")
        let watched = WatchedSink()
        let sound = (0..<6_000).map { UInt8(truncatingIfNeeded: $0 / 2) }
        let engine = ScriptedEngine { _ in .bytes(sound, ScriptedEngine.format) }
        let rung = Notes()
        // The story makes room until the alert was heard, which waits until there is room: how
        // often each looks on a busy machine does not matter.
        var environment = Self.environment
        environment.sleep = { _ in await Self.yield { !rung.all.isEmpty } }
        let first = SoundOwner(path: path, environment: environment)
        let asked = Gate()
        environment.sleep = { _ in
            asked.open()
            await Self.yield { await first.use == .alert }
            for _ in 0..<1_000 { await Task.yield() }
        }
        let story = Speaker(
            engine: engine, sink: OwnedSink(watched, of: first, as: .story("A")),
            whenTaken: .pauses)
        let second = SoundOwner(path: path, environment: environment)
        let ringing = Mutex<Task<Void, Never>?>(nil)
        await watched.afterEachBlock { count in
            guard count == 400 else { return }
            let ring = Task {
                await second.ring {
                    let state = await story.state
                    let heard = await watched.bytes.count
                    for _ in 0..<5 { await Task.yield() }
                    let later = await watched.bytes.count
                    rung.add("\(state.phase) \(state.takenBy == .alert) \(later - heard)")
                }
            }
            ringing.withLock { $0 = ring }
            // However late that task begins, the story is not over before it has asked.
            await asked.wait()
        }
        let report = try await story.speak([Utterance(text: "1", pause: 0)])
        await ringing.withLock { $0 }?.value
        XCTAssertEqual(rung.all, ["paused true 0"])
        XCTAssertEqual(report.spoken, 1)
        let heard = await watched.bytes
        XCTAssertTrue(heard == sound)
        try await second.check()
    }

    func testWhatWaitsForTheSoundCanBeStopped() async throws {
        let owner = SoundOwner(path: nil, environment: Self.environment)
        let (first, second) = (owner.ticket(), owner.ticket())
        try await owner.take(first, .reading)
        let waiting = Task { try await owner.take(second, .answer) }
        for _ in 0..<20 { await Task.yield() }
        waiting.cancel()
        do {
            try await waiting.value
            XCTFail("it was cancelled")
        } catch { XCTAssertTrue(error is CancellationError) }
        await owner.release(first)
        let use = await owner.use
        XCTAssertNil(use)
    }
}
