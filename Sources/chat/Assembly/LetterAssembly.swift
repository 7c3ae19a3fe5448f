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
    static func server(
        _ shared: SharedServices, library: LibraryServer.Dependencies
    ) -> LetterServer {
        let (store, paths, profile) = (shared.library, shared.paths, shared.profile)
        let resumes = LibraryAssembly.resumes(store, shared.variables, home: paths.home)
        let prices = PriceTable(shared.settings.prices)
        let writer = LetterWriter(
            LetterWriter.Dependencies(
                generator: shared.generator, book: LetterBook(library: store),
                instructions: { [prompts = shared.prompts] in await prompts.letterInstructions() },
                profile: { PrivacyAssembly.sender(try await profile.read()) },
                unconnected: { [generator = shared.generator] in
                    try await generator.unconnectedBody(of: $0)
                },
                cost: { usage, model in
                    prices.cost(of: usage, model: model.model, provider: model.provider).text
                },
                environment: shared.environment))
        let size: @Sendable () -> ScreenSize = { ScreenSize.of(isatty(1) == 1 ? 1 : 2) }
        return LetterServer(
            writer: writer, sources: LetterSources(resumes, library: store),
            inputs: LetterCurrentInputs(
                path: paths.letterInputs, uuid: shared.environment.uuid),
            screen: LetterScreen(
                showsOutput: isatty(1) == 1, showsErrors: isatty(2) == 1,
                columns: { size().columns }, rows: { size().rows }),
            setName: { try await PrivacyAssembly.setName($0, in: profile) }, library: library,
            variables: shared.variables)
    }
}
