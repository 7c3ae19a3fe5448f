import Base
import Foundation
import MCP
import TestSupport
import XCTest

/// A host of `chat mcp serve`: one line out, one line in.
final class MCPHost {
    let program: RunningProgram
    private let isModern: Bool
    private var lastID = 0

    /// - Parameter isModern: of the era of 2026-07-28, which needs no handshake.
    init(_ chat: ChatProgram, _ options: [String] = [], isModern: Bool = false) throws {
        self.isModern = isModern
        program = try chat.start(["mcp", "serve"] + options)
        if isModern { return }
        _ = try request(
            "initialize",
            [
                "protocolVersion": "2025-11-25", "capabilities": [:],
                "clientInfo": ["name": "test host", "version": "1"],
            ])
        say(["jsonrpc": "2.0", "method": "notifications/initialized"])
    }

    func say(_ message: JSONValue) { program.write(JSONWriter.bytes(message) + [0x0A]) }

    /// The whole answer.
    @discardableResult
    func request(_ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
        lastID += 1
        var params = params.objectValue ?? JSONObject()
        if isModern {
            params["_meta"] = [
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": [:],
            ]
        }
        say([
            "jsonrpc": "2.0", "id": JSONValue(lastID), "method": .string(method),
            "params": .object(params),
        ])
        let start = #"{"jsonrpc":"2.0","id":\#(lastID),"#
        let line = try program.waitForLine { $0.hasPrefix(start) }
        return try JSONParser.parse(line)
    }

    /// What a tool says, and whether it is an error.
    func call(_ tool: String, _ arguments: JSONValue = [:]) throws -> (text: String, isError: Bool)
    {
        let answer = try request("tools/call", ["name": .string(tool), "arguments": arguments])
        guard let result = answer["result"] else {
            return (answer["error"]?["message"]?.stringValue ?? "", true)
        }
        return (
            result["content"]?[0]?["text"]?.stringValue ?? "", result["isError"]?.boolValue ?? false
        )
    }

    /// Ends it as a host does. Everything that was written must be a message.
    @discardableResult
    func end(file: StaticString = #filePath, line: UInt = #line) throws -> RunningProgram.Result {
        program.endInput()
        return try finish(file: file, line: line)
    }

    func finish(file: StaticString = #filePath, line: UInt = #line) throws -> RunningProgram.Result
    {
        let result = try program.finish(limit: 20)
        XCTAssertEqual(result.exit, 0, result.errorText, file: file, line: line)
        XCTAssert(result.output.isEmpty || result.output.last == 0x0A, file: file, line: line)
        for text in result.text.split(separator: "\n") {
            let message = try? JSONRPCMessage(parsing: Array(text.utf8))
            XCTAssertNotNil(message, "not a message: \(text)", file: file, line: line)
        }
        return result
    }
}
