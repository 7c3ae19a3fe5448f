import TestSupport
import XCTest

@testable import AgentCore

/// Every way an answer can end, in every format.
final class StopReasonTests: XCTestCase {
    private func stop(_ body: String, _ format: WireFormat) throws -> StopReason {
        try FixtureStream.read([Array(body.utf8)], format: format).result.get().stop
    }

    func testMessages() throws {
        let table: [(String, StopReason)] = [
            (#""end_turn""#, .end), (#""tool_use""#, .toolUse), (#""max_tokens""#, .maxTokens),
            (#""stop_sequence""#, .stopSequence), (#""pause_turn""#, .pause),
            (#""refusal""#, .refusal), (#""model_context_window_exceeded""#, .contextWindow),
            (#""new_reason""#, .unknown("new_reason")), ("null", .end),
        ]
        for (word, reason) in table {
            XCTAssertEqual(
                try stop(#"{"content":[],"stop_reason":\#(word)}"#, .messages), reason, word)
        }
    }

    func testChat() throws {
        let table: [(String, StopReason)] = [
            (#""stop""#, .end), (#""length""#, .maxTokens), (#""tool_calls""#, .end),
            (#""content_filter""#, .contentFilter), (#""eos""#, .end), (#""""#, .end),
            (#""new_reason""#, .unknown("new_reason")), ("null", .end),
        ]
        for (word, reason) in table {
            XCTAssertEqual(
                try stop(#"{"choices":[{"message":{},"finish_reason":\#(word)}]}"#, .chat), reason,
                word)
        }
        XCTAssertThrowsError(
            try stop(#"{"choices":[{"message":{},"finish_reason":"error"}]}"#, .chat))
    }

    func testResponses() throws {
        func body(_ status: String, _ reason: String) -> String {
            #"{"status":"\#(status)","output":[],"incomplete_details":{"reason":\#(reason)}}"#
        }
        let table: [(String, String, StopReason)] = [
            ("completed", "null", .end), ("incomplete", #""max_output_tokens""#, .maxTokens),
            ("incomplete", #""max_tokens""#, .maxTokens),
            ("incomplete", #""content_filter""#, .contentFilter),
            ("incomplete", #""new""#, .unknown("new")),
            ("incomplete", "null", .unknown("incomplete")),
        ]
        for (status, word, reason) in table {
            XCTAssertEqual(try stop(body(status, word), .responses), reason, word)
        }
        XCTAssertThrowsError(try stop(body("failed", "null"), .responses))
        XCTAssertThrowsError(try stop(body("in_progress", "null"), .responses))
    }

    func testAnAnswerWithNothingInItIsStillAnAnswer() throws {
        for format in [WireFormat.responses, .chat, .messages] {
            let outcome = FixtureStream.read([WireScript.text([], format: format)], format: format)
            XCTAssertEqual(try outcome.result.get().message.text, "", "\(format)")
            XCTAssertEqual(outcome.events, [], "\(format)")
        }
    }

    func testCountsFromAServerAreNeverNegativeAndNeverOverflow() throws {
        let body = """
            {"content":[],"stop_reason":"end_turn","usage":{"input_tokens":9223372036854775807,\
            "cache_read_input_tokens":9223372036854775807,"output_tokens":-5}}
            """
        let usage = try FixtureStream.read([Array(body.utf8)], format: .messages).result.get().usage
        XCTAssertEqual(usage, Usage(input: .max, cachedInput: .max, output: 0))
    }
}
