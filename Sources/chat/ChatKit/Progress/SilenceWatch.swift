import AgentCore
import Base
import Synchronization

/// Tells that nothing has come for a while, from 20 seconds on and then each second, so
/// that a server that says nothing is not taken for a program that hangs.
package final class SilenceWatch: Sendable {
    /// Seconds of silence that are worth a word.
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

    /// Until `end`; a beginning is something that came.
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

    /// Something has come.
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
