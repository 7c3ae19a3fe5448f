import XCTest

@testable import AgentCore
@testable import Outside

final class WebDiagnosticsTests: XCTestCase {
    private var errors: [(String, any Error)] {
        let reasons: [FetchError.Reason] = [
            .address("not an http or https URL"), .forbidden("loopback"), .notResolved,
            .proxy("https_proxy"), .status(404), .redirect("redirects from https to http"),
            .type("image/png"), .binary, .tooLarge(limit: 5 << 20), .tooSlow(seconds: 20),
            .transport(
                TransportError(reason: .connectionRefused, host: "example.org", detail: "")),
        ]
        return reasons.map { ("fetch", FetchError($0, "https://example.org/page")) } + [
            (
                "fetch of a long address",
                FetchError(.notResolved, "https://e.org/" + String(repeating: "x", count: 1_000))
            )
        ]
    }

    func testEveryErrorOfAFetchSaysWhatHappened() throws {
        try DiagnosticsGolden.check(errors, "diagnostics-web.txt")
    }
}
