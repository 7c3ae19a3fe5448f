import Synchronization

@testable import Transcription

/// Hears a `ToneRecording`, except where its script wants something else.
final class ScriptedTranscriber: Transcriber {
    enum Act: Sendable {
        case hear
        case fail(TranscriptionError)
        /// As if Ctrl-C were pressed while it is under way.
        case interrupt
    }

    struct Call: Sendable, Equatable {
        var bytes: Int
        var duration: Double?
        var prompt: String?
        var times: TranscriptionOptions.Times
    }

    private struct State {
        var calls: [Call] = []
        var task: Task<Transcript, any Error>?
    }

    private let script: @Sendable (_ call: Int, TranscriptionUpload) -> Act
    private let state = Mutex(State())

    /// - Parameter script: is asked with the call's number, from 1.
    init(
        _ script: @escaping @Sendable (_ call: Int, TranscriptionUpload) -> Act = { _, _ in .hear }
    ) {
        self.script = script
    }

    var calls: [Call] { state.withLock { $0.calls } }

    func runs(in task: Task<Transcript, any Error>) { state.withLock { $0.task = task } }

    func transcribe(
        _ upload: TranscriptionUpload,
        onProgress: @escaping @Sendable (TranscriptionProgress) -> Void
    ) async throws -> Transcript {
        let number = state.withLock { state in
            state.calls.append(
                Call(
                    bytes: upload.byteCount, duration: upload.duration,
                    prompt: upload.options.prompt, times: upload.options.times))
            return state.calls.count
        }
        onProgress(.sent(bytes: upload.byteCount, of: upload.byteCount))
        switch script(number, upload) {
        case .hear: break
        case .fail(let error):
            onProgress(.text("half of it"))
            throw error
        case .interrupt:
            state.withLock { $0.task }?.cancel()
            throw CancellationError()
        }
        let (words, duration) = ToneRecording.heard(try upload.bytes())
        var transcript = Transcript(text: words.map(\.text).joined(separator: " "))
        guard upload.options.times != .none else { return transcript }
        transcript.duration = duration
        for word in words {
            if let last = transcript.segments.last, word.start - last.end < 0.45 {
                transcript.segments[transcript.segments.count - 1].text += " \(word.text)"
                transcript.segments[transcript.segments.count - 1].end = word.end
            } else {
                transcript.segments.append(
                    .init(start: word.start, end: word.end, text: " \(word.text)"))
            }
        }
        if upload.options.times == .words { transcript.words = words }
        return transcript
    }
}
