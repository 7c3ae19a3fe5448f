import XCTest

@testable import AgentCore
@testable import Base

final class ModelEndingTests: XCTestCase {
    private func sentences(_ entries: String) throws -> [String] {
        let list = try XCTUnwrap(ModelList.read(JSONParser.parse(#"{"data":[\#(entries)]}"#)))
        return list.compactMap { $0.ending?.sentence }
    }

    func testTheDayOfAListIsSaidWithWhatComesAfter() throws {
        XCTAssertEqual(
            try sentences(
                #"""
                {"id":"whisper-1","shutdown_date":"2027-02-26"},
                {"id":"gpt-5-mini-2025-08-07","shutdown_date":"2026-12-11T00:00:00Z"},
                {"id":"tts-1","shutdown_date":1799193600},
                {"id":"z-ai/glm","expiration_date":"2026-12-31"},
                {"id":"old","deprecation":"2026-12-31T12:00:00Z","deprecation_replacement_model":"new"}
                """#),
            [
                "whisper-1 ends on 2027-02-26; gpt-transcribe comes after it.",
                "gpt-5-mini-2025-08-07 ends on 2026-12-11; gpt-6.1-terra comes after it.",
                "tts-1 ends on 2027-01-06.", "z-ai/glm ends on 2026-12-31.",
                "old ends on 2026-12-31; new comes after it.",
            ])
    }

    func testTheDayOfAnErrorIsRead() {
        func said(_ error: String) -> String? {
            ModelEnding(error: error, of: "gpt-4o")?.pastSentence
        }
        let ended = "gpt-4o ended on 2027-01-14; gpt-6-luna comes after it."
        for error in [
            "The model `gpt-4o` was shut down on January 14, 2027.",
            "gpt-4o has been deprecated on 1 Sep 2026 and retired on 14th January 2027",
            "This model is no longer available (since 2027-01-14T00:00:00Z). Use gpt-6-luna.",
        ] { XCTAssertEqual(said(error), ended, error) }
        for error in [
            "The model `gpt-4o` does not exist, as of 2027-01-14.", "It has been retired.",
            "It was retired on January 40, 2027", "retired in May", "retired on 2027-02-30",
        ] { XCTAssertNil(said(error), error) }
    }

    func testWhatIsNoDayIsNothing() throws {
        XCTAssertEqual(
            try sentences(
                #"""
                {"id":"a","shutdown_date":null},{"id":"b","shutdown_date":"soon"},{"id":"c"},
                {"id":"d","shutdown_date":"2027-02-30"},{"id":"e","shutdown_date":-5}
                """#), [])
    }

    func testOnlyModelsOf62AndLaterGetTheSystemTextAsAnItem() {
        for model in ["gpt-6.2-sol", "gpt-6.2-astra", "gpt-6.3", "gpt-7-luna"] {
            XCTAssertTrue(ModelCatalog.readsInstructionsLast(model), model)
        }
        for model in ["gpt-6.1-terra", "gpt-6-sol", "gpt-5.6", "gpt-4.1", "o3", "llama3"] {
            XCTAssertFalse(ModelCatalog.readsInstructionsLast(model), model)
        }
        XCTAssertTrue(ModelCatalog.bindsThinking("claude-fable-5-2"))
        XCTAssertFalse(ModelCatalog.bindsThinking("claude-opus-5"))
    }
}
