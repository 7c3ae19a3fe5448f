import Base

/// One piece of a message, in the order the model or the user produced it.
///
/// Values only: identity and time belong to storage. `RequestHistory` and the request
/// builders decide which parts may go back to which provider.
package enum Part: Sendable, Equatable {
    case text(TextPart)
    /// The text of the model's refusal.
    case refusal(String)
    case thinking(Thinking)
    case toolCall(ToolCall)
    case toolResult(ToolResult)
    case attachment(Attachment)
    /// A provider's item that we do not interpret and that must be sent back verbatim to its model
    /// (the message's `origin`).
    case opaque(JSONValue)

    package static func text(_ text: String) -> Part { .text(TextPart(text)) }

    /// Whether it holds the user's notes about themselves.
    package var isNotes: Bool {
        if case .text(let text) = self { text.isNotes } else { false }
    }

    /// See `SystemChange`.
    package var isSystem: Bool {
        if case .text(let text) = self { text.isSystem } else { false }
    }
}

package struct TextPart: Sendable, Equatable {
    package var text: String
    /// `phase` of an OpenAI message item ("commentary", "final_answer");
    /// resent unchanged.
    package var phase: String?

    package init(_ text: String, phase: String? = nil) {
        self.text = text
        self.phase = phase
    }

    /// Text that we add to a user's message for the model (the local time): stored and sent with
    /// it, but not shown and not part of the title.
    package static func context(_ text: String) -> TextPart {
        TextPart(text, phase: contextPhase)
    }

    /// A part with the user's notes about themselves: see `UserNotes`.
    package static func notes(_ text: String) -> TextPart {
        TextPart(text, phase: notesPhase)
    }

    /// Links to the sources cited by an answer, added below it: shown and stored with it, but not
    /// sent.
    package static func sources(_ text: String) -> TextPart {
        TextPart(text, phase: sourcesPhase)
    }

    package var isSources: Bool { phase == Self.sourcesPhase }

    package var isContext: Bool { phase == Self.contextPhase || isNotes || isSystem }
    package var isNotes: Bool { phase == Self.notesPhase }
    /// See `SystemChange`.
    package var isSystem: Bool { phase == Self.systemPhase || phase == Self.firstSystemPhase }

    /// Names no provider uses for the phase of an assistant's message.
    private static let contextPhase = "context"
    private static let notesPhase = "notes"
    private static let sourcesPhase = "sources"
    static let systemPhase = "system"
    static let firstSystemPhase = "first_system"
}

/// The model's reasoning, as far as the provider reveals it.
package struct Thinking: Sendable, Equatable {
    /// Readable summary; may be empty.
    package var text: String
    /// The item exactly as the provider sent it (a signed `thinking` block, a `reasoning` item), to
    /// be sent back verbatim. Without it (unsigned reasoning) nothing is sent back.
    package var item: JSONValue?

    package init(text: String, item: JSONValue? = nil) {
        self.text = text
        self.item = item
    }
}

/// A file given with a message.
package struct Attachment: Sendable, Equatable {
    package var name: String
    /// Such as `text/plain` or `image/png`.
    package var mediaType: String
    package var bytes: [UInt8]
    /// Whether it is stored but not sent, because the message already contains its text (a
    /// transcript).
    package var isKeptOnly: Bool

    package init(name: String, mediaType: String, bytes: [UInt8], isKeptOnly: Bool = false) {
        self.name = name
        self.mediaType = mediaType
        self.bytes = bytes
        self.isKeptOnly = isKeptOnly
    }
}
