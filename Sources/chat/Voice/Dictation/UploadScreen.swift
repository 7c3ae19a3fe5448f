import AgentCore
import Synchronization
import ToolServers

/// A transcription on its way, on the screen: bar and words below the talk, or
/// one line on stderr, and Esc to stop it. What is sent is the caller's. For
/// one transcription.
final class UploadScreen: Sendable {
    /// Where it is shown.
    enum Place: Sendable {
        /// Nil where there is no cursor.
        case terminal(@Sendable () async -> TerminalPanel?)
        /// A line that is written over: its columns, and what writes it.
        case line(columns: @Sendable () -> Int, @Sendable (String) -> Void)
        case nowhere
    }

    typealias Progress = @Sendable (TranscriptionProgress) -> Void

    private struct State {
        var progress = UploadProgress()
        var line: ProgressLine
        var panel: TerminalPanel?
        var keys: Task<Void, Never>?
        var isStopped = false
        var stop: (@Sendable () -> Void)?
    }

    private let view: UploadView
    private let place: Place
    private let environment: Environment
    private let state: Mutex<State>

    /// What counts seconds is shown this often.
    private static let tick = Duration.milliseconds(200)

    init(_ view: UploadView, _ place: Place, environment: Environment) {
        self.view = view
        self.place = place
        self.environment = environment
        state = Mutex(State(line: ProgressLine(view)))
    }

    /// - Throws: what `body` throws; `CancellationError` also for Esc.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (@escaping Progress) async throws -> Value
    ) async throws -> Value {
        await open()
        let task = Task { try await body { event in self.take(event) } }
        let isStopped = state.withLock { state in
            state.stop = { task.cancel() }
            return state.isStopped
        }
        if isStopped { task.cancel() }
        let ticking = Task { [environment] in
            // Only its own end throws.
            while (try? await environment.sleep(Self.tick)) != nil { self.show() }
        }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        ticking.cancel()
        await ticking.value
        await close()
        return try result.get()
    }

    /// A question in between: the panel makes room for it.
    func pausing<Value: Sendable>(_ ask: @Sendable () async -> Value) async -> Value {
        await close()
        let answer = await ask()
        await open()
        return answer
    }

    // MARK: The screen

    private func open() async {
        guard case .terminal(let openPanel) = place, let panel = await openPanel() else {
            return show()
        }
        let keys = Task {
            while let key = await panel.nextKey() {
                guard key == .escape || key == .interrupt else { continue }
                self.stop()
            }
        }
        state.withLock { ($0.panel, $0.keys) = (panel, keys) }
        show()
    }

    private func close() async {
        let (panel, keys, erasing) = state.withLock { state in
            defer { (state.panel, state.keys) = (nil, nil) }
            return (state.panel, state.keys, state.line.erase())
        }
        if case .line(_, let write) = place, !erasing.isEmpty { write(erasing) }
        keys?.cancel()
        await panel?.close()
        await keys?.value
    }

    private func stop() {
        let stop = state.withLock { state in
            state.isStopped = true
            return state.stop
        }
        stop?()
    }

    private func take(_ event: TranscriptionProgress) {
        let now = environment.uptime()
        state.withLock { $0.progress.take(event, at: now) }
        show()
    }

    private func show() {
        let now = environment.uptime()
        switch place {
        case .terminal:
            let (progress, panel) = state.withLock { ($0.progress, $0.panel) }
            panel?.show { [view] in view.lines(progress, at: now, columns: $0) }
        case .line(let columns, let write):
            let width = columns()
            // Within the lock, so that two threads do not mix their lines.
            state.withLock { state in
                let text = state.line.update(state.progress, at: now, columns: width)
                if !text.isEmpty { write(text) }
            }
        case .nowhere: break
        }
    }
}
