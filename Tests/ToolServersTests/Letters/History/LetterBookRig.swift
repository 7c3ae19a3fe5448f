import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Documents
@testable import Letters
@testable import Library
@testable import Privacy

/// Letters over a real library in a temporary folder, with a résumé, an advert and a
/// model that writes what the test says.
final class LetterBookRig: Sendable {
    let library: LibraryRig
    let book: LetterBook
    let inputs: LetterCurrentInputs
    let resume: LibraryItem
    let job: LibraryItem
    private let writer = Writer()

    init() async throws {
        library = try LibraryRig()
        book = LetterBook(library: library.store)
        inputs = LetterCurrentInputs(path: library.folder.path("state/letter.json")) { "id" }
        resume = try await library.add(.resume, "My résumé", "Ann Example\n\nCook, 2018 – 2023")
        job = try await library.add(.job, "Chef at Blue Door", "Blue Door seeks a chef.")
    }

    var draft: LetterDraft {
        LetterDraft(
            title: "Chef · Blue Door",
            body: """
                Ann Example
                12 High Street
                Leeds

                Dear Hiring Team,

                I cooked for five years. I ran ten kitchens at Ritz Paris.

                Yours sincerely,

                Ann Example
                """,
            resume: .init(item: resume.id, revision: 1), job: .init(item: job.id, revision: 1),
            settings: LetterSettings(
                tone: .warm, length: .short, language: "en-GB", emphasis: "calm kitchens"),
            language: "en-GB",
            model: ModelOrigin(provider: .openai, format: .none, model: "gpt-test"),
            host: "api.test", requests: [#"{"input":"[NAME]"}"#],
            answer: "I cooked for five years. I ran ten kitchens at Ritz Paris.",
            cost: "$0.002", flagged: ["I ran ten kitchens at Ritz Paris."])
    }

    @discardableResult
    func add() async throws -> LibraryItem { try await book.save(draft) }

    // MARK: - Commands

    func history(
        width: Int? = nil, isTerminal: Bool = false, variables: [String: String] = [:]
    ) -> LetterHistoryCommand {
        var advert = JobAdvert(text: job.body)
        (advert.role, advert.company) = ("Chef", "Blue Door")
        let kept: @Sendable (LetterDraft.Source, LetterDraft.Source) -> LetterInputs = {
            [advert] one, two in
            LetterInputs(
                resume: .init(
                    source: one, body: "Cook, 2018 – 2023",
                    person: PersonalData([.init(.name, "Ann Example")]),
                    sender: LetterLayout.Sender(name: "Ann Example")),
                job: .init(source: two, advert: advert))
        }
        let inputs = kept(
            .init(item: resume.id, revision: 1), .init(item: job.id, revision: 1))
        let new = LetterNewCommand(
            writer: LetterWriter(
                LetterWriter.Dependencies(
                    generator: writer, book: book, profile: { LetterProfile() },
                    environment: library.clock.environment)),
            sources: LetterSources(
                resume: { _ in inputs.resume }, job: { _ in inputs.job },
                resumeText: { _ in inputs.resume }, jobText: { _ in inputs.job },
                kept: { kept($0, $1) }),
            inputs: self.inputs, screen: LetterScreen(), setName: { _ in })
        return LetterHistoryCommand(
            new: new, library: library.server(width: width, isTerminal: isTerminal).dependencies,
            variables: variables)
    }

    func command(
        width: Int? = nil, isTerminal: Bool = false, variables: [String: String] = [:]
    ) -> Command {
        Command(
            name: "letter", summary: "",
            verbs: history(width: width, isTerminal: isTerminal, variables: variables).verbs)
    }

    func run(
        _ words: String..., width: Int? = nil, isTerminal: Bool = false,
        variables: [String: String] = [:]
    ) async throws -> CommandOutput {
        try await command(width: width, isTerminal: isTerminal, variables: variables)
            .run(words, library.interaction)
    }

    /// Says what the first letter said, in more words than are asked for.
    private final class Writer: TextGenerator {
        func generate(
            _ recipe: TextRecipe, emit: (@Sendable (String) async -> Void)?
        ) async throws -> GeneratedText {
            let text = Array(repeating: "I cooked for five years, and I like calm work.", count: 14)
                .joined(separator: " ")
            await emit?(text)
            return GeneratedText(
                text: text, usage: Usage(),
                model: ModelOrigin(provider: .openai, format: .none, model: "gpt-test"),
                sent: [recipe.input])
        }

        func requestBody(of recipe: TextRecipe) async throws -> [UInt8] {
            Array(recipe.input.utf8)
        }
    }
}
