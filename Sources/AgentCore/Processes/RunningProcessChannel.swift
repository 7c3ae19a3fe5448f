import Glibc
import Synchronization

/// Between the callers of a `RunningProcess` and the thread of its loop: the
/// state under a lock, the pipe that wakes the loop, and the only place that
/// signals and reaps the child.
///
/// Signals and reaping happen under the lock, so that no signal ever goes to an
/// id that was given to another process.
final class RunningProcessChannel: Sendable {
    private struct Guarded {
        var state: RunningProcessState
        var nextID: UInt64 = 0
        var isReaped = false
        var isAbandoned = false
        /// On the clock of `SubprocessLoop.uptime`; SIGKILL is due then.
        var killAt: Double?
        /// A byte for the loop is in the wake pipe: no second one is needed.
        var isWoken = false
    }

    let pid: pid_t
    let wake: WakePipe
    private let guarded: Mutex<Guarded>

    init(_ child: ProcessSpawn, _ options: RunningProcess.Options, _ wake: WakePipe) {
        pid = child.pid
        self.wake = wake
        guarded = Mutex(Guarded(state: RunningProcessState(options)))
    }

    // MARK: - For callers

    func newID() -> UInt64 {
        guarded.withLock { guarded in
            guarded.nextID += 1
            return guarded.nextID
        }
    }

    func write(_ bytes: [UInt8], _ id: UInt64, _ writer: RunningProcessState.Writer) {
        ask { state in
            // The handler of the cancellation has run before: it found nothing.
            if Task.isCancelled { return [.cancelledWrite(writer)] }
            return state.write(bytes, id, writer)
        }
    }

    func read(_ id: UInt64, _ reader: RunningProcessState.Reader) {
        ask { state in
            if Task.isCancelled { return [.cancelledRead(reader)] }
            return state.read(id, reader)
        }
    }

    func cancel(_ id: UInt64) { ask { $0.cancel(id) } }

    func closeInput() { ask { $0.closeInput() } }

    func waitForStatus(_ waiter: CheckedContinuation<Subprocess.Result.Status, Never>) {
        ask { $0.waitForStatus(waiter) }
    }

    var errorOutput: [UInt8] { guarded.withLock { $0.state.errorOutput } }

    func signal(_ number: Int32) {
        guarded.withLock { if !$0.isReaped { _ = kill(-pid, number) } }
    }

    func stop(_ first: Int32, grace: Double) {
        guarded.withLock { guarded in
            guard !guarded.isReaped else { return }
            let killAt = SubprocessLoop.uptime() + grace
            guarded.killAt = min(guarded.killAt ?? killAt, killAt)
            _ = kill(-pid, first)
        }
        ask { $0.inputClosed() }
    }

    /// Nobody holds the process any more: it goes, and its loop with it.
    func abandon() {
        guarded.withLock { guarded in
            guarded.isAbandoned = true
            if !guarded.isReaped { _ = kill(-pid, SIGKILL) }
        }
        ask { $0.inputClosed() + $0.outputEnded() }
    }

    private func ask(_ change: (inout RunningProcessState) -> [RunningProcessState.Answer]) {
        let (answers, wakes) = guarded.withLock { guarded in
            let answers = change(&guarded.state)
            defer { guarded.isWoken = true }
            return (answers, !guarded.isWoken)
        }
        if wakes { wake.signal(.asked) }
        for answer in answers { answer.give() }
    }

    // MARK: - For the loop

    struct Wishes {
        var hasInput: Bool
        var inputIsClosed: Bool
        var outputRoom: Int
        var isAbandoned: Bool
        var killAt: Double?
    }

    /// What is wanted now; whoever asks for more wakes the loop again.
    func wishes() -> Wishes {
        guarded.withLock { guarded in
            guarded.isWoken = false
            let state = guarded.state
            let isDone = state.input == .closing && state.unwritten.isEmpty
            return Wishes(
                hasInput: !state.unwritten.isEmpty, inputIsClosed: state.input == .closed || isDone,
                outputRoom: state.outputRoom, isAbandoned: guarded.isAbandoned,
                killAt: guarded.isReaped ? nil : guarded.killAt)
        }
    }

    func change(_ event: (inout RunningProcessState) -> [RunningProcessState.Answer]) {
        for answer in guarded.withLock({ event(&$0.state) }) { answer.give() }
    }

    func killIfDue() {
        guarded.withLock { guarded in
            guard let killAt = guarded.killAt, !guarded.isReaped,
                SubprocessLoop.uptime() >= killAt
            else { return }
            _ = kill(-pid, SIGKILL)
            guarded.killAt = nil
        }
    }

    /// The first process has ended. What is left of its group goes with it:
    /// its id is ours until it is reaped.
    func reap() -> Subprocess.Result.Status {
        guarded.withLock { guarded in
            _ = kill(-pid, SIGKILL)
            var word: Int32 = 0
            while waitpid(pid, &word, 0) < 0, errno == EINTR {}
            guarded.isReaped = true
            return Subprocess.Result.Status(waitWord: word)
        }
    }
}
