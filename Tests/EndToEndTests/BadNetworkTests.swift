import Foundation
import TestSupport
import XCTest

/// No way to the server: names, ports, certificates. Exit 4, the message kept,
/// and no byte to a server that has not proved who it is.
final class BadNetworkTests: XCTestCase {
    private func chat(_ url: String) throws -> ChatProgram {
        try ChatProgram(["ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": ProviderServer.key])
    }

    /// Two announced attempts, the cause, and what to do.
    private func assertGivenUp(
        _ chat: ChatProgram, _ cause: String, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let result = try chat.run(["-p", "keep me"])
        XCTAssertEqual(result.exit, 4, result.errorText, file: file, line: line)
        XCTAssertEqual(result.text, "", file: file, line: line)
        XCTAssertEqual(result.errorLines.count, 4, result.errorText, file: file, line: line)
        XCTAssert(result.errorText.contains(cause), result.errorText, file: file, line: line)
        XCTAssertEqual(
            try chat.conversation(), ["user: keep me (failed)"], file: file, line: line)
    }

    func testAClosedPortAndANameThatDoesNotExistAreGivenUpAfterThreeAttempts() throws {
        try assertGivenUp(chat("http://127.0.0.1:1"), "127.0.0.1:1 refused the connection.")
        try assertGivenUp(
            chat("https://no-such-host.invalid"), "The name no-such-host.invalid could not")
    }

    func testAServerWithoutTLSGetsNoByteOfARequest() throws {
        let certificates = try Certificates()
        let server = try TLSServer(certificates.selfSigned("plain"), mode: .plain)
        let chat = try chat("https://127.0.0.1:\(server.port)")
        try chat.run(["-p", "keep me"]).assertFailure(4, "No secure connection", "127.0.0.1")
        XCTAssertEqual(try chat.conversation(), ["user: keep me (failed)"])
        XCTAssertEqual(try server.finish().bytes, 0)
    }

    func testAnAddressThatIsNoneNamesItsVariable() throws {
        for url in ["ftp://x", "nonsense", "http://"] {
            try chat(url).run(["-p", "x"]).assertFailure(2, "ANTHROPIC_BASE_URL")
        }
    }
}
