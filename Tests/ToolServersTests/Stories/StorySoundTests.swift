import Base
import Foundation
import StoryKit
import Synchronization
import TestSupport
import XCTest

@testable import Sound
@testable import Stories

/// Whether the sound of a story is right to the sample: check 30, with an engine that is
/// always there and with espeak-ng where it is installed.
final class StorySoundTests: XCTestCase {
    private static let text = """
        The lamp had burned low before anyone spoke of the letter again.

        “I never saw it,” said Ida. “It was gone when I came down in the morning.”

        “Then somebody took it,” said Bo. “Somebody who knew where to look for it!”

        The rain beat on the shutters, and the old dog turned round upon the hearth.

        “Do you mean me?” asked Ida. “I was in the garden with the children all day.”

        “I mean nobody,” said Bo. “I only say that it did not walk away by itself.”

        Neither of them looked at the door, which stood a hand’s breadth open.
        """

    private struct Heard {
        var script: StoryScript
        var rendered: StoryRenderer.Rendered
        var samples: [Int16]
        /// Of each utterance by itself, as the engine made it.
        var sounds: [[Int16]]
    }

    /// Keeps what is written to it.
    private actor MemorySink: AudioSink {
        private(set) var bytes: [UInt8] = []
        func begin(_ format: PCMFormat) {}
        func write(_ bytes: [UInt8]) { self.bytes += bytes }
        func finish() {}
        func stop() {}
    }

    private static func samples(_ bytes: [UInt8]) -> [Int16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    /// Narrator, Ida (0) and Bo (1).
    private func heard(
        _ engine: any SpeechEngine, voices: [String], pitch: Double = 1, pause: Double = 0.25,
        folder: TemporaryFolder
    ) async throws -> Heard {
        let text = StoryText(Self.text)
        let cast = CastFinder.find(in: text)
        let said = Attributor(cast: cast).attribute(text)
        let speakers = Dictionary(
            uniqueKeysWithValues: said.compactMap { said in said.speaker.map { (said.span, $0) } })
        XCTAssertEqual(speakers.count, 8)
        func part(_ index: Int) -> StoryVoices.Part {
            StoryVoices.Part(
                VoiceConfig(voiceIdentifier: voices[index], pitchMultiplier: pitch))
        }
        let all = StoryVoices(
            narrator: part(0), characters: cast.characters.indices.map { part(1 + $0 % 2) },
            unknown: part(0))
        let script = StoryScript(
            text, speakers: speakers, chapters: [], pauses: VoicePauses(sameSpeaker: pause))
        let cache = SoundCache(folder: folder.path("sound"), environment: .system(variables: [:]))
        let cached = CachedSpeechEngine(engine, cache: cache, story: "s")
        let sink = MemorySink()
        let rendered = try await StoryRenderer(engine: cached, voices: all).render(
            script, into: sink)
        var sounds: [[Int16]] = []
        for line in script.lines {
            // The second time it comes from the cache.
            let audio = try await cached.synthesize(line.utterance(all))
            sounds.append(Self.samples(SamplePeak.lowered(try await EspeakRig.all(audio))))
        }
        return Heard(
            script: script, rendered: rendered, samples: Self.samples(await sink.bytes),
            sounds: sounds)
    }

    /// Each sentence is where its cue says, in its own voice from the first sample to the
    /// last, with silence between; and all of it is as long as its parts.
    private func assertExact(_ heard: Heard, line: UInt = #line) {
        let (rendered, rate) = (heard.rendered, Double(heard.rendered.format?.rate ?? 0))
        XCTAssertEqual(rendered.cues.map(\.line), Array(heard.script.lines.indices), line: line)
        XCTAssertEqual(rendered.frames, heard.samples.count, line: line)
        var end = 0
        for (cue, sound) in zip(rendered.cues, heard.sounds) {
            XCTAssert(heard.samples[end..<cue.frames.lowerBound].allSatisfy { $0 == 0 }, line: line)
            XCTAssertEqual(Array(heard.samples[cue.frames]), sound, line: line)
            end = cue.frames.upperBound
        }
        let pauses = heard.script.lines.reduce(0) { $0 + $1.pause }
        let spoken = heard.sounds.reduce(0) { $0 + $1.count }
        XCTAssertEqual(
            Double(heard.samples.count), Double(spoken) + pauses * rate, accuracy: 1, line: line)
        let peak = heard.samples.map { abs(Int($0)) }.max() ?? 0
        // −1 dBFS.
        XCTAssertLessThanOrEqual(peak, 29_204, line: line)
        XCTAssertGreaterThan(peak, 3_000, line: line)
    }

    func testEachSentenceIsWhereItsCueSaysToTheSample() async throws {
        // Its pauses are no whole number of samples, and some of it is too loud.
        let engine = VoiceByValueEngine(["one": 4_000, "two": -32_768, "three": 30_000])
        let heard = try await heard(
            engine, voices: ["one", "two", "three"], pause: 0.3333, folder: try TemporaryFolder())
        assertExact(heard)
        // The voice changes with the segment, and nowhere else.
        for (cue, line) in zip(heard.rendered.cues, heard.script.lines) {
            let value: Int16 =
                switch line.speaker {
                case .narrator: 4_000
                case .character(let index): index == 0 ? -29_204 : 29_204
                }
            // Lowered as a whole, rounded down.
            XCTAssert(heard.samples[cue.frames].allSatisfy { abs($0 - value) <= 1 }, line.text)
        }
    }

    func testEspeaksVoicesChangeAtTheSampleAndAreEquallyLoud() async throws {
        let rig = try EspeakRig()
        let engine = try EspeakEngine(environment: rig.environment, readsOn: true)
        let trios = [
            ["en-gb", "en-us+f3", "en-us+m3"], ["en-us+klatt3", "en-us+belinda", "en-us+f4"],
        ]
        for voices in trios {
            // The loudest and the softest of all differ by more where both are pitched up.
            for pitch in voices[0] == "en-gb" ? [1, 1.3] : [1] {
                let heard = try await heard(
                    engine, voices: voices, pitch: pitch, folder: try TemporaryFolder())
                assertExact(heard)
                var levels: [Double] = []
                for index in [nil, 0, 1] {
                    var samples: [Int16] = []
                    var sentences = 0
                    for (cue, line) in zip(heard.rendered.cues, heard.script.lines)
                    where line.speaker == (index.map { .character($0) } ?? .narrator) {
                        samples += heard.samples[cue.frames]
                        sentences += 1
                    }
                    XCTAssertGreaterThanOrEqual(sentences, 3)
                    let bytes = samples.flatMap {
                        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
                    }
                    levels.append(20 * log10(Loudness(bytes).level))
                }
                let spread = (levels.max() ?? 0) - (levels.min() ?? 0)
                XCTAssertLessThanOrEqual(spread, 3, "\(voices), pitch \(pitch): \(levels) dB")
            }
        }
    }
}

/// All samples of a voice have one value, and a sentence as many as it has letters, times
/// ten.
private final class VoiceByValueEngine: SpeechEngine {
    let name = "values"
    private let values: [String: Int16]

    init(_ values: [String: Int16]) { self.values = values }

    func voices() async throws -> [SpeechVoice] { [] }

    func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
        let bits = UInt16(bitPattern: values[utterance.voice.identifier ?? ""] ?? 0)
        let sample = [UInt8(bits & 0xFF), UInt8(bits >> 8)]
        let count = 10 * utterance.text.utf8.count
        let sound = Mutex<[UInt8]?>([[UInt8]](repeating: sample, count: count).flatMap { $0 })
        return SpokenAudio(format: PCMFormat(rate: 22_050)) { sound.withLock { $0.take() } }
    }
}
