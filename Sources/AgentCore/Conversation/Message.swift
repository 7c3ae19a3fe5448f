/// The author of a message. `tool` messages contain only tool results.
package enum Role: String, Sendable {
    case user, assistant, tool
}

/// One message: ordered parts by one author.
package struct Message: Sendable, Equatable {
    package var role: Role
    package var parts: [Part]
    /// The model of an assistant message; nil for messages of the user or a tool.
    package var origin: ModelOrigin?

    package init(role: Role, parts: [Part], origin: ModelOrigin? = nil) {
        self.role = role
        self.parts = parts
        self.origin = origin
    }

    package static func user(_ text: String) -> Message {
        Message(role: .user, parts: [.text(text)])
    }

    /// The texts and refusals of the message, joined; without the context we added for the model.
    /// Text after a web search is a separate paragraph.
    package var text: String {
        var result = ""
        var hasSearched = false
        for part in parts {
            let piece: String
            switch part {
            case .text(let text): piece = text.isContext ? "" : text.text
            case .refusal(let text): piece = text
            default:
                if part.isWebSearch { hasSearched = true }
                continue
            }
            if piece.isEmpty { continue }
            if hasSearched, !result.isEmpty, !piece.hasPrefix("\n") { result += "\n\n" }
            hasSearched = false
            result += piece
        }
        return result
    }

    package var toolCalls: [ToolCall] {
        parts.compactMap { part in
            if case .toolCall(let call) = part { call } else { nil }
        }
    }
}
