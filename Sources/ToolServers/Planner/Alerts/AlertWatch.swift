import Base
import Dispatch
import FoundationEssentials
import Synchronization

/// Waits on one blocked thread for the events that alerts depend on: the
/// wall-clock time of the next one, changes in the calendar folders, a changed
/// clock or zone, and a tick each minute for changes without an event (a
/// machine that slept, a network folder).
///
///     timerfd     absolute, CLOCK_REALTIME; a clock that is set ends the wait
///     inotify     roots, collections, /etc (for localtime)
///     pipe        `arm`, `watch`, `stop`
///
/// It reads no calendar file and costs nothing while idle.
package final class AlertWatch: Sendable {
    package struct Events: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let timer = Events(rawValue: 1)
        package static let files = Events(rawValue: 2)
        package static let clock = Events(rawValue: 4)
        package static let zone = Events(rawValue: 8)
        package static let tick = Events(rawValue: 16)
        package static let stopped = Events(rawValue: 32)
    }

    /// The thread's next task; read only by the thread, after a wake.
    struct Orders: Sendable {
        var next: Date?
        var folders: [String] = []
        var isNew = true
        var isStopped = false
        /// Seconds without a change after which changes are reported.
        var quiet = 0.15
    }

    private struct Waiting {
        var events: Events = []
        var waiter: CheckedContinuation<Events, Never>?
    }

    let orders = Mutex(Orders())
    private let waiting = Mutex(Waiting())
    private let waker: Waker

    /// nil if the system gives no descriptor.
    package init?() {
        guard let waker = Waker() else { return nil }
        self.waker = waker
        // A new serial queue gets a thread outside of the cooperative pool,
        // which the loop may block.
        DispatchQueue(label: "chat.alerts.watch").async {
            var loop = AlertWatchLoop(self, wake: waker.readEnd)
            loop.run()
        }
    }

    /// Waits for an event; events between two calls are kept, so that none is
    /// missed. One caller at a time.
    package func next() async -> Events {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = waiting.withLock { state -> Events in
                    let events = state.events
                    if events.isEmpty { state.waiter = continuation } else { state.events = [] }
                    return events
                }
                if !ready.isEmpty { continuation.resume(returning: ready) }
            }
        } onCancel: {
            tell(.stopped)
        }
    }

    package func tell(_ events: Events) {
        let waiter = waiting.withLock { state -> CheckedContinuation<Events, Never>? in
            state.events.formUnion(events)
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        guard let waiter else { return }
        waiter.resume(
            returning: waiting.withLock { state in
                let events = state.events
                state.events = []
                return events
            })
    }

    /// Sets the wall-clock time to wake at; a past time wakes at once.
    package func arm(_ instant: Date?) { order { $0.next = instant } }

    /// Sets the folders to watch, whether or not they exist now.
    package func watch(_ folders: [String], quiet: Double) {
        order {
            $0.folders = folders
            $0.quiet = quiet
        }
    }

    /// Ends the thread.
    package func stop() {
        order { $0.isStopped = true }
        tell(.stopped)
    }

    private func order(_ change: (inout Orders) -> Void) {
        orders.withLock { orders in
            change(&orders)
            orders.isNew = true
        }
        waker.signal()
    }
}
