import AgentCore
import Base
import ChatKit
import Library
import Persistence
import Synchronization
import TerminalKit
import Texts
import ToolServers

/// Writes one idea or several, one after the other, each as it arrives. Nothing is saved unless the
/// user asks for it, and no request is repeated.
struct IdeaRun: Sendable {
    let book: IdeaBook
    let request: IdeaBook.Request
    let count: Int
    let saves: Bool
    /// The writer of the text; nil if the JSON contains everything.
    let writer: IdeaWriter?

    /// - Parameter describe: describes the error if a later idea fails.
    func run(describe: (any Error) -> Diagnostic) async throws -> CommandOutput {
        var output = CommandOutput()
        var values: [JSONValue] = []
        var seen: [String] = []
        do {
            for number in 1...count {
                if number > 1 { await writer?.write("\n") }
                let (idea, model) = try await write(seen: seen)
                seen.append(idea.title)
                let like = try await book.similar(to: idea.text)
                var item: LibraryItem?
                if saves {
                    item = try await book.save(idea, of: request, by: model)
                    output.remarks +=
                        item.map {
                            [
                                StyledLine([
                                    .init("✓ \($0.id)  ", .success),
                                    .init(HostileText.line($0.title)),
                                ])
                            ]
                        } ?? []
                }
                if let like, like.id != item?.id {
                    output.remarks.append(
                        StyledLine("like \(like.id): \(HostileText.line(like.title))", .warning))
                }
                values.append(json(idea, model, item, like: like))
            }
        } catch {
            // The first failure is thrown; after a later one, the ideas so far are returned.
            if values.isEmpty || writer != nil && output.remarks.isEmpty { throw error }
            let diagnostic = describe(error)
            output.notices = [diagnostic.what] + (diagnostic.todo.map { [$0] } ?? [])
            output.outcome = diagnostic.exit
        }
        output.json = .array(values)
        return output
    }

    private func write(seen: [String]) async throws -> (Idea, ModelOrigin) {
        await writer?.begin()
        do {
            let made = try await book.generate(request, seen: seen) { await writer?.write($0) }
            await writer?.end()
            return (Idea(made.text), made.model)
        } catch {
            await writer?.end()
            throw error
        }
    }

    private func json(
        _ idea: Idea, _ model: ModelOrigin, _ item: LibraryItem?, like: LibraryItem?
    ) -> JSONValue {
        .object(
            JSONObject([
                .init("id", item.map { .string("\($0.id)") } ?? .null),
                .init("title", .string(idea.title)), .init("text", .string(idea.text)),
                .init("prompt", .string(request.prompt)),
                .init("tone", request.tone.map { .string($0) } ?? .null),
                .init("model", .string(model.model)),
                .init("like", like.map { .string("\($0.id)") } ?? .null),
            ]))
    }
}

extension SharedServices {
    var ideas: IdeaBook {
        IdeaBook(
            library: library, memory: IdeaMemoryFile(path: paths.ideas, environment: environment),
            generator: generator, environment: environment,
            instructions: { [prompts] in await prompts.ideaInstructions() })
    }
}

extension Services {
    /// The noun as the library's server shows and exports it; without such a server, it has no
    /// terminal.
    var ideaNoun: ItemNoun {
        let server = registry.servers.lazy.compactMap { $0 as? LibraryServer }.first
        return ItemNoun(
            lookup: KindLookup(.idea, in: library),
            library: server?.dependencies
                ?? .init(store: library, environment: environment))
    }
}
