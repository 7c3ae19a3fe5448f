import AgentCore
import Base

/// A tool as an external server defines it, with its complete description, which is what the user
/// sees and what is pinned.
package struct MCPToolDefinition: Sendable, Equatable {
    package let name: String
    /// Everything that the server said, the members of each object in order.
    package let json: JSONObject

    /// Bytes of a definition, which every request to a model would hold.
    package static let limitInBytes = 32 << 10
    /// Of one server.
    package static let countLimit = 200

    /// Nil for a tool that cannot be offered: without a name, too long, one that only runs
    /// as a task (`execution.taskSupport`), or whose input schema is not an object.
    package init?(_ value: JSONValue) {
        guard let name = value["name"]?.stringValue, !name.isEmpty,
            name.unicodeScalars.count <= 128, let object = Self.ordered(value).objectValue,
            value["execution"]?["taskSupport"]?.stringValue != "required",
            (value["inputSchema"] ?? [:]).objectValue != nil
        else { return nil }
        self.name = name
        json = object
        if JSONWriter.bytes(.object(object)).count > Self.limitInBytes { return nil }
    }

    /// SHA-256 of the ordered JSON, in hexadecimal digits.
    package var hash: String { Self.hash(.object(json)) }

    package static func hash(_ value: JSONValue) -> String {
        SHA256.hex(SHA256.digest(JSONWriter.bytes(ordered(value))))
    }

    /// The same however the server orders its members.
    private static func ordered(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { .init($0.name, ordered($0.value)) }
                        .sorted {
                            $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars)
                        }))
        case .array(let values): .array(values.map(ordered))
        default: value
        }
    }

    // MARK: - For models

    /// For people, in the order of the specification; foreign text.
    package var title: String {
        let title =
            json["title"]?.stringValue ?? json["annotations"]?["title"]?.stringValue ?? name
        return ForeignText.line(title, limit: 80)
    }

    /// - Parameters:
    ///   - name: unique over all servers.
    ///   - server: as the user calls it; its words and those of the tool's name call for it.
    ///   - toolClass: ours; the annotations count for nothing.
    package func tool(named name: String, of server: String, _ toolClass: ToolClass) -> Tool {
        let words: [Substring] = "\(server)_\(self.name)".split { !$0.isLetter }
        let telling = words.filter { $0.count > 3 || server.hasPrefix($0) }.map(String.init)
        var tool = Tool(
            name: name, title: title,
            description: ForeignText.cleaned(json["description"]?.stringValue ?? ""),
            inputSchema: .foreign(Self.sent(json["inputSchema"]?.objectValue ?? JSONObject())),
            toolClass: toolClass, cues: telling.joined(separator: " "))
        tool.isForeign = true
        return tool
    }

    private static func cleaned(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(ForeignText.cleaned(text))
        case .array(let values): .array(values.map(cleaned))
        case .object(let object):
            // The names stay: the server knows its parameters by them.
            .object(JSONObject(object.members.map { .init($0.name, cleaned($0.value)) }))
        default: value
        }
    }

    /// What every provider takes: an object at the root, without alternatives there.
    private static func sent(_ schema: JSONObject) -> JSONObject {
        var members = schema.members.filter {
            !["$schema", "type", "anyOf", "oneOf", "allOf", "not", "if", "then", "else"]
                .contains($0.name)
        }.map { JSONObject.Member($0.name, cleaned($0.value)) }
        members.insert(.init("type", "object"), at: 0)
        if schema["properties"]?.objectValue == nil {
            members.removeAll { $0.name == "properties" }
            members.append(.init("properties", [:]))
        }
        return JSONObject(members)
    }

    // MARK: - For people

    /// Every value in it, each with its place, for reading and for comparing. Foreign text.
    package var lines: [(place: String, value: String)] {
        Self.lines(.object(json), at: "").filter { $0.place != "name" }
    }

    private static func lines(
        _ value: JSONValue, at place: String
    ) -> [(place: String, value: String)] {
        let parts: [(String, JSONValue)]
        switch value {
        case .object(let object) where !object.members.isEmpty:
            parts = object.members.map {
                (place.isEmpty ? $0.name : "\(place).\($0.name)", $0.value)
            }
        case .array(let values) where values.contains { $0.objectValue != nil }:
            parts = values.enumerated().map { ("\(place)[\($0)]", $1) }
        case .string(let text): return [(place, text)]
        default: return [(place, JSONWriter.string(value))]
        }
        return parts.flatMap { lines($0.1, at: $0.0) }
    }
}
