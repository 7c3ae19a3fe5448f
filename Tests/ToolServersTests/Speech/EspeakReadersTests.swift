import Foundation
import TestSupport
import XCTest

@testable import Sound

/// Many sentences by one run of espeak-ng.
final class EspeakReadersTests: XCTestCase {
    /// The real one, whose starts to speak are written down.
    private func rig(_ folder: TemporaryFolder, _ before: String = "") throws -> EspeakRig {
        _ = try EspeakRig()
        return try EspeakRig(
            script: """
                case "$*" in
                *--stdin*\\ -s*) echo alone >>"$HOME/starts" ;;
                *\\ -s\\ *) echo row >>"$HOME/starts"; \(before) ;;
                esac
                exec /usr/bin/espeak-ng "$@"
                """, in: folder)
    }

    private func starts(_ folder: TemporaryFolder) -> [String: Int] {
        let text = String(decoding: (try? folder.read("starts")) ?? [], as: UTF8.self)
        return text.split(separator: "\n").reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    private static let sentences = [
        "Yes.", "The harbour lay still under a low and even sky, and nobody had come.",
        "“Who is there?”", "I do not know; it may be the wind, or the old gate.", "Twenty-seven!",
        "She put the letter into the drawer, turned the key twice, and went up the stairs.",
        "Mr. Brown said so.", "a", "So it was decided that they would leave on Monday at seven.",
    ]

    /// How loud each fiftieth of a second is: the words of a sentence show in it.
    private func envelope(_ bytes: [UInt8]) -> [Double] {
        stride(from: 0, to: bytes.count - 882, by: 882).map { start in
            stride(from: start, to: start + 882, by: 2).reduce(0.0) { sum, at in
                sum + abs(Double(Int16(bitPattern: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8)))
            } / 441
        }
    }

    private func likeness(_ first: [Double], _ second: [Double]) -> Double {
        // By how far the best shift is alike; a pause may be a little longer.
        (-6...6).map { shift in
            let pairs = first.indices.compactMap { place -> (Double, Double)? in
                second.indices.contains(place + shift) ? (first[place], second[place + shift]) : nil
            }
            let product = pairs.reduce(0) { $0 + $1.0 * $1.1 }
            let norms =
                pairs.reduce(0) { $0 + $1.0 * $1.0 } * pairs.reduce(0) { $0 + $1.1 * $1.1 }
            return norms > 0 ? product / norms.squareRoot() : 0
        }.max() ?? 0
    }

    /// Each sentence has its own sound, whatever was said before it and however long.
    func testOneRunSpeaksManySentencesAndEachAsByItself() async throws {
        for voice in ["en-us", "en-us+f3"] {
            let folder = try TemporaryFolder()
            let rig = try rig(folder)
            let engine = try EspeakEngine(environment: rig.environment, readsOn: true)
            let alone = try EspeakEngine(environment: rig.environment)
            let choice = VoiceChoice(identifier: voice)
            for sentence in Self.sentences + Self.sentences.reversed() {
                let utterance = Utterance(text: sentence, voice: choice)
                let audio = try await engine.synthesize(utterance)
                let bytes = try await EspeakRig.all(audio)
                let own = try await EspeakRig.all(try await alone.synthesize(utterance))
                let expected = SpeechEnds.cut(own, audio.format)
                // An echo goes on for an eighth of a second.
                let longer = Double(bytes.count - expected.count) / 44_100
                XCTAssertLessThan(abs(longer), 0.15 + 0.03 * Double(own.count) / 44_100, sentence)
                XCTAssertGreaterThan(
                    likeness(envelope(bytes), envelope(expected)), 0.8, "\(voice): \(sentence)")
                XCTAssertLessThanOrEqual(SamplePeak.peak(bytes), 32_767)
            }
            XCTAssertEqual(starts(folder), ["row": 1, "alone": 18])
        }
    }

    func testEachVoiceAndRateHasItsRunAndTwoSentencesAtOnceTwo() async throws {
        let folder = try TemporaryFolder()
        let rig = try rig(folder)
        let engine = try EspeakEngine(environment: rig.environment, readsOn: true)
        for rate in [0.2, 0.4, 0.2, 0.4] {
            for voice in ["en-us", "en-gb"] {
                _ = try await EspeakRig.all(
                    try await engine.synthesize(
                        Utterance(
                            text: "One two.", voice: VoiceChoice(identifier: voice, rate: rate))))
            }
        }
        XCTAssertEqual(starts(folder), ["row": 4])
        let sounds = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for index in 0..<8 {
                group.addTask {
                    try await EspeakRig.all(
                        try await engine.synthesize(
                            Utterance(text: "Number \(index).", voice: VoiceChoice(rate: 0.7))))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(sounds.count { !$0.isEmpty }, 8)
    }

    func testALongTextAndOneWithoutSoundHaveRunsOfTheirOwn() async throws {
        let folder = try TemporaryFolder()
        let rig = try rig(folder)
        let engine = try EspeakEngine(environment: rig.environment, readsOn: true)
        let long = String(repeating: "and on it went, ", count: 70)
        let bytes = try await EspeakRig.all(try await engine.synthesize(Utterance(text: long)))
        XCTAssertGreaterThan(bytes.count, 44_100 * 30)
        XCTAssertEqual(starts(folder), ["alone": 1])
    }

    /// A program that only speaks at the end of its input, or ends by itself.
    func testAProgramThatDoesNotReadOnSpeaksEachByItself() async throws {
        let bodies = [
            "cat >\"$HOME/all\"; exec /usr/bin/espeak-ng \"$@\" <\"$HOME/all\"", "exit 1",
            "echo bad >&2; exit 2",
        ]
        for body in bodies {
            let folder = try TemporaryFolder()
            let rig = try rig(folder, body)
            let engine = try EspeakEngine(environment: rig.environment, readsOn: true)
            let alone = try EspeakEngine(environment: rig.environment)
            for sentence in Self.sentences.prefix(3) {
                let sound = try await EspeakRig.all(
                    try await engine.synthesize(Utterance(text: sentence)))
                let own = try await EspeakRig.all(
                    try await alone.synthesize(Utterance(text: sentence)))
                XCTAssertEqual(sound, own, body)
            }
            XCTAssertEqual(starts(folder), ["row": 1, "alone": 6], body)
        }
    }

    func testARunThatDiesIsReplacedAndNoSentenceIsLost() async throws {
        let folder = try TemporaryFolder()
        let rig = try rig(folder, "echo $$ >>\"$HOME/pids\"")
        let engine = try EspeakEngine(environment: rig.environment, readsOn: true)
        for round in 1...3 {
            let sound = try await EspeakRig.all(
                try await engine.synthesize(Utterance(text: "Still here.")))
            XCTAssertGreaterThan(sound.count, 10_000)
            let pids = String(decoding: try folder.read("pids"), as: UTF8.self)
                .split(separator: "\n").compactMap { Int32($0) }
            XCTAssertEqual(pids.count, round)
            if let last = pids.last { kill(last, SIGKILL) }
            // The first one after it is said by a run of its own.
            let next = try await EspeakRig.all(
                try await engine.synthesize(Utterance(text: "Still here.")))
            XCTAssertGreaterThan(next.count, 10_000)
        }
        XCTAssertEqual(starts(folder), ["row": 3, "alone": 3])
    }

    /// What is kept in a cache says which way it was made.
    func testTheVersionTellsTheTwoWaysApart() async throws {
        let rig = try EspeakRig()
        let row = try await EspeakEngine(environment: rig.environment, readsOn: true).version()
        let alone = try await EspeakEngine(environment: rig.environment).version()
        XCTAssertEqual(row, alone + " in a row")
    }

    func testSilenceAtTheEndsIsCut() {
        func bytes(_ samples: [Int16]) -> [UInt8] {
            samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        }
        let format = PCMFormat(rate: 22_050)
        XCTAssertEqual(
            SpeechEnds.cut(bytes([0, -1, 7, 0, 3_000, -9, 2, 0]), format), bytes([7, 0, 3_000, -9]))
        XCTAssertEqual(SpeechEnds.cut(bytes([0, 0]), format), [])
        XCTAssertEqual(SpeechEnds.cut([], format), [])
        XCTAssertEqual(
            SpeechEnds.cut(bytes([0, 0, 0, 5, 5, 0, 0, 0]), PCMFormat(rate: 8_000, channels: 2)),
            bytes([0, 5, 5, 0]))
    }
}
