import Base
import Sound
import XCTest

@testable import ChatKit

final class VoiceSettingsTests: XCTestCase {
    private func parse(_ text: String) throws -> Settings {
        try Settings.parse(Array(text.utf8), file: "/c/config.json")
    }

    private func settings(
        _ text: String = "{}", _ variables: [String: String] = [:]
    ) throws -> Settings {
        let paths = try Paths(variables: ["CHAT_HOME": "/c"], account: { "/" })
        return try parse(text).applying(variables: variables, paths: paths)
    }

    func testEverySettingOfVoiceIsReadAndListed() throws {
        let settings = try settings(
            """
            {
              "transcription": {"base_url": "http://127.0.0.1:8080/v1", "model": "small",
                "key_command": "pass show w",
                "language": "DE", "prompt": "Zähler", "limit_bytes": 1000000,
                "keep": false},
              "recording": {"command": "arecord -q 'my card'", "cap_minutes": 5,
                "stop_after_silence": 2.5},
              "speech": {"engine": "espeak", "base_url": "https://v.example/v1", "model": "m",
                "voice": "en-gb+f3", "rate": 0.5, "pitch": 1.5, "volume": 1,
                "player": ["aplay", "-q"]},
              "speak": "on", // read them out
            }
            """)
        var expected = VoiceSettings()
        expected.transcription.baseURL = "http://127.0.0.1:8080/v1"
        expected.transcription.keyCommand = ["pass", "show", "w"]
        expected.transcription.model = "small"
        expected.transcription.language = "de"
        expected.transcription.prompt = "Zähler"
        expected.transcription.limitInBytes = 1_000_000
        expected.transcription.keepsItems = false
        expected.recording.command = ["arecord", "-q", "my card"]
        expected.recording.capInMinutes = 5
        expected.recording.stopAfterSilence = 2.5
        expected.speech.engine = .espeak
        expected.speech.baseURL = "https://v.example/v1"
        expected.speech.model = "m"
        expected.speech.voice = "en-gb+f3"
        expected.speech.rate = 0.5
        expected.speech.pitch = 1.5
        expected.speech.volume = 1
        expected.speech.playerCommand = ["aplay", "-q"]
        expected.speaksAnswers = true
        XCTAssertEqual(settings.voice, expected)
        XCTAssertEqual(
            settings.listing.drop { $0.name != "transcription" }.prefix(7).map {
                "\($0.name): \($0.value) (\($0.source.description))"
            },
            [
                "transcription: base_url http://127.0.0.1:8080/v1, model small, language de, "
                    + "prompt set, limit_bytes 1000000, keep off (config.json)",
                "recording: cap_minutes 5, stop_after_silence 2.5 s (config.json)",
                "recording.command: arecord -q my card (config.json)",
                "speech: engine espeak, base_url https://v.example/v1, model m, models none, "
                    + "voice en-gb+f3, rate 0.5, pitch 1.5, volume 1 (config.json)",
                "speech.player: aplay -q (config.json)",
                "voice_presets: none (default)", "speak: on (config.json)",
            ])
    }

    func testASilentFileGivesTheDefaults() throws {
        let settings = try settings("{\"speech\": {}, \"recording\": null}")
        XCTAssertEqual(settings.voice, VoiceSettings())
        XCTAssertEqual(
            settings.listing.drop { $0.name != "transcription" }.prefix(7).map {
                "\($0.name): \($0.value) (\($0.source.description))"
            },
            [
                "transcription: base_url OpenAI's, model whisper-1, language automatic, "
                    + "prompt none, limit_bytes 25000000, keep on (default)",
                "recording: cap_minutes 60, stop_after_silence never (default)",
                "recording.command: the first that is installed (default)",
                "speech: engine auto, base_url OpenAI's, model gpt-4o-mini-tts, models none, "
                    + "voice automatic, rate 0.3, pitch 1, volume 0.5 (config.json)",
                "speech.player: the first that is installed (default)",
                "voice_presets: none (default)", "speak: off (default)",
            ])
    }

    func testTheProgramsOfTheEnvironmentComeBeforeThoseOfTheFile() throws {
        let settings = try settings(
            "{\"recording\": {\"command\": \"a\"}, \"speech\": {\"player\": \"b\"}}",
            ["CHAT_RECORDER": "'my recorder' --raw", "CHAT_PLAYER": "player"])
        XCTAssertEqual(settings.voice.recording.command, ["my recorder", "--raw"])
        XCTAssertEqual(settings.source(of: "recording.command"), .environment("CHAT_RECORDER"))
        XCTAssertEqual(settings.voice.speech.playerCommand, ["player"])
        XCTAssertEqual(
            try self.settings("{}", ["CHAT_PLAYER": "a 'b"]).broken.map(\.error.reason),
            [.wrongVariable(name: "CHAT_PLAYER", accepted: "a program and its arguments")])
        XCTAssertNil(try self.settings("{}", ["CHAT_PLAYER": ""]).voice.speech.playerCommand)
    }

    func testAWrongValueIsFoundByLineAndNamed() {
        let table: [(String, String, String)] = [
            (
                "\"transcription\": 1", "transcription",
                "an object such as { \"model\": \"whisper-1\" }"
            ),
            (
                "\"transcription\": {\"base_url\": \"x\"}", "transcription.base_url",
                "a URL that begins with https:// or http://"
            ),
            (
                "\"transcription\": {\"language\": \"english\"}", "transcription.language",
                "a code of two or three letters, such as \"en\""
            ),
            (
                "\"transcription\": {\"limit_bytes\": 999999}", "transcription.limit_bytes",
                "a whole number from 1000000 to 2000000000"
            ),
            (
                "\"recording\": {\"command\": []}", "recording.command",
                "a program and its arguments, such as [\"arecord\", \"-q\"]"
            ),
            (
                "\"recording\": {\"cap_minutes\": 0}", "recording.cap_minutes",
                "a whole number from 1 to 1440"
            ),
            (
                "\"recording\": {\"stop_after_silence\": 0}", "recording.stop_after_silence",
                "a number from 0.5 to 600"
            ),
            (
                "\"speech\": {\"engine\": \"say\"}", "speech.engine",
                "one of \"auto\", \"espeak\", \"piper\", \"server\""
            ),
            ("\"speech\": {\"rate\": 165}", "speech.rate", "a number from 0 to 1"),
            ("\"speech\": {\"pitch\": 0.4}", "speech.pitch", "a number from 0.5 to 2"),
            (
                "\"speech\": {\"player\": \"a 'b\"}", "speech.player",
                "a program and its arguments, such as [\"aplay\", \"-q\"]"
            ),
            ("\"speak\": true", "speak", "one of \"on\", \"off\""),
        ]
        for (text, name, accepted) in table {
            XCTAssertThrowsError(try parse("{\n\(text)\n}"), text) {
                let error = $0 as? ConfigurationError
                XCTAssertEqual(error?.reason, .wrongValue(name: name, accepted: accepted), text)
                XCTAssertEqual(error?.line, 2, text)
            }
        }
    }

    func testAnUnknownNameIsToldWithTheNearest() throws {
        XCTAssertEqual(
            try parse("{\"transcription\": {\"limit_byte\": 1}, \"speech\": {\"x\": 1}}").warnings,
            [
                "/c/config.json:1: there is no setting transcription.limit_byte. "
                    + "Did you mean transcription.limit_bytes?",
                "/c/config.json:1: there is no setting speech.x. chat config lists them.",
            ])
    }
}
