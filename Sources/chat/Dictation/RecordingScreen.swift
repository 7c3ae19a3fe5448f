import ChatKit
import Sound
import Synchronization
import TerminalKit

/// A recording in progress on the screen: the meter, and the keys that end it. For one recording;
/// the recorder decides how and where to record.
final class RecordingScreen: Sendable {
    typealias Record =
        @Sendable (
            _ onLevel: @escaping @Sendable (RecordingLevel) -> Void, RecordingStop
        ) async throws -> Recording

    private struct State {
        var isCancelled = false
        var isOver = false
    }

    private let stop = RecordingStop()
    /// Seconds after which it ends as if stopped by the user.
    private let limit: Double
    private let glyphs: VoiceGlyphs
    private let state = Mutex(State())

    /// - Parameter limit: maximum seconds of sound.
    init(limit: Double, glyphs: VoiceGlyphs) {
        self.limit = limit
        self.glyphs = glyphs
    }

    /// Ends the recording, from another thread.
    func end() { stop.stop() }

    /// Cancels the recording, from another thread.
    /// - Returns: false if it had already ended.
    func cancel() -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.isCancelled = true }
            return state.isOver
        }
        if !isOver { stop.cancel() }
        return !isOver
    }

    /// - Parameters:
    ///   - panel: if nil, nothing is shown and only `end` and the limit end the recording.
    ///   - plain: without a panel, returns when the recording should end.
    /// - Returns: nil if the user cancelled it; then nothing is kept.
    /// - Throws: errors of the recorder; `CancellationError` if the task was cancelled, and the
    ///   partial recording is kept.
    func run(
        on panel: TerminalPanel?, _ plain: (@Sendable () async -> Void)? = nil,
        _ record: @escaping Record
    ) async throws -> Recording? {
        defer { state.withLock { $0.isOver = true } }
        let runner = PanelRunner(RecordingView(cap: limit, glyphs: glyphs), on: panel)
        do {
            return try await PacedSound.run {
                let recording = try await record({ self.take($0, runner) }, self.stop)
                self.state.withLock { $0.isOver = true }
                return recording
            } keys: { () -> Bool? in
                if panel != nil { return try await runner.run { self.perform($0) } }
                guard let plain else { return true }
                await plain()
                return nil
            } silence: { hasEnded, _ in
                // The user ended it, or no key can end it any longer.
                if hasEnded == nil { self.stop.stop() }
            }.value
        } catch is CancellationError where state.withLock({ $0.isCancelled }) {
            return nil
        }
    }

    private func take(_ level: RecordingLevel, _ runner: PanelRunner<RecordingView>) {
        runner.update { view in
            view.elapsed = level.elapsed
            view.loudness = level.loudness
            view.peak = level.peak
            view.problem = Self.problem(level)
        }
        if level.elapsed >= limit { stop.stop() }
    }

    /// A pause is not a problem; silence for some seconds is.
    private static func problem(_ level: RecordingLevel) -> RecordingView.Problem? {
        if level.isStalled { return .stalled }
        if level.isMuted { return .muted }
        if level.isClipping { return .tooLoud }
        return level.silence >= 8 || (!level.hasHeard && level.elapsed >= 4) ? .quiet : nil
    }

    /// - Returns: true if it is cancelled.
    private func perform(_ effect: RecordingView.Effect) -> Bool? {
        if effect == .stop {
            stop.stop()
            return nil
        }
        state.withLock { $0.isCancelled = true }
        stop.cancel()
        return true
    }
}
