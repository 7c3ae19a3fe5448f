import AgentCore
import Base
import Persistence

/// The model used for stories, and a cache of its answers.
package struct StoryModel: Sendable {
    /// The kind of request; the raw value is the name of its instructions prompt.
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
    /// The instructions, which the user may have edited.
    let instructions: @Sendable (Topic) async -> String
    /// "$0.04"; nil if no price is known.
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

    /// One request: the recipe, and the key of its answer in the cache.
    struct Question: Sendable {
        var recipe: TextRecipe
        var key: String
    }

    /// - Parameters:
    ///   - item: the item; its answers are deleted with it.
    ///   - model: the model that answers.
    ///   - parts: what the answer depends on besides the model and the instructions.
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
        // An answer lists a few characters, or a label for each of some dozen quotations.
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

    /// Sends the question and caches the answer. The user's timeout applies when the model
    /// stays silent.
    /// - Throws: `GenerationError`, `CancellationError`.
    func ask(_ question: Question) async throws -> GeneratedText {
        let made = try await generator.generate(question.recipe, emit: nil)
        if let json = made.json { await answers.add(json, question.key) }
        return made
    }
}

/// Cache of model answers, by what they were made from: small private JSON files, of which
/// the least recently used are removed first.
package actor AnswerCache: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.answers")

    /// Limit in bytes, enough for some hundred novels.
    private static let usualLimit = 32 << 20
    private static let answerLimit = 1 << 20

    private var folder: CacheFolder

    /// - Parameter folder: created with the first answer.
    package init(folder: String, environment: Environment) {
        self.folder = CacheFolder(
            folder, ending: ".json", limit: Self.usualLimit, uuid: environment.uuid)
    }

    /// Removes the answers about every story but these.
    package func removeAll(butOf stories: Set<String>) { folder.removeAll(butOf: stories) }

    func answer(_ key: String) -> JSONValue? {
        // A damaged answer is requested again.
        folder.read(key, limit: Self.answerLimit).flatMap { try? JSONParser.parse($0) }
    }

    func add(_ answer: JSONValue, _ key: String) {
        let bytes = Array(JSONWriter.string(answer).utf8)
        if bytes.count <= Self.answerLimit { folder.add(bytes, key) }
    }
}
