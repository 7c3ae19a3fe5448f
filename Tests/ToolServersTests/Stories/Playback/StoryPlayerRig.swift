import Base
import Foundation
import Persistence
import StoryKit
import Synchronization
import TestSupport

@testable import Library
@testable import Sound
@testable import Stories

/// A story player over a real library; who speaks and what is heard are written down.
final class StoryPlayerRig: Sendable {
    static let tide = """
        # One

        “Will it rise?” said Ida. Nobody knew. It was late.

        # Two

        “Yes,” said Bo. It rose.
        """
    static let lines = [
        "One", "“Will it rise?”", "said Ida.", "Nobody knew.", "It was late.", "Two", "“Yes,”",
        "said Bo.", "It rose.",
    ]

    let stories: StoryRig
    let book: StoryBook
    let sink: WatchedSink
    let engine: NotedEngine
    let player: StoryPlayer
    let places = Mutex<[ItemID: Int]>([:])
    /// Byte of each place that was kept, in order.
    let kept = Mutex<[Int]>([])
    /// The speed that is remembered.
    let rate = Mutex<Double?>(nil)
    let clock: ClockOfWall
    /// What was shown of each that was reported.
    let trials = Mutex<[VoiceTrial?]>([])
    /// Of all characters; the narrator's stays.
    let pitch = Mutex(1.0)
    let pauses = Mutex(VoicePauses())
    /// The narrator's.
    let voice = Mutex<String?>(nil)
    let item: LibraryItem
    /// Called when a story is prepared, before its place is looked up.
    let onPreparing = Mutex<(@Sendable () async -> Void)?>(nil)

    init(
        _ text: String = tide, inner: (any AudioSink)? = nil, rate: Double? = nil,
        fails: @escaping @Sendable (String) -> SpeechError? = { _ in nil }
    ) async throws {
        let stories = try StoryRig()
        let server = stories.server
        let sink = WatchedSink(inner)
        let engine = NotedEngine(fails)
        let clock = ClockOfWall()
        (self.stories, self.sink, self.engine, self.clock) = (stories, sink, engine, clock)
        book = server.book
        _ = try await stories.run("import", try stories.file("tide.md", text))
        item = try await stories.server.book.lookup.find("last")
        let state = LateRig()
        player = StoryPlayer(
            StoryPlayer.Dependencies(
                book: server.book,
                sound: StorySound(
                    engine: { engine },
                    voices: { _, cast, onTrial in
                        onTrial(VoiceTrial(done: 34, count: 102))
                        state.rig?.trials.withLock {
                            $0.append(state.rig?.player.state?.trial)
                        }
                        let part = StoryVoices.Part(
                            VoiceConfig(pitchMultiplier: state.rig?.pitch.withLock { $0 } ?? 1))
                        return StoryVoices(
                            narrator: StoryVoices.Part(
                                VoiceConfig(voiceIdentifier: state.rig?.voice.withLock { $0 })),
                            characters: [StoryVoices.Part](
                                repeating: part, count: cast.characters.count), unknown: part,
                            pauses: state.rig?.pauses.withLock { $0 } ?? VoicePauses())
                    },
                    cache: SoundCache(
                        folder: stories.library.folder.path("sound"),
                        environment: .system(variables: [:])), host: { nil },
                    variables: [:]), sink: { _ in sink },
                place: { id in
                    await state.rig?.onPreparing.withLock { $0 }?()
                    return state.rig?.places.withLock { $0[id] }
                },
                setPlace: { byte, id in
                    state.rig?.places.withLock { $0[id] = byte }
                    state.rig?.kept.withLock { $0.append(byte) }
                }, rate: { rate }, setRate: { rate in state.rig?.rate.withLock { $0 = rate } },
                environment: clock.environment))
        state.rig = self
    }

    /// The sound of those lines with their silence, at the pitch of the rig and that rate.
    func sound(_ lines: Range<Int>, rate: Double = 1, pitch: Double = 1) async throws -> [UInt8] {
        let reading = try await reading()
        return lines.flatMap { index -> [UInt8] in
            let line = reading.lines[index]
            var voice = reading.voice(of: index, rate: rate)
            if line.speaker != .narrator { voice.pitch = pitch }
            let silence = NotedEngine.format.bytes(ofSeconds: line.pause)
            return NotedEngine.bytes(line.text, voice) + [UInt8](repeating: 0, count: silence)
        }
    }

    func reading() async throws -> StoryReading {
        let spoken = try await book.spoken(item)
        let part = StoryVoices.Part(VoiceConfig())
        return StoryReading(
            item, spoken,
            StoryVoices(
                narrator: part,
                characters: [StoryVoices.Part](
                    repeating: part, count: spoken.cast.characters.count), unknown: part,
                pauses: pauses.withLock { $0 }))
    }

    var place: Int? { places.withLock { $0[item.id] } }

    /// The user pauses when that many bytes were heard.
    func pause(at reached: Int) async {
        await sink.afterEachBlock { [player] count in
            if count == reached { await player.pause() }
        }
    }

    /// Waits for a state that fits.
    @discardableResult
    func wait(
        _ fits: @escaping @Sendable (StoryPlayer.State) -> Bool
    ) async -> StoryPlayer.State? {
        for await state in player.states where fits(state) { return state }
        return nil
    }
}

/// The closures above are made before the rig is.
private final class LateRig: Sendable {
    private struct Weak { weak var rig: StoryPlayerRig? }

    private let held = Mutex(Weak())

    var rig: StoryPlayerRig? {
        get { held.withLock { $0.rig } }
        set { held.withLock { $0.rig = newValue } }
    }
}

/// A wall clock that a test sets forward, and a machine that it suspends.
final class ClockOfWall: Sendable {
    private let ahead = Mutex(0.0)
    private let asleep = Mutex(0.0)

    func jump(_ seconds: Double) { ahead.withLock { $0 += seconds } }
    func sleep(_ seconds: Double) {
        jump(seconds)
        asleep.withLock { $0 += seconds }
    }

    var environment: Base.Environment {
        var environment = hurriedEnvironment()
        environment.now = { [self] in Date(timeIntervalSince1970: ahead.withLock { $0 }) }
        environment.sinceBoot = { [self, uptime = environment.uptime] in
            uptime() + asleep.withLock { $0 }
        }
        return environment
    }
}

/// Sound that tells by whom it is spoken; 20 ms for each letter.
final class NotedEngine: SpeechEngine {
    static let format = PCMFormat(rate: 1000)

    let name = "noted"
    private let fails: @Sendable (String) -> SpeechError?
    private let asked = Mutex<[Utterance]>([])

    init(_ fails: @escaping @Sendable (String) -> SpeechError?) { self.fails = fails }

    var utterances: [Utterance] { asked.withLock { $0 } }

    static func bytes(_ text: String, _ voice: VoiceChoice) -> [UInt8] {
        let mark = UInt8(truncatingIfNeeded: Int(voice.rate * 100) * 7 + Int(voice.pitch * 100))
        return (0..<text.utf8.count).flatMap { index -> [UInt8] in
            [UInt8](repeating: mark &+ UInt8(truncatingIfNeeded: index), count: 40)
        }
    }

    func voices() async throws -> [SpeechVoice] { [] }

    func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
        asked.withLock { $0.append(utterance) }
        if let error = fails(utterance.text) { throw error }
        let rest = Mutex(Self.bytes(utterance.text, utterance.voice)[...])
        let shared = Shared(rest)
        return SpokenAudio(format: Self.format) { shared.take() }
    }

    private final class Shared: Sendable {
        private let rest: Mutex<ArraySlice<UInt8>>

        init(_ rest: consuming Mutex<ArraySlice<UInt8>>) { self.rest = rest }

        func take() -> [UInt8]? {
            rest.withLock { rest in
                defer { rest = [] }
                return rest.isEmpty ? nil : Array(rest)
            }
        }
    }
}
