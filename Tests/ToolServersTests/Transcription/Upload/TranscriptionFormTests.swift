import AgentCore
import XCTest

@testable import Sound
@testable import Transcription

final class TranscriptionFormTests: XCTestCase {
    func testTextsOfEachFamilyStandBeforeTheSound() throws {
        let table: [(TranscriptionOptions, [String])] = [
            (
                TranscriptionOptions(model: "whisper-1"),
                ["model=whisper-1", "response_format=json"]
            ),
            (
                TranscriptionOptions(
                    model: "whisper-1", language: "de", prompt: "Ada", times: .segments),
                [
                    "model=whisper-1", "response_format=verbose_json", "language=de", "prompt=Ada",
                ]
            ),
            (
                TranscriptionOptions(model: "whisper-1", language: "", prompt: "", times: .words),
                [
                    "model=whisper-1", "response_format=verbose_json",
                    "timestamp_granularities[]=word", "timestamp_granularities[]=segment",
                ]
            ),
            (
                TranscriptionOptions(model: "gpt-4o-transcribe", prompt: "Ada"),
                [
                    "model=gpt-4o-transcribe", "response_format=json", "prompt=Ada", "stream=true",
                ]
            ),
            (
                TranscriptionOptions(
                    model: "gpt-4o-transcribe-diarize", prompt: "Ada", times: .segments),
                [
                    "model=gpt-4o-transcribe-diarize", "response_format=diarized_json",
                    "chunking_strategy=auto", "stream=true",
                ]
            ),
        ]
        for (options, texts) in table {
            let form = try TranscriptionForm(upload(options, .m4a))
            XCTAssertEqual(form.parts.dropLast().map(Self.text), texts)
            XCTAssertEqual(form.parts.last?.name, "file")
            XCTAssertEqual(form.parts.last?.filename, "audio.m4a")
            XCTAssertEqual(form.parts.last?.contentType, "audio/mp4")
            XCTAssertEqual(form.streams, options.model.hasPrefix("gpt"))
        }
    }

    func testEveryKindHasItsNeutralName() throws {
        for kind in AudioKind.allCases {
            let form = try TranscriptionForm(upload(TranscriptionOptions(model: "x"), kind))
            XCTAssertEqual(form.parts.last?.filename, "audio.\(kind.rawValue)")
            XCTAssertEqual(form.parts.last?.contentType, kind.mediaType)
        }
    }

    func testWhatIsNotOfferedHasNoForm() {
        let options = TranscriptionOptions(model: "gpt-4o-transcribe", times: .words)
        XCTAssertThrowsError(try TranscriptionForm(upload(options, .wav), host: "h")) { error in
            XCTAssertEqual(
                error as? TranscriptionError,
                TranscriptionError(
                    reason: .notOffered(what: "times", model: "gpt-4o-transcribe"), host: "h"))
        }
    }

    private func upload(
        _ options: TranscriptionOptions, _ kind: AudioKind
    ) -> TranscriptionUpload {
        TranscriptionUpload(audio: [.bytes([1])], kind: kind, options: options)
    }

    private static func text(_ part: MultipartBody.Part) -> String {
        guard case .bytes(let bytes) = part.content.first else { return part.name }
        return "\(part.name)=\(String(decoding: bytes, as: UTF8.self))"
    }
}
