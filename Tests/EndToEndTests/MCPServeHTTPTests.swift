import Foundation
import TestSupport
import XCTest

/// `chat mcp serve --http`, the real program.
final class MCPServeHTTPTests: XCTestCase {
    private static let list =
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#

    private func start(
        _ chat: ChatProgram, _ options: [String] = []
    ) throws -> (program: RunningProgram, port: UInt16) {
        let program = try chat.start(["mcp", "serve", "--http", "0"] + options)
        let line = try program.waitForLine { $0.hasPrefix("http://") }
        let port = try XCTUnwrap(URL(string: line)?.port.flatMap { UInt16(exactly: $0) })
        XCTAssertEqual(line, "http://127.0.0.1:\(port)/mcp")
        return (program, port)
    }

    private func token(_ chat: ChatProgram, isNew: Bool = false) throws -> String {
        let result = try chat.run(["mcp", "serve", isNew ? "--new-token" : "--show-token"])
        XCTAssertEqual(result.exit, 0, result.errorText)
        return result.text.trimmingCharacters(in: .newlines)
    }

    private func status(_ port: UInt16, _ token: String) throws -> Int? {
        let client = try RawHTTPClient(port: port)
        client.send(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
                + "Content-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\n"
                + "Mcp-Method: tools/list\r\nContent-Length: \(Self.list.utf8.count)\r\n\r\n"
                + Self.list)
        return client.answer()?.status
    }

    func testItServesWhoHasTheTokenAndEndsWithASignal() throws {
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            let chat = try ChatProgram()
            let (program, port) = try start(chat)
            let token = try token(chat)
            XCTAssertEqual(try status(port, token), 200)
            XCTAssertEqual(try status(port, token + "0"), 401)
            // Open connections do not keep it.
            let idle = try RawHTTPClient(port: port)
            program.signal(signal)
            let result = try program.finish(limit: 20)
            XCTAssertEqual(result.exit, 0, result.errorText)
            XCTAssertEqual(result.text, "http://127.0.0.1:\(port)/mcp\n")
            XCTAssertEqual(result.errorText, "")
            XCTAssert(idle.isEnded())
            XCTAssertThrowsError(try RawHTTPClient(port: port))
            // In no log and in no database.
            for file in ["state/log", "chat.db"] {
                let bytes = try? chat.bytes(file)
                XCTAssertNil(Data(bytes ?? []).range(of: Data(token.utf8)), file)
            }
        }
    }

    func testTheTokenIsTheUsersAloneAndStaysUntilItIsChanged() throws {
        let chat = try ChatProgram()
        let first = try token(chat)
        XCTAssertEqual(first.utf8.count, 64)
        XCTAssertEqual(try token(chat), first)
        let path = chat.file("state/mcp-token")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        XCTAssertEqual(mode as? Int, 0o600)

        let (program, port) = try start(chat)
        let second = try token(chat, isNew: true)
        XCTAssertNotEqual(second, first)
        program.signal(SIGTERM)
        _ = try program.finish(limit: 20)
        let (next, nextPort) = try start(chat)
        XCTAssertNotEqual(nextPort, 0, "\(port)")
        XCTAssertEqual(try status(nextPort, first), 401)
        XCTAssertEqual(try status(nextPort, second), 200)
        next.signal(SIGTERM)
        _ = try next.finish(limit: 20)

        // What others could read is none any more, and that is said.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let result = try chat.run(["mcp", "serve", "--show-token"])
        XCTAssertNotEqual(result.text, second + "\n")
        XCTAssert(result.errorText.contains("hosts need the new one"), result.errorText)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: chat.folder.path("elsewhere"))
        try chat.run(["mcp", "serve", "--show-token"]).assertFailure(1, "symbolic link")
    }

    func testAPortInUseAndAPortThatIsNoneAreErrors() throws {
        let chat = try ChatProgram()
        let (program, port) = try start(chat)
        try chat.run(["mcp", "serve", "--http", "\(port)"])
            .assertFailure(1, "Port \(port) cannot be used", "--http PORT")
        try chat.run(["mcp", "serve", "--http", "70000"]).assertFailure(2, "0 to 65535")
        try chat.run(["mcp", "serve", "--http", "0", "--allow", "x"]).assertFailure(2, "x")
        program.signal(SIGTERM)
        _ = try program.finish(limit: 20)
    }
}
