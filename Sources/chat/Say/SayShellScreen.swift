import AgentCore
import Glibc
import Synchronization
import TerminalKit

/// The terminal of `chat say`: a panel with keys where there is one, else
/// nothing but Ctrl-C.
struct SayShellScreen: Sendable {
    let glyphs: VoiceGlyphs
    private let terminal: TerminalSession?
    private let stop: Stop

    /// Comes from a thread of the terminal's or of a signal.
    private final class Stop: Sendable {
        private let state = Mutex<(call: (@Sendable () -> Void)?, isAsked: Bool)>((nil, false))

        func set(_ call: @escaping @Sendable () -> Void) {
            let isAsked = state.withLock { state in
                state.call = call
                return state.isAsked
            }
            if isAsked { call() }
        }

        func ask() {
            let call = state.withLock { state in
                state.isAsked = true
                return state.call
            }
            call?()
        }
    }

    init(services: Services) {
        let stop = Stop()
        self.stop = stop
        // What is printed afterwards goes to stdout; a panel goes where a
        // person looks.
        let output: Int32 = isatty(1) == 1 ? 1 : 2
        let term = services.variables["TERM"] ?? "dumb"
        let style = services.style(isTerminal: isatty(output) == 1)
        glyphs = VoiceGlyphs(usesUnicode: style.usesUnicode)
        guard isatty(0) == 1, isatty(output) == 1, term != "dumb", !term.isEmpty else {
            terminal = nil
            EndSignals.call { stop.ask() }
            return
        }
        var options = TerminalSession.Options()
        options.output = output
        options.term = term
        options.style = style
        options.escapeTime = services.settings.escapeTime
        options.onInterrupt = { stop.ask() }
        options.onTerminate = { _ in stop.ask() }
        terminal = TerminalSession(options)
    }

    func openPanel() async -> TerminalPanel? { await terminal?.openPanel() }

    func onStop(_ call: @escaping @Sendable () -> Void) { stop.set(call) }

    func close() async { await terminal?.close() }
}
