import XCTest

@testable import Transcription

final class TranscriptionModelTests: XCTestCase {
    func testFamiliesByName() {
        let families: [(TranscriptionModel.Family, [String])] = [
            (
                .whisper,
                [
                    "whisper-1", "whisper-large-v3", "Systran/faster-whisper-small", "parakeet",
                    "large-v3-turbo", "", "/", "my-gpt-transcribe",
                ]
            ),
            (
                .transcribe,
                [
                    "gpt-4o-transcribe", "gpt-4o-mini-transcribe",
                    "gpt-4o-mini-transcribe-2025-12-15", "gpt-transcribe", "GPT-4o-Transcribe",
                    "openai/gpt-4o-transcribe",
                ]
            ),
            (.diarize, ["gpt-4o-transcribe-diarize", "openai/gpt-4o-transcribe-diarize"]),
        ]
        for (family, names) in families {
            for name in names {
                XCTAssertEqual(TranscriptionModel(name).family, family, name)
                XCTAssertEqual(TranscriptionModel(name).name, name)
            }
        }
    }

    func testWhatEachFamilyOffers() {
        let whisper = TranscriptionModel("whisper-1")
        let transcribe = TranscriptionModel("gpt-4o-transcribe")
        let diarize = TranscriptionModel("gpt-4o-transcribe-diarize")
        XCTAssertEqual([whisper, transcribe, diarize].map(\.streams), [false, true, true])
        XCTAssertEqual([whisper, transcribe, diarize].map(\.tellsSpeakers), [false, false, true])
        XCTAssertEqual([whisper, transcribe, diarize].map(\.takesPrompt), [true, true, false])
        XCTAssertEqual(
            [whisper, transcribe, diarize].map(\.needsChunkingStrategy), [false, false, true])
        let wishes: [(TranscriptionOptions.Times, Bool, [String?])] = [
            (.none, false, [nil, nil, nil]), (.segments, false, [nil, "times", nil]),
            (.words, false, [nil, "times", "word times"]),
            (.none, true, ["speakers", "speakers", nil]),
            (.words, true, ["speakers", "speakers", "word times"]),
        ]
        for (times, speakers, refusals) in wishes {
            let options = TranscriptionOptions(model: "", times: times, wantsSpeakers: speakers)
            XCTAssertEqual(
                [whisper, transcribe, diarize].map { $0.refusal(of: options) }, refusals,
                "\(times) \(speakers)")
        }
    }
}
