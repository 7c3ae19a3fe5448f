import AgentCore
import Base
import ChatKit
import Glibc
import Letters
import Library
import TerminalKit
import Texts
import ToolServers

/// Assembles letters for this program: the source of résumés, the model, the cost, and the
/// display.
enum LetterAssembly {
    struct Dependencies {
        var generator: SessionTextGenerator
        var library: LibraryServer.Dependencies
        var prompts: PromptBook
        var paths: Paths
        var settings: Settings
        var variables: [String: String]
        var profile: @Sendable () async throws -> LetterProfile
        var setName: @Sendable (_ name: String) async throws -> Void
    }

    static func server(_ parts: Dependencies) -> LetterServer {
        let store = parts.library.store
        let environment = parts.library.environment
        let resumes = LibraryAssembly.resumes(store, parts.variables, home: parts.paths.home)
        let prices = PriceTable(parts.settings.prices)
        let writer = LetterWriter(
            LetterWriter.Dependencies(
                generator: parts.generator, book: LetterBook(library: store),
                instructions: { [prompts = parts.prompts] in await prompts.letterInstructions() },
                profile: parts.profile,
                unconnected: { [generator = parts.generator] in
                    try await generator.unconnectedBody(of: $0)
                },
                cost: { usage, model in
                    prices.cost(of: usage, model: model.model, provider: model.provider).text
                },
                environment: environment))
        let size: @Sendable () -> ScreenSize = { ScreenSize.of(isatty(1) == 1 ? 1 : 2) }
        return LetterServer(
            writer: writer, sources: LetterSources(resumes, library: store),
            inputs: LetterCurrentInputs(
                path: parts.paths.letterInputs, uuid: environment.uuid),
            screen: LetterScreen(
                showsOutput: isatty(1) == 1, showsErrors: isatty(2) == 1,
                columns: { size().columns }, rows: { size().rows }),
            setName: parts.setName, library: parts.library, variables: parts.variables)
    }
}
