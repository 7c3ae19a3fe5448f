import Dispatch
import Glibc

/// Feeds a child, reads it and waits for its end, on one blocked thread: a
/// `poll` over its pipes and a wake pipe that reports exit and cancellation.
///
///     running ── exit ───────────────→ draining ── EOF or silence → reaped
///     running ── limit or cancel ─ SIGTERM → stopping ── grace ─ SIGKILL
///     stopping ── exit ── SIGKILL to the rest of the group ──────→ reaped
struct SubprocessLoop {
    enum Ending: Sendable {
        case finished(Subprocess.Result)
        case cancelled
        case timedOut
    }

    private enum Stop { case cancelled, timedOut }

    /// One stream of the child, kept up to a limit.
    private struct Sink {
        var descriptor: Int32
        let limit: Int
        var bytes: [UInt8] = []
        var wasCut = false

        /// Reads what is there; closes at end of file. Bounded, so that a
        /// program that writes as fast as we read does not keep the loop from
        /// its time limit.
        mutating func drain(_ buffer: inout [UInt8]) {
            for _ in 0..<16 where descriptor >= 0 {
                let count = read(descriptor, &buffer, buffer.count)
                if count > 0 {
                    let room = limit - bytes.count
                    if count > room { wasCut = true }
                    bytes += buffer.prefix(min(count, max(0, room)))
                    if count < buffer.count { return }
                } else if count < 0, errno == EINTR {
                    continue
                } else if count < 0, errno == EAGAIN {
                    return
                } else {
                    finish()
                }
            }
        }

        mutating func finish() {
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    private let pid: pid_t
    private let limits: Subprocess.Limits
    private let wake: WakePipe
    private var input: Int32
    private var unwritten: ArraySlice<UInt8>
    private var output: Sink
    private var errorOutput: Sink
    private var hasExited = false
    private var stop: Stop?

    /// After the program's own exit a child of it may hold the pipes open (a
    /// daemon): what it says within this time still counts.
    static let silenceAfterExit = 0.2

    static func run(_ process: Subprocess, wake: WakePipe) throws -> Ending {
        let child = try ProcessSpawn.start(process)
        // A second thread waits for the exit; it does not reap, so the id and
        // the group stay ours until the loop has sent its last signal.
        watchExit(of: child.pid, wake)
        var loop = SubprocessLoop(child, process, wake)
        return loop.run()
    }

    static func watchExit(of pid: pid_t, _ wake: WakePipe) {
        DispatchQueue(label: "subprocess-exit").async {
            var info = siginfo_t()
            while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            wake.signal(.exited)
        }
    }

    private init(_ child: ProcessSpawn, _ process: Subprocess, _ wake: WakePipe) {
        pid = child.pid
        limits = process.limits
        self.wake = wake
        input = child.input
        if case .bytes(let bytes) = process.input { unwritten = bytes[...] } else { unwritten = [] }
        output = Sink(descriptor: child.output, limit: process.limits.outputBytes)
        errorOutput = Sink(descriptor: child.errorOutput, limit: process.limits.errorBytes)
    }

    private mutating func run() -> Ending {
        let restoreSignals = Self.blockSIGPIPE()
        defer { restoreSignals() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var deadline = limits.time.map { Self.uptime() + Self.seconds($0) }
        var wasKilled = false
        while true {
            if hasExited {
                if stop != nil || (output.descriptor < 0 && errorOutput.descriptor < 0) { break }
                if let deadline, Self.uptime() >= deadline { break }
            } else if let limit = deadline, Self.uptime() >= limit {
                if stop == nil {
                    begin(.timedOut, &deadline)
                } else if !wasKilled {
                    kill(-pid, SIGKILL)
                    wasKilled = true
                    deadline = nil
                }
            }
            wait(until: deadline)
            write()
            output.drain(&buffer)
            errorOutput.drain(&buffer)
            for signal in wake.received() {
                switch signal {
                case .exited:
                    hasExited = true
                    closeInput()
                    if stop == nil { deadline = Self.uptime() + Self.silenceAfterExit }
                case .cancelled:
                    if stop == nil, !hasExited { begin(.cancelled, &deadline) }
                    if stop == nil { stop = .cancelled }
                case .asked: break
                }
            }
        }
        // The leader is dead but not reaped: its group id cannot have been
        // given away. What is left of the group goes with it.
        if stop != nil { kill(-pid, SIGKILL) }
        return finish()
    }

    private mutating func begin(_ reason: Stop, _ deadline: inout Double?) {
        stop = reason
        closeInput()
        kill(-pid, SIGTERM)
        deadline = Self.uptime() + Self.seconds(limits.grace)
    }

    private func wait(until deadline: Double?) {
        // A descriptor of -1 is skipped by poll.
        var entries = [
            pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errorOutput.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
        ]
        var milliseconds: Int32 = -1
        if let deadline {
            let left = max(0, deadline - Self.uptime()) * 1000
            milliseconds = Int32(min(left.rounded(.up), 3_600_000))
        }
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
    }

    private mutating func write() {
        while input >= 0 {
            if unwritten.isEmpty { return closeInput() }
            let count = unwritten.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                unwritten = unwritten.dropFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                // EPIPE: the program does not want the rest.
                return closeInput()
            }
        }
    }

    private mutating func closeInput() {
        if input >= 0 { close(input) }
        input = -1
        unwritten = []
    }

    private mutating func finish() -> Ending {
        closeInput()
        output.finish()
        errorOutput.finish()
        var word: Int32 = 0
        while waitpid(pid, &word, 0) < 0, errno == EINTR {}
        switch stop {
        case .cancelled: return .cancelled
        case .timedOut: return .timedOut
        case nil: break
        }
        return .finished(
            Subprocess.Result(
                status: Subprocess.Result.Status(waitWord: word), output: output.bytes,
                errorOutput: errorOutput.bytes,
                outputWasCut: output.wasCut, errorOutputWasCut: errorOutput.wasCut))
    }

    /// A write to a pipe whose reader is gone must not end the program. The
    /// signal goes to the writing thread: it is blocked there, and one that
    /// came is taken away before the old mask returns.
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

    static func uptime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

extension Subprocess.Result.Status {
    /// From what `waitpid` gave. The macros WIFEXITED and WTERMSIG do not reach
    /// Swift: the low seven bits are the signal, the next byte the exit status
    /// (wait(2)).
    init(waitWord word: Int32) {
        self = word & 0x7F == 0 ? .exited(word >> 8 & 0xFF) : .signalled(word & 0x7F)
    }
}
