import AgentCore

/// The hints of an answer in the words of the shell: `/undo` is `chat undo`
/// where there is no prompt. Pure.
enum ShellForm {
    /// Only what we say aside (dimmed, or as a warning) is changed: a title
    /// may hold a slash of its own.
    static func lines(_ lines: [StyledLine], commands: Set<String>) -> [StyledLine] {
        lines.map { line in
            StyledLine(
                line.spans.map { span in
                    guard span.style == .dim || span.style == .warning else { return span }
                    return StyledLine.Span(text(span.text, commands: commands), span.style)
                })
        }
    }

    static func text(_ text: String, commands: Set<String>) -> String {
        var result = ""
        var rest = text[...]
        while let slash = rest.firstIndex(of: "/") {
            let word = rest[rest.index(after: slash)...].prefix { $0.isLetter }
            let isFree = slash == text.startIndex || text[text.index(before: slash)] == " "
            result += rest[..<slash]
            result += isFree && commands.contains(String(word)) ? "chat " : "/"
            rest = rest[rest.index(after: slash)...]
        }
        return result + rest
    }
}
