import Base

/// One effect of a call, as computed from the arguments and the present state by the server that
/// owns the tool, before any rule is applied. A tool whose effect never depends on its arguments
/// has a single effect, of its class.
///
/// `ApprovalPolicy` decides what is allowed.
package struct CallEffect: Sendable, Equatable {
    /// Kinds from the mildest to the worst.
    package enum Kind: Int, Sendable, Comparable, CaseIterable {
        case read, addition, change
        /// Changes several things, or one without an earlier version kept here.
        case overwrite
        case deletion, sending

        package static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }

        package var toolClass: ToolClass {
            switch self {
            case .read: .read
            case .addition, .change: .write
            case .overwrite, .deletion: .destroy
            case .sending: .outward
            }
        }

        /// The word to type to approve several of them; also the verb in the question.
        package var word: String {
            switch self {
            case .read: "read"
            case .addition, .change: "change"
            case .overwrite: "overwrite"
            case .deletion: "delete"
            case .sending: "send"
            }
        }

        /// The word for counts: "1 deletion, 20 additions".
        package var noun: String {
            switch self {
            case .read: "read"
            case .addition: "addition"
            case .change: "change"
            case .overwrite: "overwrite"
            case .deletion: "deletion"
            case .sending: "sending"
            }
        }
    }

    package var kind: Kind
    /// The tool whose rules apply to it: `delete_reminder` if a reminder is deleted,
    /// whatever tool was called.
    package var tool: String
    /// The arguments that this tool would have been called with, for rules that name an argument.
    package var arguments: JSONObject
    /// The object it touches. Effects on the same subject count as one.
    package var subject: String
    /// See `Tool.outlastsConversation`.
    package var outlastsConversation: Bool

    package init(
        _ kind: Kind, _ tool: String, _ arguments: JSONObject, subject: String = "",
        outlastsConversation: Bool = false
    ) {
        self.kind = kind
        self.tool = tool
        self.arguments = arguments
        self.subject = subject
        self.outlastsConversation = outlastsConversation
    }

    /// The effect of the tool's class.
    package init(_ tool: Tool, _ arguments: JSONObject) {
        let kind: Kind =
            switch tool.toolClass {
            case .read: .read
            case .write: tool.isAddition ? .addition : .change
            case .destroy: .deletion
            case .outward: .sending
            }
        self.init(
            kind, tool.name, arguments, outlastsConversation: tool.outlastsConversation)
    }
}

extension [CallEffect] {
    package var worst: CallEffect.Kind { map(\.kind).max() ?? .read }

    /// The worst effect on each subject.
    package var bySubject: [CallEffect.Kind] {
        var subjects: [String] = []
        for effect in self where !subjects.contains(effect.subject) {
            subjects.append(effect.subject)
        }
        return subjects.map { subject in filter { $0.subject == subject }.worst }
    }

    /// Number of things that are deleted or overwritten.
    package var deletions: Int { bySubject.count { $0.toolClass == .destroy } }
}
