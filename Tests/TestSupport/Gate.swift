import Foundation
import Synchronization

/// A door that is closed until it is opened, once and for good. Tests wait at
/// it instead of sleeping, from a task or from a thread of their own.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var tasks: [CheckedContinuation<Void, Never>] = []
        var threads: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer {
                state.tasks = []
                state.threads = []
            }
            return (state.tasks, state.threads)
        }
        for task in waiting.0 { task.resume() }
        for thread in waiting.1 { thread.signal() }
    }

    /// For tasks: suspends.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.tasks.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// For threads of the test: blocks. Never call it from a task.
    package func block() {
        let semaphore = DispatchSemaphore(value: 0)
        let isOpen = state.withLock { state in
            if !state.isOpen { state.threads.append(semaphore) }
            return state.isOpen
        }
        if !isOpen { semaphore.wait() }
    }
}
