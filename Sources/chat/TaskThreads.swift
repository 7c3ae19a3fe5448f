// Swift 6.3 lets a program replace the executor of its tasks, by an interface
// that is not settled yet. With any other version the program does the same and
// wakes once a second.
#if compiler(>=6.3) && compiler(<6.4)
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
#endif
import Dispatch
import Glibc
import Synchronization

/// The threads on which the program's tasks run: a few serial queues that work
/// off one list of jobs, in the order in which they came.
///
/// Swift's own executor uses the global queues, and the first job on one of
/// those starts a timer in libdispatch (its workqueue monitor) that wakes the
/// process once a second until it ends. Serial queues are not monitored, so a
/// program that waits sleeps.
final class TaskThreads: Sendable {
    private struct State {
        var jobs: [UnownedJob] = []
        /// Queues with nothing to do.
        var idle: [Int]
    }

    private let queues: [DispatchQueue]
    private let timers = DispatchQueue(label: "chat.timers")
    private let state: Mutex<State>

    /// A job that reads a small file holds its thread for a moment, so there
    /// are a few even on one processor.
    init(width: Int = max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
        queues = (0..<width).map { _ in DispatchQueue(label: "chat.tasks") }
        state = Mutex(State(idle: Array(0..<width)))
    }

    private func add(_ job: UnownedJob) {
        let free = state.withLock { state in
            state.jobs.append(job)
            return state.idle.popLast()
        }
        if let free { queues[free].async { self.work(free) } }
    }

    /// Runs jobs until there are none.
    private func work(_ number: Int) {
        while true {
            let job = state.withLock { state -> UnownedJob? in
                guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
                state.idle.append(number)
                return nil
            }
            guard let job else { return }
            #if compiler(>=6.3) && compiler(<6.4)
                job.runSynchronously(on: asUnownedTaskExecutor())
            #endif
        }
    }
}

#if compiler(>=6.3) && compiler(<6.4)
    extension TaskThreads: TaskExecutor, SchedulingExecutor {
        func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

        func enqueue<Time: Clock>(
            _ job: consuming ExecutorJob, after delay: Time.Duration,
            tolerance: Time.Duration?, clock: Time
        ) {
            // Both of Swift's clocks measure in `Duration`, and no other is slept on.
            guard let delay = delay as? Duration else {
                preconditionFailure("a sleep on a clock of another kind: \(Time.self)")
            }
            let job = UnownedJob(job)
            let (seconds, attoseconds) = delay.components
            // Beyond a century Int would overflow.
            let pause = min(max(0, Double(seconds) + Double(attoseconds) / 1e18), 3e9)
            timers.asyncAfter(deadline: .now() + pause) { self.add(job) }
        }

        /// Has every task of the program run here. To be called before the first.
        static func install() { _createExecutors(factory: Factory.self) }

        private struct Factory: ExecutorFactory {
            private static let threads = TaskThreads()
            static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
            static var defaultExecutor: any TaskExecutor { threads }
        }
    }
#else
    extension TaskThreads {
        static func install() {}
    }
#endif
