import AgentCore

/// The question before tool calls that destroy or send, as lines to show. Pure.
///
/// Every argument is shown whole: what is not on the screen cannot be agreed
/// to. The text is foreign and passes the allow-list as single lines.
enum ApprovalQuestion {
    /// The lines before the question itself.
    static func lines(_ request: ApprovalRequest) -> [StyledLine] {
        var lines: [StyledLine] = []
        for group in grouped(request.items) {
            let times = group.count > 1 ? " × \(group.count)" : ""
            // `grouped` makes no empty group.
            let tool = group[0].tool
            lines.append(
                StyledLine([
                    StyledLine.Span("  ⚙ \(tool.name)\(times)", .accent),
                    StyledLine.Span(" asks to \(verb(tool.toolClass)):", .plain),
                ]))
            for item in group {
                lines.append(StyledLine("      \(details(item))", .bold))
            }
        }
        if !request.deletedBefore.isEmpty {
            lines.append(StyledLine("    Already deleted since your message:"))
            lines += request.deletedBefore.map { StyledLine("      \(details($0))") }
        }
        return lines
    }

    /// The words of the prompt, without a newline.
    static func prompt(_ request: ApprovalRequest) -> String {
        let many = request.items.count > 1
        let trash =
            request.items.contains { $0.tool.toolClass == .destroy }
            ? many ? " (they go to the trash)" : " (it goes to the trash)" : ""
        switch request.confirmation {
        case .yes: return "  y to do it, Enter for no\(trash): "
        case .word(let word): return "  Type \(word) to do it, Enter for no\(trash): "
        }
    }

    private static func grouped(_ items: [ApprovalRequest.Item]) -> [[ApprovalRequest.Item]] {
        var groups: [[ApprovalRequest.Item]] = []
        for item in items {
            if let index = groups.firstIndex(where: { $0.first?.tool.name == item.tool.name }) {
                groups[index].append(item)
            } else {
                groups.append([item])
            }
        }
        return groups
    }

    private static func verb(_ toolClass: ToolClass) -> String {
        switch toolClass {
        case .read: "read"
        case .write: "change"
        case .destroy: "delete"
        case .outward: "send"
        }
    }

    private static func details(_ item: ApprovalRequest.Item) -> String {
        let arguments = ToolCallLine.arguments(item.arguments)
        guard let preview = item.preview else { return arguments }
        return arguments.isEmpty ? preview : "\(preview)   ← \(arguments)"
    }
}

/// Arguments of a call on one line: `title "buy milk" · priority 1`.
enum ToolCallLine {
    static func arguments(_ arguments: JSONObject) -> String {
        arguments.members.map { member in
            "\(member.name) \(JSONWriter.string(member.value))"
        }.joined(separator: " · ")
    }

    /// For a call as the model wrote it, valid or not.
    static func arguments(_ call: ToolCall) -> String {
        guard let value = try? JSONParser.parse(call.arguments), let object = value.objectValue
        else {
            // What cannot be parsed is shown as it came.
            return call.arguments
        }
        return arguments(object)
    }
}
