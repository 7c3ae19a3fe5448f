import Base
import Foundation
import TestSupport
import XCTest

@testable import Sound

final class EspeakEngineTests: XCTestCase {
    func testASentenceBecomesSamplesOfOneChannel() async throws {
        let rig = try EspeakRig()
        let audio = try await rig.engine().synthesize(Utterance(text: "Hello there."))
        XCTAssertEqual(audio.format, PCMFormat(rate: 22_050))
        let bytes = try await EspeakRig.all(audio)
        let seconds = audio.format.seconds(ofBytes: bytes.count)
        XCTAssertGreaterThan(seconds, 0.4)
        XCTAssertLessThan(seconds, 3)
        let loudness = Loudness(bytes)
        XCTAssertEqual(loudness.level, Loudness.target, accuracy: 900)
        XCTAssertLessThanOrEqual(loudness.peak, SampleGain.ceiling)
    }

    /// The sound of words is longer than the sound of their first letter, and
    /// that of a help page or of a file would be minutes.
    func testTextIsNeverAnOption() async throws {
        let rig = try EspeakRig()
        let pairs = [
            ("-h", "h"), ("--voices", "voices"), ("--help", "help"), ("--version", "version"),
            ("-w /tmp/nosuch/x.wav hello", "w tmp nosuch x wav hello"),
            ("-v de hello", "v de hello"), ("--stdout --punct=x", "stdout punct x"),
        ]
        for (text, words) in pairs {
            let said = try await rig.sound(text).count
            let expected = try await rig.sound(words).count
            XCTAssertGreaterThan(said, 4_000, text)
            XCTAssertLessThan(said, expected * 4, text)
        }
        let file = try await rig.sound("-f /etc/passwd")
        XCTAssertLessThan(PCMFormat(rate: 22_050).seconds(ofBytes: file.count), 6)
    }

    func testPhonemesMarkupAndCommandsAreReadAsText() async throws {
        let rig = try EspeakRig()
        let hello = try await rig.sound("hello")
        let phonemes = try await rig.sound("[[h@l'oU]]")
        XCTAssertNotEqual(phonemes, hello)
        // U+0001 "19b" would be a command; without its mark it is a number.
        let command = try await rig.sound("\u{1}9b hello")
        let number = try await rig.sound("9b hello")
        XCTAssertEqual(command, number)
        // A break of ten seconds is read, not kept.
        let silence = try await rig.sound("<break time=\"10s\"/> hello")
        XCTAssertLessThan(PCMFormat(rate: 22_050).seconds(ofBytes: silence.count), 8)
        let bar = try await rig.sound("hello | hello")
        XCTAssertGreaterThan(bar.count, hello.count * 3 / 2)
        let ended = try await rig.sound("hello\u{0} hello")
        let whole = try await rig.sound("hello hello")
        XCTAssertEqual(ended, whole)
    }

    func testWhatIsHandedToTheProgramHoldsNoMarkOfItsOwn() {
        XCTAssertEqual(
            EspeakText.bytes("-h [[x]]\n\u{1}5p\u{0}<b>|").map {
                String(decoding: $0, as: UTF8.self)
            },
            "-h ((x)) 5p<b>|\n")
        for text in ["", " \n", "\u{0}\u{1}", "...", "—"] { XCTAssertNil(EspeakText.bytes(text)) }
    }

    func testRatePitchAndVolumeAreTheProgramsNumbers() async throws {
        XCTAssertEqual(
            [0, 0.3, 1, 7, -1, .nan].map(EspeakProgram.speed), [80, 167, 370, 370, 80, 80])
        XCTAssertEqual([0.5, 1, 2, 9, -1].map(EspeakProgram.pitch), [25, 50, 99, 99, 0])
        XCTAssertEqual([0, 0.5, 1, 2].map(EspeakProgram.amplitude), [0, 100, 200, 200])
        let rig = try EspeakRig()
        let text = "One two three four five."
        let slow = try await rig.sound(text, VoiceChoice(rate: 0)).count
        let fast = try await rig.sound(text, VoiceChoice(rate: 1)).count
        XCTAssertGreaterThan(slow, fast * 2)
        let plain = try await rig.sound(text)
        let high = try await rig.sound(text, VoiceChoice(pitch: 1.8))
        XCTAssertNotEqual(plain, high)
        let soft = try await rig.sound(text, VoiceChoice(volume: 0.1))
        XCTAssertLessThan(Loudness(soft).peak * 2, Loudness(plain).peak)
    }

    func testVoicesSoundDifferentAndEquallyLoud() async throws {
        let rig = try EspeakRig()
        var sounds: [[UInt8]] = []
        for name in ["en-us", "en-gb", "en-us+f3", "en-us+iven", "en-us+Hugo", "de", "en"] {
            let sound = try await rig.sound(
                "Good morning to you all.", VoiceChoice(identifier: name))
            XCTAssertEqual(Loudness(sound).level, Loudness.target, accuracy: 1_500, name)
            sounds.append(sound)
        }
        // `en` is another name of en-gb.
        XCTAssertEqual(Set(sounds).count, sounds.count - 1)
    }

    func testVoicesThatAreNotThereAreRefusedWithTheNearest() async throws {
        let rig = try EspeakRig()
        let cases: [(String, String?)] = [
            ("en-us+f33", "en-us+f3"), ("en-bg", "en-gb"), ("../../etc/passwd", nil),
            ("-h", nil), ("en-us+f3 -w x", nil), ("gmw/en", nil), ("", nil),
        ]
        for (name, nearest) in cases {
            let reason = await EspeakRig.reason {
                try await rig.sound("x", VoiceChoice(identifier: name))
            }
            guard case .unknownVoice(let told, let found) = reason else {
                return XCTFail("\(name): \(String(describing: reason))")
            }
            XCTAssertEqual(told.lowercased(), name)
            if nearest != nil { XCTAssertEqual(found, nearest) }
        }
    }

    func testNothingToSayIsSaidSo() async throws {
        let rig = try EspeakRig()
        let reason = await EspeakRig.reason { try await rig.sound(" \u{1B} ") }
        XCTAssertEqual(reason, .nothingToSay)
    }

    func testAMissingProgramIsNamed() async {
        let environment = Base.Environment.system(variables: ["PATH": "/nonexistent"])
        let reason = await EspeakRig.reason { try EspeakEngine(environment: environment) }
        XCTAssertEqual(reason, .needsProgram(["espeak-ng"]))
    }

    func testAMegabyteOfTextIsSpokenSentenceBySentence() async throws {
        let rig = try EspeakRig()
        let text = String(repeating: "This goes on for a while, as stories do. ", count: 25_000)
        let sentences = SentenceSplitter.sentences(of: text)
        XCTAssertEqual(sentences.count, 25_000)
        let engine = try rig.engine()
        var hashes: Set<[UInt8]> = []
        for sentence in [sentences[0], sentences[12_000], sentences[24_999]] {
            hashes.insert(
                try await EspeakRig.all(
                    try await engine.synthesize(Utterance(text: sentence.text))))
        }
        XCTAssertEqual(hashes.count, 1)
    }
}
