import Foundation
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

final class KeyVerdictTests: XCTestCase {
    private func verdict(_ reply: StubTransport.Reply) async throws -> KeyVerdict {
        let transport = StubTransport([reply])
        let environment = Environment(
            now: { Date(timeIntervalSince1970: 0) }, uptime: { 0 }, sleep: { _ in }, uuid: { "" },
            random: { 0 }, variables: [:])
        let endpoint = ProviderEndpoint(
            name: .openai, format: .responses, base: try BaseURL("https://api.openai.com/v1"))
        let verdict = try await KeyCheck(transport: transport, environment: environment)
            .verdict(on: "sk-x", at: endpoint)
        XCTAssertEqual(transport.requests.map(\.url), ["https://api.openai.com/v1/models"])
        XCTAssertEqual(transport.requests.map(\.limits.total), [.seconds(10)])
        return verdict
    }

    private func error(_ message: String, code: String = "c") -> String {
        #"{"error":{"message":"\#(message)","type":"t","param":null,"code":"\#(code)"}}"#
    }

    private func error(_ reason: ProviderError.Reason, _ status: Int?) -> ProviderError {
        ProviderError(reason: reason, provider: .openai, host: "api.openai.com", status: status)
    }

    func testEveryAnswerHasItsVerdict() async throws {
        let timeout = TransportError(reason: .totalTimeout, host: "h", detail: "")
        let page = StubTransport.Reply(
            headers: [HTTPHeader("Content-Type", "text/html")], chunks: [Array("<html>".utf8)])
        let table: [(StubTransport.Reply, KeyVerdict)] = [
            (
                .json(#"{"object":"list","data":[{"id":"m"}]}"#),
                .valid(models: [ModelInfo(id: "m")])
            ),
            (.json(#"{"object":"list","data":[]}"#), .valid(models: [])),
            (.json(#"{"ok":true}"#), .wrongBaseURL), (page, .wrongBaseURL),
            (.json(error("bad", code: "invalid_api_key"), status: 401), .rejected(reason: "bad")),
            (.json("", status: 401), .rejected(reason: nil)),
            (.json(error("region"), status: 403), .restricted(reason: "region")),
            (
                .json(error("Missing scopes: api.model.read"), status: 403), .validCannotList
            ),
            (.json(error("pay"), status: 402), .noMoney(reason: "pay")),
            (
                .json(error("empty", code: "insufficient_quota"), status: 429),
                .noMoney(reason: "empty")
            ),
            (.json(error("slow", code: "rate_limit_exceeded"), status: 429), .rateLimited),
            (.json("nothing here", status: 404), .wrongBaseURL),
            (.json("", status: 302), .wrongBaseURL),
            (.json("", status: 500), .couldNotCheck(error(.serverFailure, 500))),
            (.json("", status: 529), .couldNotCheck(error(.overloaded, 529))),
            (
                StubTransport.Reply(error: timeout),
                .couldNotCheck(error(.transport(timeout), nil))
            ),
        ]
        for (reply, expected) in table {
            let found = try await verdict(reply)
            XCTAssertEqual(found, expected)
        }
    }

    func testKeysAreCleaned() throws {
        for text in [
            "sk-a_B-1", " sk-a_B-1\n", "\"sk-a_B-1\"", "Bearer sk-a_B-1", "bearer  'sk-a_B-1'",
        ] {
            XCTAssertEqual(try KeyText.clean(text), "sk-a_B-1", text)
        }
        let refused: [(String, KeyText.Problem)] = [
            ("", .empty), (" \"\" ", .empty), ("sk-a\nb", .controlCharacter),
            ("sk-a b", .controlCharacter), ("sk-a\u{0}b", .controlCharacter), ("sk-é", .notASCII),
            ("sk-a\r\nX-Evil: 1", .controlCharacter), ("Bearer ", .empty),
            (String(repeating: "a", count: 5000), .tooLong),
        ]
        for (text, problem) in refused {
            XCTAssertThrowsError(try KeyText.clean(text)) {
                XCTAssertEqual($0 as? KeyText.Problem, problem, text)
            }
        }
    }
}
