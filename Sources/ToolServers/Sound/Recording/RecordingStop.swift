import Synchronization

/// Lets another task end a recording.
///
/// For one recording; repeated or early requests do no harm.
package final class RecordingStop: Sendable {
    /// A later case outranks the earlier ones.
    enum Request: Int, Sendable {
        case stop = 1
        case interrupt, cancel
    }

    private struct State {
        var request: Request?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Ends the recording, which is complete.
    package func stop() { ask(.stop) }

    /// Discards the recording: its file is removed.
    package func cancel() { ask(.cancel) }

    /// The program is about to end: the recording so far is kept.
    func interrupt() { ask(.interrupt) }

    /// Waits for a request that outranks the last one; one caller at a time.
    ///
    /// - Returns: nil if the task was cancelled.
    func next(after last: Request?) async -> Request? {
        while !Task.isCancelled {
            if let request = state.withLock({ $0.request }), request.rawValue > last?.rawValue ?? 0
            {
                return request
            }
            await wait(after: last)
        }
        return nil
    }

    private func ask(_ request: Request) {
        let waiter = state.withLock { state in
            if request.rawValue > state.request?.rawValue ?? 0 { state.request = request }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    private func wait(after last: Request?) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNeeded = state.withLock { state in
                    // The handler below may have run already, or the request have arrived.
                    let isOver =
                        Task.isCancelled || state.request?.rawValue ?? 0 > last?.rawValue ?? 0
                    if !isOver { state.waiter = continuation }
                    return !isOver
                }
                if !isNeeded { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }
}
