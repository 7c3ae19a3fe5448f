import AgentCore
import Synchronization
import ToolServers

/// Shows a transcription on its way, in a panel below the talk, and stops it
/// for Esc or Ctrl-C. Where there is no cursor to move it says one line and
/// lets Ctrl-C stop it.
///
/// What is transcribed, and what becomes of the words, is its caller's.
final class TranscriptionScreen: Sendable {
    private struct State {
        var progress = UploadProgress()
        var panel: TerminalPanel?
        var stop: (@Sendable () -> Void)?
        /// Those who read the panel's keys and have its clock go on.
        var tasks: [Task<Void, Never>] = []
    }

    private let terminal: TerminalSession
    private let style: Style
    private let environment: Environment
    private let view: UploadView
    private let state = Mutex(State())

    init(
        terminal: TerminalSession, style: Style, environment: Environment, view: UploadView
    ) {
        self.terminal = terminal
        self.style = style
        self.environment = environment
        self.view = view
    }

    /// How far it came.
    var progress: UploadProgress { state.withLock { $0.progress } }

    /// From any thread, in order.
    func observe(_ event: TranscriptionProgress) {
        state.withLock { $0.progress.take(event, at: environment.uptime()) }
        draw()
    }

    /// Runs the work with the panel open.
    /// - Throws: what it throws; `CancellationError` when it was stopped.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        return try await withTaskCancellationHandler {
            state.withLock { $0.stop = { task.cancel() } }
            await open()
            let result = await task.result
            await close()
            state.withLock { $0.stop = nil }
            return try result.get()
        } onCancel: {
            task.cancel()
        }
    }

    /// A question in the middle, for which the panel makes room.
    func confirms(_ line: StyledLine, _ prompt: String) async -> Bool {
        await close()
        await terminal.write(style.bytes(line))
        let answer = await terminal.ask(prompt, mode: .yes)
        await open()
        return answer == .yes
    }

    private func open() async {
        guard let panel = await terminal.openPanel() else {
            let line = "  Transcribing \(view.title) … · Ctrl-C stops"
            await terminal.write(style.bytes(StyledLine(line, .dim)))
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
        // Waiting times go on while nothing comes.
        let clock = Task { [weak self, sleep = environment.sleep] in
            // Only cancelling throws.
            while (try? await sleep(.milliseconds(250))) != nil { self?.draw() }
        }
        state.withLock { state in
            state.panel = panel
            state.tasks = [keys, clock]
        }
        draw()
    }

    private func close() async {
        let (panel, tasks) = state.withLock { state in
            defer { (state.panel, state.tasks) = (nil, []) }
            return (state.panel, state.tasks)
        }
        await panel?.close()
        for task in tasks {
            task.cancel()
            await task.value
        }
    }

    private func stop() { state.withLock { $0.stop }?() }

    private func draw() {
        let panel = state.withLock { $0.panel }
        let uptime = environment.uptime
        panel?.show { [view, progress] columns in
            view.lines(progress, at: uptime(), columns: columns)
        }
    }
}
