import AgentCore
import Glibc
import Synchronization
import ToolServers

/// A transcription on its way, in the shell: one line on the terminal that
/// goes when it is over; nothing where stderr is a file. The first Ctrl-C ends
/// the work in order, and what is kept is said.
final class TranscriptionLine: Sendable {
    private struct State {
        var file = ""
        var progress = UploadProgress()
        /// When the line that stands there was written; nil where none does.
        var drawn: Double?
    }

    private let environment: Environment
    private let glyphs: VoiceGlyphs
    private let columns: Int
    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameter isTerminal: what `write` goes to.
    init(
        environment: Environment, usesUnicode: Bool, columns: Int, isTerminal: Bool,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.environment = environment
        glyphs = VoiceGlyphs(usesUnicode: usesUnicode)
        self.columns = columns
        self.isTerminal = isTerminal
        self.write = write
    }

    /// From any thread, in order.
    func observe(_ event: TranscriptionProgress, _ path: String) {
        let now = environment.uptime()
        let line: String? = state.withLock { state in
            if state.file != path { (state.file, state.progress) = (path, UploadProgress()) }
            state.progress.take(event, at: now)
            // Ten a second: more is not read.
            if !isTerminal || state.drawn.map({ now - $0 < 0.1 }) ?? false { return nil }
            state.drawn = now
            return text(state.file, state.progress, now)
        }
        if let line { write("\r\u{1B}[K\(line)") }
    }

    /// Before anything else is written there.
    func clear() {
        let wasDrawn = state.withLock { state in
            defer { state.drawn = nil }
            return state.drawn != nil
        }
        if wasDrawn { write("\r\u{1B}[K") }
    }

    /// Runs a command below which the line may stand.
    func run(
        _ body: @escaping @Sendable () async throws -> CommandOutput
    ) async throws -> CommandOutput {
        let task = Task { try await body() }
        let signals = StopSignals { task.cancel() }
        defer { signals.end() }
        let result = await task.result
        clear()
        if case .failure = result, let kept { write("\(kept)\n") }
        return try result.get()
    }

    /// What is not sent again although it failed.
    private var kept: String? {
        let progress = state.withLock { $0.progress }
        return progress.keptPieces.map { "\($0) The same command goes on." }
    }

    private func text(_ path: String, _ progress: UploadProgress, _ now: Double) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return ProgressLine(UploadView(title: name, glyphs: glyphs))
            .text(progress, at: now, columns: columns)
    }
}

extension UploadProgress {
    /// "3 of 8 pieces are kept."; nil where there are none.
    var keptPieces: String? {
        let done = piece - 1
        guard pieces > 1, done > 0 else { return nil }
        return "\(done) of \(pieces) pieces \(done == 1 ? "is" : "are") kept."
    }
}
