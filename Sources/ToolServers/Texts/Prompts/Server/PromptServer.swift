import AgentCore
import Base
import FoundationEssentials
import Persistence

/// Prompts as a capability: `chat prompt …`. `PromptBook` finds them and
/// decides which one with a name takes precedence; the program sends them.
package struct PromptServer: ToolServer {
    package static let noun = "prompt"
    package let name = "prompts"
    package let description = "Texts for a model that are kept under a name."

    let book: PromptBook
    let library: LibraryStore
    /// The writer of prompts in files, whose edits can be undone as well.
    let files: RewrittenFiles
    /// Columns of the terminal; nil if the output goes elsewhere and is not cut.
    let width: @Sendable () -> Int?

    package init(
        book: PromptBook, library: LibraryStore, files: RewrittenFiles,
        width: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.book = book
        self.library = library
        self.files = files
        self.width = width
    }

    package var commands: [Command] {
        [PromptCommand(book: book, library: library, files: files, width: width).command]
    }

    package func listTools() -> [Tool] { [] }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        throw ToolError.toolNotFound(name: name)
    }
}

extension PromptServer {
    /// Includes the check of `doctor` for unreadable files and invalid header lines.
    package var capability: Capability {
        var capability = Capability(self)
        capability.check = { [book] in
            let unreadable = await book.unreadable().map { Finding(.settings, .warning, $0) }
            return unreadable
                // `doctor` reports an unreadable database separately.
                + ((try? await book.all()) ?? []).flatMap { prompt in
                    prompt.problems.map {
                        Finding(
                            .settings, .warning, "prompt \(prompt.name): not understood: \($0)",
                            remedy: "chat prompt edit \(prompt.name)")
                    }
                }
        }
        return capability
    }
}
