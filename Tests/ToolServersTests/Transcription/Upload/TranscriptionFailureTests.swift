import AgentCore
import Base
import Foundation
import XCTest

@testable import Transcription

final class TranscriptionFailureTests: XCTestCase {
    func testReasonsOfRefusals() {
        let table: [(Int, String, TranscriptionError.Reason)] = [
            (
                400, #"{"error":{"message":"Audio file might be corrupted or unsupported"}}"#,
                .unsupportedFormat
            ),
            (
                400,
                #"{"error":{"message":"This model does not support the format you provided."}}"#,
                .unsupportedFormat
            ),
            (
                400,
                #"{"error":{"message":"The audio file could not be decoded or its format is not supported."}}"#,
                .unsupportedFormat
            ),
            (400, #"{"error":{"message":"corrupted","param":"file"}}"#, .unsupportedFormat),
            (
                400,
                #"{"error":{"message":"Unsupported format 'verbose_json'","param":"response_format"}}"#,
                .badRequest
            ),
            (
                400,
                #"{"error":{"message":"audio duration 1500.2 seconds is longer than 1400 seconds which is the maximum for this model","param":null,"code":"invalid_value"}}"#,
                .tooLarge
            ),
            (
                400,
                #"{"error":{"message":"Total number of tokens in instructions + audio is too large for this model"}}"#,
                .tooLarge
            ),
            (
                413,
                #"{"error":{"message":"Maximum content size limit (26214400) exceeded (26306794 bytes read)","type":"server_error"}}"#,
                .tooLarge
            ),
            (
                413, "<html><head><title>413 Request Entity Too Large</title></head></html>",
                .tooLarge
            ),
            (
                400,
                #"{"error":{"message":"Audio file is too short. Minimum audio length is 0.1 seconds."}}"#,
                .badRequest
            ),
            (400, #"{"error":{"message":"no","code":"model_not_found"}}"#, .modelNotFound),
            (
                404,
                #"{"error":{"message":"The model `x` does not exist","code":"model_not_found"}}"#,
                .modelNotFound
            ),
            (404, #"{"detail":"Model 'x' is not installed locally."}"#, .modelNotFound),
            (404, #"{"detail":"Not Found"}"#, .endpointNotFound),
            (404, "model page not found", .endpointNotFound), (404, "", .endpointNotFound),
            (405, #"{"detail":"Method Not Allowed"}"#, .endpointNotFound),
            (402, "", .quotaExhausted), (429, "", .rateLimited),
            (429, #"{"error":{"type":"insufficient_quota"}}"#, .quotaExhausted),
            (408, "", .serverFailure), (409, "", .serverFailure), (500, "<html>", .serverFailure),
            (502, "", .serverFailure), (524, "<html>", .serverFailure),
            (418, "", .badRequest),
            (422, #"{"detail":[{"loc":["body","x"],"msg":"no"}]}"#, .badRequest),
            (301, "", .redirected), (307, "", .redirected), (204, "", .malformed),
        ]
        for (status, body, reason) in table {
            let failure = failure(status, body)
            XCTAssertEqual(failure.error.reason, reason, "\(status) \(body)")
            XCTAssertEqual(failure.error.status, status)
            XCTAssertFalse(failure.error.message?.text.hasPrefix("<") ?? false)
        }
    }

    func testFactsOfEveryShape() {
        let openAI = failure(
            400,
            #"{"error":{"message":" no \n","type":"invalid_request_error","param":"file","code":null}}"#
        )
        XCTAssertEqual(openAI.error.code, "invalid_request_error")
        XCTAssertEqual(openAI.error.message, "no")
        XCTAssertEqual(openAI.parameter, "file")
        let fast = failure(
            422, #"{"detail":[{"loc":["body","stream"],"msg":"Extra inputs"},{"loc":["x"]}]}"#)
        XCTAssertEqual(fast.parameter, "stream")
        XCTAssertEqual(fast.error.message, "stream: Extra inputs")
        let plain = failure(400, "Invalid request")
        XCTAssertEqual(plain.error.message, "Invalid request")
        let long = failure(400, String(repeating: "x", count: 5_000))
        XCTAssertLessThanOrEqual(long.error.message?.text.count ?? 0, 501)
    }

    func testFailuresInAnswersThatSayAllIsWell() {
        let head = HTTPResponseHead(status: 200, headers: [HTTPHeader("x-request-id", "r1")])
        let table: [(JSONValue, TranscriptionError.Reason)] = [
            (["error": "failed to read WAV file"], .unsupportedFormat),
            (["error": "failed to process audio"], .serverFailure),
            (["error": ["message": "slow", "code": "rate_limit_exceeded"]], .rateLimited),
            (["error": ["message": "pay", "type": "insufficient_quota"]], .quotaExhausted),
            (["error": ["message": "no sk-1", "code": 400]], .badRequest),
        ]
        for (json, reason) in table {
            let error = TranscriptionFailure.error(
                of: .server(json), head: head, host: "h", key: "sk-1")
            XCTAssertEqual(error.reason, reason, "\(json)")
            XCTAssertEqual(error.requestID, "r1")
            XCTAssertFalse(error.message?.text.contains("sk-1") ?? false)
        }
        let simple: [(TranscriptDecoder.Failure, TranscriptionError.Reason)] = [
            (.page, .endpointNotFound), (.malformed, .malformed), (.cut, .cut),
        ]
        for (failure, reason) in simple {
            let error = TranscriptionFailure.error(of: failure, head: head, host: "h", key: nil)
            XCTAssertEqual(error.reason, reason)
            XCTAssertEqual(error.status, 200)
        }
    }

    private func failure(_ status: Int, _ body: String) -> TranscriptionFailure {
        TranscriptionFailure(
            head: HTTPResponseHead(status: status, headers: []), body: [UInt8](body.utf8),
            host: "h", key: "sk-1", now: Date(timeIntervalSince1970: 0))
    }
}
