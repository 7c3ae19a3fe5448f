import Glibc
import Synchronization
import TerminalKit

/// The terminal of a long-running command (`chat record`, `chat say`): a panel if there is a
/// cursor, otherwise only Ctrl-C.
package struct ShellPanel: Sendable {
    /// Nil without a cursor.
    package let terminal: TerminalSession?
    private let calls = Calls()

    /// The current effect of signals, which arrive on threads of their own.
    private final class Calls: Sendable {
        struct State {
            var end: (@Sendable () -> Void)?
            var stop: (@Sendable () -> Void)?
            var hasEnded = false
            var isStopped = false
        }

        let state = Mutex(State())

        /// The first Ctrl-C ends the running step if that can end early; the second stops the rest.
        func interrupt() {
            let end = state.withLock { state in
                defer { state.hasEnded = true }
                return state.hasEnded ? nil : state.end
            }
            if let end { end() } else { stop() }
        }

        func stop() {
            let call = state.withLock { state in
                state.isStopped = true
                return state.stop
            }
            call?()
        }
    }

    /// - Parameter readsLines: whether lines are read even without a cursor, from a terminal or a
    ///   pipe.
    package init(services: Services, readsLines: Bool = false) {
        // Results are printed to stdout; a panel goes to the terminal the user sees.
        let output: Int32 = isatty(1) == 1 ? 1 : 2
        let hasCursor = isatty(0) == 1 && isatty(output) == 1 && services.variables.hasCursor
        guard hasCursor || readsLines else {
            terminal = nil
            EndSignals.call([SIGINT]) { [calls] in calls.interrupt() }
            EndSignals.call([SIGTERM, SIGHUP]) { [calls] in calls.stop() }
            return
        }
        var options = TerminalSession.Options()
        options.output = output
        options.term = services.variables["TERM"] ?? "dumb"
        options.style = services.style(isTerminal: true)
        options.escapeTime = services.settings.escapeTime
        options.onInterrupt = { [calls] in calls.stop() }
        options.onTerminate = { [calls] _ in calls.stop() }
        terminal = TerminalSession(options)
    }

    package func openPanel() async -> TerminalPanel? { await terminal?.openPanel() }

    /// The place for screens.
    package func place(_ services: Services) -> PanelPlace {
        let style = services.style(isTerminal: isatty(2) == 1)
        return PanelPlace(
            terminal, isChat: false, size: ScreenSize.of(1),
            say: { [terminal] lines in
                let bytes = lines.flatMap { style.bytes($0) }
                // The terminal has a single writer.
                if let terminal, isatty(2) == 1 {
                    await terminal.write(bytes)
                } else {
                    await StandardOutput(descriptor: 2).write(bytes)
                }
            }, describe: { services.diagnostics.describe($0) })
    }

    /// Sets the step that Ctrl-C ends first without a panel; call it before the work begins.
    package func onEnd(_ end: @escaping @Sendable () -> Void) {
        calls.state.withLock { $0.end = end }
    }

    /// Runs the work, which is cancelled by signals and when the terminal goes away, and closes the
    /// terminal.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value)
        async throws
        -> Value
    {
        let task = Task { try await work() }
        let isStopped = calls.state.withLock { state in
            state.stop = { task.cancel() }
            return state.isStopped
        }
        if isStopped { task.cancel() }
        let result = await task.result
        await terminal?.close()
        return try result.get()
    }
}
