import AgentCore
import Base
import Synchronization

/// Reports a silence after 20 seconds and then every second, so that a silent server is not
/// mistaken for a hanging program.
package final class SilenceWatch: Sendable {
    /// Seconds of silence before the first report.
    package static let limit = 20

    private struct State {
        var last = 0.0
        var ticker: Task<Void, Never>?
    }

    private let environment: Environment
    private let state = Mutex(State())

    package init(_ environment: Environment) { self.environment = environment }

    deinit { state.withLock { $0.ticker?.cancel() } }

    package static func text(_ seconds: Int) -> String { "silent for \(seconds) s" }

    /// Starts watching, until `end`; counts as an arrival.
    package func begin(_ say: @escaping @Sendable (_ seconds: Int) async -> Void) {
        note()
        let ticker = Task { [weak self, environment] in
            while true {
                do { try await environment.sleep(.seconds(1)) } catch { return }
                guard let silence = self?.silence else { return }
                if silence >= Self.limit { await say(silence) }
            }
        }
        state.withLock { $0.ticker = ticker }
    }

    /// Records an arrival.
    package func note() {
        let now = environment.uptime()
        state.withLock { $0.last = now }
    }

    package func end() async {
        let ticker = state.withLock { state in
            defer { state.ticker = nil }
            return state.ticker
        }
        ticker?.cancel()
        await ticker?.value
    }

    private var silence: Int {
        Int(environment.uptime() - state.withLock { $0.last })
    }
}
