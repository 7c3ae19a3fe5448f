import XCTest

@testable import Transcription

final class TranscriptionAdjustmentsTests: XCTestCase {
    private let sent = [
        "model": "x", "response_format": "verbose_json", "prompt": "p", "language": "de",
        "timestamp_granularities": "word", "stream": "true", "chunking_strategy": "auto",
    ]

    func testWhatIsNamedIsDropped() {
        let table: [(String?, String?, String?)] = [
            ("timestamp_granularities", nil, "timestamp_granularities"),
            ("timestamp_granularities[]", nil, "timestamp_granularities"),
            ("timestamp_granularities[0]", nil, "timestamp_granularities"),
            ("stream", nil, "stream"),
            (nil, "Unknown parameter: timestamp_granularities[].", "timestamp_granularities"),
            (nil, "unexpected field 'stream'", "stream"),
            (nil, "Field `prompt` is not supported", "prompt"),
            (nil, "response_format 'verbose_json' is not compatible with model", "verbose_json"),
            (nil, "Unsupported format verbose_json. Supported: json, text", "verbose_json"),
            ("response_format", "nope", "verbose_json"),
            // Words of a sentence, other parts, nothing.
            (nil, "please prompt again, the stream is broken", nil),
            ("language", "timestamp_granularities", nil), ("file", nil, nil), (nil, nil, nil),
            (nil, "bad request", nil), ("model", "'stream'", nil),
        ]
        for (parameter, message, dropped) in table {
            var adjustments = TranscriptionAdjustments()
            let learnt = adjustments.learn(
                status: 400, parameter: parameter, message: message, sent: sent)
            XCTAssertEqual(learnt, dropped != nil, "\(parameter ?? "") \(message ?? "")")
            XCTAssertEqual(adjustments.dropped, Set([dropped].compactMap { $0 }))
        }
    }

    func testRichFormatIsGivenUpForThePlainOneAndThenForNone() {
        var adjustments = TranscriptionAdjustments()
        XCTAssertEqual(adjustments.format("verbose_json"), "verbose_json")
        XCTAssertTrue(learn(&adjustments, sent: ["response_format": "verbose_json"]))
        XCTAssertEqual(adjustments.format("verbose_json"), "json")
        XCTAssertTrue(learn(&adjustments, sent: ["response_format": "json"]))
        XCTAssertNil(adjustments.format("verbose_json"))
        XCTAssertFalse(learn(&adjustments, sent: [:]))
    }

    func testOtherStatusesTeachNothing() {
        for status in [401, 404, 413, 415, 429, 500] {
            var adjustments = TranscriptionAdjustments()
            XCTAssertFalse(
                adjustments.learn(
                    status: status, parameter: "stream", message: nil, sent: sent))
        }
    }

    private func learn(
        _ adjustments: inout TranscriptionAdjustments, sent: [String: String]
    ) -> Bool {
        adjustments.learn(status: 422, parameter: "response_format", message: nil, sent: sent)
    }
}
