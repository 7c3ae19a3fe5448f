import XCTest

@testable import AgentCore
@testable import Base
@testable import MCP
@testable import Outside

final class ServerDiagnosticsTests: XCTestCase {
    private var errors: [(String, any Error)] {
        let long = String(repeating: "and so on ", count: 60)
        let reasons: [MCPClientError.Reason] = [
            .unsupportedVersion(["2030-01-01"]), .unsupportedVersion([]),
            .refused(JSONRPCError(-32603, long)), .invalidAnswer("the result is not an object"),
            .silent(.seconds(60)), .ended(status: "exit status 1", complaint: "no module named x"),
            .ended(status: "signal 9", complaint: ""),
            .couldNotStart(SubprocessError(reason: .notFound, program: "uvx")),
            .tooLarge(limit: 4 << 20), .floods, .status(502, "Bad Gateway"), .status(500, nil),
            .wantsSignIn(hadToken: false), .wantsSignIn(hadToken: true),
            .transport(
                TransportError(reason: .connectionRefused, host: "127.0.0.1:9", detail: "")),
            .missingVariable("TOKEN"), .ownKey("OPENAI_API_KEY"),
        ]
        return reasons.map { ("server", MCPClientError("git", $0)) } + [
            ("entry", ServerEntryError(name: "git", what: "its command is empty")),
            ("file", ServerBookError(path: "mcp.json", why: "it is not valid JSON")),
            ("refusal", ServerRefusal(name: "git")),
        ]
    }

    func testEveryErrorOfToolServersSaysWhatHappenedAndWhatToDo() throws {
        try DiagnosticsGolden.check(errors, "diagnostics-servers.txt")
    }
}
