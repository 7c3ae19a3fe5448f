import Glibc
import Synchronization

/// Connects the callers of a child process with the thread of its loop: the state under a
/// lock, the pipe that wakes the loop, and the only place that signals and reaps the child.
///
/// Signals and reaping happen under the lock, so that no signal ever goes to an id that was
/// given to another process.
final class ProcessChannel: Sendable {
    /// The reason why `Subprocess.run` gives no result.
    enum Stop { case cancelled, timedOut }

    private struct Guarded {
        var state: ProcessState
        var nextID: UInt64 = 0
        var isReaped = false
        var isAbandoned = false
        var stop: Stop?
        /// The end of `limits.time`, on the clock of `Environment.systemUptime`.
        var limitAt: Double?
        /// Time at which SIGKILL is due.
        var killAt: Double?
        /// Whether the wake pipe contains a byte for the loop, so that no second one is needed.
        var isWoken = false
    }

    /// Why the loop is woken.
    enum Wake {
        static let exited: UInt8 = 1
        /// A caller has a request for the child.
        static let asked: UInt8 = 2
    }

    let pid: pid_t
    let wake: Waker
    private let grace: Duration
    private let guarded: Mutex<Guarded>

    init(
        of pid: pid_t, _ streams: ProcessState.Streams, limits: Subprocess.Limits, _ wake: Waker
    ) {
        self.pid = pid
        self.wake = wake
        grace = limits.grace
        guarded = Mutex(
            Guarded(
                state: ProcessState(streams, errorBytes: limits.errorBytes),
                limitAt: limits.time.map { Environment.systemUptime() + $0.inSeconds }))
    }

    // MARK: - For callers

    func newID() -> UInt64 {
        guarded.withLock { guarded in
            guarded.nextID += 1
            return guarded.nextID
        }
    }

    func write(_ bytes: [UInt8], _ id: UInt64, _ writer: ProcessState.Writer) {
        ask { state in
            // The cancellation handler ran earlier and found no writer.
            if Task.isCancelled { return [.cancelledWrite(writer)] }
            return state.write(bytes, id, writer)
        }
    }

    func read(_ id: UInt64, _ reader: ProcessState.Reader) {
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

    /// The result of a run, once its status is known.
    func result(_ status: Subprocess.Result.Status) -> (stop: Stop?, result: Subprocess.Result) {
        guarded.withLock { guarded in
            let state = guarded.state
            return (
                guarded.stop,
                Subprocess.Result(
                    status: status, output: state.output, errorOutput: state.errorOutput,
                    outputWasCut: state.outputWasCut)
            )
        }
    }

    func signal(_ number: Int32) {
        guarded.withLock { if !$0.isReaped { _ = kill(-pid, number) } }
    }

    func stop(_ first: Int32, grace: Duration) {
        guarded.withLock { stop(&$0, first, grace) }
        ask { $0.inputClosed() }
    }

    /// Cancels a run.
    func cancel() {
        guarded.withLock { guarded in
            guarded.stop = guarded.stop ?? .cancelled
            stop(&guarded, SIGTERM, grace)
        }
        ask { $0.inputClosed() }
    }

    /// Ends the process and its loop: the last reference is gone.
    func abandon() {
        guarded.withLock { guarded in
            guarded.isAbandoned = true
            if !guarded.isReaped { _ = kill(-pid, SIGKILL) }
        }
        ask { $0.inputClosed() + $0.outputEnded() }
    }

    private func stop(_ guarded: inout Guarded, _ first: Int32, _ grace: Duration) {
        guard !guarded.isReaped else { return }
        let killAt = Environment.systemUptime() + grace.inSeconds
        guarded.killAt = min(guarded.killAt ?? killAt, killAt)
        _ = kill(-pid, first)
    }

    private func ask(_ change: (inout ProcessState) -> [ProcessState.Answer]) {
        let (answers, wakes) = guarded.withLock { guarded in
            let answers = change(&guarded.state)
            defer { guarded.isWoken = true }
            return (answers, !guarded.isWoken)
        }
        if wakes { wake.signal(Wake.asked) }
        for answer in answers { answer.give() }
    }

    // MARK: - For the loop

    struct PollInterest {
        var hasInput: Bool
        var inputIsDone: Bool
        var outputRoom: Int
        /// Whether this is a run to the end, which keeps the beginning of its output.
        var keepsOutput: Bool
        var wantsNothing: Bool
        var nextDeadline: Double?
    }

    /// The current interest; a later request wakes the loop again.
    func pollInterest() -> PollInterest {
        guarded.withLock { guarded in
            guarded.isWoken = false
            let state = guarded.state
            let deadlines = guarded.isReaped ? [] : [guarded.limitAt, guarded.killAt]
            return PollInterest(
                hasInput: !state.unwritten.isEmpty, inputIsDone: state.inputIsDone,
                outputRoom: state.outputRoom, keepsOutput: state.keepsOutput,
                wantsNothing: guarded.isAbandoned || (guarded.isReaped && guarded.stop != nil),
                nextDeadline: deadlines.compactMap { $0 }.min())
        }
    }

    func change(_ event: (inout ProcessState) -> [ProcessState.Answer]) {
        for answer in guarded.withLock({ event(&$0.state) }) { answer.give() }
    }

    /// Sends the signals that are due.
    func signalIfDue() {
        let hasTimedOut = guarded.withLock { guarded in
            guard !guarded.isReaped else { return false }
            let now = Environment.systemUptime()
            if let killAt = guarded.killAt, now >= killAt {
                _ = kill(-pid, SIGKILL)
                guarded.killAt = nil
            }
            guard let limitAt = guarded.limitAt, now >= limitAt else { return false }
            guarded.limitAt = nil
            guard guarded.stop == nil else { return false }
            guarded.stop = .timedOut
            stop(&guarded, SIGTERM, grace)
            return true
        }
        if hasTimedOut { change { $0.inputClosed() } }
    }

    /// Reaps the first process after its end. The rest of its group is killed (the group's id stays
    /// valid until then), unless a run ended normally: processes left running on purpose (`xclip`,
    /// a daemon) stay.
    func reap() -> Subprocess.Result.Status {
        guarded.withLock { guarded in
            if !guarded.state.keepsOutput || guarded.stop != nil { _ = kill(-pid, SIGKILL) }
            let status = Subprocess.Result.Status(reaping: pid)
            guarded.isReaped = true
            return status
        }
    }
}
