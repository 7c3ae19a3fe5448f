import Synchronization

/// Says that the work on a connection is no longer wanted. Raised by any
/// thread (a cancelled task), looked at by the connection's own callbacks.
///
/// A flag per operation rather than `sqlite3_interrupt`: that call hits
/// whichever statement happens to run, also the write of another task, and is
/// forgotten when none runs yet.
final class Interruption: Sendable {
    private let raised = Atomic<Bool>(false)

    var isRaised: Bool { raised.load(ordering: .relaxed) }

    func raise() { raised.store(true, ordering: .relaxed) }
}
