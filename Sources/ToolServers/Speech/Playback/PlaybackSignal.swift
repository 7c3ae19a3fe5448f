import Synchronization

/// Tells one waiting task that something has changed. What is told while
/// nobody waits is kept, once.
final class PlaybackSignal: Sendable {
    private struct State {
        var isSet = false
        var waiter: CheckedContinuation<Void, any Error>?
    }

    private let state = Mutex(State())

    func notify() {
        let waiter = state.withLock { state in
            let waiter = state.waiter
            state.isSet = waiter == nil
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }

    /// - Throws: `CancellationError`.
    func wait() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let isDone = state.withLock { state in
                    // The handler below has found nobody when it ran before.
                    if state.isSet || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                guard isDone else { return }
                state.withLock { $0.isSet = false }
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    continuation.resume()
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
