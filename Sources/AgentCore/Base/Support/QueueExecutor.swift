import Dispatch

/// Runs an actor's work on its own serial dispatch queue, so that blocking calls (SQLite, the disk)
/// never occupy a thread of the cooperative pool.
///
/// An actor gets one by conforming to `QueuedActor`.
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

    /// Runs one blocking call outside an actor.
    package static func run<Value: Sendable, Failure: Error>(
        _ label: String, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            DispatchQueue(label: label).async {
                continuation.resume(returning: Result(catching: body))
            }
        }
        return try result.get()
    }
}

/// An actor whose work runs on its `executor`.
package protocol QueuedActor: Actor {
    nonisolated var executor: QueueExecutor { get }
}

extension QueuedActor {
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }
}
