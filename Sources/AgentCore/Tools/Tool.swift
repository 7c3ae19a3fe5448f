import Base

/// A tool as the model sees it (Model Context Protocol, `tools/list`), with
/// the class that *we* give it.
package struct Tool: Sendable, Equatable {
    /// `[a-z0-9_]{1,64}`, unique over all servers.
    package var name: String
    /// Shown to the user.
    package var title: String
    /// Sent to the model.
    package var description: String
    package var inputSchema: JSONSchema
    /// The class of a call unless its `CallEffect`s say otherwise; it decides whether hosts
    /// are offered the tool.
    package var toolClass: ToolClass
    /// Whether a tool of class write creates something new.
    package var isAddition: Bool
    /// Whether its data are sent with later conversations: once untrusted text is in the context
    /// the user is asked each time, whatever was allowed before.
    package var outlastsConversation = false
    /// Words of a message that call for it, as `ToolCues` reads them.
    package var cues: String
    /// Whether its name and description come from an external server.
    package var isUntrusted = false

    /// Whether it only looks something up, or allows that, so that no answer could claim it as an
    /// act. Independent of the class: a page is fetched by an outward call, and a story is paused
    /// by a read call.
    package var onlyLooksUp: Bool

    package init(
        name: String, title: String, description: String, inputSchema: JSONSchema = .object([]),
        toolClass: ToolClass, isAddition: Bool = false, cues: String = "",
        onlyLooksUp: Bool? = nil
    ) {
        self.cues = cues
        self.name = name
        self.title = title
        self.description = description
        self.inputSchema = inputSchema
        self.toolClass = toolClass
        self.isAddition = isAddition
        self.onlyLooksUp = onlyLooksUp ?? (toolClass == .read)
    }
}

/// The class of an effect, which decides whether the user is asked.
package enum ToolClass: String, Sendable, CaseIterable {
    /// Changes nothing.
    case read
    /// Changes one item, undoable.
    case write
    /// Deletes, overwrites without a revision, or touches more than one item.
    case destroy
    /// Sends something beyond the chosen provider.
    case outward

    /// Whether its effect cannot be undone.
    package var deletesOrSends: Bool { self == .destroy || self == .outward }
}

/// The result of a tool (`tools/call`).
package struct ToolOutput: Sendable, Equatable {
    /// The text for the model. Untrusted data in it stays data.
    package var text: String
    /// One line for the user ("✓ buy milk · tomorrow 09:00"); nil shows none.
    package var summary: String?
    package var isError: Bool
    /// Whether it contains untrusted text, which neither we nor the user of this conversation
    /// wrote; after that, `write` asks too.
    package var isUntrusted: Bool
    /// The pictures for the model.
    package var pictures: [Attachment] = []
    /// Tools that the model may call from the next request on.
    package var offers: [String] = []

    package init(
        text: String, summary: String? = nil, isError: Bool = false, isUntrusted: Bool = false
    ) {
        self.text = text
        self.summary = summary
        self.isError = isError
        self.isUntrusted = isUntrusted
    }
}

/// The reason why a tool did not carry out a call.
package enum ToolError: Error, Sendable, Equatable {
    case toolNotFound(name: String)
    case invalidArguments([JSONSchema.Violation])
    /// The arguments are not a JSON object.
    case unreadableArguments(reason: String)
    /// Nothing matches the arguments.
    case noMatch(query: String)
    /// More than one item matches; the candidates as one-line descriptions.
    case ambiguous(query: String, candidates: [String])
    /// The tool ran and failed; a short text for model and user.
    case failed(String)
}

extension ToolError {
    /// The text for the model: short, in the terms of its own call, and with a call that would
    /// work. Only a part of the model's own text is repeated.
    package var modelText: String {
        switch self {
        case .toolNotFound(let name): "There is no tool named \(Self.short(name))."
        case .invalidArguments(let violations):
            "Invalid arguments: "
                + violations.prefix(5).map { "\(Self.short($0.path)) \($0.problem)" }.joined(
                    separator: "; ")
                + "."
        case .unreadableArguments(let reason): "The arguments are not valid JSON: \(reason)."
        case .noMatch(let query): "Nothing matches \"\(Self.short(query))\"."
        case .ambiguous(let query, let candidates):
            "\"\(Self.short(query))\" matches several.\nAsk which one is meant, or use its id:\n"
                + candidates.prefix(20).joined(separator: "\n")
        case .failed(let text): text
        }
    }

    /// Whether the message may quote untrusted text of an item. A server that can tell returns its
    /// own output instead.
    package var mayQuoteOthers: Bool {
        switch self {
        case .ambiguous, .failed: true
        case .toolNotFound, .invalidArguments, .unreadableArguments, .noMatch:
            false
        }
    }

    private static func short(_ text: String) -> String {
        text.utf8.count <= 200 ? text : String(text.unicodeScalars.prefix(100)) + "…"
    }
}

extension ToolOutput {
    package init(_ error: ToolError) {
        self.init(text: error.modelText, isError: true, isUntrusted: error.mayQuoteOthers)
    }
}

extension ToolError: DescribedError {
    package var diagnostic: Diagnostic { sentence.namingCommands }

    private var sentence: Diagnostic {
        switch self {
        case .toolNotFound(let name): return Diagnostic("There is no tool \(name).", exit: .usage)
        case .invalidArguments(let violations):
            let first = violations.first.map { "\($0.path.dropFirst(2)) \($0.problem)" }
            return Diagnostic("That cannot be used: \(first ?? "invalid arguments").", exit: .usage)
        case .unreadableArguments(let reason):
            return Diagnostic("Not readable: \(reason).", exit: .usage)
        case .noMatch(let query): return Diagnostic("Nothing matches \"\(query)\".")
        case .ambiguous(let query, let candidates):
            let shown = candidates.prefix(5).joined(separator: " · ")
            return Diagnostic(
                "\"\(query)\" matches several: \(shown)", todo: "Use more words, or the id.")
        case .failed(let text): return Diagnostic(text)
        }
    }
}
