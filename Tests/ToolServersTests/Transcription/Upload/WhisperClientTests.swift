import AgentCore
import Base
import Synchronization
import TestSupport
import XCTest

@testable import Sound
@testable import Transcription

/// Against a scripted service on real sockets.
final class WhisperClientTests: XCTestCase {
    func testWordsOfAPlainAnswer() async throws {
        let rig = try UploadRig(.json(" buy milk tomorrow "))
        defer { rig.server.stop() }
        let transcript = try await rig.transcribe()
        XCTAssertEqual(transcript, Transcript(text: "buy milk tomorrow"))
        let upload = try XCTUnwrap(rig.server.uploads.first)
        XCTAssertEqual(upload.request.method, "POST")
        XCTAssertEqual(upload.request.path, "/v1/audio/transcriptions")
        XCTAssertEqual(upload.bearer, "sk-test-1")
        XCTAssertEqual(upload.form?.parts.compactMap(\.name), ["model", "response_format", "file"])
        XCTAssertEqual(upload.model, "whisper-1")
        XCTAssertEqual(upload.responseFormat, "json")
        XCTAssertEqual(upload.file?.filename, "audio.wav")
        XCTAssertEqual(upload.file?.type, "audio/wav")
        XCTAssertEqual(upload.file?.body, UploadRig.sound)
        XCTAssertEqual(
            rig.progress.filter { if case .sent = $0 { false } else { true } }, [.waiting])
        XCTAssertEqual(
            rig.progress.dropLast().last,
            .sent(bytes: UploadRig.sound.count, of: UploadRig.sound.count))
    }

    func testTimesOfAVerboseAnswer() async throws {
        let rig = try UploadRig(
            .verbose(
                [.init(0, 1.5, "buy milk"), .init(1.5, 2.25, "and bread")],
                words: [.init(0, 0.5, "buy"), .init(0.5, 1.5, "milk")]))
        defer { rig.server.stop() }
        let transcript = try await rig.transcribe(
            TranscriptionOptions(model: "whisper-1", language: "en", prompt: "dairy", times: .words)
        )
        XCTAssertEqual(
            transcript,
            Transcript(
                text: "buy milk and bread", language: "english", duration: 2.25,
                segments: [
                    .init(start: 0, end: 1.5, text: "buy milk"),
                    .init(start: 1.5, end: 2.25, text: "and bread"),
                ],
                words: [
                    .init(start: 0, end: 0.5, text: "buy"),
                    .init(start: 0.5, end: 1.5, text: "milk"),
                ]))
        let form = try XCTUnwrap(rig.server.uploads.first?.form)
        XCTAssertEqual(form["language"], ["en"])
        XCTAssertEqual(form["prompt"], ["dairy"])
        XCTAssertEqual(form["response_format"], ["verbose_json"])
        XCTAssertEqual(form["timestamp_granularities[]"], ["word", "segment"])
    }

    func testStreamedWordsAreShownAsTheyCome() async throws {
        let rig = try UploadRig(.stream(["buy ", "milk", " tomorrow"]))
        defer { rig.server.stop() }
        let transcript = try await rig.transcribe(
            TranscriptionOptions(model: "gpt-4o-mini-transcribe"))
        XCTAssertEqual(transcript, Transcript(text: "buy milk tomorrow"))
        XCTAssertEqual(rig.words, "buy milk tomorrow")
        XCTAssertEqual(rig.server.uploads.first?.form?["stream"], ["true"])
    }

    func testSpeakersOfADiarizedAnswer() async throws {
        let rig = try UploadRig(
            .diarized([.init(0, 1, "hi", speaker: "A"), .init(1, 2, "hello", speaker: "B")]))
        defer { rig.server.stop() }
        let transcript = try await rig.transcribe(
            TranscriptionOptions(
                model: "gpt-4o-transcribe-diarize", prompt: "not taken", wantsSpeakers: true))
        XCTAssertEqual(transcript.segments.map(\.speaker), ["A", "B"])
        let form = try XCTUnwrap(rig.server.uploads.first?.form)
        XCTAssertEqual(form["chunking_strategy"], ["auto"])
        XCTAssertEqual(form["response_format"], ["diarized_json"])
        XCTAssertEqual(form["prompt"], [])
    }

    func testServerOfOneselfNeedsNoKey() async throws {
        let rig = try UploadRig(.json("words"), key: nil)
        defer { rig.server.stop() }
        let transcript = try await rig.transcribe()
        XCTAssertEqual(transcript.text, "words")
        XCTAssertNil(rig.server.uploads.first?.request[header: "authorization"])
    }

    func testKeyThatCouldEndTheHeaderIsNeverSent() async throws {
        let rig = try UploadRig(.json("words"), key: "sk\r\nX-Evil: 1")
        defer { rig.server.stop() }
        let error = await rig.error()
        XCTAssertEqual(error?.reason, .keyRejected)
        XCTAssertEqual(rig.server.connectionCount, 0)
    }

    func testWhatTheModelDoesNotOfferIsRefusedBeforeAnythingIsSent() async throws {
        let rig = try UploadRig(.json("words"))
        defer { rig.server.stop() }
        let error = await rig.error(TranscriptionOptions(model: "whisper-1", wantsSpeakers: true))
        XCTAssertEqual(error?.reason, .notOffered(what: "speakers", model: "whisper-1"))
        XCTAssertNil(error?.sentBytes)
        XCTAssertEqual(rig.server.connectionCount, 0)
    }

    func testServerOnThisMachineMayThinkForLonger() async throws {
        for (address, idle) in [
            ("http://127.0.0.1:9000/v1", Duration.seconds(3_600)),
            ("https://api.openai.com/v1", .seconds(300)),
        ] {
            let transport = StubTransport([.json(#"{"text":"words"}"#)])
            let client = WhisperClient(
                address: try BaseURL(address), key: { nil }, transport: transport,
                environment: .system(variables: [:]))
            _ = try await client.transcribe(
                TranscriptionUpload(
                    audio: [.bytes([1])], kind: .wav,
                    options: TranscriptionOptions(model: "whisper-1")), onProgress: { _ in })
            XCTAssertEqual(transport.requests.map(\.limits.idle), [idle])
            XCTAssertEqual(transport.requests.map(\.limits.total), [nil])
            XCTAssertEqual(transport.requests.map(\.url), [address + "/audio/transcriptions"])
        }
    }

    // MARK: - Refusals

    func testEachStatusHasItsReasonAndTheServersWords() async throws {
        let table: [(TranscriptionServerStub.Answer, TranscriptionError.Reason)] = [
            (.error(400), .badRequest),
            (
                .error(400, message: "Invalid file format. Supported formats: ['wav']"),
                .unsupportedFormat
            ),
            (.error(401, code: "invalid_api_key"), .keyRejected),
            (.error(403), .forbidden),
            (.error(404, code: "model_not_found"), .modelNotFound),
            (.script(.text(404, "File Not Found (/v1/audio/transcriptions)")), .endpointNotFound),
            (.error(413), .tooLarge),
            (.error(415), .unsupportedFormat),
            (.error(422), .badRequest),
            (.error(429, code: "rate_limit_exceeded"), .rateLimited),
            (
                .error(429, code: "credit_balance_exhausted", type: "insufficient_quota"),
                .quotaExhausted
            ),
            (.error(500), .serverFailure), (.error(503), .serverFailure),
            (
                .script(.response(302, headers: [HTTPHeader("Location", "http://127.0.0.1:1/")])),
                .redirected
            ),
            (
                .script(.text(200, "<!DOCTYPE html><html><body>Login</body></html>")),
                .endpointNotFound
            ),
            (.script(.json(200, ["object": "list"])), .malformed),
            (.script(.response(204)), .malformed),
        ]
        for (answer, reason) in table {
            let rig = try UploadRig(answer)
            let error = await rig.error()
            rig.server.stop()
            XCTAssertEqual(error?.reason, reason, "\(answer)")
            XCTAssertEqual(error?.host, rig.address.authority)
            XCTAssertEqual(error?.sentBytes, UploadRig.sound.count, "\(answer)")
            XCTAssertEqual(error?.totalBytes, UploadRig.sound.count)
            XCTAssertEqual(rig.server.connectionCount, 1, "\(answer)")
        }
    }

    func testWhatTheServerSaysOfTryingAgainIsKept() async throws {
        let rig = try UploadRig(
            .error(
                429, code: "rate_limit_exceeded", message: "Key sk-test-1 is too fast",
                headers: [
                    HTTPHeader("Retry-After", "7"), HTTPHeader("x-request-id", "req_1"),
                    HTTPHeader("x-should-retry", "false"),
                ]))
        defer { rig.server.stop() }
        let error = await rig.error()
        XCTAssertEqual(
            error,
            TranscriptionError(
                reason: .rateLimited, host: rig.address.authority, status: 429,
                code: "rate_limit_exceeded", message: "Key [key] is too fast", requestID: "req_1",
                retryAfter: 7, shouldRetry: false, sentBytes: UploadRig.sound.count,
                totalBytes: UploadRig.sound.count))
    }

    func testMissingKeyIsNotARejectedOne() async throws {
        let rig = try UploadRig(.error(401), key: nil)
        defer { rig.server.stop() }
        let error = await rig.error()
        XCTAssertEqual(error?.reason, .noKey)
    }

    func testBrokenStreamIsNoTranscript() async throws {
        let rig = try UploadRig(.brokenStream(["buy ", "milk"]))
        defer { rig.server.stop() }
        let error = await rig.error(TranscriptionOptions(model: "gpt-4o-transcribe"))
        guard case .transport(let cause) = error?.reason else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertEqual(cause.reason, .connectionLost)
        XCTAssertEqual(rig.words, "buy milk")
        let ended = try UploadRig(
            .script(.sse("data: {\"type\":\"transcript.text.delta\",\"delta\":\"buy \"}\n\n")))
        defer { ended.server.stop() }
        let cut = await ended.error(TranscriptionOptions(model: "gpt-4o-transcribe"))
        XCTAssertEqual(cut?.reason, .cut)
    }

    // MARK: - What a server does not know

    func testUnknownPartIsLeftOutOnceAndRemembered() async throws {
        let rig = try UploadRig { upload in
            if upload.responseFormat == "verbose_json" {
                return .error(
                    400, code: "unsupported_value", parameter: "response_format",
                    message: "response_format 'verbose_json' is not compatible with the model")
            }
            return .json("words")
        }
        defer { rig.server.stop() }
        let options = TranscriptionOptions(model: "parakeet", times: .segments)
        for _ in 1...2 {
            let transcript = try await rig.transcribe(options)
            XCTAssertEqual(transcript, Transcript(text: "words"))
        }
        XCTAssertEqual(
            rig.server.uploads.map(\.responseFormat), ["verbose_json", "json", "json"])
        XCTAssertEqual(rig.server.uploads.map { $0.file?.body.count }, [3000, 3000, 3000])
    }

    func testServerThatRefusesEverythingIsAskedOncePerPart() async throws {
        let rig = try UploadRig { upload in
            let known = ["model", "file", "language"]
            guard
                let name = upload.form?.parts.compactMap(\.name).first(where: {
                    !known.contains($0)
                })
            else { return .json("words") }
            return .script(
                .json(
                    422,
                    [
                        "detail": [
                            [
                                "loc": ["body", .string(name)],
                                "msg": "Extra inputs are not permitted",
                            ]
                        ]
                    ]))
        }
        defer { rig.server.stop() }
        let transcript = try await rig.transcribe(
            TranscriptionOptions(model: "x", language: "de", prompt: "p", times: .words))
        XCTAssertEqual(transcript.text, "words")
        XCTAssertEqual(
            rig.server.uploads.last?.form?.parts.compactMap(\.name), ["model", "language", "file"])
        XCTAssertEqual(rig.server.uploads.count, 4)
    }

    func testRefusalOfSomethingElseIsAskedOnlyOnce() async throws {
        let rig = try UploadRig(.error(400, parameter: "language", message: "unknown 'xx'"))
        defer { rig.server.stop() }
        let error = await rig.error(
            TranscriptionOptions(model: "whisper-1", language: "xx", prompt: "p"))
        XCTAssertEqual(error?.reason, .badRequest)
        XCTAssertEqual(error?.message, "unknown 'xx'")
        XCTAssertEqual(rig.server.uploads.count, 1)
    }
}
