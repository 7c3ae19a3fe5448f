import AgentCore
import Base
import FoundationEssentials
import Persistence

/// The user's ideas: stores the request, generates ideas, and saves them.
///
/// It displays and decides nothing; the commands, the loop and the tool do.
package struct IdeaBook: Sendable {
    package let library: LibraryStore
    package let memory: IdeaMemoryFile
    let generator: any TextGenerator
    let environment: Environment
    let instructions: @Sendable () async -> Instructions

    package init(
        library: LibraryStore, memory: IdeaMemoryFile, generator: any TextGenerator,
        environment: Environment,
        instructions: @escaping @Sendable () async -> Instructions = { Instructions() }
    ) {
        self.library = library
        self.memory = memory
        self.generator = generator
        self.environment = environment
        self.instructions = instructions
    }

    /// The instructions for the model, which the user may have changed.
    package struct Instructions: Sendable, Equatable {
        package var text = IdeaRecipe.instructions
        /// Whether they may be untrusted.
        package var hasUntrustedText = false

        package init(text: String = IdeaRecipe.instructions, hasUntrustedText: Bool = false) {
            self.text = text
            self.hasUntrustedText = hasUntrustedText
        }
    }

    /// A request for an idea.
    package struct Request: Sendable, Equatable {
        package var prompt: String
        package var tone: String?
        /// Whether to send the titles of known ideas with it.
        package var usesMemory = true

        package init(prompt: String, tone: String? = nil, usesMemory: Bool = true) {
            self.prompt = prompt
            self.tone = tone
            self.usesMemory = usesMemory
        }
    }

    // MARK: - What is wanted

    /// Stores the prompt exactly as given.
    package func setPrompt(_ text: String) async throws {
        if text.allSatisfy(\.isWhitespace) { throw IdeaError(.emptyPrompt) }
        guard text.count <= IdeaMemory.promptLimit else {
            throw IdeaError(.promptTooLong(text.count))
        }
        if KeyShape.isFound(in: text) { throw IdeaError(.holdsKey) }
        try await memory.change { $0.prompt = text }
    }

    /// One line of a few words; nil if it is empty.
    package static func tone(_ text: String?) throws(IdeaError) -> String? {
        let tone = (text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if tone.isEmpty || tone == "none" { return nil }
        guard tone.count <= IdeaRecipe.toneLimit else {
            throw IdeaError(.toneTooLong(tone.count))
        }
        if KeyShape.isFound(in: tone) { throw IdeaError(.holdsKey) }
        return tone
    }

    // MARK: - Having one written

    /// - Parameters:
    ///   - seen: titles of ideas that were shown but not decided on.
    ///   - emit: the text as it arrives.
    /// - Throws: `GenerationError`; there is no retry.
    package func generate(
        _ request: Request, seen: [String] = [], emit: (@Sendable (String) async -> Void)?
    ) async throws -> GeneratedText {
        var known: [String] = []
        for title in request.usesMemory
            ? try await seen.reversed() + titles(of: request.prompt) : []
        where !known.contains(title) { known.append(title) }
        let recipe = IdeaRecipe.recipe(
            system: await instructions().text, prompt: request.prompt, tone: request.tone,
            known: known)
        return try await generator.generate(recipe, emit: emit)
    }

    /// Titles of the latest ideas saved or discarded for that prompt, the
    /// newest first.
    private func titles(of prompt: String) async throws -> [String] {
        let saved = try await saved(for: prompt)
            .map { (title: $0.title, time: $0.created.timeIntervalSince1970) }
        let discarded = try await memory.read().discarded.filter { $0.prompt == prompt }
            .map { (title: $0.title, time: Double($0.time)) }
        return (saved + discarded).sorted { $0.time > $1.time }.map(\.title)
    }

    private func saved(for prompt: String) async throws -> [LibraryItem] {
        try await library.items(
            ItemFilter(kinds: [.idea], order: .newest, limit: 10 * IdeaRecipe.titles)
        ).filter { $0.metadata["prompt"]?.stringValue == prompt }
    }

    /// Whether untrusted titles or instructions are sent with that request, which may
    /// influence the result.
    func sendsUntrustedText(_ request: Request) async throws -> Bool {
        if await instructions().hasUntrustedText { return true }
        guard request.usesMemory else { return false }
        return try await saved(for: request.prompt).contains(where: \.hasUntrustedText)
    }

    // MARK: - Keeping it

    /// - Parameter model: the author; nil if the user has changed it.
    package func save(_ idea: Idea, of request: Request, by model: ModelOrigin?) async throws
        -> LibraryItem
    {
        var metadata = JSONObject([.init("prompt", .string(request.prompt))])
        if let tone = request.tone { metadata["tone"] = .string(tone) }
        if idea.isPartial { metadata["partial"] = true }
        let draft = ItemDraft(
            kind: .idea, title: idea.title, body: idea.text, metadata: metadata)
        let origin = RevisionOrigin(
            by: model == nil ? .user : .model, name: model?.model,
            hasUntrustedText: try await sendsUntrustedText(request))
        let saved = try await library.add([draft], by: origin, verb: "saved")
        // One is added: the store returns the items it was given.
        guard let item = saved.first else { throw ToolError.failed("the idea was not kept") }
        return item
    }

    /// Discards an idea, so that it is not generated again.
    package func discard(_ idea: Idea, of request: Request) async throws {
        let now = environment.now()
        try await memory.change { $0.discard(idea.title, of: request.prompt, at: now) }
    }

    package func takeBack(discarded idea: Idea, of request: Request) async throws {
        try await memory.change { $0.restore(idea.title, of: request.prompt) }
    }

    /// Undoes the saving, as `chat undo` would.
    package func takeBack(saved id: ItemID) async throws {
        let steps = try await library.steps(undone: false, limit: 100)
        let step = steps.first { step in
            step.verb == "saved"
                && step.changes.contains { $0.item == id && $0.revisionBefore == 0 }
        }
        if let step {
            _ = try await library.undo(step.id)
        } else {
            _ = try await library.trash([id])
        }
    }

    // MARK: - Finding

    /// Number of newest ideas with which a new one is compared.
    private static let compared = 500

    /// A saved idea that says nearly the same; nil if it is new.
    package func similar(to text: String) async throws -> LibraryItem? {
        let wanted = Similarity.Shingles(text)
        let kept = try await library.items(
            ItemFilter(kinds: [.idea], order: .newest, limit: Self.compared))
        var (nearest, best): (LibraryItem?, Double) = (nil, Similarity.threshold)
        for item in kept {
            try Task.checkCancellation()
            let likeness = wanted.likeness(to: Similarity.Shingles(item.body))
            if likeness >= best { (nearest, best) = (item, likeness) }
        }
        return nearest
    }

    /// The ideas in the order in which they were saved.
    package func all(tag: String? = nil, limit: Int? = nil) async throws -> [LibraryItem] {
        let newest = try await library.items(
            ItemFilter(kinds: [.idea], tag: tag, order: .newest, limit: limit))
        return newest.reversed()
    }
}
