import Glibc
import Synchronization

/// Signals as events: a handler only records the signal and wakes the terminal's thread,
/// which decides its meaning.
enum TerminalSignals {
    private static let pending = Atomic<UInt64>(0)
    private static let wakeDescriptor = Atomic<Int32>(-1)

    static let observed = [SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGQUIT]

    /// Makes the signals write a byte to `descriptor`.
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
        // poll still returns EINTR; the calls of other threads continue.
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }

    /// Restores the default behaviour.
    static func remove() {
        for number in observed { signal(number, SIG_DFL) }
        wakeDescriptor.store(-1, ordering: .releasing)
    }

    /// Whether the program has to end, and that has not been handled yet.
    static var isEnding: Bool {
        let ends = [SIGTERM, SIGHUP, SIGQUIT].reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        return pending.load(ordering: .acquiring) & ends != 0
    }

    /// The signals since the last call, unordered.
    static func take() -> Set<Int32> {
        let bits = pending.exchange(0, ordering: .acquiringAndReleasing)
        return bits == 0 ? [] : Set(observed.filter { bits & (1 << UInt64($0)) != 0 })
    }

    /// Forgets a signal that we caused ourselves.
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
