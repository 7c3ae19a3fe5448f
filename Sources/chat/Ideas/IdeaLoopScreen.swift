import AgentCore
import Base
import ChatKit
import Persistence
import Synchronization
import TerminalKit
import Texts

/// Runs the loop of ideas, decided by `IdeaLoop`. One task writes the present idea; keys are
/// handled one at a time.
final class IdeaLoopScreen: Sendable {
    enum Outcome: Sendable, Equatable {
        case left(saved: Int)
        /// The user wants a conversation about this idea.
        case converse(String)
    }

    struct State {
        var request: IdeaBook.Request
        /// Item ids of saved ideas, by the idea's number.
        var saved: [Int: ItemID] = [:]
        /// The model of each idea.
        var models: [Int: ModelOrigin] = [:]
        /// The idea whose similarity to a saved one was reported, if lines are read.
        var told: Int?
        var lastSaved: String?
        /// The writing task, and cancelled ones that have not ended yet.
        var tasks: [Int: Task<Void, Never>] = [:]
        var conversation: String?
        /// The error of the latest request.
        var failure: (any Error)?
    }

    let book: IdeaBook
    let place: IdeaPlace
    let state: Mutex<State>
    let runner: PanelRunner<IdeaLoopView>

    init(book: IdeaBook, place: IdeaPlace, request: IdeaBook.Request) async {
        self.book = book
        self.place = place
        state = Mutex(State(request: request))
        var view = IdeaLoopView(tone: request.tone, keys: place.keys)
        view.saysKeys = place.isInteractive
        view.usesUnicode = place.usesUnicode
        runner = await PanelRunner(view, at: place.place)
    }

    /// Runs until the user leaves.
    /// - Throws: `CancellationError` for Ctrl-C; if lines are read without a user, errors of the
    ///   request.
    func run() async throws -> Outcome {
        let result: Result<Void, any Error>
        do {
            await perform(take(.began))
            _ = try await runner.run(before: sayHowItWent) { effect -> Outcome? in
                guard case .actions(let actions) = effect else { throw CancellationError() }
                await perform(actions)
                if runner.readsLines { await sayNote() }
                return runner.screen.loop.phase == .over ? outcome : nil
            }
            try Task.checkCancellation()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // Cancels the request at once.
        await endTasks()
        try result.get()
        return outcome
    }

    private var outcome: Outcome {
        state.withLock { state in
            state.conversation.map(Outcome.converse) ?? .left(saved: state.saved.count)
        }
    }

    // MARK: - State machine

    /// Applies the event and shows the new state.
    private func take(_ event: IdeaLoop.Event) -> [IdeaLoop.Action] {
        runner.update { $0.loop.take(event) }
    }

    func perform(_ actions: [IdeaLoop.Action]) async {
        for action in actions {
            switch action {
            case .generate(let number): generate(number)
            case .cancel(let number): state.withLock { $0.tasks[number] }?.cancel()
            case .save(let idea, let number, let isEdited):
                await settle { try await self.save(idea, number, isEdited) }
            case .discard(let idea):
                let request = state.withLock { $0.request }
                await settle { try await self.book.discard(idea, of: request) }
            case .takeBack(let decision): await settle { try await self.takeBack(decision) }
            case .open(let key, let idea, let number):
                await perform(take(.returned(await open(key, idea, number))))
            case .ask(let key): await perform(take(.returned(await ask(key))))
            case .leave: break
            }
        }
    }

    private func settle(_ body: () async throws -> Void) async {
        do {
            try await body()
            await perform(take(.settled))
        } catch {
            await perform(take(.unsettled))
            await remark(place.describe(error).lines)
        }
    }

    func save(_ idea: Idea, _ number: Int, _ isEdited: Bool) async throws {
        let (request, model) = state.withLock { ($0.request, isEdited ? nil : $0.models[number]) }
        let item = try await book.save(idea, of: request, by: model)
        state.withLock { state in
            state.saved[number] = item.id
            state.lastSaved = "\(item.id)"
        }
        let mark = "  ✓ \(item.id)  "
        let room = max(20, place.size().columns - mark.count - 1)
        await place.say([
            StyledLine([
                .init(mark, .success),
                .init(DisplayWidth.cut(HostileText.line(item.title), to: room)),
            ])
        ])
    }

    private func takeBack(_ decision: IdeaLoop.Decision) async throws {
        guard decision.isSaved else {
            let request = state.withLock { $0.request }
            return try await book.takeBack(discarded: decision.idea, of: request)
        }
        guard let id = state.withLock({ $0.saved[decision.number] }) else { return }
        try await book.takeBack(saved: id)
        state.withLock { $0.saved[decision.number] = nil }
        await place.say([StyledLine("  \(id) was moved to the trash", .dim)])
    }

    // MARK: - Writing one

    private func generate(_ number: Int) {
        state.withLock { state in
            state.failure = nil
            state.tasks[number] = Task { await write(number) }
        }
    }

    private func write(_ number: Int) async {
        let request = state.withLock { $0.request }
        let writer = runner.readsLines ? place.writer() : nil
        let text = Mutex("")
        // Separate it from the previous idea, also in a pipe.
        if number > 1 { await writer?.write("\n") }
        await writer?.begin()
        let silence = place.silence()
        if writer == nil {
            silence.begin { seconds in self.runner.update { $0.silence = seconds } }
        }
        do {
            let made = try await book.generate(request) { piece in
                silence.note()
                text.withLock { $0 += piece }
                await writer?.write(piece)
                self.runner.update { $0.silence = nil }
                _ = self.take(.text(piece, of: number))
            }
            await settle(silence)
            await writer?.end()
            await note(made, number)
            _ = take(.finished(made.text, of: number))
            // A key pressed too early takes effect now that the idea is complete.
            let loop = runner.screen.loop
            if case .ready = loop.phase, case .stillWriting(let early)? = loop.note {
                runner.press(.character(early.rawValue))
            }
        } catch {
            await settle(silence)
            await writer?.end()
            // After a cancellation the error is of no interest: the user has moved on.
            if !(error is CancellationError), !Task.isCancelled {
                state.withLock { $0.failure = error }
                if !runner.readsLines {
                    await remark(
                        place.describe(error).lines + [StyledLine("  d asks again", .dim)])
                }
                _ = take(.failed(text.withLock { $0 }.trimmingSpace(), of: number))
            }
        }
        state.withLock { $0.tasks[number] = nil }
    }

    private func settle(_ silence: SilenceWatch) async {
        await silence.end()
        runner.update { $0.silence = nil }
    }

    /// Records the model, and a saved idea that is nearly the same.
    private func note(_ made: GeneratedText, _ number: Int) async {
        // If the search fails, the idea is shown without the mark.
        let like = try? await book.similar(to: made.text)
        state.withLock { $0.models[number] = made.model }
        if let like = like.flatMap({ $0 }) {
            runner.update { $0.likes[number] = "\(like.id)" }
        }
    }

    /// Waits for the writing tasks.
    func written() async {
        for task in state.withLock({ Array($0.tasks.values) }) {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Cancels the tasks and waits for them.
    private func endTasks() async {
        for task in state.withLock({ Array($0.tasks.values) }) {
            task.cancel()
            await task.value
        }
    }

    func remark(_ lines: [StyledLine]) async {
        if runner.readsLines { return await place.say(lines) }
        runner.update { $0.remarks = lines }
    }
}
