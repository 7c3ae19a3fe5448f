import AgentCore
import Glibc
import Synchronization
import TerminalKit
import ToolServers

/// The terminal of `chat record`: a panel where there is a cursor, else plain
/// lines on stderr, and Ctrl-C as the end of the recording.
struct RecordShellScreen: Sendable {
    let screen: DictationScreen
    private let terminal: TerminalSession?
    private let calls: Calls

    /// What signals mean now; they come on threads of their own.
    private final class Calls: Sendable {
        struct State {
            var end: (@Sendable () -> Void)?
            var stop: (@Sendable () -> Void)?
            var hasEnded = false
        }

        let state = Mutex(State())

        /// The first ends the recording, and what was said is used; a second
        /// one stops what follows.
        func interrupt() {
            let call = state.withLock { state in
                defer { state.hasEnded = true }
                return state.hasEnded ? state.stop : state.end ?? state.stop
            }
            call?()
        }

        func terminate() { state.withLock { $0.stop }?() }
    }

    init(services: Services) {
        let calls = Calls()
        self.calls = calls
        let style = services.style(isTerminal: isatty(2) == 1)
        // Answers go to stdout; a panel goes where a person looks.
        let output: Int32 = isatty(1) == 1 ? 1 : 2
        let term = services.variables["TERM"] ?? "dumb"
        if isatty(0) == 1, isatty(output) == 1, term != "dumb", !term.isEmpty {
            var options = TerminalSession.Options()
            options.output = output
            options.term = term
            options.style = services.style(isTerminal: true)
            options.escapeTime = services.settings.escapeTime
            options.onInterrupt = { calls.terminate() }
            options.onTerminate = { _ in calls.terminate() }
            terminal = TerminalSession(options)
        } else {
            terminal = nil
            EndSignals.call([SIGINT]) { calls.interrupt() }
            EndSignals.call([SIGTERM, SIGHUP]) { calls.terminate() }
        }
        let say: @Sendable ([StyledLine]) async -> Void = { [terminal] lines in
            let bytes = lines.flatMap { style.bytes($0) }
            if let terminal {
                await terminal.write(bytes)
            } else {
                await StandardOutput(descriptor: 2).write(bytes)
            }
        }
        let glyphs = VoiceGlyphs(usesUnicode: style.usesUnicode)
        screen = DictationScreen(
            openPanel: { [terminal] in await terminal?.openPanel() },
            progress: { [terminal] in
                terminal.map { ProgressScreen($0, style) }
                    ?? ProgressScreen(services.progressLine, glyphs)
            }, say: say, glyphs: glyphs, plainEnd: "Ctrl-C")
    }

    /// Before the recording begins.
    func onEnd(_ end: @escaping @Sendable () -> Void) { calls.state.withLock { $0.end = end } }

    /// Stops everything; what was recorded is kept.
    func onStop(_ stop: @escaping @Sendable () -> Void) { calls.state.withLock { $0.stop = stop } }

    func close() async { await terminal?.close() }
}
