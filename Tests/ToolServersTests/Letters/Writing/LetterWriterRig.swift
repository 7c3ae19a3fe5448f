import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Documents
@testable import Letters
@testable import Privacy

/// A real library, a scripted model, and the résumé of Jane Doe.
struct LetterWriterRig {
    /// Says what it is told and keeps what it was asked.
    final class Model: TextGenerator {
        enum Answer: Sendable {
            case text(String)
            case failure(GenerationError.Reason, String = "")
            /// Text comes, and then the user stops it.
            case stopped(String)
        }

        let recipes = Mutex<[TextRecipe]>([])
        private let answers: Mutex<[Answer]>
        let isConnected: Bool

        init(_ answers: [Answer], isConnected: Bool = true) {
            self.answers = Mutex(answers)
            self.isConnected = isConnected
        }

        static let origin = ModelOrigin(provider: .local, format: .chat, model: "m")

        func generate(
            _ recipe: TextRecipe, emit: (@Sendable (String) async -> Void)?
        ) async throws -> GeneratedText {
            guard isConnected else { throw GenerationError(.noModel) }
            recipes.withLock { $0.append(recipe) }
            let body = String(decoding: try await requestBody(of: recipe), as: UTF8.self)
            switch answers.withLock({ $0.removeFirst() }) {
            case .text(let text):
                // In pieces that cut placeholders.
                var rest = text[...]
                while !rest.isEmpty {
                    await emit?(String(rest.prefix(5)))
                    rest = rest.dropFirst(5)
                }
                var made = GeneratedText(
                    text: text, usage: Usage(input: 10, output: 5), model: Self.origin)
                made.sent = [body]
                return made
            case .failure(let reason, let text):
                var error = GenerationError(reason, text: text)
                error.sent = [body]
                throw error
            case .stopped(let text):
                await emit?(text)
                throw CancellationError()
            }
        }

        func requestBody(of recipe: TextRecipe) async throws -> [UInt8] {
            guard isConnected else { throw GenerationError(.noModel) }
            return JSONWriter.bytes([
                "instructions": .string(recipe.system), "input": .string(recipe.input),
            ])
        }

        func destination() async throws -> TextDestination? {
            guard isConnected else { throw GenerationError(.noModel) }
            return TextDestination(provider: .local, host: "model.example.org", model: "m")
        }
    }

    let folder: TemporaryFolder
    let library: LibraryStore
    let model: Model
    let writer: LetterWriter
    let book: LetterBook

    init(
        _ answers: [Model.Answer] = [], isConnected: Bool = true,
        profile: LetterProfile = Self.profile, instructions: String? = nil
    ) throws {
        folder = try TemporaryFolder()
        let clock = ManualClock()
        library = LibraryStore(path: folder.path("chat.db"), environment: clock.environment)
        model = Model(answers, isConnected: isConnected)
        book = LetterBook(library: library)
        writer = LetterWriter(
            LetterWriter.Dependencies(
                generator: model, book: book,
                instructions: { instructions ?? LetterRequest.instructions },
                profile: { profile }, cost: { _, _ in "$0.01" },
                environment: clock.environment))
    }

    func write(
        _ settings: LetterSettings = LetterSettings(length: .short),
        _ options: LetterWriter.Options = LetterWriter.Options(),
        inputs: LetterInputs = Self.inputs, emit: Emitter = .none
    ) async throws -> WrittenLetter {
        try await writer.write(inputs, settings, options, consent: { _ in }, emit: emit)
    }

    static let profile = LetterProfile(
        person: PersonalData([
            .init(.name, "Jane Doe"), .init(.email, "jane@example.org"),
            .init(.phone, "+1 555 0100"), .init(.address, "12 Main St, Springfield, IL 62701"),
        ]),
        sender: LetterLayout.Sender(
            name: "Jane Doe", address: "12 Main St, Springfield, IL 62701",
            phone: "+1 555 0100", email: "jane@example.org"))

    static let resume = """
        Experience
        Site reliability engineer, Initech, 2018 to 2024
        - Jane Doe cut the time to restore a service from 40 to 12 minutes
        - Ran Kubernetes clusters for 30 teams with Terraform
        - Wrote runbooks and trained 15 engineers on call
        Skills
        Kubernetes, Terraform, Python, PostgreSQL
        """

    static let job = """
        Site reliability engineer at Acme. You run Kubernetes with Terraform and improve \
        how we answer incidents. Ask Ann Lee, ann.lee@acme.example.
        """

    static let inputs = LetterInputs(
        resume: LetterInputs.Resume(
            source: LetterDraft.Source(item: ItemID(rawValue: 1), revision: 1),
            body: resume, person: PersonalData(),
            sender: LetterLayout.Sender(name: "Jane Doe"), country: "US"),
        job: LetterInputs.Job(
            source: LetterDraft.Source(item: ItemID(rawValue: 2), revision: 1), advert: advert))

    private static let advert: JobAdvert = {
        var advert = JobAdvert(text: job)
        advert.person = PersonalData([
            .init(.name, "Ann Lee"), .init(.email, "ann.lee@acme.example"),
        ])
        advert.role = "Site reliability engineer"
        advert.company = "Acme"
        advert.recipient = .init(name: "Ann Lee", form: .miss)
        advert.language = "en"
        return advert
    }()

    /// A letter of so many words, which claims nothing.
    static func words(_ count: Int, begin: String = "I would like to work with you") -> String {
        let first = begin.split(separator: " ").count
        return begin + String(repeating: " and more", count: max(0, count - first) / 2) + "."
    }
}
