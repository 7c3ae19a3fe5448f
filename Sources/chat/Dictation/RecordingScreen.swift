import ChatKit
import Sound
import Synchronization
import TerminalKit

/// A recording that runs, on the screen: the meter, and the keys that end it.
/// How it is recorded, and where, is the recorder's. For one recording.
final class RecordingScreen: Sendable {
    typealias Record =
        @Sendable (
            _ onLevel: @escaping @Sendable (RecordingLevel) -> Void, RecordingStop
        ) async throws -> Recording

    private struct State {
        var view: RecordingView
        var isCancelled = false
        var isOver = false
    }

    private let stop = RecordingStop()
    /// Seconds after which it ends as if a person had ended it.
    private let limit: Double
    private let state: Mutex<State>

    /// - Parameter limit: seconds of sound at most.
    init(limit: Double, glyphs: VoiceGlyphs) {
        self.limit = limit
        state = Mutex(State(view: RecordingView(cap: limit, glyphs: glyphs)))
    }

    /// From another thread: enough was said.
    func end() { stop.stop() }

    /// From another thread: nothing of it is wanted.
    /// - Returns: false when the recording was over before.
    func cancel() -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.isCancelled = true }
            return state.isOver
        }
        if !isOver { stop.cancel() }
        return !isOver
    }

    /// - Parameters:
    ///   - panel: nil shows nothing; `end` and the limit end it then.
    ///   - plain: without a panel, returns when it is to end.
    /// - Returns: nil when the user cancelled it; nothing is kept then.
    /// - Throws: what the recorder throws; `CancellationError` when the task
    ///   was cancelled, and what there was is kept.
    func run(
        on panel: TerminalPanel?, _ plain: (@Sendable () async -> Void)? = nil, _ record: Record
    ) async throws -> Recording? {
        defer { state.withLock { $0.isOver = true } }
        var keys = panel.map { panel in Task { await follow(panel) } }
        if panel == nil, let plain {
            keys = Task {
                await plain()
                if !Task.isCancelled { stop.stop() }
            }
        }
        if let panel { show(panel) }
        do {
            let recording = try await record({ level in self.take(level, panel) }, stop)
            state.withLock { $0.isOver = true }
            await close(panel, keys)
            return recording
        } catch {
            await close(panel, keys)
            if error is CancellationError, state.withLock({ $0.isCancelled }) { return nil }
            throw error
        }
    }

    private func close(_ panel: TerminalPanel?, _ keys: Task<Void, Never>?) async {
        keys?.cancel()
        await panel?.close()
        await keys?.value
    }

    private func take(_ level: RecordingLevel, _ panel: TerminalPanel?) {
        state.withLock { state in
            state.view.elapsed = level.elapsed
            state.view.loudness = level.loudness
            state.view.peak = level.peak
            state.view.problem = Self.problem(level)
        }
        if level.elapsed >= limit { stop.stop() }
        if let panel { show(panel) }
    }

    /// A pause is not a problem; nothing at all for some seconds is.
    private static func problem(_ level: RecordingLevel) -> RecordingView.Problem? {
        if level.isStalled { return .stalled }
        if level.isMuted { return .muted }
        if level.isClipping { return .tooLoud }
        return level.silence >= 8 || (!level.hasHeard && level.elapsed >= 4) ? .quiet : nil
    }

    private func show(_ panel: TerminalPanel) {
        let view = state.withLock { $0.view }
        panel.show { view.lines(columns: $0) }
    }

    private func follow(_ panel: TerminalPanel) async {
        while let key = await panel.nextKey() {
            switch key {
            case .enter, .character(" "):
                state.withLock { $0.view.isStopping = true }
                show(panel)
                stop.stop()
            case .escape, .interrupt:
                state.withLock { $0.isCancelled = true }
                stop.cancel()
                return
            default: break
            }
        }
        // It cannot be ended by a key any more: the terminal is gone or closing.
        if !Task.isCancelled { stop.stop() }
    }
}
