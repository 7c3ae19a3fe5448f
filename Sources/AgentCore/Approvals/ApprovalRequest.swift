import Base

/// One question about one or several calls of the same reply. Calls that send are never combined
/// with others, so that no answer approves a call that the user did not consider.
package struct ApprovalRequest: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package var tool: Tool
        package var arguments: JSONObject
        /// The server's description of what the call would touch; untrusted text.
        package var preview: String?
        package var effects: [CallEffect]

        /// - Parameter effects: nil if they follow from the tool's class.
        package init(
            tool: Tool, arguments: JSONObject, preview: String?, effects: [CallEffect]? = nil
        ) {
            self.tool = tool
            self.arguments = arguments
            self.preview = preview
            self.effects = effects ?? [CallEffect(tool, arguments)]
        }
    }

    /// The input that counts as yes.
    package enum Confirmation: Sendable, Equatable {
        case yes
        case word(String)
    }

    /// Arguments written by the user that are not valid.
    package struct Draft: Sendable, Equatable {
        package var text: String
        /// The reason for the rejection; may be untrusted text.
        package var problem: String

        package init(text: String, problem: String) {
            self.text = text
            self.problem = problem
        }
    }

    /// Maximum number of deletions after one message of the user that may be approved one by one;
    /// from the next one on the question shows all of them.
    package static let separateDeletions = 3

    package var items: [Item]
    /// The items deleted by the model since the user's message; empty if the question need not show
    /// them.
    package let deletedBefore: [Item]
    /// Whether the user may say yes for the whole conversation.
    package var canGrant: Bool
    /// Whether untrusted text is in the conversation.
    package var hasUntrustedText: Bool
    /// Whether a key, or data that identifies the user, would leave the machine.
    package var isPrivate = false
    /// Whether the arguments are now the user's own.
    package var isEdited = false
    package var draft: Draft?

    /// - Parameter deletedBefore: all items deleted since the user's message, in any round.
    package init(
        items: [Item], deletedBefore: [Item] = [], canGrant: Bool = false,
        hasUntrustedText: Bool = false
    ) {
        self.items = items
        self.canGrant = canGrant
        self.hasUntrustedText = hasUntrustedText
        let deletions = Self.deletions(items)
        let isBulk =
            deletions > 0 && deletions + Self.deletions(deletedBefore) > Self.separateDeletions
        self.deletedBefore = isBulk ? deletedBefore : []
    }

    package static func deletions(_ items: [Item]) -> Int {
        items.reduce(0) { $0 + $1.effects.deletions }
    }

    /// The worst effect on each subject of the calls.
    package var kinds: [CallEffect.Kind] { items.flatMap(\.effects.bySubject) }

    /// A word that names the worst effect, if anything leaves the machine or more than one item is
    /// affected, even one by one; otherwise `y`.
    package var confirmation: Confirmation {
        let (kinds, worst) = (kinds, kinds.max() ?? .read)
        let isOne = kinds.count == 1 && deletedBefore.isEmpty && worst != .sending
        return isOne ? .yes : .word(worst.word)
    }

    /// Whether the call can be edited. With several calls, a key cannot say which one.
    package var canEdit: Bool { items.count == 1 }
}

/// The user's answer to a question.
package enum ApprovalAnswer: Sendable, Equatable {
    case yes
    /// Yes, and for the same effects of these tools later in this conversation.
    case always
    /// - Parameter reason: the text typed instead of an answer, for the model.
    case no(reason: String?)
    /// Other arguments, as the user wrote them: JSON that is not checked yet. Nothing runs until
    /// the user has been asked about them.
    case edited(String)
}

/// Asks the user at the terminal. An answer counts only if it was typed after the question was
/// shown; no answer means no.
package struct Approver: Sendable {
    package var ask: @Sendable (ApprovalRequest) async -> ApprovalAnswer

    package init(_ ask: @escaping @Sendable (ApprovalRequest) async -> ApprovalAnswer) {
        self.ask = ask
    }

    /// Refuses everything, for runs without a terminal.
    package static let refusing = Approver { _ in .no(reason: nil) }
}
