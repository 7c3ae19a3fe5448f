/// What the user said and everything that followed until the prompt came
/// back: answers, tool calls and their results.
package struct Turn: Sendable, Equatable {
    package enum Status: String, Sendable, CaseIterable {
        /// Being answered, or left so by a crash.
        case open
        case done
        /// Stopped by the user or by the death of the program.
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
    /// There is foreign text in it that its parts do not tell of: it stands for
    /// other turns (a summary), was imported, or is a local answer that quotes
    /// what others wrote.
    package var carriesForeignText: Bool

    package init(
        status: Status, messages: [Message], isLocal: Bool = false, usage: Usage = Usage(),
        carriesForeignText: Bool = false
    ) {
        self.status = status
        self.messages = messages
        self.isLocal = isLocal
        self.usage = usage
        self.carriesForeignText = carriesForeignText
    }
}

extension Turn {
    /// Something that neither we nor the user wrote came into this turn: a
    /// file given with the message, a tool result that holds such text, or a search of
    /// the web.
    package var hasForeignText: Bool {
        carriesForeignText
            || messages.contains { message in
                message.parts.contains { part in
                    switch part {
                    case .attachment: true
                    case .toolResult(let result): result.isForeign
                    default: part.isWebSearch
                    }
                }
            }
    }
}
