import Base

/// The program's part of the writing tools at the prompt: the available tools, and a way to
/// apply one. The terminal knows nothing of models.
package struct WritingAssistant: Sendable {
    package struct Tool: Sendable, Equatable {
        /// `proofread`.
        package var name: String
        /// The title in the menu: "Proofread".
        package var title: String
        /// A unique lower-case letter; nil gets a digit.
        package var key: Character?

        package init(name: String, title: String, key: Character?) {
            self.name = name
            self.title = title
            self.key = key
        }
    }

    /// Another version of a text, as pieces in order.
    package struct Version: Sendable, Equatable {
        package enum Piece: Sendable, Equatable {
            case same(String)
            /// A replacement; one side is empty for an insertion or a deletion, never both.
            case change(old: String, new: String)
        }

        package var pieces: [Piece]
        /// Whether it was made by the program's own rules, without a model.
        package var isLocal: Bool
        /// A warning to show before it is accepted: "This is a rewrite: …".
        package var warning: String?
        /// Numbers of the changes that alter a fact, which are accepted only one by one.
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

    /// The progress of a tool.
    package struct Progress: Sendable, Equatable {
        /// "2 of 5 paragraphs"; empty if there is only one.
        package var part: String
        /// The end of the text received so far.
        package var text: String

        package init(part: String = "", text: String = "") {
            self.part = part
            self.text = text
        }
    }

    package typealias Emit = @Sendable (Progress) -> Void

    /// One sentence why no tool is offered for a text; nil if some are.
    package var refusal: @Sendable (String) -> String?
    /// The tools in the order of the menu.
    package var tools: @Sendable () async -> [Tool]
    /// Cancelling its task cancels the request.
    package var apply: @Sendable (Tool, String, @escaping Emit) async throws -> Version
    /// Lets the user edit a text in an editor; nil if unchanged.
    package var edit: @Sendable (String) async -> String?
    /// Describes an error thrown by `apply`.
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

    /// The outcome for a text.
    package enum Outcome: Sendable, Equatable {
        /// Unchanged, with an explanation if it is not obvious.
        case unchanged([StyledLine])
        case replaced(String)
    }
}

extension WritingAssistant.Version.Piece {
    var isChange: Bool { if case .change = self { true } else { false } }
}
