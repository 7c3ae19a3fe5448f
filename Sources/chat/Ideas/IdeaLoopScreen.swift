import AgentCore
import Base
import ChatKit
import Persistence
import Synchronization
import TerminalKit
import Texts

/// The loop of ideas: does what `IdeaLoop` decides, in a panel, or line by line
/// without one. One task writes the present idea; keys are taken one
/// after the other.
final class IdeaLoopScreen: Sendable {
    enum Outcome: Sendable, Equatable {
        case left(saved: Int)
        /// Goes on as a conversation about this idea.
        case converse(String)
    }

    struct State {
        var view = IdeaLoopView()
        var request: IdeaBook.Request
        /// By the number of the idea; of those that are saved.
        var saved: [Int: ItemID] = [:]
        /// Who wrote it.
        var models: [Int: ModelOrigin] = [:]
        /// The one that is kept and nearly the same, by the number of the idea.
        var likes: [Int: String] = [:]
        /// Said of that idea already, where lines are read.
        var told: Int?
        var hasSaidKeys = false
        var lastSaved: String?
        /// What is being written, and what was cancelled and is ending.
        var tasks: [Int: Task<Void, Never>] = [:]
        var conversation: String?
        /// Why the latest request failed.
        var failure: (any Error)?
        /// Without a panel.
        var isInLines = false
    }

    let book: IdeaBook
    let place: IdeaPlace
    let state: Mutex<State>
    private let panel = Mutex<TerminalPanel?>(nil)

    init(book: IdeaBook, place: IdeaPlace, request: IdeaBook.Request) {
        self.book = book
        self.place = place
        var state = State(request: request)
        state.view.tone = request.tone
        state.view.keys = place.keys
        self.state = Mutex(state)
    }

    /// Until the user leaves.
    /// - Throws: `CancellationError` for Ctrl-C; what keeps a first idea from
    ///   being written where there is no panel.
    func run() async throws -> Outcome {
        guard let first = await place.openPanel() else { return try await runLines() }
        panel.withLock { $0 = first }
        let result: Result<Void, any Error>
        do {
            result = .success(try await takeKeys())
        } catch {
            result = .failure(error)
        }
        // The request ends at once, and the screen is as it was.
        await endTasks()
        await closePanel()
        try result.get()
        return outcome
    }

    var outcome: Outcome {
        state.withLock { state in
            state.conversation.map(Outcome.converse) ?? .left(saved: state.saved.count)
        }
    }

    private func takeKeys() async throws {
        await perform(take(.began))
        while let key = await nextKey() {
            if key == .interrupt { throw CancellationError() }
            guard let key = IdeaLoop.Key(key), place.keys.contains(key) else { continue }
            await perform(take(.key(key)))
            if isOver { return }
        }
        try Task.checkCancellation()
    }

    /// Nil where the panel has ended.
    private func nextKey() async -> PanelKey? {
        guard let panel = panel.withLock({ $0 }) else { return nil }
        guard case .stillWriting(let early)? = state.withLock({ $0.view.loop.note }) else {
            return await panel.nextKey()
        }
        // A key that came too early counts when the idea is whole, unless another follows.
        let watch = Task { await panel.nextKey() }
        // Not `written()`: a key in the meantime does not end what is being written.
        Task {
            for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
            watch.cancel()
        }
        let key = await withTaskCancellationHandler {
            await watch.value
        } onCancel: {
            watch.cancel()
        }
        if let key { return key }
        if Task.isCancelled { return nil }
        guard watch.isCancelled, case .ready = state.withLock({ $0.view.loop.phase }) else {
            return await panel.nextKey()
        }
        return .character(early.rawValue)
    }

    // MARK: - The machine

    var isOver: Bool { state.withLock { $0.view.loop.phase == .over } }

    /// Shows what has become of it.
    func take(_ event: IdeaLoop.Event) -> [IdeaLoop.Action] {
        let actions = state.withLock { state in
            if case .key = event { state.view.remarks = [] }
            return state.view.loop.take(event)
        }
        draw()
        return actions
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
        let (request, isInLines) = state.withLock { ($0.request, $0.isInLines) }
        let writer = isInLines ? place.writer() : nil
        let text = Mutex("")
        // Apart from the one before, also in a pipe.
        if number > 1 { await writer?.write("\n") }
        await writer?.begin()
        do {
            let made = try await book.generate(request) { piece in
                text.withLock { $0 += piece }
                await writer?.write(piece)
                _ = self.take(.text(piece, of: number))
            }
            await writer?.end()
            await note(made, number)
            _ = take(.finished(made.text, of: number))
        } catch {
            await writer?.end()
            // After a cancellation the user has gone on.
            if !(error is CancellationError), !Task.isCancelled {
                state.withLock { $0.failure = error }
                if !isInLines {
                    await remark(
                        place.describe(error).lines + [StyledLine("  d asks again", .dim)])
                }
                _ = take(.failed(text.withLock { $0 }.trimmingSpace(), of: number))
            }
        }
        state.withLock { $0.tasks[number] = nil }
    }

    /// Who wrote it, and whether one that is saved is nearly the same.
    private func note(_ made: GeneratedText, _ number: Int) async {
        // A mark that cannot be made keeps no idea from being shown.
        let like = try? await book.similar(to: made.text)
        state.withLock { state in
            state.models[number] = made.model
            if let like = like.flatMap({ $0 }) { state.likes[number] = "\(like.id)" }
        }
    }

    /// Waits for what is being written.
    func written() async {
        for task in state.withLock({ Array($0.tasks.values) }) {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Nothing of them is left behind.
    private func endTasks() async {
        for task in state.withLock({ Array($0.tasks.values) }) {
            task.cancel()
            await task.value
        }
    }

    // MARK: - The panel

    func remark(_ lines: [StyledLine]) async {
        if state.withLock({ $0.isInLines }) { return await place.say(lines) }
        state.withLock { $0.view.remarks = lines }
        draw()
    }

    private func draw() {
        guard let panel = panel.withLock({ $0 }) else { return }
        var view = state.withLock { $0.view }
        view.likeness = state.withLock { state in
            state.view.loop.presentNumber.flatMap { state.likes[$0] }
        }
        panel.show(fitting: { [view] in view.lines(on: $0) })
    }

    /// Makes room for something else, and comes back.
    func outside<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
        let hadPanel = panel.withLock { $0 != nil }
        await closePanel()
        let value: Value
        do {
            value = try await body()
        } catch {
            if hadPanel { await openAgain() }
            throw error
        }
        if hadPanel { await openAgain() }
        return value
    }

    private func openAgain() async {
        let opened = await place.openPanel()
        panel.withLock { $0 = opened }
        draw()
    }

    private func closePanel() async {
        let open = panel.withLock { panel in
            defer { panel = nil }
            return panel
        }
        await open?.close()
    }
}
