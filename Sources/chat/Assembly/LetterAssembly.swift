import AgentCore
import Base
import ChatKit
import Documents
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
        library: LibraryServer.Dependencies, resumes: ResumeBook, profile: ProfileFile,
        generator: SessionTextGenerator, prompts: PromptBook, prices: PriceTable, paths: Paths,
        variables: [String: String]
    ) -> LetterServer {
        let store = library.store
        let writer = LetterWriter(
            LetterWriter.Dependencies(
                generator: generator, book: LetterBook(library: store),
                instructions: { await prompts.letterInstructions() },
                profile: { PrivacyAssembly.sender(try await profile.read()) },
                unconnected: { try await generator.unconnectedBody(of: $0) },
                cost: { usage, model in
                    prices.cost(of: usage, model: model.model, provider: model.provider).text
                },
                environment: library.environment))
        let size: @Sendable () -> ScreenSize = { ScreenSize.of(isatty(1) == 1 ? 1 : 2) }
        return LetterServer(
            writer: writer, sources: LetterSources(resumes, library: store),
            inputs: LetterCurrentInputs(
                path: paths.letterInputs, uuid: library.environment.uuid),
            screen: LetterScreen(
                showsOutput: isatty(1) == 1, showsErrors: isatty(2) == 1,
                columns: { size().columns }, rows: { size().rows }),
            setName: { try await PrivacyAssembly.setName($0, in: profile) }, library: library,
            variables: variables)
    }
}
