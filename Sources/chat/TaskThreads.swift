import Base

#if compiler(>=6.3) && compiler(<6.4)
    // The interface for replacing the executor of tasks is not final: another version of the
    // compiler may have a different one.
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
    import AgentCore
    import Dispatch
    import Glibc
    import Synchronization

    /// The threads that run the program's tasks: a few, which take jobs in order from one list and
    /// then wait.
    ///
    /// Swift's own executor uses the global queues, and the first job on one of those starts a
    /// timer in libdispatch (its workqueue monitor) that wakes the process once a second until it
    /// ends. These threads belong to serial queues, which are not monitored, so a waiting program
    /// sleeps.
    final class TaskThreads: TaskExecutor, SchedulingExecutor {
        private struct State {
            var jobs: [UnownedJob] = []
            /// Idle threads; the one that worked last is taken first.
            var idle: [DispatchSemaphore] = []
            var count = 0
        }

        private let width: Int
        private let timers = DispatchQueue(label: "chat.timers")
        private let state = Mutex(State())

        /// A job that reads a small file blocks its thread for a moment, so there are a few
        /// even on one processor.
        init(width: Int = max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) { self.width = width }

        private func add(_ job: UnownedJob) {
            let (idle, isShort) = state.withLock { state -> (DispatchSemaphore?, Bool) in
                state.jobs.append(job)
                if let idle = state.idle.popLast() { return (idle, false) }
                guard state.count < width else { return (nil, false) }
                state.count += 1
                return (nil, true)
            }
            if let idle {
                idle.signal()
            } else if isShort {
                // A thread of its own that is never returned to the pool.
                DispatchQueue(label: "chat.tasks").async { self.work() }
            }
        }

        private func work() -> Never {
            let wake = DispatchSemaphore(value: 0)
            while true {
                let job = state.withLock { state -> UnownedJob? in
                    guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
                    state.idle.append(wake)
                    return nil
                }
                guard let job else {
                    wake.wait()
                    continue
                }
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }

        func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

        func enqueue<Time: Clock>(
            _ job: consuming ExecutorJob, after delay: Time.Duration,
            tolerance: Time.Duration?, clock: Time
        ) {
            // Both of Swift's clocks measure in `Duration`, and no other is used for
            // sleeping.
            guard let delay = delay as? Duration else {
                preconditionFailure("a sleep on a clock of another kind: \(Time.self)")
            }
            let job = UnownedJob(job)
            // Beyond a century Int would overflow.
            timers.asyncAfter(deadline: .now() + min(delay.inSeconds, 3e9)) { self.add(job) }
        }

        /// Makes every task of the program run here. Call it before the first one.
        static func install() { _createExecutors(factory: Factory.self) }

        private struct Factory: ExecutorFactory {
            private static let threads = TaskThreads()
            static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
            static var defaultExecutor: any TaskExecutor { threads }
        }
    }
#else
    /// Keeps Swift's own executor: the program works the same but wakes once a second.
    enum TaskThreads {
        static func install() {}
    }
#endif
