import AgentCore
import Persistence

/// Stored turns as lines: the dimmed reminder of where a conversation stood,
/// and the whole text for `conversations show`. Pure.
enum ConversationView {
    /// Lines of one message that the reminder shows.
    private static let recalledLines = 6
    /// Of one line; a whole essay can be one.
    private static let recalledScalars = 600

    /// The last turns, dimmed, the newest whole enough to go on from.
    static func recall(_ turns: [StoredTurn]) -> [StyledLine] {
        turns.flatMap { stored -> [StyledLine] in
            var lines: [StyledLine] = []
            for message in stored.turn.messages {
                switch message.role {
                case .user:
                    lines += labelled("you", message.text, limit: recalledLines)
                    lines += AttachmentLine.lines(message).map { StyledLine("       \($0)", .dim) }
                case .assistant:
                    lines += labelled("·", message.text, limit: recalledLines)
                    lines += message.toolCalls.map {
                        StyledLine("       ⚙ \($0.name)", .dim)
                    }
                case .tool: break
                }
            }
            if let mark = mark(stored) { lines.append(StyledLine("       \(mark)", .warning)) }
            return lines
        }
    }

    /// Everything that was said, for reading and for pipes.
    static func whole(_ turns: [StoredTurn]) -> [StyledLine] {
        turns.flatMap { stored -> [StyledLine] in
            var lines: [StyledLine] = []
            for message in stored.turn.messages {
                switch message.role {
                case .user:
                    for (index, line) in Self.lines(message.text).enumerated() {
                        lines.append(StyledLine((index == 0 ? "> " : "") + line, .bold))
                    }
                    lines += AttachmentLine.lines(message).map { StyledLine($0, .dim) }
                case .assistant:
                    lines += Self.lines(message.text).map { StyledLine(String($0)) }
                    lines += message.toolCalls.map {
                        StyledLine("⚙ \($0.name)  \(ToolCallLine.arguments($0))", .dim)
                    }
                case .tool: break
                }
            }
            if let mark = mark(stored) { lines.append(StyledLine(mark, .warning)) }
            lines.append(StyledLine(""))
            return lines
        }
    }

    /// What is said of a turn that has no whole answer.
    static func mark(_ stored: StoredTurn) -> String? {
        switch stored.turn.status {
        case .open, .done: nil
        case .interrupted: stored.isPartial ? "(interrupted here)" : "(interrupted)"
        case .truncated: "(cut by the length limit)"
        case .refused: "(declined)"
        case .failed: stored.isPartial ? "(the answer broke off here)" : "(no answer: it failed)"
        }
    }

    private static func labelled(_ label: String, _ text: String, limit: Int) -> [StyledLine] {
        let lines = lines(text).filter { !$0.isEmpty }
        guard !lines.isEmpty else { return [] }
        let padding = String(repeating: " ", count: max(1, 5 - label.count))
        var shown = lines.prefix(limit).enumerated().map { index, line in
            let start = line.unicodeScalars.prefix(recalledScalars)
            let end = start.endIndex < line.endIndex ? "…" : ""
            return StyledLine(
                (index == 0 ? "  \(label)\(padding)" : "       ") + String(start) + end, .dim)
        }
        if lines.count > limit {
            shown.append(StyledLine("       … \(lines.count - limit) more lines", .dim))
        }
        return shown
    }

    /// The lines of a text, without LF or CRLF. Bytes are enough to find them,
    /// and a long conversation has too many letters to look at each.
    private static func lines(_ text: String) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0)
        }
    }
}
