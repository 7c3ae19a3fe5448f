import AgentCore
import Base

/// A tool as an external server defines it, with its complete description: the user reads
/// it and its hash is pinned.
package struct MCPToolDefinition: Sendable, Equatable {
    package let name: String
    /// The server's whole definition, the members of each object in order.
    package let json: JSONObject

    /// Limit for a definition in bytes, since every request to a model contains it: 8,000 tokens.
    package static let limitInBytes = 32 << 10
    /// Maximum number of tools of one server: the user is shown each before the first call.
    package static let countLimit = 200
    private static let nameLimit = 128

    /// The parameters as sent to models, and the server's own names where those differ.
    package let parameters: JSONObject
    private let renamed: [String: String]

    /// - Throws: if the tool cannot be offered: it has no name, its definition is too long, or its
    ///   parameters are ambiguous.
    package init(_ value: JSONValue) throws(UnusableTool) {
        let name = value["name"]?.stringValue ?? ""
        func unusable(_ why: String) -> UnusableTool {
            UnusableTool(name: UntrustedText.line(name, limit: Self.nameLimit), why: why)
        }
        guard let object = Self.ordered(value).objectValue, !name.isEmpty else {
            throw unusable("it has no name")
        }
        if name.unicodeScalars.count > Self.nameLimit {
            throw unusable("its name is longer than \(Self.nameLimit) characters")
        }
        if JSONWriter.bytes(.object(object)).count > Self.limitInBytes {
            throw unusable("its definition is larger than \(Quantities.bytes(Self.limitInBytes))")
        }
        self.name = name
        json = object
        do {
            (parameters, renamed) = try SchemaRepair.offered(object["inputSchema"] ?? [:])
        } catch {
            throw unusable(error.what)
        }
    }

    /// SHA-256 of the ordered JSON, in hexadecimal digits.
    package var hash: String { Self.hash(.object(json)) }

    package static func hash(_ value: JSONValue) -> String {
        SHA256.hex(SHA256.digest(JSONWriter.bytes(ordered(value))))
    }

    /// The value with its members sorted, so that the order in which a server sends them does not
    /// matter.
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

    /// The title for the user, in the order of the specification; untrusted text.
    package var title: String {
        let title =
            json["title"]?.stringValue ?? json["annotations"]?["title"]?.stringValue ?? name
        return UntrustedText.line(title, limit: 80)
    }

    /// - Parameters:
    ///   - name: unique among all servers.
    ///   - server: the name that the user gave it; its words and those of the tool's name are the
    ///     cues.
    ///   - toolClass: our class; the annotations are ignored.
    package func tool(named name: String, of server: String, _ toolClass: ToolClass) -> Tool {
        let words: [Substring] = "\(server)_\(self.name)".split { !$0.isLetter }
        let telling = words.filter { $0.count > 3 || server.hasPrefix($0) }.map(String.init)
        var tool = Tool(
            name: name, title: title,
            description: UntrustedText.cleaned(json["description"]?.stringValue ?? ""),
            inputSchema: .external(parameters),
            toolClass: toolClass, cues: telling.joined(separator: " "))
        tool.isUntrusted = true
        return tool
    }

    /// A tool of the revision 2025-11-25 that only runs as a task.
    package var needsTask: Bool {
        json["execution"]?["taskSupport"]?.stringValue == "required"
    }

    /// The first difference between the tool's result and its output schema; nil if there
    /// is no difference, or no schema.
    package func outputProblem(in result: JSONObject) -> String? {
        guard let schema = json["outputSchema"], result["isError"]?.boolValue != true,
            let structured = result["structuredContent"], !structured.isNull
        else { return nil }
        return SchemaCheck.problem(in: structured, of: schema)
    }

    /// The arguments of a call as the server knows them.
    package func restored(_ arguments: JSONObject) -> JSONObject {
        if renamed.isEmpty { return arguments }
        return SchemaRepair.restored(.object(arguments), renamed).objectValue ?? arguments
    }

    // MARK: - For people

    /// Every value of the definition with its path, for reading and for comparing. Untrusted text.
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

/// A tool that cannot be offered to a model; the other tools of its server can.
package struct UnusableTool: Error, Sendable, Equatable {
    /// The server's own name for it; untrusted text.
    package var name: String
    /// The reason, in our own text.
    package var why: String

    package init(name: String, why: String) {
        self.name = name
        self.why = why
    }
}
