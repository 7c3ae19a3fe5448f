import Base
import MCP

/// The user's approval of one server: what was shown and accepted. A value; a file stores
/// it.
package struct ServerPin: Sendable, Equatable {
    /// See `ServerEntry.pinned`; nil before the first approval.
    package var launch: JSONValue?
    package var tools: [MCPToolDefinition] = []
    /// Tools that could not be offered when the user looked.
    package var leftOut: [UnusableTool] = []
    /// Whether the tools differed from the approved ones when the server last ran.
    package var toolsDiffer = false
    /// The protocol version found, so that it is not probed each time.
    package var era: MCPClientSession.Era?
    /// The server's own name; untrusted text.
    package var facts = ""

    package init() {}

    package func isApproved(_ launch: JSONValue) -> Bool {
        self.launch.map { MCPToolDefinition.hash($0) == MCPToolDefinition.hash(launch) } ?? false
    }

    /// Differences of the current tools from the approved ones.
    package func differences(from now: [MCPToolDefinition]) -> [ToolDifference] {
        var pinned = Dictionary(tools.map { ($0.name, $0) }) { first, _ in first }
        var found: [ToolDifference] = []
        for definition in now {
            guard let old = pinned.removeValue(forKey: definition.name) else {
                found.append(.added(definition))
                continue
            }
            if old.hash != definition.hash { found.append(.changed(old, definition)) }
        }
        return found + tools.filter { pinned[$0.name] != nil }.map { .removed($0) }
    }

    // MARK: - JSON

    var json: JSONValue {
        .compact([
            "launch": launch, "launchHash": launch.map { .string(MCPToolDefinition.hash($0)) },
            "era": era.map { .string($0.rawValue) }, "server": .string(facts),
            "tools": .array(
                tools.map { ["hash": .string($0.hash), "definition": .object($0.json)] }),
            "toolsDiffer": toolsDiffer ? true : nil,
            "leftOut": leftOut.isEmpty
                ? nil
                : .array(leftOut.map { ["name": .string($0.name), "why": .string($0.why)] }),
        ])
    }

    /// An entry that does not match its hash was never approved.
    init(_ value: JSONValue) {
        if let launch = value["launch"],
            value["launchHash"]?.stringValue == MCPToolDefinition.hash(launch)
        {
            self.launch = launch
        }
        tools = (value["tools"]?.arrayValue ?? []).compactMap { tool in
            // A tool approved before it was known to be unusable is left out.
            guard let definition = tool["definition"].flatMap({ try? MCPToolDefinition($0) }),
                definition.hash == tool["hash"]?.stringValue
            else { return nil }
            return definition
        }
        leftOut = (value["leftOut"]?.arrayValue ?? []).compactMap { tool in
            guard let name = tool["name"]?.stringValue, let why = tool["why"]?.stringValue
            else { return nil }
            return UnusableTool(name: name, why: why)
        }
        toolsDiffer = value["toolsDiffer"]?.boolValue ?? false
        era = value["era"]?.stringValue.flatMap(MCPClientSession.Era.init)
        facts = value["server"]?.stringValue ?? ""
    }
}

package enum ToolDifference: Sendable, Equatable {
    case added(MCPToolDefinition)
    case changed(MCPToolDefinition, MCPToolDefinition)
    case removed(MCPToolDefinition)

    /// A removed tool needs none.
    var needsApproval: Bool {
        if case .removed = self { false } else { true }
    }
}

/// Tool names for models: `server__tool`, at most 64 of `[A-Za-z0-9_-]`, as the vendors
/// require. A server's name has no underscore, so that no name belongs to two servers; our
/// own tools have no double underscore.
enum ToolNames {
    private static let limit = 64

    /// The names by the server's own ones. The result does not depend on their order.
    static func names(of tools: [String], server: String) -> [String: String] {
        let plain = tools.map { name in (name, "\(server)__\(mapped(name))") }
        var owners: [String: [String]] = [:]
        for (own, name) in plain { owners[name, default: []].append(own) }
        return Dictionary(
            plain.map { own, name in
                let isAlone = owners[name]?.count == 1 || name == "\(server)__\(own)"
                if isAlone, name.utf8.count <= limit { return (own, name) }
                let hash = MCPToolDefinition.hash(.string(own)).prefix(8)
                return (own, name.prefix(limit - 9) + "_" + hash)
            }
        ) { first, _ in first }
    }

    private static func mapped(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { scalar in
                    scalar.isASCII
                        && (scalar.properties.isAlphabetic || scalar == "_" || scalar == "-"
                            || ("0"..."9").contains(scalar))
                        ? scalar : "_"
                }))
    }

    /// The name with every non-ASCII letter spelled out: a look-alike becomes visible.
    static func revealed(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            scalar.isASCII
                ? String(scalar)
                : "\(scalar)<U+\(String(scalar.value, radix: 16, uppercase: true))>"
        }.joined()
    }
}
