import Dispatch

/// Runs an actor's work on a serial dispatch queue of its own, so that calls
/// which block (SQLite, the disk) never hold a thread of the cooperative pool.
///
/// An actor adopts it by returning it from `unownedExecutor`.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Runs one call that blocks, where no actor is around it.
    package static func run<Value: Sendable>(
        _ label: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: label).async { continuation.resume(with: Result { try body() }) }
        }
    }
}
