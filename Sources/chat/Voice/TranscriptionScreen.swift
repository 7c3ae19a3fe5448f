import AgentCore
import Synchronization
import TerminalKit
import ToolServers

/// Shows a transcription on its way and stops it for Esc or Ctrl-C: in a panel
/// below the talk, on one line of stderr in the shell, or nowhere. A terminal
/// without a cursor gets one plain line, and Ctrl-C stops it there.
///
/// What is transcribed, and what becomes of the words, is its caller's.
final class TranscriptionScreen: Sendable {
    enum Place: Sendable {
        /// `say` where there is no panel.
        case terminal(
            open: @Sendable () async -> TerminalPanel?, say: @Sendable ([StyledLine]) async -> Void)
        /// A line that is written over: its columns, and what writes it.
        case line(columns: @Sendable () -> Int, write: @Sendable (String) -> Void)
        case nowhere
    }

    private struct State {
        var view: UploadView
        /// What is being transcribed, where there are several.
        var path: String?
        var progress = UploadProgress()
        var line: ProgressLine
        var panel: TerminalPanel?
        /// Who reads the panel's keys.
        var keys: Task<Void, Never>?
        var isStopped = false
        /// A question stands there.
        var isAsking = false
        var stop: (@Sendable () -> Void)?
    }

    private let place: Place
    private let environment: Environment
    private let ask: @Sendable (StyledLine, _ prompt: String) async -> Bool
    private let state: Mutex<State>

    /// Waiting times go on while nothing comes.
    private static let tick = Duration.milliseconds(200)

    /// - Parameter ask: without it every question is a no.
    init(
        _ view: UploadView, _ place: Place, environment: Environment,
        ask: @escaping @Sendable (StyledLine, _ prompt: String) async -> Bool = { _, _ in false }
    ) {
        self.place = place
        self.environment = environment
        self.ask = ask
        state = Mutex(State(view: view, line: ProgressLine(view)))
    }

    /// At the prompt.
    convenience init(
        terminal: TerminalSession, style: Style, environment: Environment, view: UploadView
    ) {
        self.init(
            view,
            .terminal(
                open: { await terminal.openPanel() },
                say: { await terminal.write($0.flatMap { style.bytes($0) }) }),
            environment: environment,
            ask: { line, prompt in
                await terminal.write(style.bytes(line))
                return await terminal.ask(prompt, mode: .yes) == .yes
            })
    }

    /// How far it came.
    var progress: UploadProgress { state.withLock { $0.progress } }

    /// From any thread, in order.
    ///
    /// - Parameter path: of several recordings the one that it is about; each
    ///   begins anew under its own name.
    func observe(_ event: TranscriptionProgress, of path: String? = nil) {
        let now = environment.uptime()
        state.withLock { state in
            if let path, path != state.path {
                if state.path != nil { state.progress = UploadProgress() }
                state.path = path
                state.view.title = FilePath.name(path)
                state.line.rename(state.view.title)
            }
            state.progress.take(event, at: now)
        }
        draw()
    }

    /// Runs the work on the screen.
    /// - Throws: what it throws; `CancellationError` when it was stopped.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        await open()
        let task = Task { try await body() }
        let isStopped = state.withLock { state in
            state.stop = { task.cancel() }
            return state.isStopped
        }
        if isStopped { task.cancel() }
        let clock = Task { [weak self, sleep = environment.sleep] in
            // Only cancelling throws.
            while (try? await sleep(Self.tick)) != nil { self?.draw() }
        }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        clock.cancel()
        await clock.value
        await close()
        state.withLock { $0.stop = nil }
        return try result.get()
    }

    /// A question in the middle, for which the screen makes room.
    func confirms(_ line: StyledLine, _ prompt: String) async -> Bool {
        state.withLock { $0.isAsking = true }
        await close()
        let answer = await ask(line, prompt)
        state.withLock { $0.isAsking = false }
        await open()
        return answer
    }

    private func open() async {
        guard case .terminal(let openPanel, let say) = place else { return draw() }
        guard let panel = await openPanel() else {
            let title = state.withLock { $0.view.title }
            let line = "  Transcribing \(HostileText.line(title)); Ctrl-C stops."
            await say([StyledLine(line, .dim)])
            return
        }
        let keys = Task { [weak self] in
            while let key = await panel.nextKey() {
                switch key {
                case .escape, .interrupt: self?.stop()
                case .enter, .left, .right, .up, .down, .character: break
                }
            }
        }
        state.withLock { ($0.panel, $0.keys) = (panel, keys) }
        draw()
    }

    private func close() async {
        let (panel, keys, erasing) = state.withLock { state in
            defer { (state.panel, state.keys) = (nil, nil) }
            return (state.panel, state.keys, state.line.erase())
        }
        if case .line(_, let write) = place, !erasing.isEmpty { write(erasing) }
        await panel?.close()
        keys?.cancel()
        await keys?.value
    }

    private func stop() {
        let stop = state.withLock { state in
            state.isStopped = true
            return state.stop
        }
        stop?()
    }

    private func draw() {
        switch place {
        case .terminal:
            let (panel, view, progress) = state.withLock { ($0.panel, $0.view, $0.progress) }
            let uptime = environment.uptime
            panel?.show { columns in view.lines(progress, at: uptime(), columns: columns) }
        case .line(let columns, let write):
            let (width, now) = (columns(), environment.uptime())
            // Within the lock, so that two threads do not mix their lines.
            state.withLock { state in
                if state.isAsking { return }
                let text = state.line.update(state.progress, at: now, columns: width)
                if !text.isEmpty { write(text) }
            }
        case .nowhere: break
        }
    }
}
