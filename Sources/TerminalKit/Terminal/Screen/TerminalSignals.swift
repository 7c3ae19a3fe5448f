import Glibc
import Synchronization

/// Signals as events: a handler only notes which came and wakes the terminal's
/// thread. What a signal means is decided there.
enum TerminalSignals {
    private static let pending = Atomic<UInt64>(0)
    private static let wakeDescriptor = Atomic<Int32>(-1)

    static let observed = [SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGQUIT]

    /// From now on the signals write a byte to `descriptor`.
    static func install(waking descriptor: Int32) {
        pending.store(0, ordering: .relaxed)
        wakeDescriptor.store(descriptor, ordering: .releasing)
        for number in observed { install(number) }
    }

    static func install(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            let error = errno
            TerminalSignals.note(number)
            errno = error
        }
        // poll returns EINTR in spite of it; the calls of other threads go on.
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }

    /// The default behaviour again.
    static func remove() {
        for number in observed { signal(number, SIG_DFL) }
        wakeDescriptor.store(-1, ordering: .releasing)
    }

    /// The program has been told to end, and that is not handled yet.
    static var isEnding: Bool {
        let ends = [SIGTERM, SIGHUP, SIGQUIT].reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        return pending.load(ordering: .acquiring) & ends != 0
    }

    /// What came since the last call, in no order.
    static func take() -> Set<Int32> {
        let bits = pending.exchange(0, ordering: .acquiringAndReleasing)
        return bits == 0 ? [] : Set(observed.filter { bits & (1 << UInt64($0)) != 0 })
    }

    /// One that we caused ourselves.
    static func forget(_ number: Int32) {
        pending.bitwiseAnd(~(1 << UInt64(number)), ordering: .relaxed)
    }

    private static func note(_ number: Int32) {
        pending.bitwiseOr(1 << UInt64(number), ordering: .relaxed)
        let descriptor = wakeDescriptor.load(ordering: .acquiring)
        guard descriptor >= 0 else { return }
        var one: UInt8 = 1
        _ = write(descriptor, &one, 1)
    }
}
