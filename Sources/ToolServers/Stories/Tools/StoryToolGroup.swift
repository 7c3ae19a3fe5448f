import AgentCore
import Base
import Library
import Persistence

/// A group of story tools with their implementation; `StoryServer` combines the groups.
protocol StoryToolGroup: Sendable {
    var tools: [Tool] { get }

    /// - Parameter name: one of `tools`.
    /// - Throws: any described error.
    func call(_ name: String, _ arguments: JSONObject, emit: Emitter) async throws -> ToolOutput
}

extension StoryToolGroup {
    /// A story by its name, with errors that the model can act on.
    func finding(_ find: () async throws -> LibraryItem) async throws -> LibraryItem {
        do { return try await find() } catch let error as KindLookupError {
            switch error.reason {
            case .notFound(let words): throw ToolError.noMatch(query: words)
            case .ambiguous(let words, let candidates):
                throw ToolError.ambiguous(query: words, candidates: candidates)
            default: throw error
            }
        }
    }

    /// - Throws: as `ToolServer.callTool`.
    func answer(_ name: String, _ arguments: JSONObject, emit: Emitter) async throws -> ToolOutput {
        do {
            return try await call(name, arguments, emit: emit)
        } catch let error as any DescribedError where !(error is ToolError) {
            let diagnostic = error.diagnostic
            throw ToolError.failed(
                [diagnostic.what, diagnostic.todo].compactMap(\.self).joined(separator: " "))
        }
    }
}
