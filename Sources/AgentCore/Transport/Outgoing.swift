/// The ledger's description of a request in addition to its host and size: its purpose, the kinds
/// of content in it, and the permission for it. Never the content itself.
package struct Outgoing: Sendable, Equatable {
    package struct Purpose: RawRepresentable, Sendable, Hashable {
        /// One or two words; for a text task the name of its recipe: `title`, `summary`.
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let turn = Purpose(rawValue: "turn")
        /// The turn of a routine.
        package static let routine = Purpose(rawValue: "routine")
        package static let keyCheck = Purpose(rawValue: "key check")
        /// Listing a server's models and their limits.
        package static let models = Purpose(rawValue: "models")
        package static let webPage = Purpose(rawValue: "web page")
        package static let toolServer = Purpose(rawValue: "tool server")
        package static let transcription = Purpose(rawValue: "transcription")
        package static let speech = Purpose(rawValue: "speech")

        /// Whether it may be sent even if it cannot be recorded, which is then reported: it
        /// contains nothing of the user's and helps to diagnose a problem.
        package var mayGoUnrecorded: Bool { self == .keyCheck || self == .models }
    }

    package var purpose: Purpose
    /// See `SentContent`.
    package var content: [String]
    package var provider: ProviderName?
    package var model: String?
    /// The id of the conversation it belongs to.
    package var conversation: String?
    /// The reason why the tool call it belongs to was allowed to run, as an
    /// `ApprovalGround`; nil if the user asked for it.
    package var approval: String?
    /// The id of the routine it belongs to.
    package var routine: String?

    /// Takes the conversation, the approval and the routine from the current task.
    package init(
        _ purpose: Purpose, _ content: [String] = [], provider: ProviderName? = nil,
        model: String? = nil, conversation: String? = nil
    ) {
        self.purpose = purpose
        self.content = content
        self.provider = provider
        self.model = model
        self.conversation = conversation ?? ToolCallContext.caller?.conversation
        approval = ToolCallContext.approval
        routine = ToolCallContext.routine
    }
}

/// The kinds of content of a request, as the ledger names them.
package enum SentContent {
    package static let message = "message"
    package static let history = "history"
    package static let notes = "notes"
    package static let untrusted = "untrusted text"
    package static let text = "text"
    package static let recording = "recording"
    package static let address = "address"
    package static let key = "key"

    package static func file(_ name: String) -> String { "file:" + named(name) }
    package static func isFile(_ kind: String) -> Bool { kind.hasPrefix("file:") }
    /// The answer of a tool, with the server that defines its topic:
    /// `calendar:list_events`.
    package static func result(of tool: String, server: String?) -> String {
        "\(server ?? "tool"):" + named(tool)
    }
    package static func arguments(of tool: String) -> String { "arguments:" + named(tool) }

    /// Maximum number of names: more would not help.
    private static let limit = 40

    /// Names come from files and models, so they can be anything.
    private static func named(_ name: String) -> String {
        String(name.unicodeScalars.prefix(80))
    }

    /// The kinds of content of a conversation that is sent to a model.
    ///
    /// - Parameter server: returns the server of a tool.
    package static func kinds(of turns: [Turn], server: (String) -> String?) -> [String] {
        var kinds = [message]
        if turns.count > 1 { kinds.append(history) }
        var known = Set(kinds)
        func add(_ kind: String) {
            if kinds.count < limit, known.insert(kind).inserted { kinds.append(kind) }
        }
        for part in turns.lazy.flatMap(\.messages).flatMap(\.parts) {
            switch part {
            case .text(let text) where text.isNotes: add(notes)
            case .attachment(let file) where !file.isKeptOnly: add(self.file(file.name))
            case .toolResult(let result):
                add(self.result(of: result.name, server: server(result.name)))
            default: break
            }
        }
        if turns.contains(where: \.hasUntrustedText) { add(untrusted) }
        return kinds
    }
}
