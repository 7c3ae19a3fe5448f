import AgentCore
import Base
import Library
import Persistence
import StoryKit

/// Finds the characters of a story and who says what with a model, starting from what the
/// rules find without one.
///
/// ```
///   text ─► StoryIndex (rules) ─► parts ─► model ─► ModelCast ─► the cast
///                │                                                   │
///                └────────── where no answer came ──────────────►    ▼
///                            rules again ─► windows ─► model ─► StoryLabels
/// ```
///
/// The model gets pieces of the text and returns names and numbers; story text is never
/// taken from an answer. Earlier answers are reused, so that only changed parts are sent
/// again.
struct StoryIndexer: Sendable {
    let book: StoryBook
    let model: StoryModel
    let interaction: Interaction

    enum Part: String, Sendable, CaseIterable { case cast, speakers }

    struct Selection: Sendable {
        var parts = Set(Part.allCases)
        /// Ignore cached answers.
        var isAgain = false
        /// Send a long text without asking the user.
        var isConfirmed = false
    }

    /// Number of bytes, about forty pages, above which the user is asked first.
    private static let freeBytes = 100_000

    // MARK: - Outcome

    struct Outcome: Sendable {
        var cast: StoryCast
        var labels: StoryLabels?
        /// Nil if no model was used.
        var model: String?
        /// The failures, in order.
        var problems: [StoryIndexProblem] = []
        /// Number of requests, with unanswered ones and retries after an invalid answer.
        var requests = 0
        var usage = Usage()
        /// Number of names missing from the part or the cast.
        var rejected = 0
        /// Number of labels that contradict the text beside the quotation.
        var conflicts = 0

        init(_ cast: StoryCast) { self.cast = cast }
    }

    /// A run: what it is about, and its state as answers arrive.
    private struct Run {
        let item: LibraryItem
        let found: StorySegments
        let selection: Selection
        /// The model.
        let name: String
        var outcome: Outcome
        /// Send nothing more: the next request would fail as well.
        var isStopped = false
        var done = 0
        /// Number of requests still to be sent, as far as known.
        var planned = 0
    }

    /// - Parameters:
    ///   - found: what the rules found, with the saved cast if it applies.
    ///   - keepsCast: the cast was edited by hand: only missing facts of its members are
    ///     added.
    /// - Throws: `StoryIndexProblem` if the user does not want the text sent,
    ///   `GenerationError` without a model, `CancellationError`.
    func run(
        _ item: LibraryItem, _ found: StorySegments, keepsCast: Bool, _ selection: Selection
    ) async throws -> Outcome {
        var run = Run(
            item: item, found: found, selection: selection, name: try await model.name(),
            outcome: Outcome(StoryIndex(found).cast))
        run.outcome.model = run.name
        var parts: [Asked] = []
        if selection.parts.contains(.cast) {
            parts = try await castQuestions(run)
        }
        let openParts = parts.filter { $0.answer == nil }
        // The windows depend on the cast; until it is known, estimate with those of the
        // rules.
        if openParts.isEmpty { await take(parts, keepsCast: keepsCast, &run) }
        let hasSpeakers = selection.parts.contains(.speakers)
        var reading = await reading(run)
        var windows = hasSpeakers ? try await self.windows(reading, run) : []
        let open =
            openParts.map(\.question)
            + windows.map(\.asked).filter { $0.answer == nil }.map(\.question)
        run.planned = open.count
        if !open.isEmpty { try await announce(open, run) }
        if !openParts.isEmpty {
            for index in parts.indices where parts[index].answer == nil {
                parts[index].answer = try await ask(parts[index], &run)
            }
            await take(parts, keepsCast: keepsCast, &run)
            if hasSpeakers {
                reading = await self.reading(run)
                windows = try await self.windows(reading, run)
                run.planned = run.done + windows.count { $0.asked.answer == nil }
            }
        }
        if hasSpeakers { try await label(windows, reading, &run) }
        return run.outcome
    }

    // MARK: - Cast

    /// A question, and its answer if there is one.
    private struct Asked: Sendable {
        var phase: StoryIndexProblem.Phase
        var question: StoryModel.Question
        var number: Int
        var count: Int
        /// The text asked about; used for characters.
        var text = ""
        var answer: JSONValue?
    }

    private func castQuestions(_ run: Run) async throws -> [Asked] {
        let text = run.found.text
        let system = await model.instructions(.cast)
        let ranges = await book.perform { CastRecipe.parts(of: text) }
        var asked: [Asked] = []
        for (index, range) in ranges.enumerated() {
            let part = text.text(of: range)
            let question = StoryModel.question(
                CastRecipe.recipe(part, system: system, privacy: run.item.kind.privacy),
                about: run.item, model: run.name, [part])
            asked.append(
                Asked(
                    phase: .characters, question: question, number: index + 1,
                    count: ranges.count, text: part,
                    answer: run.selection.isAgain ? nil : await model.known(question)))
            try Task.checkCancellation()
        }
        return asked
    }

    /// Combines the answers with what the rules found.
    private func take(_ parts: [Asked], keepsCast: Bool, _ run: inout Run) async {
        guard !parts.isEmpty else { return }
        let (item, found) = (run.item, run.found)
        var cast = ModelCast()
        for part in parts {
            guard let answer = part.answer else { continue }
            let (characters, invented) = CastRecipe.characters(answer, of: part.text)
            cast.add(characters)
            run.outcome.rejected += invented
        }
        if keepsCast {
            run.outcome.cast = cast.filling(run.outcome.cast)
            return
        }
        // If an answer is missing, keep what the rules found.
        let isWhole = parts.allSatisfy { $0.answer != nil }
        let kept = Set(
            isWhole
                ? found.attributions.values.filter { $0.tier == .sure }.compactMap(\.speaker)
                : Array(found.cast.characters.indices))
        let joined = cast.cast(with: found.cast, keeping: kept)
        run.outcome.cast = await book.perform {
            StoryIndex(StorySegments(found.text, joined, item.metadata)).cast
        }
        run.outcome.cast.sortByLines()
    }

    // MARK: - Speakers

    /// A story with a cast, read by the rules alone and with the user's decisions.
    private struct Reading: Sendable {
        var rule: StorySegments
        var fixed: StorySegments
    }

    /// Runs on the book's own queue, because a novel takes a while.
    private func reading(_ run: Run) async -> Reading {
        let (item, text, cast) = (run.item, run.found.text, run.outcome.cast)
        return await book.perform {
            let rule = StorySegments(text, cast.cast, JSONObject())
            var decisions = JSONObject()
            decisions["fixes"] = item.metadata["fixes"]
            return Reading(
                rule: rule,
                fixed: decisions["fixes"] == nil
                    ? rule : StorySegments(text, cast.cast, decisions))
        }
    }

    private struct AskedWindow: Sendable {
        var window: SpeakerRecipe.Window
        var asked: Asked
    }

    private func windows(_ reading: Reading, _ run: Run) async throws -> [AskedWindow] {
        let (rule, fixed) = (reading.rule, reading.fixed)
        let system = await model.instructions(.speakers)
        let roster = SpeakerRecipe.roster(rule.cast)
        let windows = SpeakerRecipe.windows(of: rule.text, rule.attributions)
        var asked: [AskedWindow] = []
        for (index, window) in windows.enumerated() {
            // The model sees the user's decisions, but they are not a reason to ask again.
            let passage = SpeakerRecipe.passage(window, rule.text) { span in
                window.asked.contains(span) ? nil : rule.speaker(span)
            }
            let shown = SpeakerRecipe.passage(window, rule.text) { span in
                fixed.attributions[span]?.by == .user
                    ? fixed.speaker(span)
                    : window.asked.contains(span) ? nil : rule.speaker(span)
            }
            let question = StoryModel.question(
                SpeakerRecipe.recipe(
                    passage: shown, before: "", roster: roster, asked: window.asked.count,
                    system: system, privacy: run.item.kind.privacy), about: run.item,
                model: run.name, [roster, passage])
            asked.append(
                AskedWindow(
                    window: window,
                    asked: Asked(
                        phase: .speakers, question: question, number: index + 1,
                        count: windows.count, text: shown,
                        answer: run.selection.isAgain ? nil : await model.known(question))))
            try Task.checkCancellation()
        }
        return asked
    }

    /// Asks about the windows in order, showing each the labels just before it.
    private func label(
        _ windows: [AskedWindow], _ reading: Reading, _ run: inout Run
    ) async throws {
        let (text, cast, rule) = (
            reading.rule.text, reading.rule.cast, reading.rule.attributions
        )
        let roster = SpeakerRecipe.roster(cast)
        var speakers: [Int: String] = [:]
        // Without an answer, keep the earlier labels.
        let kept = StoryLabels(run.item.metadata)?.speakers(in: text) ?? [:]
        for (window, asked) in windows.map({ ($0.window, $0.asked) }) {
            var asked = asked
            if asked.answer == nil {
                let recipe = asked.question.recipe
                asked.question.recipe = SpeakerRecipe.recipe(
                    passage: asked.text, before: before(window, reading.rule, speakers),
                    roster: roster, asked: window.asked.count, system: recipe.system,
                    privacy: recipe.privacy)
                asked.answer = try await ask(asked, &run)
            }
            guard let answer = asked.answer else {
                for span in window.spans { speakers[span] = kept[span] }
                continue
            }
            let labels = SpeakerRecipe.labels(answer, of: window, rule, cast)
            run.outcome.rejected += labels.rejected
            run.outcome.conflicts += labels.conflicts
            for (span, speaker) in labels.speakers {
                speakers[span] = cast.characters[speaker].name
            }
        }
        run.outcome.labels = StoryLabels(by: run.name, speakers, in: text)
    }

    /// The last quotations before a window whose speakers are known.
    private func before(
        _ window: SpeakerRecipe.Window, _ rule: StorySegments, _ labelled: [Int: String]
    ) -> String {
        var said: [(name: String, span: Int)] = []
        var span = (window.spans.first ?? 0) - 1
        while span >= 0, said.count < SpeakerRecipe.shownBefore {
            let sure = rule.attributions[span].flatMap { $0.tier == .sure ? $0.speaker : nil }
            if let name = labelled[span] ?? sure.map({ rule.cast.characters[$0].name }) {
                said.append((name, span))
            }
            span -= 1
        }
        return SpeakerRecipe.before(said.reversed(), rule.text)
    }

    // MARK: - Asking

    /// Reports size and cost before anything is sent; a long text needs the user's consent.
    private func announce(_ questions: [StoryModel.Question], _ run: Run) async throws {
        let bytes = questions.reduce(0) { $0 + $1.recipe.input.utf8.count }
        await interaction.show([try await model.line(for: questions, bytes: bytes)])
        guard bytes > Self.freeBytes, !run.selection.isConfirmed else { return }
        let name = book.lookup.name(run.item)
        guard await interaction.confirm(nil, "Send this much of \(name)?") else {
            throw StoryIndexProblem(.notSent, .characters, name)
        }
    }

    /// Nil without an answer; the error is recorded.
    private func ask(_ asked: Asked, _ run: inout Run) async throws -> JSONValue? {
        while !run.isStopped {
            var progress = ToolProgress(
                activity: asked.phase == .characters ? "Finding characters" : "Finding speakers",
                title: ItemTable.title(run.item))
            if asked.count > 1 { progress.part = "part \(asked.number) of \(asked.count)" }
            progress.fraction = Double(run.done) / Double(max(1, run.planned))
            progress.hint = "what has arrived is kept"
            interaction.emit(progress)
            let problem: StoryIndexProblem
            do {
                let made = try await model.ask(asked.question)
                run.outcome.requests += made.requests
                run.outcome.usage = run.outcome.usage + made.usage
                run.done += 1
                return made.json
            } catch let error as GenerationError {
                run.outcome.requests += error.requests
                run.outcome.usage = run.outcome.usage + error.usage
                problem = StoryIndexProblem(
                    .failed(error), asked.phase, book.lookup.name(run.item), part: asked.number,
                    of: asked.count)
            }
            if await interaction.confirm(problem.diagnostic.what, "Try again?") { continue }
            run.outcome.problems.append(problem)
            run.isStopped = problem.isForAll
            return nil
        }
        return nil
    }
}

extension StoryBook {
    /// Runs slow work on this actor's own queue.
    func perform<Value: Sendable>(_ body: @Sendable () throws -> Value) rethrows -> Value {
        try body()
    }
}
