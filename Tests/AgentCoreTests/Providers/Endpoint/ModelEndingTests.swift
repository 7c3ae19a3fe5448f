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
                {"id":"tts-1","shutdown_date":1799193600}
                """#),
            [
                "whisper-1 ends on 2027-02-26; gpt-transcribe comes after it.",
                "gpt-5-mini-2025-08-07 ends on 2026-12-11; gpt-6.1-terra comes after it.",
                "tts-1 ends on 2027-01-06.",
            ])
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
