import AgentCore
import Base
import Synchronization
import TestSupport
import XCTest

@testable import Sound

final class ServerSpeechEngineTests: XCTestCase {
    private let sound = (0..<4_000).map { UInt8(truncatingIfNeeded: $0 * 7) }

    private func engine(
        _ server: LoopbackServer, key: String? = "sk-test", ledger: MemoryLedger = MemoryLedger()
    ) throws -> ServerSpeechEngine {
        ServerSpeechEngine(
            address: try BaseURL(server.url("/v1")), model: "gpt-4o-mini-tts",
            transport: CurlTransport(ledger: ledger), key: { key })
    }

    private func server(_ scripts: ServerScript...) throws -> LoopbackServer {
        let server = try LoopbackServer(inTurn: scripts)
        addTeardownBlock { server.stop() }
        return server
    }

    private func chunked(_ bytes: [UInt8], size: Int) -> ServerScript {
        let chunks = stride(from: 0, to: bytes.count, by: size).map {
            ServerScript.Step.chunk(Array(bytes[$0..<min(bytes.count, $0 + size)]))
        }
        return ServerScript(
            [.head(200, [HTTPHeader("Transfer-Encoding", "chunked")])] + chunks + [.lastChunk])
    }

    private func body(_ request: RecordedRequest) throws -> JSONValue {
        try JSONParser.parse(request.body)
    }

    func testPlainSamplesInOddPiecesBecomeWholeFrames() async throws {
        let server = try server(chunked(sound + [0x55], size: 333))
        let ledger = MemoryLedger()
        let audio = try await engine(server, ledger: ledger).synthesize(
            Utterance(text: "Say  this.", voice: VoiceChoice(identifier: "nova", rate: 0.6)))
        XCTAssertEqual(audio.format, PCMFormat(rate: 24_000))
        let bytes = try await EspeakRig.all(audio)
        XCTAssertEqual(bytes, sound)
        let request = try XCTUnwrap(server.requests.first)
        XCTAssertEqual(request.path, "/v1/audio/speech")
        XCTAssertEqual(
            ledger.rows.map(\.outgoing), [Outgoing(.speech, ["text"], model: "gpt-4o-mini-tts")])
        XCTAssertEqual(ledger.rows.map(\.bytes), [request.body.count])
        XCTAssertEqual(request[header: "Authorization"], "Bearer sk-test")
        XCTAssertEqual(
            try body(request),
            [
                "model": "gpt-4o-mini-tts", "input": "Say this.", "voice": "nova",
                "response_format": "pcm", "speed": .number("1.52"),
            ])
    }

    func testWithoutAKeyNoneIsSentAndTheDefaultsAreLeftOut() async throws {
        let server = try server(chunked(sound, size: 4_000))
        _ = try await EspeakRig.all(
            try await engine(server, key: nil).synthesize(Utterance(text: "x")))
        let request = try XCTUnwrap(server.requests.first)
        XCTAssertNil(request[header: "Authorization"])
        XCTAssertNil(try body(request)["speed"])
        XCTAssertEqual(try body(request)["voice"], "alloy")
    }

    func testAServerThatSendsAWaveAnywayIsUnderstood() async throws {
        var wave = Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WAVE".utf8)
        wave += Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        wave += Array("fmt ".utf8) + [16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0xBB, 0, 0]
        wave += [0, 0xEE, 2, 0, 4, 0, 16, 0] + Array("data".utf8) + [0xFF, 0xFF, 0xFF, 0xFF]
        for size in [1, 7, 10_000] {
            let server = try server(chunked(wave + sound, size: size))
            let audio = try await engine(server).synthesize(Utterance(text: "x"))
            XCTAssertEqual(audio.format, PCMFormat(rate: 48_000, channels: 2))
            let bytes = try await EspeakRig.all(audio)
            XCTAssertEqual(bytes, sound)
            XCTAssertEqual(server.requests.count, 1)
        }
    }

    func testAServerWithoutPlainSamplesIsAskedForAWaveFromThenOn() async throws {
        let wave = EspeakFaultTests.wave(seconds: 1)
        let refusals: [ServerScript] = [
            .json(400, ["error": ["message": "response_format must be wav or mp3"]]),
            .json(422, ["detail": "x"]),
            chunked(Array("ID3".utf8) + sound, size: 900),
            chunked([0xFF, 0xFB, 0x90, 0x64] + sound, size: 2),
            chunked(Array("OggS".utf8) + sound, size: 900),
        ]
        for refusal in refusals {
            let server = try server(refusal, chunked(wave, size: 5_000))
            let engine = try engine(server)
            for _ in 0..<2 {
                let audio = try await engine.synthesize(Utterance(text: "x"))
                let bytes = try await EspeakRig.all(audio)
                XCTAssertEqual(audio.format, PCMFormat(rate: 22_050))
                XCTAssertEqual(bytes, Array(wave.dropFirst(44)))
            }
            XCTAssertEqual(
                try server.requests.map { try body($0)["response_format"]?.stringValue },
                ["pcm", "wav", "wav"])
        }
    }

    func testLongTextGoesInSeveralRequestsCutBetweenSentences() async throws {
        let text = String(repeating: "This goes on for a while, as stories do. ", count: 250)
        let server = try LoopbackServer(always: chunked(sound, size: 1_000))
        defer { server.stop() }
        let bytes = try await EspeakRig.all(
            try await engine(server).synthesize(Utterance(text: text)))
        XCTAssertEqual(bytes.count, sound.count * server.requests.count)
        let inputs = try server.requests.map { try body($0)["input"]?.stringValue ?? "" }
        XCTAssertEqual(inputs.count, 3)
        XCTAssertTrue(inputs.allSatisfy { $0.count <= 4_096 && $0.hasSuffix("do.") })
        XCTAssertEqual(inputs.joined(separator: " ") + " ", text)
    }

    func testWhatTheServerSaysBecomesAFact() async throws {
        let host: (LoopbackServer) -> String = { "127.0.0.1:\($0.port)" }
        let cases: [(ServerScript, SpeechError.Reason)] = [
            (
                .json(401, ["error": ["message": "Incorrect API key"]]),
                .server(status: 401, message: "Incorrect API key")
            ),
            (
                .json(401, ["error": ["message": "Incorrect API key: sk-test."]]),
                .server(status: 401, message: "Incorrect API key: [key].")
            ),
            (.response(401), .noKey),
            (
                .json(429, ["error": ["message": "slow down"]]),
                .server(status: 429, message: "slow down")
            ),
            (.text(503, "<html>"), .server(status: 503, message: nil)),
            (.text(200, "{\"error\": 1}"), .malformed),
            (.response(200), .malformed),
        ]
        for (script, expected) in cases {
            let server = try LoopbackServer(always: script)
            defer { server.stop() }
            do {
                _ = try await engine(server).synthesize(Utterance(text: "x"))
                XCTFail("\(expected)")
            } catch let error as SpeechError {
                XCTAssertEqual(error, SpeechError(reason: expected, host: host(server)))
            }
        }
    }

    func testAnAnswerThatBreaksOffIsAFailureAfterItsSound() async throws {
        let server = try server(
            ServerScript([
                .head(200, [HTTPHeader("Content-Length", "9000")]), .bytes(sound), .cut,
            ]))
        let audio = try await engine(server).synthesize(Utterance(text: "x"))
        var count = 0
        do {
            while let bytes = try await audio.next() { count += bytes.count }
            XCTFail("it ended as if it were whole")
        } catch let error as SpeechError {
            guard case .transport(let cause) = error.reason else { return XCTFail("\(error)") }
            XCTAssertEqual(cause.reason, .connectionLost)
        }
        XCTAssertEqual(count, sound.count)
    }

    func testSoundIsAskedForOnlyAsItIsHeard() async throws {
        let gate = Gate()
        let server = try server(
            ServerScript([
                .head(200, [HTTPHeader("Transfer-Encoding", "chunked")]), .chunk(sound),
                .wait(gate), .chunk(sound), .lastChunk,
            ]))
        let audio = try await engine(server).synthesize(Utterance(text: "x"))
        // The first is there while the server has not made the second.
        let first = try await audio.next()
        XCTAssertEqual(first, sound)
        gate.open()
        let rest = try await EspeakRig.all(audio)
        XCTAssertEqual(rest, sound)
    }

    func testVolumeIsMadeHereAndNothingToSayIsNotSent() async throws {
        let server = try server(chunked([0x00, 0x10, 0x00, 0xF0], size: 4))
        let voice = VoiceChoice(volume: 0.25)
        let bytes = try await EspeakRig.all(
            try await engine(server).synthesize(Utterance(text: "x", voice: voice)))
        XCTAssertEqual(bytes, [0x00, 0x08, 0x00, 0xF8])
        let nothing = await EspeakRig.reason {
            try await engine(server).synthesize(Utterance(text: " … "))
        }
        XCTAssertEqual(nothing, .nothingToSay)
        XCTAssertEqual(server.requests.count, 1)
    }

    func testVoicesAreAskedForWhereAServerLists() async throws {
        let server = try server(
            .json(200, ["voices": ["af_bella", ["id": "am_adam"]]]), .response(404),
            .json(200, ["data": [["voice_id": "v1", "name": "Nicole", "language": "fr-FR"]]]),
            .response(404), .response(404))
        let listed = try await engine(server).voices()
        XCTAssertEqual(listed.map(\.identifier), ["af_bella", "am_adam"])
        XCTAssertEqual(listed.map(\.gender), [.female, .male])
        XCTAssertEqual(listed.map(\.language), ["en-us", "en-us"])
        let others = try await engine(server).voices()
        XCTAssertEqual(
            others,
            [SpeechVoice(identifier: "v1", name: "Nicole", language: "fr-fr", gender: .female)])
        let none = try await engine(server).voices()
        XCTAssertEqual(none, [])
        let vendor = ServerSpeechEngine(
            address: try BaseURL("https://api.openai.com/v1"), model: "m",
            transport: StubTransport([]), key: { nil })
        let known = try await vendor.voices().count
        XCTAssertEqual(known, 13)
    }

    func testTheEngineIsTheOneThatWasNamedAndTextIsSentToNobodyElse() {
        func choice(
            _ engine: VoiceSettings.Speech.Engine, _ base: String?, _ hasEspeak: Bool
        ) -> SpeechEngineChoice {
            var settings = VoiceSettings.Speech()
            settings.engine = engine
            settings.baseURL = base
            return SpeechEngineChoice(settings, hasEspeak: hasEspeak)
        }
        let local = "http://localhost:8880/v1"
        XCTAssertEqual(choice(.auto, nil, true), .espeak)
        XCTAssertEqual(choice(.auto, nil, false), .needsProgram(["espeak-ng"]))
        XCTAssertEqual(choice(.auto, local, true), .server)
        XCTAssertEqual(choice(.espeak, local, true), .espeak)
        XCTAssertEqual(choice(.espeak, local, false), .needsProgram(["espeak-ng"]))
        XCTAssertEqual(choice(.server, nil, true), .server)
        XCTAssertEqual(choice(.piper, local, true), .piper)
    }
}
