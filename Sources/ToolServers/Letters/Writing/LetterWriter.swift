import AgentCore
import Base
import Documents
import FoundationEssentials
import Persistence
import Privacy

/// Writes a letter: asks the model once, at most twice, checks the answer, assembles the letter on
/// this machine and keeps it.
///
/// ```
///   inputs ─► LetterRequest (redacted) ─► the final bytes ─► the user's yes
///                                                              │
///      no model ─► LetterTemplate                              ▼
///                        │        LetterAnswer ◄── model ◄── sent, streamed back
///                        │             │  ▲
///                        │    length? ─┘  └── asked once more
///                        │             ▼
///                        │    placeholders restored ─► ClaimCheck
///                        ▼             ▼
///                       LetterLayout ─► LetterBook
/// ```
///
/// Whatever has arrived is saved, however it ends: a cut answer, a refusal, Ctrl-C.
package struct LetterWriter: Sendable {
    package struct Dependencies: Sendable {
        package var generator: any TextGenerator
        package var book: LetterBook
        /// Instructions of the prompt `letter`, which the user may have changed.
        package var instructions: @Sendable () async -> String
        package var profile: @Sendable () async throws -> LetterProfile
        /// The bytes that a hosted model would get if one were connected; nil for none.
        package var unconnected: @Sendable (TextRecipe) async throws -> [UInt8]?
        /// The price, "$0.004"; nil if no price is known.
        package var cost: @Sendable (Usage, ModelOrigin) -> String?
        package var environment: Environment

        package init(
            generator: any TextGenerator, book: LetterBook,
            instructions: @escaping @Sendable () async -> String = { LetterRequest.instructions },
            profile: @escaping @Sendable () async throws -> LetterProfile,
            unconnected: @escaping @Sendable (TextRecipe) async throws -> [UInt8]? = { _ in nil },
            cost: @escaping @Sendable (Usage, ModelOrigin) -> String? = { _, _ in nil },
            environment: Environment
        ) {
            self.generator = generator
            self.book = book
            self.instructions = instructions
            self.profile = profile
            self.unconnected = unconnected
            self.cost = cost
            self.environment = environment
        }
    }

    /// Options besides the settings of the letter.
    package struct Options: Sendable {
        /// Whether no model is called.
        package var isOffline = false
        /// Whether a letter with an unsupported claim is refused.
        package var isStrict = false
    }

    /// Shows the bytes to be sent, and asks the user if consent is needed.
    /// - Throws: `LetterError.notSent` if the user declines.
    package typealias Consent = @Sendable (LetterPreview) async throws -> Void

    let dependencies: Dependencies
    package var book: LetterBook { dependencies.book }

    /// Maximum number of characters of an emphasis.
    static let emphasisLimit = 600
    /// Minimum number of words for a broken-off answer to be kept.
    static let leastWords = 30

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    // MARK: - Request

    package func request(
        _ inputs: LetterInputs, _ settings: LetterSettings
    ) async throws -> LetterRequest {
        let profile = try await dependencies.profile()
        return LetterRequest(
            LetterRequest.Material(
                resume: inputs.resume.body, job: inputs.job.advert.text,
                person: profile.person.merging(inputs.resume.person)
                    .merging(inputs.job.advert.person)),
            settings,
            language: (settings.language ?? inputs.job.advert.language).map(
                LetterForm.languageName),
            instructions: await dependencies.instructions())
    }

    /// The exact bytes that would be sent for a letter, and their destination; if no model
    /// is connected, those for the first hosted model, without a destination.
    /// - Throws: `GenerationError`, also if the leak gate would stop them.
    package func dryRun(
        _ request: LetterRequest
    ) async throws -> (body: [UInt8], destination: TextDestination?) {
        do {
            let model = try await dependencies.generator.pinned()
            return (
                try await model.requestBody(of: request.recipe), try await model.destination()
            )
        } catch let error as GenerationError where error.reason == .noModel {
            guard let body = try await dependencies.unconnected(request.recipe) else { throw error }
            return (body, nil)
        }
    }

    /// The current destination.
    /// - Throws: `GenerationError` if there is no model.
    package func destination() async throws -> TextDestination? {
        try await dependencies.generator.destination()
    }

    // MARK: - Writing

    /// - Parameters:
    ///   - consent: called before anything is sent.
    ///   - emit: receives the letter as it arrives.
    /// - Throws: `GenerationError` if nothing arrived, `LetterError`, `CancellationError`;
    ///   nothing that arrived is lost.
    package func write(
        _ inputs: LetterInputs, _ settings: LetterSettings, _ options: Options = Options(),
        consent: Consent, emit: Emitter = .none
    ) async throws -> WrittenLetter {
        var job = LetterJob(
            inputs, settings, profile: try await dependencies.profile(), today: today)
        if options.isOffline {
            return try await kept(&job, options, template: "No model was asked.")
        }
        let request = try await request(inputs, settings)
        job.map = request.map
        // The model that the user agreed to is the one used.
        let model: any TextGenerator
        let preview: LetterPreview
        do {
            model = try await dependencies.generator.pinned()
            preview = LetterPreview(
                body: try await model.requestBody(of: request.recipe),
                input: request.recipe.input,
                resume: inputs.resume, sentResume: request.resume,
                destination: try await model.destination(), knowsName: job.knowsName)
        } catch let error as GenerationError where error.reason == .noModel {
            return try await kept(&job, options, template: Self.reason(error))
        }
        try await consent(preview)
        job.preview = preview
        do {
            let answer = try await generated(request.recipe, with: model, &job, emit)
            if !answer.isEmpty { try await correct(request, with: model, &job, emit) }
        } catch let error as GenerationError where error.reason == .noModel {
            return try await kept(&job, options, template: Self.reason(error))
        }
        if job.answer.isEmpty {
            return try await kept(&job, options, template: job.failure ?? "The answer was empty.")
        }
        return try await kept(&job, options)
    }

    /// The first answer; an interruption is recorded in the job.
    private func generated(
        _ recipe: TextRecipe, with model: any TextGenerator, _ job: inout LetterJob,
        _ emit: Emitter
    ) async throws -> LetterAnswer {
        let shown = LetterStream(
            title: job.inputs.title, map: job.map, emit: emit,
            model: job.preview?.destination?.model)
        await shown.begin()
        do {
            let made = try await model.generate(recipe) { await shown.add($0) }
            if LetterPhrases.isNoLetter(made.text) { throw LetterError(.noLetter(made.text)) }
            job.take(made)
            return job.answer
        } catch let error as GenerationError {
            try job.take(error, leastWords: Self.leastWords)
            return job.answer
        } catch is CancellationError {
            try job.stopped(with: await shown.text, leastWords: Self.leastWords)
            return job.answer
        }
    }

    /// Asks again if the letter is too short or too long, and takes the answer that is
    /// nearer to the requested length.
    private func correct(
        _ request: LetterRequest, with model: any TextGenerator, _ job: inout LetterJob,
        _ emit: Emitter
    ) async throws {
        let range = job.settings.length.words
        let words = job.answer.words
        // A failed request that was repeated counts as the second attempt.
        if job.faults.contains(.cut) || range.contains(words) { return }
        if job.requests.count > 1 {
            job.faults.append(.length)
            return
        }
        let shown = LetterStream(
            title: job.inputs.title, map: job.map, emit: emit,
            part: words < range.lowerBound
                ? "it was too short; once more" : "it was too long; once more")
        await shown.begin()
        do {
            let made = try await model.generate(
                request.corrected(job.answer.text, words: words, to: range)
            ) { await shown.add($0) }
            job.retake(made)
        } catch let error as GenerationError {
            // The first answer is kept; the request that failed is saved with it.
            job.requests += error.sent
            job.usage = job.usage + error.usage
        } catch is CancellationError {
            job.isStopped = true
        }
        if !range.contains(job.answer.words) { job.faults.append(.length) }
    }

    // MARK: - Saving

    /// - Parameter template: the reason why the template was used; nil if a model wrote it.
    private func kept(
        _ job: inout LetterJob, _ options: Options, template: String? = nil
    ) async throws -> WrittenLetter {
        let isTemplate = job.answer.isEmpty
        job.finish(isTemplate: isTemplate)
        var draft = job.draft(isTemplate: isTemplate)
        if let model = job.model { draft.cost = dependencies.cost(job.usage, model) }
        let isRefused = options.isStrict && !draft.flagged.isEmpty
        if isRefused { draft.faults.append(.refused) }
        // Saved even if the command was stopped.
        let item = try await Task { [book = dependencies.book, draft] in
            try await book.save(draft)
        }.value
        if isRefused {
            throw LetterError(.unbacked(draft.flagged.count, item: "l\(item.id.rawValue)"))
        }
        return WrittenLetter(
            draft: draft, item: item, claims: job.claims, missing: job.layout.sender.missing,
            leftOver: job.leftOver, formless: job.formless, reason: template, failure: job.failure,
            isStopped: job.isStopped, words: LetterAnswer.words(job.body),
            exit: job.exit)
    }

    /// The missing thing, and how to get it.
    private static func reason(_ error: GenerationError) -> String {
        let diagnostic = Diagnostic(of: error)
        return [diagnostic.what, diagnostic.todo].compactMap(\.self).joined(separator: " ")
    }

    var today: CivilDate {
        LocalTime().civil(at: dependencies.environment.now()).date
    }
}

/// Shows a letter as it arrives, with placeholders restored as soon as they are complete.
/// One instance per answer.
actor LetterStream {
    /// The unchanged text so far.
    private(set) var text = ""
    private let map: RedactionMap
    private let emit: Emitter
    private var progress: ToolProgress

    /// Maximum number of characters held back as an incomplete placeholder.
    private static let held = 24
    /// Number of rows shown while the letter arrives.
    private static let rows = 10

    /// - Parameter model: the model to wait for.
    init(
        title: String, map: RedactionMap, emit: Emitter, model: String? = nil, part: String = ""
    ) {
        self.map = map
        self.emit = emit
        progress = ToolProgress(activity: "Writing", title: title)
        progress.part = part
        progress.textRows = Self.rows
        progress.hint = "what has arrived is kept"
        progress.facts = [model.map { "waiting for \($0)" } ?? "waiting"]
    }

    func begin() { emit(progress) }

    func add(_ piece: String) {
        text += piece
        progress.text = Self.shown(text, map)
        progress.facts = [Quantities.count(LetterAnswer.words(text), "word")]
        emit(progress)
    }

    /// The text without an incomplete placeholder at its end.
    static func shown(_ text: String, _ map: RedactionMap) -> String {
        let tail = text.suffix(held)
        guard let open = tail.lastIndex(of: "["), !tail[open...].contains("]") else {
            return onOneLine(map.restore(text))
        }
        return onOneLine(map.restore(String(text[..<open])))
    }

    /// The text on one line; it is wrapped where it is shown.
    private static func onOneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
