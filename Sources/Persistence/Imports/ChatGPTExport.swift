import AgentCore
import Base
import FoundationEssentials

/// Reads a conversation of ChatGPT's exported `conversations.json`. Pure.
///
/// A conversation there is a tree: `mapping` from ids to nodes with `parent` and `message`,
/// and `current_node`, the end of the branch that was last seen. That branch is imported;
/// messages of others are counted. Text and code are imported, and images and files only
/// named, since the export does not contain them.
package struct ChatGPTExport {
    package private(set) var leftOut = LeftOut()

    package init() {}

    /// The form in which a message's content is imported.
    private enum Content: Equatable {
        /// Nodes that only structure the tree.
        case nothing
        case said(String)
        case leftOut(LeftOut.Kind)
    }

    package static func looksLike(_ value: JSONValue) -> Bool {
        value["mapping"]?.objectValue != nil
    }

    package mutating func read(_ value: JSONValue) -> ImportedConversation? {
        guard let mapping = value["mapping"]?.objectValue else { return nil }
        // Look-ups in the object are linear: make a dictionary.
        var nodes: [String: JSONValue] = [:]
        for member in mapping.members { nodes[member.name] = member.value }
        let branch = Self.branch(value, nodes)
        let times = branch.compactMap { Self.date($0["message"]?["create_time"]) }
        let created =
            Self.date(value["create_time"]) ?? times.min() ?? Date(timeIntervalSince1970: 0)
        var turns = ImportedTurns(provider: .openai, start: created)
        var model = value["default_model_slug"]?.stringValue ?? ""
        var taken = 0
        for message in branch.compactMap({ $0["message"] }) {
            let content = Self.content(message)
            if content != .nothing { taken += 1 }
            switch content {
            case .nothing: break
            case .leftOut(let kind): leftOut[kind] += 1
            case .said(let text):
                let time = Self.date(message["create_time"])
                if Self.role(message) == "user" {
                    turns.user(text, time: time)
                    continue
                }
                let (plain, marks) = Self.withoutCitations(text)
                leftOut[.citation] += marks
                model = message["metadata"]?["model_slug"]?.stringValue ?? model
                turns.assistant(plain, time: time, model: model)
            }
        }
        // Each node of the branch is in the mapping, and once in the branch.
        let all = nodes.values.filter { Self.content($0["message"]) != .nothing }.count
        leftOut[.otherBranch] += all - taken
        return ImportedConversation(
            id: (value["conversation_id"] ?? value["id"])?.stringValue,
            title: value["title"]?.stringValue ?? "", provider: .openai, model: model,
            created: created, updated: Self.date(value["update_time"]) ?? times.max() ?? created,
            turns: turns.finished())
    }

    private static func role(_ message: JSONValue) -> String? {
        message["author"]?["role"]?.stringValue
    }

    /// The nodes from the root to the current one; without a current node, to the end of the last
    /// branch.
    private static func branch(_ value: JSONValue, _ nodes: [String: JSONValue]) -> [JSONValue] {
        var id = value["current_node"]?.stringValue
        if id.flatMap({ nodes[$0] }) == nil {
            id = nodes.first { $0.value["parent"]?.stringValue == nil }?.key
            while let here = id, let next = nodes[here]?["children"]?.arrayValue?.last?.stringValue,
                nodes[next]?["parent"]?.stringValue == here
            {
                id = next
            }
        }
        var path: [JSONValue] = []
        var seen: Set<String> = []
        while let here = id, let node = nodes[here], seen.insert(here).inserted {
            path.append(node)
            id = node["parent"]?.stringValue
        }
        return path.reversed()
    }

    // MARK: - Messages

    private static func content(_ message: JSONValue?) -> Content {
        guard let message, message.objectValue != nil else { return .nothing }
        let metadata = message["metadata"]
        let files = metadata?["attachments"]?.arrayValue ?? []
        let text = text(message["content"], files)
        if let text, text.allSatisfy(\.isWhitespace) { return .nothing }
        let isHidden = metadata?["is_visually_hidden_from_conversation"]?.boolValue == true
        switch role(message) {
        case _ where isHidden: return .leftOut(.hidden)
        case "system": return .leftOut(.hidden)
        case "tool": return .leftOut(.tool)
        case "user", "assistant": break
        default: return .leftOut(.unknown)
        }
        // Messages to a tool are not for the reader.
        if message["recipient"]?.stringValue ?? "all" != "all" { return .leftOut(.tool) }
        switch message["content"]?["content_type"]?.stringValue {
        case "thoughts", "reasoning_recap": return .leftOut(.thinking)
        default: return text.map(Content.said) ?? .leftOut(.unknown)
        }
    }

    /// The text of a message, with the names of its files; nil for an unknown kind of content.
    private static func text(_ content: JSONValue?, _ files: [JSONValue]) -> String? {
        guard let content, content.objectValue != nil else {
            return names(of: files).joined(separator: "\n")
        }
        switch content["content_type"]?.stringValue {
        case "text", "multimodal_text":
            var files = files
            let parts = (content["parts"]?.arrayValue ?? []).map { part in
                part.stringValue ?? part["text"]?.stringValue ?? pointer(part, &files)
            }
            return (parts + names(of: files)).filter { !$0.isEmpty }.joined(separator: "\n")
        case "code":
            let text = content["text"]?.stringValue ?? ""
            let language = content["language"]?.stringValue ?? ""
            return text.isEmpty
                ? "" : "```\(language == "unknown" ? "" : language)\n\(text)\n```"
        default:
            let isEmpty = content.objectValue?.members.allSatisfy { member in
                member.name == "content_type"
                    || member.value.stringValue?.isEmpty ?? true
                        && member.value.arrayValue?.isEmpty ?? true
            }
            return isEmpty == true ? "" : nil
        }
    }

    /// A placeholder for an image or a recording, with its name in the list of attachments,
    /// from which it is removed.
    private static func pointer(_ part: JSONValue, _ files: inout [JSONValue]) -> String {
        var kind = part["content_type"]?.stringValue ?? "something"
        if kind.hasSuffix("_asset_pointer") { kind.removeLast("_asset_pointer".count) }
        kind = kind.replacing("_", with: " ")
        // "file-service://file-8Yz", "sediment://file_0000"
        let id = part["asset_pointer"]?.stringValue?.split(separator: "/").last.map(String.init)
        guard let id, let index = files.firstIndex(where: { $0["id"]?.stringValue == id }),
            let name = files.remove(at: index)["name"]?.stringValue
        else { return "[\(kind)]" }
        return "[\(kind) \(name)]"
    }

    private static func names(of files: [JSONValue]) -> [String] {
        files.map { file in
            "[file \((file["name"] ?? file["id"])?.stringValue ?? "without a name")]"
        }
    }

    private static func date(_ value: JSONValue?) -> Date? {
        value?.doubleValue.map { Date(timeIntervalSince1970: $0) }
    }

    // MARK: - Citations

    /// The text without the marks that ChatGPT replaces by links when it shows them, in
    /// private characters: `U+E200 cite U+E202 turn0search1 U+E201`. A mark that stands for
    /// text (`entity`, `url`) is replaced by it. U+E203 to U+E206 enclose the text a
    /// citation belongs to.
    private static func withoutCitations(_ text: String) -> (text: String, marks: Int) {
        var out = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        var marks = 0
        while let end = rest.firstIndex(of: "\u{E201}") {
            let next = rest.index(after: end)
            guard let start = rest[..<end].lastIndex(of: "\u{E200}"),
                let words = words(of: rest[rest.index(after: start)..<end])
            else {
                out += rest[..<next]
                rest = rest[next...]
                continue
            }
            marks += 1
            out += rest[..<start]
            rest = rest[next...]
            out += words.unicodeScalars
            let isFree = rest.first.map {
                $0.properties.isWhitespace || ".,;:!?)".unicodeScalars.contains($0)
            }
            while words.isEmpty, isFree ?? true, out.last == " " { out.removeLast() }
        }
        if marks == 0 { return (text, 0) }
        out += rest
        out.removeAll { ("\u{E203}"..."\u{E206}").contains($0) }
        return (String(out), marks)
    }

    /// The readable text of a mark; nil if it is not a mark.
    private static func words(of mark: Substring.UnicodeScalarView) -> String? {
        let fields = mark.split(separator: "\u{E202}", omittingEmptySubsequences: false)
            .map { String($0) }
        guard fields.count > 1, !fields[0].isEmpty,
            fields[0].unicodeScalars.allSatisfy({
                $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_"
            })
        else { return nil }
        switch fields[0] {
        case "url": return fields[1]
        case "entity":
            // `["city","Oslo","capital of Norway"]`; a damaged one has no name.
            return (try? JSONParser.parse(fields[1]))?[1]?.stringValue ?? ""
        default: return ""
        }
    }
}
