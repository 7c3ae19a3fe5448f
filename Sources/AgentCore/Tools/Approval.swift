/// Decides which of the model's tool calls may run at once, which need the
/// user's keystroke, and which are refused. Pure; asking is `Approver`.
///
/// | class   | trusted context | foreign text in the context | no terminal |
/// |---------|-----------------|-----------------------------|-------------|
/// | read    | runs            | runs                        | runs        |
/// | write   | runs            | asks, once per user message | denied*     |
/// | destroy | asks            | asks                        | denied*     |
/// | outward | asks            | asks                        | denied*     |
///
/// `*` unless the tool was named with `--allow`; write runs without a terminal
/// while the context is trusted.
package struct ApprovalPolicy: Sendable {
    /// Tools named with `--allow`.
    package var allowedTools: Set<String>
    /// The user can be asked.
    package var isInteractive: Bool

    package init(allowedTools: Set<String> = [], isInteractive: Bool) {
        self.allowedTools = allowedTools
        self.isInteractive = isInteractive
    }

    package enum Verdict: Sendable, Equatable {
        case run, ask, deny
    }

    /// - Parameters:
    ///   - hasForeignText: text that neither we nor the user wrote is in the
    ///     context.
    ///   - writesApproved: the user has said yes to a write since his last
    ///     message.
    package func verdict(
        on toolName: String, toolClass: ToolClass, hasForeignText: Bool, writesApproved: Bool
    ) -> Verdict {
        switch toolClass {
        case .read: return .run
        case .write where !hasForeignText || writesApproved: return .run
        case .write, .destroy, .outward: break
        }
        if !isInteractive { return allowedTools.contains(toolName) ? .run : .deny }
        return .ask
    }
}

/// One question about one or several calls of the same reply.
package struct ApprovalRequest: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package var tool: Tool
        package var arguments: JSONObject
        /// What the call would touch, in the server's words; foreign text.
        package var preview: String?

        package init(tool: Tool, arguments: JSONObject, preview: String?) {
            self.tool = tool
            self.arguments = arguments
            self.preview = preview
        }
    }

    /// What has to be typed for yes.
    package enum Confirmation: Sendable, Equatable {
        case yes
        case word(String)
    }

    /// Deletions after one message of the user that may be asked for one by
    /// one; from the next on the question shows all of them.
    package static let separateDeletions = 3

    package var items: [Item]
    /// What the model has deleted since the user's message; empty where the
    /// question does not have to show it.
    package let deletedBefore: [Item]

    /// - Parameter deletedBefore: all that was deleted since the user's message,
    ///   in whatever round.
    package init(items: [Item], deletedBefore: [Item] = []) {
        self.items = items
        let deletions = items.count { $0.tool.toolClass == .destroy }
        let isBulk = deletions > 0 && deletions + deletedBefore.count > Self.separateDeletions
        self.deletedBefore = isBulk ? deletedBefore : []
    }

    /// A whole word for anything that leaves the machine or deletes more than
    /// one item, be it one by one; a `y` for the rest.
    package var confirmation: Confirmation {
        if items.contains(where: { $0.tool.toolClass == .outward }) { return .word("send") }
        let deletions = items.count { $0.tool.toolClass == .destroy } + deletedBefore.count
        return deletions > 1 ? .word("delete") : .yes
    }
}

/// Asks the user at the terminal. The answer counts only if it was typed
/// after the question was shown; no answer is a no.
package struct Approver: Sendable {
    package var approves: @Sendable (ApprovalRequest) async -> Bool

    package init(_ approves: @escaping @Sendable (ApprovalRequest) async -> Bool) {
        self.approves = approves
    }

    /// For runs without a terminal.
    package static let nobody = Approver { _ in false }
}
