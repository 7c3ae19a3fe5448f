import AgentCore

/// A picker as lines, for a terminal that can only print.
enum PickerList {
    static func text(_ heading: String, _ items: [PickerItem], of count: Int) -> String {
        var text = "  \(HostileText.line(heading))\n"
        for (index, item) in items.enumerated() {
            let detail = item.detail.isEmpty ? "" : "  \(HostileText.line(item.detail))"
            text += "  \(index + 1)  \(HostileText.line(item.title))\(detail)\n"
        }
        if items.isEmpty { text += "  Nothing found.\n" }
        if count > items.count { text += "  … \(count - items.count) more\n" }
        return text
    }

    static func prompt(_ count: Int) -> String {
        count == 0
            ? "  Words to search, or Enter to leave: "
            : "  \(count == 1 ? "1" : "1–\(count)"), words to search, or Enter to leave: "
    }
}
