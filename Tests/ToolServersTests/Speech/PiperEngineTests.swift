import Base
import Foundation
import StoryKit
import TestSupport
import XCTest

@testable import Sound
@testable import Stories

/// piper, by a program in its place that writes a sample for each byte of a line.
final class PiperEngineTests: XCTestCase {
    private static let program = #"""
        #!/usr/bin/env python3
        import os, sys
        with open(os.environ["HOME"] + "/runs", "a") as runs: runs.write(" ".join(sys.argv[2:]) + "\n")
        print("INFO: loaded", file=sys.stderr, flush=True)
        if "broken" in sys.argv[2]: sys.exit("ValueError: no such phoneme")
        for line in sys.stdin:
            if not line.strip(): continue
            sys.stdout.buffer.write(b"\1\0" * len(line.strip()))
            sys.stdout.buffer.flush()
        """#

    private struct Rig {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            let path = try folder.write(PiperEngineTests.program.utf8, to: "piper")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }

        func model(_ name: String, speakers: String = "{}", dataset: String = "") throws {
            try FileManager.default.createDirectory(
                atPath: folder.path("models"), withIntermediateDirectories: true)
            try folder.write([], to: "models/\(name).onnx")
            let language = name.prefix(5)
            try folder.write(
                """
                {"audio": {"sample_rate": 16000}, "inference": {"length_scale": 1.2},
                 "language": {"code": "\(language)", "name_english": "Some"},
                 "dataset": "\(dataset)", "speaker_id_map": \(speakers)}
                """.utf8, to: "models/\(name).onnx.json")
        }

        func engine() throws -> PiperEngine {
            try PiperEngine(
                folder: folder.path("models"),
                variables: ["PATH": folder.path + ":" + TestMachine.path, "HOME": folder.path])
        }

        /// What each run was started with.
        func runs() throws -> [String] {
            String(decoding: try folder.read("runs"), as: UTF8.self).split(separator: "\n")
                .map { $0.replacingOccurrences(of: folder.path("models") + "/", with: "") }
        }
    }

    func testModelsAndTheirSpeakersAreVoices() throws {
        let rig = try Rig()
        try rig.model("en_US-amy-low")
        try rig.model("en_GB-vctk-medium", speakers: #"{"p226": 1, "p225": 0}"#, dataset: "vctk")
        try rig.model("de_DE-thorsten-low")
        try rig.folder.write([], to: "models/unfinished.onnx")
        let voices = try rig.engine().voices()
        XCTAssertEqual(
            voices.map(\.identifier),
            ["de_DE-thorsten-low", "en_GB-vctk-medium#0", "en_GB-vctk-medium#1", "en_US-amy-low"])
        XCTAssertEqual(voices.map(\.language), ["de-de", "en-gb", "en-gb", "en-us"])
        XCTAssertEqual(voices.map(\.gender), [.male, .female, .male, .female])
        XCTAssertEqual(voices[1].name, "Some, vctk, p225")
    }

    func testARunSpeaksLineAfterLineOfOneVoice() async throws {
        let rig = try Rig()
        try rig.model("en_US-amy-low")
        try rig.model("en_GB-vctk-medium", speakers: #"{"p226": 1, "p225": 0}"#, dataset: "vctk")
        let engine = try rig.engine()
        func say(_ text: String, _ voice: String?, rate: Double = 0.3) async throws -> Int {
            let audio = try await engine.synthesize(
                Utterance(text: text, voice: VoiceChoice(identifier: voice, rate: rate)))
            XCTAssertEqual(audio.format, PCMFormat(rate: 16_000))
            return try await EspeakRig.all(audio).count
        }
        assertEqual(try await say("Hello [[there]]\nyou.", "en_US-amy-low"), 2 * 20)
        assertEqual(try await say("Hello.", "en_US-amy-low"), 12)
        assertEqual(try await say("Hello.", "en_GB-vctk-medium#1", rate: 0.8), 12)
        let long = String(repeating: "word ", count: 2_000)
        assertEqual(try await say(long, "en_US-amy-low"), 2 * (2_000 * 5 - 3))
        XCTAssertEqual(
            try rig.runs(),
            [
                "en_US-amy-low.onnx --output-raw",
                "en_GB-vctk-medium.onnx --output-raw --speaker 1 --length-scale 0.64",
            ])
    }

    func testWhatIsMissingOrBrokenIsSaid() async throws {
        let rig = try Rig()
        func problem(_ make: () async throws -> Void) async -> String? {
            do { try await make() } catch { return (error as? SpeechError)?.diagnostic.what }
            return nil
        }
        let folder = rig.folder.path("models")
        let none = await problem { _ = try rig.engine() }
        XCTAssertEqual(none, "There is no model of piper in \(folder).")
        let absent = await problem { _ = try PiperEngine(folder: folder, variables: ["PATH": "/"]) }
        XCTAssertEqual(absent?.hasPrefix("Speech needs piper"), true, absent ?? "")
        try rig.model("en_US-broken-low")
        let engine = try rig.engine()
        let unknown = await problem {
            _ = try await engine.synthesize(
                Utterance(text: "x", voice: VoiceChoice(identifier: "en_US-broke-low")))
        }
        XCTAssertEqual(unknown, "There is no voice \"en_US-broke-low\".")
        let broken = await problem {
            _ = try await EspeakRig.all(try await engine.synthesize(Utterance(text: "x")))
        }
        XCTAssertEqual(broken?.contains("no such phoneme"), true, broken ?? "")
    }

    func testTheNameOfAVoiceTellsItsLanguageAndGender() {
        let names: [(String, String, SpeechVoice.Gender?)] = [
            ("af_bella", "en-us", .female), ("bm_george", "en-gb", .male),
            ("zf_xiaobei", "zh", .female), ("en_US-hfc_female-medium", "en-us", .female),
            ("de-DE-KatjaNeural", "de-de", .female), ("en-GB-SoniaNeural", "en-gb", .female),
            ("nova", "", .female), ("onyx", "", .male), ("alloy", "", nil),
        ]
        for (name, language, gender) in names {
            let voice = SpeechVoice(named: name)
            XCTAssertEqual(voice.language, language, name)
            XCTAssertEqual(voice.gender, gender, name)
        }
    }
}
