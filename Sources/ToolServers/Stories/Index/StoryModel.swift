import AgentCore
import Base
import Persistence

/// The model that is asked about stories, and what it has answered before.
package struct StoryModel: Sendable {
    /// What a model is asked about; the name of the prompt with its instructions.
    package enum Topic: String, Sendable, CaseIterable {
        case cast = "story-cast"
        case speakers = "story-speakers"
        case voices = "story-voices"

        package var builtIn: String {
            switch self {
            case .cast: CastRecipe.instructions
            case .speakers: SpeakerRecipe.instructions
            case .voices: VoiceRecipe.instructions
            }
        }

        package var summary: String {
            switch self {
            case .cast: "instructions for finding the characters of a story"
            case .speakers: "instructions for finding who speaks in a story"
            case .voices: "instructions for choosing the voices of a story"
            }
        }
    }

    let generator: any TextGenerator
    /// Which the user may have changed.
    let instructions: @Sendable (Topic) async -> String
    /// "$0.04"; nil where no price is known.
    let cost: @Sendable (Usage, TextDestination) -> String?
    private let answers: AnswerCache

    package init(
        generator: any TextGenerator,
        instructions: @escaping @Sendable (Topic) async -> String,
        cost: @escaping @Sendable (Usage, TextDestination) -> String?, answers: AnswerCache
    ) {
        self.generator = generator
        self.instructions = instructions
        self.cost = cost
        self.answers = answers
    }

    /// What is asked once: the recipe, and what tells its answer from others.
    struct Question: Sendable {
        var recipe: TextRecipe
        var key: String
    }

    /// - Parameters:
    ///   - item: with which its answer is deleted.
    ///   - model: which answers.
    ///   - parts: what the answer depends on, besides the model and the instructions.
    static func question(
        _ recipe: TextRecipe, about item: LibraryItem, model: String, _ parts: [String]
    ) -> Question {
        let key = CacheFolder.key(["1", model, recipe.system] + parts)
        return Question(recipe: recipe, key: "\(item.uid).\(key)")
    }

    /// The model that would answer.
    /// - Throws: `GenerationError` without one.
    func name() async throws -> String { try await generator.destination()?.model ?? "the model" }

    /// "gpt-5 · OpenAI · api.openai.com · 12 requests · 310 KB · about 90K tokens · about $0.20".
    func line(for questions: [Question], bytes: Int) async throws -> StyledLine {
        let tokens = questions.reduce(0) { sum, question in
            sum + ContextWindow.tokens(in: question.recipe.system)
                + ContextWindow.tokens(in: question.recipe.input)
        }
        var facts = [
            Quantities.count(questions.count, "request"), Quantities.bytes(bytes),
            "about \(Quantities.short(tokens)) tokens",
        ]
        guard let destination = try await generator.destination() else {
            return StyledLine("  " + facts.joined(separator: " · "), .dim)
        }
        // An answer names a few characters, or one for each of some dozen quotations.
        let usage = Usage(input: tokens, output: questions.count * Self.answerTokens)
        if let cost = cost(usage, destination) { facts.append("about \(cost)") }
        facts.insert(destination.host, at: 0)
        if destination.provider != .local {
            facts.insert(destination.provider.facts.displayName, at: 0)
        }
        return StyledLine([
            .init("  " + destination.model.oneLine),
            .init(" · " + facts.joined(separator: " · "), .dim),
        ])
    }

    private static let answerTokens = 600

    func known(_ question: Question) async -> JSONValue? { await answers.answer(question.key) }

    /// Asks, and keeps the answer. A silence ends at the limit that the user has set.
    /// - Throws: `GenerationError`, `CancellationError`.
    func ask(_ question: Question) async throws -> GeneratedText {
        let made = try await generator.generate(question.recipe, emit: nil)
        if let json = made.json { await answers.add(json, question.key) }
        return made
    }
}

/// Answers of models that can be used again, by what they were made from: small private
/// files of JSON, those that were not used for the longest time removed first.
package actor AnswerCache: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.answers")

    /// Some hundred novels.
    private static let usualLimit = 32 << 20
    private static let answerLimit = 1 << 20

    private var folder: CacheFolder

    /// - Parameter folder: made with the first answer.
    package init(folder: String, environment: Environment) {
        self.folder = CacheFolder(
            folder, ending: ".json", limit: Self.usualLimit, uuid: environment.uuid)
    }

    /// Removes the answers about every story but these.
    package func removeAll(butOf stories: Set<String>) { folder.removeAll(butOf: stories) }

    func answer(_ key: String) -> JSONValue? {
        // One that is damaged is asked for again.
        folder.read(key, limit: Self.answerLimit).flatMap { try? JSONParser.parse($0) }
    }

    func add(_ answer: JSONValue, _ key: String) {
        let bytes = Array(JSONWriter.string(answer).utf8)
        if bytes.count <= Self.answerLimit { folder.add(bytes, key) }
    }
}
