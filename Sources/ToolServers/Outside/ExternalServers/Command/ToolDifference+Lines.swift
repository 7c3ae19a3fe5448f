import AgentCore
import Base
import MCP

/// The lines that show a new or changed tool before the approval.
extension ToolDifference {
    var name: String {
        switch self {
        case .added(let tool), .removed(let tool), .changed(_, let tool): tool.name
        }
    }

    var isAddition: Bool { if case .added = self { true } else { false } }

    /// A new tool in two lines, its name and purpose and its arguments; a changed tool with
    /// every word that differs.
    func lines(as shown: String, isWhole: Bool) -> [StyledLine] {
        // A look-alike letter became an underscore in the name for models.
        let own = ToolNames.revealed(name)
        func head(_ mark: String, _ style: StyledLine.Style) -> StyledLine {
            StyledLine([.init("  \(mark) \(shown)", style), .init("  \(own)", .dim)])
        }
        func row(_ mark: String, _ line: (place: String, value: String), _ style: StyledLine.Style)
            -> [StyledLine]
        {
            let place = Self.short(line.place)
            return line.value.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated().map { index, text in
                    StyledLine([
                        .init("    \(mark)\(index == 0 ? place + "  " : "  ")", .dim),
                        .init(String(text), style),
                    ])
                }
        }
        switch self {
        case .removed: return [head("-", .deleted)]
        case .added(let tool) where isWhole: return [head("+", .accent)] + Self.whole(tool)
        case .added(let tool):
            let purpose = tool.purpose
            let other = shown.hasSuffix("__\(name)") ? "" : "  \(own)"
            let room = max(20, 76 - shown.count - other.count)
            return [
                StyledLine([
                    .init("  + \(shown)", .accent), .init(other, .dim),
                    .init(purpose.isEmpty ? "" : "  " + DisplayWidth.cut(purpose, to: room)),
                ]),
                StyledLine("    " + DisplayWidth.cut(tool.arguments, to: 76), .dim),
            ]
        case .changed(let old, let new):
            let (before, after) = (old.lines, new.lines)
            let gone = before.filter { line in !after.contains { $0 == line } }
            let come = after.filter { line in !before.contains { $0 == line } }
            return [head("~", .warning)] + gone.flatMap { row("- ", $0, .deleted) }
                + come.flatMap { row("+ ", $0, .inserted) }
        }
    }

    /// The complete tool, with a line per parameter.
    private static func whole(_ tool: MCPToolDefinition) -> [StyledLine] {
        var description: [StyledLine] = []
        var names: [String] = []
        var facts: [String: [String]] = [:]
        for line in tool.lines {
            if line.place == "description" {
                description = line.value.split(whereSeparator: \.isNewline)
                    .map { StyledLine("    \($0)") }
                continue
            }
            let place = short(line.place)
            // A keyword of the schema itself is listed with its siblings.
            let isParameter = line.place.hasPrefix("inputSchema.properties.")
            let start = place.firstIndex { $0 == "." || $0 == "[" } ?? place.endIndex
            let name = isParameter || line.place == place ? String(place[..<start]) : "schema"
            let rest = name == "schema" ? place : String(place[start...].drop { $0 == "." })
            if facts[name] == nil { names.append(name) }
            facts[name, default: []].append(rest.isEmpty ? line.value : "\(rest) \(line.value)")
        }
        return description
            + names.map { name in
                StyledLine([
                    .init("    \(name)  ", .dim),
                    .init(facts[name, default: []].joined(separator: " · "), .dim),
                ])
            }
    }

    private static func short(_ place: String) -> String {
        for prefix in ["inputSchema.properties.", "inputSchema."] where place.hasPrefix(prefix) {
            return String(place.dropFirst(prefix.count))
        }
        return place
    }
}

extension MCPToolDefinition {
    /// The first line of its description; untrusted text.
    fileprivate var purpose: String {
        let words = json["description"]?.stringValue ?? json["title"]?.stringValue ?? ""
        let first = words.split(whereSeparator: \.isNewline).first {
            !$0.allSatisfy(\.isWhitespace)
        }
        return UntrustedText.line(String(first ?? ""), limit: 200)
    }

    /// `text string, [limit integer]`, as in usage lines; untrusted text.
    fileprivate var arguments: String {
        let properties = parameters["properties"]?.objectValue?.members ?? []
        let required = (parameters["required"]?.arrayValue ?? []).compactMap(\.stringValue)
        if properties.isEmpty { return "no arguments" }
        return properties.map { property in
            let type = property.value["type"]?.stringValue ?? ""
            let text = UntrustedText.line("\(property.name) \(type)", limit: 60).trimmingSpace()
            return required.contains(property.name) ? text : "[\(text)]"
        }.joined(separator: ", ")
    }
}
