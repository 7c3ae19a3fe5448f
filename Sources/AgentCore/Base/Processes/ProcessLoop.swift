import Dispatch
import Glibc

/// Feeds a child, reads its output and waits for its end on one blocked thread: a `poll`
/// over its pipes and a wake pipe that reports its exit and the callers' requests.
///
///     running ── limit or stop ─ SIGTERM ── grace ─ SIGKILL
///     running ── exit ─ SIGKILL to the rest of the group, reaped ─→ draining
///     draining ── errors (of a run, output too) at their end or silent ─→ status known
///     draining ── output at its end or silent, or unwanted ─→ over
struct ProcessLoop {
    private let channel: ProcessChannel
    private var input: Int32
    private var output: Int32
    private var errors: Int32
    /// Known once it has been reaped.
    private var status: Subprocess.Result.Status?
    /// Times after which the pipes count as closed: a process that left the group may keep them
    /// open for ever.
    private var errorsEndAt: Double?
    private var outputEndsAt: Double?
    private var buffer = [UInt8](repeating: 0, count: ProcessState.outputBytes)

    private static let silenceAfterExit = 0.2

    /// Starts the threads of a child. A new serial queue gets a thread outside of the
    /// cooperative pool, which may block.
    static func start(_ child: ProcessSpawn, _ channel: ProcessChannel) {
        let (pid, wake) = (child.pid, channel.wake)
        // This wait does not reap the child, so the id and the group stay valid until the last
        // signal has been sent.
        DispatchQueue(label: "process-exit").async {
            var info = siginfo_t()
            while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            wake.signal(ProcessChannel.Wake.exited)
        }
        DispatchQueue(label: "process").async {
            let restoreSignals = blockSIGPIPE()
            var loop = ProcessLoop(
                channel: channel, input: child.input, output: child.output,
                errors: child.errorOutput)
            loop.run()
            restoreSignals()
        }
    }

    private init(channel: ProcessChannel, input: Int32, output: Int32, errors: Int32) {
        self.channel = channel
        self.input = input
        self.output = output
        self.errors = errors
    }

    private mutating func run() {
        while true {
            let interest = channel.pollInterest()
            if interest.inputIsDone, input >= 0 { closeInput() }
            if interest.wantsNothing {
                closeOutput()
                closeErrors()
            }
            if let status, errors < 0, output < 0 || !interest.keepsOutput {
                // Only now, so that the streams are complete when the end is reported.
                channel.change { $0.ended(status) }
                if output < 0 { return }
            }
            wait(interest)
            if channel.wake.received().contains(ProcessChannel.Wake.exited) { exited() }
            channel.signalIfDue()
            writeInput()
            readOutput()
            readErrors()
        }
    }

    private mutating func wait(_ interest: ProcessChannel.PollInterest) {
        let reads = interest.outputRoom > 0
        if status != nil, reads, outputEndsAt == nil {
            outputEndsAt = Environment.systemUptime() + Self.silenceAfterExit
        }
        // poll ignores a descriptor of -1. The input is polled even if there is nothing to write:
        // POLLERR shows that the child has stopped reading.
        var entries = [
            pollfd(fd: channel.wake.readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: reads ? output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: interest.hasInput ? Int16(POLLOUT) : 0, revents: 0),
        ]
        var milliseconds: Int32 = -1
        let deadlines = [
            interest.nextDeadline, errors < 0 ? nil : errorsEndAt,
            reads && output >= 0 ? outputEndsAt : nil,
        ]
        if let deadline = deadlines.compactMap({ $0 }).min() {
            let left = max(0, deadline - Environment.systemUptime()) * 1000
            milliseconds = Int32(min(left.rounded(.up), 3_600_000))
        }
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
        if let last = entries.last, last.revents & Int16(POLLERR) != 0 { closeInput() }
    }

    private mutating func exited() {
        status = channel.reap()
        closeInput()
        errorsEndAt = Environment.systemUptime() + Self.silenceAfterExit
    }

    private mutating func writeInput() {
        var isClosed = false
        let input = input
        guard input >= 0 else { return }
        channel.change { state in
            var answers: [ProcessState.Answer] = []
            while !state.unwritten.isEmpty {
                let count = state.unwritten.withUnsafeBytes {
                    Glibc.write(input, $0.baseAddress, $0.count)
                }
                if count > 0 {
                    answers += state.written(count)
                } else if errno == EAGAIN {
                    return answers
                } else if errno != EINTR {
                    // EPIPE: the child does not read the rest.
                    isClosed = true
                    return answers
                }
            }
            return answers
        }
        if isClosed { closeInput() }
    }

    private mutating func readOutput() {
        // Bounded, so that a child that writes fast does not keep the loop from its other work; the
        // error output is bounded too.
        for _ in 0..<16 where output >= 0 {
            let interest = channel.pollInterest()
            guard interest.outputRoom > 0 else { return }
            let count = Glibc.read(output, &buffer, min(interest.outputRoom, buffer.count))
            if count > 0 {
                // A run does not wait longer for a daemon that continues to write.
                if !interest.keepsOutput { outputEndsAt = nil }
                channel.change { $0.received(buffer.prefix(count)) }
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                return closeOutput()
            } else if errno == EAGAIN {
                break
            }
        }
        if let outputEndsAt, Environment.systemUptime() >= outputEndsAt { closeOutput() }
    }

    private mutating func readErrors() {
        for _ in 0..<16 where errors >= 0 {
            let count = Glibc.read(errors, &buffer, buffer.count)
            if count > 0 {
                channel.change { $0.receivedErrors(buffer.prefix(count)) }
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                return closeErrors()
            } else if errno == EAGAIN {
                break
            }
        }
        if let errorsEndAt, Environment.systemUptime() >= errorsEndAt { closeErrors() }
    }

    private mutating func closeInput() {
        if input >= 0 { close(input) }
        input = -1
        channel.change { $0.inputClosed() }
    }

    private mutating func closeOutput() {
        if output >= 0 { close(output) }
        output = -1
        channel.change { $0.outputEnded() }
    }

    private mutating func closeErrors() {
        if errors >= 0 { close(errors) }
        errors = -1
    }

    /// A write to a pipe without a reader must not end the program. The signal goes to the
    /// writing thread: it is blocked there, and a pending one is removed before the old
    /// mask is restored.
    static func blockSIGPIPE() -> () -> Void {
        var pipeSignal = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        var oldMask = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipeSignal, &oldMask)
        return {
            var now = timespec(tv_sec: 0, tv_nsec: 0)
            while sigtimedwait(&pipeSignal, nil, &now) >= 0 {}
            pthread_sigmask(SIG_SETMASK, &oldMask, nil)
        }
    }
}
