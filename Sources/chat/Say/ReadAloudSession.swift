import ChatKit
import Sound
import Synchronization
import TerminalKit

/// Something that is read aloud while a panel shows where it is and takes the
/// keys: space pauses, the arrows go to the next and the last sentence, Esc
/// or q stops. Without a panel it is only heard.
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
        let result = await withTaskGroup(
            of: Void.self, returning: Result<Speaker.Report, any Error>.self
        ) { group in
            let interrupted = InterruptFlag()
            group.addTask { await keys(of: panel, interrupted) }
            group.addTask { await show(on: panel, of: sentences.count) }
            let result: Result<Speaker.Report, any Error>
            do {
                let report = try await speak(utterances)
                result = interrupted.isSet ? .failure(CancellationError()) : .success(report)
            } catch {
                result = .failure(error)
            }
            group.cancelAll()
            return result
        }
        await panel.close()
        return try result.get()
    }

    /// Cancelled, it is silent at once.
    private func speak(_ utterances: [Utterance]) async throws -> Speaker.Report {
        try await withTaskCancellationHandler {
            try await speaker.speak(utterances)
        } onCancel: {
            Task { await speaker.stop() }
        }
    }

    private func keys(of panel: TerminalPanel, _ interrupted: InterruptFlag) async {
        while let key = await panel.nextKey() {
            switch key {
            case .character(" "), .enter: await speaker.togglePause()
            case .right, .down, .character("n"): await speaker.skip(1)
            case .left, .up, .character("p"): await speaker.skip(-1)
            case .escape, .character("q"): return await speaker.stop()
            case .interrupt:
                interrupted.set()
                return await speaker.stop()
            default: break
            }
        }
        // The terminal is gone, or it is over anyway.
        await speaker.stop()
    }

    private func show(on panel: TerminalPanel, of count: Int) async {
        for await state in speaker.states {
            if state.phase == .ended { continue }
            let view = PlaybackView(
                sentence: state.text, number: min(count, state.index + 1), count: count,
                isPaused: state.phase == .paused, isWaking: state.phase == .waking,
                glyphs: glyphs)
            panel.show { view.lines(columns: $0) }
        }
    }
}

/// Whether Ctrl-C was the key that ended it.
private final class InterruptFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
