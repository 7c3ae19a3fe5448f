import AgentCore
import Synchronization

/// The program's `TextGenerator`: asks the model of the open conversation; in the shell, that of a
/// new conversation.
///
/// Created before the tool servers that get it; its sources are set later.
package final class SessionTextGenerator: TextGenerator {
    /// Makes a generator with the current model; nil if its session is gone.
    package typealias Source = @Sendable () async throws -> (any TextGenerator)?

    private struct Sources {
        var open: Source?
        var new: Source?
        var unconnected: Source?
    }

    private let sources = Mutex(Sources())

    package init() {}

    /// Sets the conversation that was opened last.
    package func attach(open source: @escaping Source) { sources.withLock { $0.open = source } }

    /// Sets the source of a temporary conversation, if none is open.
    package func attach(new source: @escaping Source) { sources.withLock { $0.new = source } }

    /// Sets the source of a generator that cannot be asked, for inspecting a request.
    package func attach(unconnected source: @escaping Source) {
        sources.withLock { $0.unconnected = source }
    }

    /// The request body for a model that is not connected, or nil.
    package func unconnectedBody(of recipe: TextRecipe) async throws -> [UInt8]? {
        try await sources.withLock { $0 }.unconnected?()?.requestBody(of: recipe)
    }

    package func generate(
        _ recipe: TextRecipe, emit: (@Sendable (String) async -> Void)?
    ) async throws -> GeneratedText {
        try await pinned().generate(recipe, emit: emit)
    }

    package func requestBody(of recipe: TextRecipe) async throws -> [UInt8] {
        try await pinned().requestBody(of: recipe)
    }

    package func destination() async throws -> TextDestination? {
        try await pinned().destination()
    }

    package func pinned() async throws -> any TextGenerator {
        let sources = sources.withLock { $0 }
        if let found = try await sources.open?() { return found }
        if let made = try await sources.new?() { return made }
        throw GenerationError(.noModel, cause: SessionError.noModel(nearest: nil))
    }
}
