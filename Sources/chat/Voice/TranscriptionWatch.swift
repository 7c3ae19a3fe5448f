import AgentCore
import Synchronization
import ToolServers

/// Transcriptions in the middle of a turn: the model's call, or a message that
/// is answered here. Whoever draws the turn asks for a line; where nobody
/// draws, it may have a line of its own.
final class TranscriptionWatch: Sendable {
    private struct Running {
        var path: String
        var progress = UploadProgress()
    }

    private struct State {
        var running: [Running] = []
        var place = TranscriptionScreen.Place.nowhere
        /// Of the first, on a line of its own.
        var shown = ""
    }

    private let environment: Environment
    private let glyphs: VoiceGlyphs
    private let state = Mutex(State())

    init(environment: Environment, glyphs: VoiceGlyphs) {
        self.environment = environment
        self.glyphs = glyphs
    }

    /// From any thread, in order.
    func observe(_ event: TranscriptionProgress, of path: String) {
        let now = environment.uptime()
        state.withLock { state in
            let index = state.running.firstIndex { $0.path == path } ?? state.running.count
            if index == state.running.count { state.running.append(Running(path: path)) }
            state.running[index].progress.take(event, at: now)
        }
        draw()
    }

    /// What is written next begins on an empty line.
    func end(_ path: String) {
        state.withLock { state in state.running.removeAll { $0.path == path } }
        draw()
    }

    /// How far the first of them is; nil while there is none.
    func line(columns: Int) -> String? {
        guard let first = state.withLock({ $0.running.first }) else { return nil }
        let name = FilePath.name(first.path)
        return ProgressLine(UploadView(title: name, glyphs: glyphs)).text(
            first.progress, at: environment.uptime(), columns: columns)
    }

    /// A line of its own, until the task that waits here is cancelled.
    func show(on place: TranscriptionScreen.Place) async {
        state.withLock { $0.place = place }
        // Waiting times go on while nothing comes. Only cancelling throws.
        while (try? await environment.sleep(.milliseconds(200))) != nil { draw() }
        state.withLock { $0.running = [] }
        draw()
        state.withLock { $0.place = .nowhere }
    }

    private func draw() {
        guard case .line(let columns, let write) = state.withLock({ $0.place }) else { return }
        let text = line(columns: columns()) ?? ""
        // Within the lock, so that two threads do not mix their lines.
        state.withLock { state in
            guard text != state.shown else { return }
            state.shown = text
            write("\r\(text)\u{1B}[K")
        }
    }
}
