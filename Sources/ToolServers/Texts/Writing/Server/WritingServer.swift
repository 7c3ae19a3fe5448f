import AgentCore
import Base
import Library
import Persistence
import Privacy

/// The writing tools as a capability: `chat write …`, and a tool for the model.
///
/// `WritingEngine` applies a tool to a text, `WritingTarget` finds the text,
/// and `WritingCommand` prints.
package struct WritingServer: ToolServer {
    package static let noun = "write"

    package let name = Self.noun
    package let description =
        "Proofreads and rewrites texts: files, items, notes, what is piped in."

    package struct Dependencies: Sendable {
        package var library: LibraryStore
        package var files: RewrittenFiles
        package var reminderNotes: @Sendable (_ title: String) async throws -> ItemNotes
        package var eventNotes: @Sendable (_ title: String) async throws -> ItemNotes
        /// Decides what a model may see of an item.
        package var disclosure: ItemDisclosure
        /// Checks a changed item, such as a letter that now claims more than its résumé;
        /// nil if there is nothing to report.
        package var review: @Sendable (LibraryItem) async throws -> StyledLine? = { _ in nil }
        /// Replaces `~`.
        package var home: String
        /// Reads standard input up to its end; nil if that is a terminal.
        package var input: @Sendable () async throws -> [UInt8]?
        /// The model's last answer; nil if there is no conversation.
        package var lastAnswer: @Sendable () async throws -> String?
        /// Whether a difference goes to a terminal, and how it is shown there.
        package var screen: Screen

        package init(
            library: LibraryStore, files: RewrittenFiles, home: String,
            screen: Screen = Screen(),
            reminderNotes: @escaping @Sendable (_ title: String) async throws -> ItemNotes,
            eventNotes: @escaping @Sendable (_ title: String) async throws -> ItemNotes,
            input: @escaping @Sendable () async throws -> [UInt8]?,
            lastAnswer: @escaping @Sendable () async throws -> String?
        ) {
            self.library = library
            disclosure = ItemDisclosure(library: library, person: { PersonalData() })
            self.files = files
            self.reminderNotes = reminderNotes
            self.eventNotes = eventNotes
            self.home = home
            self.screen = screen
            self.input = input
            self.lastAnswer = lastAnswer
        }
    }

    /// The destination of the output.
    package struct Screen: Sendable, Equatable {
        /// Whether standard output is a terminal.
        package var showsOutput = false
        package var hasColours = false
        /// Whether standard error is a terminal.
        package var showsErrors = false

        package init(
            showsOutput: Bool = false, hasColours: Bool = false, showsErrors: Bool = false
        ) {
            self.showsOutput = showsOutput
            self.hasColours = hasColours
            self.showsErrors = showsErrors
        }
    }

    package let engine: WritingEngine
    let dependencies: Dependencies

    package init(engine: WritingEngine, dependencies: Dependencies) {
        self.engine = engine
        self.dependencies = dependencies
    }

    package var commands: [Command] { [WritingCommand(server: self).command] }
}
