/// A call of a tool as the model requested it.
package struct ToolCall: Sendable, Equatable {
    /// Maximum size of the arguments of an answer in bytes: the largest tool takes a text of some
    /// pages, and each call is stored, answered and sent again. The refusal names the number.
    static let argumentLimit = 1 << 20
    /// Maximum size of a name or id in bytes; no vendor accepts longer ones in a request.
    static let wordLimit = 128

    /// Replaces arguments that were not stored. It is not JSON, so that the call is refused; the
    /// model gets it back without arguments.
    static let notKept = "[not kept: more than a call may hold]"

    /// Pairs the call with its result (`call_id`, `tool_calls[].id`,
    /// `tool_use.id`). Unique within a conversation.
    package var id: String
    package var name: String
    /// The arguments as the JSON text the model wrote; `{}` if it wrote none. Not validated: the
    /// agent does that before anything runs.
    package var arguments: String
    /// The item's own id if the provider has one besides `id` (`fc_…`).
    package var itemID: String?

    package init(id: String, name: String, arguments: String, itemID: String? = nil) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.itemID = itemID
    }
}

/// The answer to one `ToolCall`, as the model gets it.
package struct ToolResult: Sendable, Equatable {
    package var callID: String
    package var name: String
    package var text: String
    package var isError: Bool
    /// Whether it holds text that neither we nor the user wrote (`ToolOutput.isUntrusted`).
    package var isUntrusted: Bool
    /// Pictures shown with it; the text names them.
    package var pictures: [Attachment]

    package init(
        callID: String, name: String, text: String, isError: Bool = false,
        isUntrusted: Bool = false, pictures: [Attachment] = []
    ) {
        self.callID = callID
        self.name = name
        self.text = text
        self.isError = isError
        self.isUntrusted = isUntrusted
        self.pictures = pictures
    }
}
