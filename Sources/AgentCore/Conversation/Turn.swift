/// The user's message and everything that followed until the prompt came back: answers,
/// tool calls and their results.
package struct Turn: Sendable, Equatable {
    package enum Status: String, Sendable, CaseIterable {
        /// The turn is being answered, or was interrupted by a crash.
        case open
        case done
        /// Stopped by the user or by the end of the program.
        case interrupted
        /// Cut by the output limit or the context window.
        case truncated
        case refused
        case failed
    }

    package var status: Status
    /// The first is the user's.
    package var messages: [Message]
    /// Answered by a tool server without a model.
    package var isLocal: Bool
    package var usage: Usage
    /// Whether it contains untrusted text that its parts do not reveal: it replaces other turns (a
    /// summary), was imported, or is a local answer that quotes such text.
    package var carriesUntrustedText: Bool

    package init(
        status: Status, messages: [Message], isLocal: Bool = false, usage: Usage = Usage(),
        carriesUntrustedText: Bool = false
    ) {
        self.status = status
        self.messages = messages
        self.isLocal = isLocal
        self.usage = usage
        self.carriesUntrustedText = carriesUntrustedText
    }
}

extension Turn {
    /// Whether untrusted text is in this turn: a file given with the message, a tool result with
    /// such text, or a web search.
    package var hasUntrustedText: Bool {
        carriesUntrustedText
            || messages.contains { message in
                message.parts.contains { part in
                    switch part {
                    case .attachment: true
                    case .toolResult(let result): result.isUntrusted
                    default: part.isWebSearch
                    }
                }
            }
    }
}
