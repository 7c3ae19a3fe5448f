import Base

@testable import MCP

extension FuzzTarget {
    /// A line of a tool server: messages, definitions of tools, results of calls.
    static let messages = FuzzTarget("messages") { bytes in
        if let value = try? JSONParser.parse(bytes) {
            if let tool = try? MCPToolDefinition(value) { _ = tool.hash }
            if let object = value.objectValue { _ = MCPCallResult(object) }
        }
        guard let message = try? JSONRPCMessage(parsing: bytes) else { return }
        let line = message.line
        try demand(line.dropLast().allSatisfy { $0 != 0x0A }, "a line break in a line")
        let again = try? JSONRPCMessage(parsing: Array(line.dropLast()))
        try demand(again == message, "another message when read again")
    }
}
