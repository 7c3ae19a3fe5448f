import ChatKit
import Sound
import TerminalKit

/// Reads aloud while a panel shows the position and handles the keys: space pauses, the arrows go
/// to the next and the previous sentence, Esc or q stops. Without a panel it only plays the sound.
struct ReadAloudSession: Sendable {
    let speaker: Speaker
    let voice: VoiceChoice
    let glyphs: VoiceGlyphs

    /// - Throws: `SpeechError`; `CancellationError` also for Ctrl-C.
    func run(
        _ sentences: [SpokenSentence], on panel: TerminalPanel?
    ) async throws -> Speaker.Report {
        let utterances = sentences.map { $0.utterance(voice) }
        guard let panel else { return try await speak(utterances) }
        let runner = PanelRunner(PlaybackView(count: sentences.count, glyphs: glyphs), on: panel)
        async let _: Void = show(runner)
        return try await PacedSound.run {
            try await speak(utterances)
        } keys: {
            try await runner.run { effect -> Bool? in
                switch effect {
                case .togglePause: await speaker.togglePause()
                case .skip(let count): await speaker.skip(count)
                case .stop: return true
                case .interrupt: throw CancellationError()
                }
                return nil
            }
        } silence: { _, _ in
            await speaker.stop()
        }.value
    }

    /// Speaks; cancelling the task silences it at once.
    private func speak(_ utterances: [Utterance]) async throws -> Speaker.Report {
        try await withTaskCancellationHandler {
            try await speaker.speak(utterances)
        } onCancel: {
            Task { await speaker.stop() }
        }
    }

    private func show(_ runner: PanelRunner<PlaybackView>) async {
        for await state in speaker.states where state.phase != .ended {
            runner.update { view in
                view.sentence = state.text
                view.number = min(view.count ?? .max, state.index + 1)
                (view.isPaused, view.isWaking) = (state.phase == .paused, state.phase == .waking)
            }
        }
    }
}
