import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import ChatKit

final class FailoverTests: XCTestCase {
    private func offer(
        _ reason: ProviderError.Reason, _ variables: [String: String],
        configuration: String? = nil
    ) async throws -> String? {
        let rig = try ChatRig(variables: variables, configuration: configuration)
        let error = ProviderError(reason: reason, provider: .claude, host: "h")
        return await rig.services.otherWay(after: error, than: .claude)?.text
    }

    func testTheOtherProviderIsOfferedWhereItHelps() async throws {
        let both = ChatRig.claude.merging(ChatRig.openai) { first, _ in first }
        let lost = TransportError(reason: .connectionLost, host: "h", detail: "")
        let line =
            "    To go on with OpenAI: /model openai, then say \"go on\". "
            + "The whole conversation goes to api.openai.com."
        for reason in [
            ProviderError.Reason.overloaded, .rateLimited, .serverFailure, .quotaExhausted,
            .keyRejected, .transport(lost),
        ] {
            let found = try await offer(reason, both)
            XCTAssertEqual(found, line)
        }
        for reason in [ProviderError.Reason.badRequest, .contextTooLong, .modelNotFound] {
            let found = try await offer(reason, both)
            XCTAssertNil(found)
        }
    }

    func testNothingIsOfferedWhereThereIsNoOtherOrNoneIsWanted() async throws {
        let alone = try await offer(.overloaded, ChatRig.claude)
        XCTAssertNil(alone)
        let both = ChatRig.claude.merging(ChatRig.openai) { first, _ in first }
        let unwanted = try await offer(
            .overloaded, both, configuration: #"{"failover": "off"}"#)
        XCTAssertNil(unwanted)
    }
}
