import AgentCore
import FoundationEssentials
import Persistence

/// Prompts as a capability: `chat prompt …`. What they are and which of a name
/// counts is `PromptBook`'s business; saying one is the program's.
package struct PromptServer: ToolServer {
    package static let noun = "prompt"
    package let name = "prompts"
    package let description = "Texts for a model that are kept under a name."

    let book: PromptBook
    let library: LibraryStore

    package init(book: PromptBook, library: LibraryStore) {
        self.book = book
        self.library = library
    }

    package var commands: [Command] { [PromptCommand(book: book, library: library).command] }

    package func listTools() -> [Tool] { [] }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        throw ToolError.toolNotFound(name: name)
    }

    package func canHandle(message: String) -> IntentMatch { .none }
}

extension PromptServer {
    /// With what Tab completes, and what `doctor` says of lines that mean
    /// nothing.
    package var capability: Capability {
        let words: @Sendable () async -> [CompletionWord] = { [book] in
            // Tab offers none where they cannot be read.
            ((try? await book.all()) ?? []).map { CompletionWord($0.name, $0.line) }
        }
        var capability = Capability(self, completions: [.role: words, .prompt: words])
        capability.check = { [book] in
            // `doctor` has a line of its own for a database that cannot be read.
            ((try? await book.all()) ?? []).flatMap { prompt in
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
