import AgentCore
import Synchronization

/// The program's `TextGenerator`: asks the model that answers in the open
/// conversation; in the shell, the one a new conversation would ask.
///
/// Made before the tool servers that get it, and given its sources later.
final class SessionTextGenerator: TextGenerator {
    /// Nil when what it would ask is gone.
    typealias Source =
        @Sendable (TextRecipe, (@Sendable (String) async -> Void)?) async throws -> GeneratedText?

    private struct Sources {
        var open: Source?
        var new: Source?
    }

    private let sources = Mutex(Sources())

    /// The conversation that was opened last.
    func attach(open source: @escaping Source) { sources.withLock { $0.open = source } }

    /// A conversation made for it, where none is open.
    func attach(new source: @escaping Source) { sources.withLock { $0.new = source } }

    func generate(
        _ recipe: TextRecipe, emit: (@Sendable (String) async -> Void)?
    ) async throws -> GeneratedText {
        let sources = sources.withLock { $0 }
        if let made = try await sources.open?(recipe, emit) { return made }
        if let made = try await sources.new?(recipe, emit) { return made }
        throw GenerationError(.noModel, cause: SessionError.noModel(nearest: nil))
    }
}
