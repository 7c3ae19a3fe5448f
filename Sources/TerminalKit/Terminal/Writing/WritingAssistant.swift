import Base

/// What the writing tools at the prompt need from the program: the available tools, and a way to
/// apply one. The terminal knows nothing of models.
package struct WritingAssistant: Sendable {
    package struct Tool: Sendable, Equatable {
        /// `proofread`.
        package var name: String
        /// "Proofread": what the menu says.
        package var title: String
        /// A lower-case letter of its own; nil gets a digit.
        package var key: Character?

        package init(name: String, title: String, key: Character?) {
            self.name = name
            self.title = title
            self.key = key
        }
    }

    /// Another version of a text, in the order of the text.
    package struct Version: Sendable, Equatable {
        package enum Piece: Sendable, Equatable {
            case same(String)
            /// Either may be empty, not both.
            case change(old: String, new: String)
        }

        package var pieces: [Piece]
        /// Made by the program's own rules, without a model.
        package var isLocal: Bool
        /// To be known before it is accepted: "This is a rewrite: …".
        package var warning: String?
        /// The changes, by their number, that change a fact: made only one by one.
        package var facts: Set<Int>

        package init(
            pieces: [Piece], isLocal: Bool = false, warning: String? = nil, facts: Set<Int> = []
        ) {
            self.pieces = pieces
            self.isLocal = isLocal
            self.warning = warning
            self.facts = facts
        }

        var changeCount: Int { pieces.count { $0.isChange } }
    }

    /// How far a tool is.
    package struct Progress: Sendable, Equatable {
        /// "2 of 5 paragraphs"; empty where there is one.
        package var part: String
        /// The end of what has arrived.
        package var text: String

        package init(part: String = "", text: String = "") {
            self.part = part
            self.text = text
        }
    }

    package typealias Emit = @Sendable (Progress) -> Void

    /// Why nothing is offered for a text, in one sentence; nil where it is.
    package var refusal: @Sendable (String) -> String?
    /// In the order of the menu.
    package var tools: @Sendable () async -> [Tool]
    /// Cancelling its task cancels the request.
    package var apply: @Sendable (Tool, String, @escaping Emit) async throws -> Version
    /// Lets the user change a text in an editor; nil where it stays as it was.
    package var edit: @Sendable (String) async -> String?
    /// What is said of an error that `apply` throws.
    package var describe: @Sendable (any Error) -> [StyledLine]

    package init(
        refusal: @escaping @Sendable (String) -> String?,
        tools: @escaping @Sendable () async -> [Tool],
        apply: @escaping @Sendable (Tool, String, @escaping Emit) async throws -> Version,
        edit: @escaping @Sendable (String) async -> String?,
        describe: @escaping @Sendable (any Error) -> [StyledLine] = {
            [StyledLine(Diagnostic(of: $0).what, .warning)]
        }
    ) {
        self.refusal = refusal
        self.tools = tools
        self.apply = apply
        self.edit = edit
        self.describe = describe
    }

    /// What became of a text.
    package enum Outcome: Sendable, Equatable {
        /// As it was, with what is said about it, if that is not plain.
        case unchanged([StyledLine])
        case replaced(String)
    }
}

extension WritingAssistant.Version.Piece {
    var isChange: Bool { if case .change = self { true } else { false } }
}
