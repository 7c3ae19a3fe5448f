import AgentCore
import Base

/// Names and versions of the Model Context Protocol.
///
/// There are two eras: revisions up to 2025-11-25 begin with `initialize`; from 2026-07-28
/// every request states its revision in `_meta`, and nothing is remembered between
/// requests.
package enum MCPProtocol {
    package static let modernVersion = "2026-07-28"
    /// Versions that begin with `initialize`, the newest first.
    package static let legacyVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    package static let versions = [modernVersion] + legacyVersions
    /// Extensions, by their identifiers.
    static let tasks = "io.modelcontextprotocol/tasks"
    static let skills = "io.modelcontextprotocol/skills"

    /// The host asks for a version that we do not support.
    static func unsupported(_ version: String) -> JSONRPCError {
        JSONRPCError(
            JSONRPCError.unsupportedVersion, "Unsupported protocol version",
            data: [
                "supported": .array(versions.map { .string($0) }),
                "requested": .string(
                    String(String.UnicodeScalarView(version.unicodeScalars.prefix(100)))),
            ])
    }

    /// A member of `_meta` that the protocol has reserved.
    package enum MetaKey: String {
        case protocolVersion = "io.modelcontextprotocol/protocolVersion"
        case clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
        case clientInfo = "io.modelcontextprotocol/clientInfo"
        case serverInfo = "io.modelcontextprotocol/serverInfo"
        case subscriptionID = "io.modelcontextprotocol/subscriptionId"
        case progressToken
    }
}

/// A program that implements the protocol, as it names itself (`Implementation`).
package struct MCPIdentity: Sendable, Equatable {
    package var name: String
    package var version: String

    package init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    package var json: JSONValue { ["name": .string(name), "version": .string(version)] }
}

extension Tool {
    /// The tool in the format of `tools/list`. The hints follow from our class, which alone
    /// decides what is offered; a host shows them.
    package var mcp: JSONValue {
        let hints: JSONValue =
            switch toolClass {
            case .read: ["readOnlyHint": true, "openWorldHint": false]
            case .write: Self.hints(isDestructive: false, isOutward: false)
            case .destroy: Self.hints(isDestructive: true, isOutward: false)
            case .outward: Self.hints(isDestructive: false, isOutward: true)
            }
        return [
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": inputSchema.json, "annotations": hints,
        ]
    }

    private static func hints(isDestructive: Bool, isOutward: Bool) -> JSONValue {
        [
            "readOnlyHint": false, "destructiveHint": .bool(isDestructive),
            "idempotentHint": false, "openWorldHint": .bool(isOutward),
        ]
    }
}

extension ToolResult {
    /// The result in the format of `tools/call`. Our tools answer in text, so there is no
    /// structured content.
    package var mcp: JSONObject {
        JSONObject([
            .init("content", [["type": "text", "text": .string(text)]]),
            .init("isError", .bool(isError)),
        ])
    }
}
