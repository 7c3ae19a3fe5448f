/// A tool as the model sees it (Model Context Protocol, `tools/list`), with
/// the class that *we* give it.
package struct Tool: Sendable, Equatable {
    /// `[a-z0-9_]{1,64}`, unique over all servers.
    package var name: String
    /// For people.
    package var title: String
    /// For the model.
    package var description: String
    package var inputSchema: JSONSchema
    package var toolClass: ToolClass

    package init(
        name: String, title: String, description: String, inputSchema: JSONSchema,
        toolClass: ToolClass
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.inputSchema = inputSchema
        self.toolClass = toolClass
    }
}

/// What a call may do, which decides whether the user is asked.
package enum ToolClass: String, Sendable, CaseIterable {
    /// Changes nothing.
    case read
    /// Changes one item, undoable.
    case write
    /// Deletes, overwrites without a revision, or touches more than one item.
    case destroy
    /// Sends something beyond the chosen provider.
    case outward
}

/// What a tool gives back (`tools/call`).
package struct ToolOutput: Sendable, Equatable {
    /// For the model; foreign data stays data.
    package var text: String
    /// One line for the user ("✓ buy milk · tomorrow 09:00"); nil shows none.
    package var summary: String?
    package var isError: Bool
    /// Holds text that neither we nor the user of this conversation wrote;
    /// from here on `write` asks too.
    package var isForeign: Bool

    package init(
        text: String, summary: String? = nil, isError: Bool = false, isForeign: Bool = false
    ) {
        self.text = text
        self.summary = summary
        self.isError = isError
        self.isForeign = isForeign
    }
}

/// Why a tool did not do what it was asked.
package enum ToolError: Error, Sendable, Equatable {
    case toolNotFound(name: String)
    case invalidArguments([JSONSchema.Violation])
    /// The arguments are no JSON object.
    case unreadableArguments(reason: String)
    case permissionDenied(tool: String)
    /// Nothing matches what the arguments name.
    case noMatch(query: String)
    /// More than one matches; the candidates as one-line descriptions.
    case ambiguous(query: String, candidates: [String])
    /// The tool ran and failed; a short text for model and user.
    case failed(String)
}
