import XCTest

@testable import AgentCore
@testable import Base

final class ErrorFactsTests: XCTestCase {
    private func facts(_ text: String) throws -> ErrorFacts {
        ErrorFacts(try JSONParser.parse(text), hiding: nil)
    }

    func testEveryShapeIsRead() throws {
        XCTAssertEqual(
            try facts(#"{"error":{"message":"m","type":"t","param":"p","code":"c"}}"#),
            ErrorFacts(type: "t", code: "c", message: "m", parameter: "p"))
        XCTAssertEqual(
            try facts(#"{"type":"error","error":{"type":"t","message":"m"},"request_id":"r"}"#),
            ErrorFacts(type: "t", message: "m", requestID: "r"))
        XCTAssertEqual(
            try facts(#"{"type":"error","code":"c","message":"","param":null}"#),
            ErrorFacts(code: "c", message: "c"))
        XCTAssertEqual(try facts(#"{"error":"bare"}"#), ErrorFacts(message: "bare"))
        XCTAssertEqual(
            try facts(#"{"error":{"code":500,"message":" m\n"}}"#),
            ErrorFacts(code: "500", message: "m"))
        XCTAssertEqual(try facts(#"{"detail":"m"}"#), ErrorFacts(message: "m"))
        XCTAssertEqual(try facts("[]"), ErrorFacts())
    }

    func testAListOfDetailsSaysWhichFieldsAreWrong() throws {
        XCTAssertEqual(
            try facts(
                #"{"detail":[{"type":"missing","loc":["body","messages",0,"content"],"#
                    + #""msg":"Field required","input":{}},"#
                    + #"{"loc":["body"],"msg":"Extra inputs"},"and so on"]}"#),
            ErrorFacts(
                message: "messages.0.content: Field required; Extra inputs; and so on",
                parameter: "messages.0.content"))
        // Inside of a message, beside a type.
        XCTAssertEqual(
            try facts(
                #"{"object":"error","type":"invalid_request_error","message":{"detail":"#
                    + #"[{"type":"extra_forbidden","loc":["body","stream_options"],"#
                    + #""msg":"Extra inputs are not permitted"}]}}"#),
            ErrorFacts(
                type: "invalid_request_error",
                message: "stream_options: Extra inputs are not permitted",
                parameter: "stream_options"))
        // Beside a sentence that says less.
        let missing = #"[{"loc":["body","model"],"msg":"Field required"}]"#
        for head in [#""error":"Invalid request""#, #""message":"Invalid request""#] {
            XCTAssertEqual(
                try facts("{\(head),\"detail\":\(missing)}"),
                ErrorFacts(message: "Invalid request: model: Field required", parameter: "model"))
        }
        XCTAssertEqual(try facts(#"{"detail":[]}"#), ErrorFacts())
        XCTAssertEqual(try facts(#"{"detail":[{"loc":["body"]}]}"#), ErrorFacts())
    }

    func testAListOfDetailsIsBounded() throws {
        let entry = #"{"loc":["body","x"],"msg":"\#(String(repeating: "m", count: 400))"}"#
        let list = Array(repeating: entry, count: 100).joined(separator: ",")
        let message = try XCTUnwrap(facts(#"{"detail":[\#(list)]}"#).message)
        XCTAssertEqual(message.text.unicodeScalars.count, ServerText.limit + 1)
    }

    func testA400ThatDeniesTheModelIsOneOfTheModel() {
        for (type, code, sentence) in [
            ("invalid_request_error", "invalid_request_error", "Model Not Exist"),
            (nil, "400", "foo/bar is not a valid model ID"),
            ("invalid_model", "1500", "Invalid model: mistral-huge"),
            ("invalid_request_error", nil, "The model `gpt-9` does not exist."),
            (nil, "unknown_model", "Unknown model: phi-9"),
            ("None", "400", "/chat/completions: Invalid model name passed in model=gpt-9"),
            ("invalid_request_error", "model_not_found", "no"),
            (nil, nil, "model 'llama9' not found, try pulling it first"),
            (nil, nil, "The model `x` has been decommissioned and is no longer supported."),
            (nil, nil, "The model `gpt-4-32k` was shut down on June 6, 2025."),
        ] as [(String?, String?, String)] {
            let facts = ErrorFacts(
                type: ServerText(type, hiding: nil), code: ServerText(code, hiding: nil),
                message: ServerText(sentence, hiding: nil))
            XCTAssertEqual(facts.reason(status: 400), .modelNotFound, sentence)
        }
        XCTAssertEqual(
            ErrorFacts(message: "model: 'x' not available", parameter: "model").reason(status: 422),
            .modelNotFound)
        for sentence in [
            "Unsupported value: 'temperature' is not supported with this model.",
            "This model does not support tools", "tool call_1 not found in the request",
            "For this model the parameter `top_k` is deprecated",
            "model: Field required", "No tool x found for this model",
        ] {
            XCTAssertEqual(
                ErrorFacts(message: ServerText(sentence, hiding: nil)).reason(status: 400),
                .badRequest, sentence)
        }
    }

    func testForeignSentencesAreBounded() throws {
        let long = String(repeating: "e\u{301}", count: 5000)
        let message = try XCTUnwrap(facts(#"{"error":"\#(long)"}"#).message)
        XCTAssertEqual(message.text.unicodeScalars.count, ServerText.limit + 1)
    }

    func testReasonsByStatus() {
        let none = ErrorFacts()
        let table: [(Int, ErrorFacts, ProviderError.Reason)] = [
            (400, none, .badRequest), (401, none, .keyRejected), (402, none, .quotaExhausted),
            (403, none, .forbidden), (404, none, .endpointNotFound), (405, none, .endpointNotFound),
            (404, ErrorFacts(code: "model_not_found"), .modelNotFound),
            (410, ErrorFacts(message: "This model was retired."), .modelNotFound),
            (404, ErrorFacts(type: "not_found_error", message: "x"), .modelNotFound),
            (404, ErrorFacts(message: "model 'x' not found"), .modelNotFound),
            (
                404, ErrorFacts(type: "not_found_error", code: "404", message: "File Not Found"),
                .endpointNotFound
            ),
            (408, none, .serverFailure), (409, none, .serverFailure), (413, none, .badRequest),
            (422, none, .badRequest), (429, none, .rateLimited),
            (429, ErrorFacts(code: "credit_balance_exhausted"), .quotaExhausted),
            (429, ErrorFacts(type: "insufficient_quota"), .quotaExhausted),
            (
                429,
                ErrorFacts(
                    code: "rate_limit_exceeded",
                    message: "Request too large on tokens per min: Limit 30,000, Requested 45210."),
                .aboveLimit
            ),
            (
                429,
                ErrorFacts(message: "Rate limit 4 minutes: Limit 30000, Used 1, Requested 29999."),
                .rateLimited
            ),
            (500, none, .serverFailure), (502, none, .serverFailure), (503, none, .overloaded),
            (529, none, .overloaded), (302, none, .redirected),
            (400, ErrorFacts(code: "context_length_exceeded"), .contextTooLong),
            (400, ErrorFacts(message: "prompt is too long: 1 > 0"), .contextTooLong),
            (400, ErrorFacts(message: "Your credit balance is too low"), .quotaExhausted),
        ]
        for (status, facts, reason) in table {
            XCTAssertEqual(facts.reason(status: status), reason, "\(status) \(facts)")
        }
    }

    func testReasonsOfErrorsWithinAStream() {
        let table: [(ErrorFacts, ProviderError.Reason)] = [
            (ErrorFacts(code: "rate_limit_exceeded"), .rateLimited),
            (ErrorFacts(type: "overloaded_error"), .overloaded),
            (ErrorFacts(code: "503"), .overloaded), (ErrorFacts(code: "500"), .serverFailure),
            (ErrorFacts(code: "invalid_prompt"), .badRequest),
            (ErrorFacts(code: "context_length_exceeded"), .contextTooLong),
            (ErrorFacts(message: "?"), .serverFailure),
        ]
        for (facts, reason) in table { XCTAssertEqual(facts.reason(status: nil), reason) }
    }
}
