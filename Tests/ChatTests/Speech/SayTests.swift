import AgentCore
import Base
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import Sound
@testable import chat

final class SayTests: XCTestCase {
    private let standard = VoiceChoice(identifier: "en-gb", rate: 0.2)

    func testWordsAndOptionsAreToldApart() throws {
        let options = try SayOptions(
            ["Good", "--voice", "de", "morning", "--rate=0.5", "--pitch", "1.5", "--volume", "1"],
            standard: standard)
        XCTAssertEqual(options.text, "Good morning")
        XCTAssertEqual(
            options.voice, VoiceChoice(identifier: "de", rate: 0.5, pitch: 1.5, volume: 1))
        let plain = try SayOptions(["--", "--voice", "-h"], standard: standard)
        XCTAssertEqual(plain.text, "--voice -h")
        XCTAssertEqual(plain.voice, standard)
        XCTAssertEqual(try SayOptions(["--engine", "server"], standard: standard).engine, .server)
    }

    func testWhatCannotBeUsedIsNamed() {
        let cases: [([String], String)] = [
            (["--rate", "2"], "--rate is a number from 0 to 1."),
            (["--pitch", "x"], "--pitch is a number from 0.5 to 2."),
            (["--engine", "flite"], "--engine cannot be \"flite\"."),
            (["--file", "a", "b"], "Both a text and a file were given."),
            (["--output", ""], "The name of the file is empty."),
        ]
        for (words, problem) in cases {
            XCTAssertThrowsError(try SayOptions(words, standard: standard)) {
                XCTAssertEqual(($0 as? UsageError)?.problem, problem)
            }
        }
    }

    func testVoicesAreListedWithTheirLanguageAndGender() {
        let output = SayVoices.output(
            [
                SpeechVoice(identifier: "en-gb", name: "English", language: "en-gb", gender: .male),
                SpeechVoice(identifier: "nova\u{1B}[2J", name: "nova\u{1B}[2J", language: ""),
            ], of: "espeak-ng")
        XCTAssertFalse(output.lines.contains { $0.text.contains("\u{1B}") })
        XCTAssertEqual(output.lines[0].text.split(separator: " "), ["en-gb", "male", "English"])
        XCTAssertEqual(
            output.json?[0],
            ["id": "en-gb", "name": "English", "language": "en-gb", "gender": "male"])
        XCTAssertEqual(SayVoices.output([], of: "x").lines.count, 1)
    }

    // MARK: - Answers

    /// Speaks each letter as one sample, and keeps what it was given.
    private final class Engine: SpeechEngine {
        let name = "test"
        let heard = Mutex<[String]>([])

        func voices() async throws -> [SpeechVoice] { [] }

        func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
            if utterance.text.contains("broken") { throw SpeechError(reason: .malformed) }
            heard.withLock { $0.append(utterance.text) }
            let bytes = Mutex<[UInt8]?>(Array(repeating: 1, count: 2 * utterance.text.utf8.count))
            return SpokenAudio(format: PCMFormat(rate: 8_000)) {
                bytes.withLock { bytes in
                    defer { bytes = nil }
                    return bytes
                }
            }
        }
    }

    private actor Sink: AudioSink {
        private let gate: Gate?
        private(set) var stops = 0

        init(gate: Gate? = nil) { self.gate = gate }

        func begin(_ format: PCMFormat) async throws {}
        func write(_ bytes: [UInt8]) async throws {
            await gate?.wait()
            if stops > 0 { throw CancellationError() }
        }
        func finish() async throws {}
        func stop() async {
            stops += 1
            gate?.open()
        }
    }

    func testAnAnswerIsReadWhileItArrivesAndTheNextOneTakesItsPlace() async throws {
        let engine = Engine()
        let problems = Mutex(0)
        let voice = AnswerVoice(
            voice: VoiceChoice(), environment: .system(variables: [:]),
            make: { Speaker(engine: engine, sink: Sink()) },
            onProblem: { _ in problems.withLock { $0 += 1 } })
        await voice.begin()
        await voice.hear(.text("One **is** here. Two is co"))
        await voice.hear(
            .toolFinished(
                ToolResult(callID: "1", name: "x", text: "x"), summary: nil, duration: .zero))
        await voice.hear(.text("ming. Three"))
        await voice.end()
        while await voice.isSpeaking { await Task.yield() }
        XCTAssertEqual(
            engine.heard.withLock { $0 }, ["One is here.", "Two is coming.", "Three"])
        await voice.begin()
        await voice.hear(.text("Four."))
        await voice.end()
        while await voice.isSpeaking { await Task.yield() }
        XCTAssertEqual(engine.heard.withLock { $0 }.last, "Four.")
        XCTAssertEqual(problems.withLock { $0 }, 0)
    }

    func testStoppingIsSilentAndNothingMoreIsRead() async throws {
        let engine = Engine()
        let sink = Sink(gate: Gate())
        let voice = AnswerVoice(
            voice: VoiceChoice(), environment: .system(variables: [:]),
            make: { Speaker(engine: engine, sink: sink) },
            onProblem: { XCTFail("\($0)") })
        await voice.begin()
        await voice.hear(.text("One. Two. Three. Four. Five. Six."))
        await voice.stop()
        let isSpeaking = await voice.isSpeaking
        XCTAssertFalse(isSpeaking)
        let count = engine.heard.withLock { $0.count }
        await voice.hear(.text(" Seven. Eight."))
        await voice.end()
        XCTAssertEqual(engine.heard.withLock { $0.count }, count)
        let stops = await sink.stops
        XCTAssertGreaterThan(stops, 0)
    }

    func testAPauseInTheTextLetsTheSentenceThatIsCompleteBeHeard() async throws {
        let engine = Engine()
        let clock = ManualClock()
        let voice = AnswerVoice(
            voice: VoiceChoice(), environment: clock.environment,
            make: { Speaker(engine: engine, sink: Sink()) }, onProblem: { XCTFail("\($0)") })
        await voice.begin()
        await voice.hear(.text("One moment"))
        await voice.hear(.text(", please."))
        await clock.waitForSleeps(1)
        clock.advance(by: .milliseconds(500))
        XCTAssertEqual(engine.heard.withLock { $0 }, [])
        clock.advance(by: .milliseconds(201))
        while engine.heard.withLock({ $0 }).isEmpty { await Task.yield() }
        XCTAssertEqual(engine.heard.withLock { $0 }, ["One moment, please."])
        await voice.hear(.text(" Here it is."))
        await voice.end()
        while await voice.isSpeaking { await Task.yield() }
        XCTAssertEqual(engine.heard.withLock { $0 }, ["One moment, please.", "Here it is."])
    }

    func testWhatWaitsToBeHeardIsBoundedAndTheRestIsToldOnce() async throws {
        let engine = Engine()
        let gate = Gate()
        let problems = Mutex<[any Error]>([])
        let voice = AnswerVoice(
            voice: VoiceChoice(), environment: .system(variables: [:]),
            make: { Speaker(engine: engine, sink: Sink(gate: gate)) },
            onProblem: { error in problems.withLock { $0.append(error) } })
        await voice.begin()
        for _ in 0..<5 {
            await voice.hear(.text(String(repeating: "Yes, it is. ", count: 200)))
        }
        XCTAssertEqual(problems.withLock { $0.count }, 1)
        XCTAssertTrue(problems.withLock { $0.first } is AnswerVoice.TooLong)
        await voice.stop()
    }

    func testWhatFailsIsToldOnceAndTheAnswerGoesOn() async throws {
        let told = Mutex<[SpeechError.Reason?]>([])
        let voice = AnswerVoice(
            voice: VoiceChoice(), environment: .system(variables: [:]),
            make: { throw SpeechError(reason: .needsProgram(["espeak-ng"])) },
            onProblem: { error in
                told.withLock { $0.append((error as? SpeechError)?.reason) }
            })
        await voice.begin()
        await voice.hear(.text("One. Two."))
        await voice.end()
        XCTAssertEqual(told.withLock { $0 }, [.needsProgram(["espeak-ng"])])
    }
}
