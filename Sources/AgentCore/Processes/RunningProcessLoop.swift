import Glibc

/// Feeds and reads a running child on one blocked thread: a `poll` over its
/// pipes and a wake pipe that reports its exit and what callers ask.
///
///     running ── exit ─ SIGKILL to the rest of the group, reaped ─→ draining
///     draining ── errors at their end or silent ─→ status known
///     draining ── output at its end or silent, or abandoned ─→ over
struct RunningProcessLoop {
    private let channel: RunningProcessChannel
    private var input: Int32
    private var output: Int32
    private var errors: Int32
    /// Known once it was reaped.
    private var status: Subprocess.Result.Status?
    /// Who left the group may hold the pipes open for ever: when they count as
    /// ended.
    private var errorsEndAt: Double?
    private var outputEndsAt: Double?
    private var buffer = [UInt8](repeating: 0, count: RunningProcessState.outputBytes)

    static func run(_ child: ProcessSpawn, _ channel: RunningProcessChannel) {
        let restoreSignals = SubprocessLoop.blockSIGPIPE()
        var loop = RunningProcessLoop(child, channel)
        loop.run()
        restoreSignals()
    }

    private init(_ child: ProcessSpawn, _ channel: RunningProcessChannel) {
        self.channel = channel
        input = child.input
        output = child.output
        errors = child.errorOutput
    }

    private mutating func run() {
        while true {
            let wishes = channel.wishes()
            if wishes.inputIsClosed, input >= 0 { closeInput() }
            if wishes.isAbandoned {
                closeOutput()
                closeErrors()
            }
            if status != nil, output < 0, errors < 0 { return }
            wait(wishes)
            for signal in channel.wake.received() where signal == .exited { exited() }
            channel.killIfDue()
            writeInput()
            readOutput()
            readErrors()
        }
    }

    private mutating func wait(_ wishes: RunningProcessChannel.Wishes) {
        let reads = wishes.outputRoom > 0
        if status != nil, reads, outputEndsAt == nil {
            outputEndsAt = SubprocessLoop.uptime() + SubprocessLoop.silenceAfterExit
        }
        // A descriptor of -1 is skipped by poll. The input is asked for without
        // a wish too: POLLERR tells that the child reads no more.
        var entries = [
            pollfd(fd: channel.wake.readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: reads ? output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: wishes.hasInput ? Int16(POLLOUT) : 0, revents: 0),
        ]
        var milliseconds: Int32 = -1
        let deadlines = [
            wishes.killAt, errors < 0 ? nil : errorsEndAt,
            reads && output >= 0 ? outputEndsAt : nil,
        ]
        if let deadline = deadlines.compactMap({ $0 }).min() {
            let left = max(0, deadline - SubprocessLoop.uptime()) * 1000
            milliseconds = Int32(min(left.rounded(.up), 3_600_000))
        }
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
        if let last = entries.last, last.revents & Int16(POLLERR) != 0 { closeInput() }
    }

    private mutating func exited() {
        status = channel.reap()
        closeInput()
        errorsEndAt = SubprocessLoop.uptime() + SubprocessLoop.silenceAfterExit
        if errors < 0 { tellStatus() }
    }

    private mutating func writeInput() {
        var isClosed = false
        let input = input
        guard input >= 0 else { return }
        channel.change { state in
            var answers: [RunningProcessState.Answer] = []
            while !state.unwritten.isEmpty {
                let count = state.unwritten.withUnsafeBytes {
                    Glibc.write(input, $0.baseAddress, $0.count)
                }
                if count > 0 {
                    answers += state.written(count)
                } else if errno == EAGAIN {
                    return answers
                } else if errno != EINTR {
                    // EPIPE: the child does not want the rest.
                    isClosed = true
                    return answers
                }
            }
            return answers
        }
        if isClosed { closeInput() }
    }

    private mutating func readOutput() {
        // Bounded, so that a child that writes as fast as it is read does not
        // keep the loop from everything else; so are the errors.
        for _ in 0..<16 where output >= 0 {
            let room = channel.wishes().outputRoom
            guard room > 0 else { return }
            let count = Glibc.read(output, &buffer, min(room, buffer.count))
            if count > 0 {
                outputEndsAt = nil
                channel.change { $0.received(buffer.prefix(count)) }
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                return closeOutput()
            } else if errno == EAGAIN {
                if let outputEndsAt, SubprocessLoop.uptime() >= outputEndsAt { closeOutput() }
                return
            }
        }
    }

    private mutating func readErrors() {
        for _ in 0..<16 where errors >= 0 {
            let count = Glibc.read(errors, &buffer, buffer.count)
            if count > 0 {
                channel.change { state in
                    state.receivedErrors(buffer.prefix(count))
                    return []
                }
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                return closeErrors()
            } else if errno == EAGAIN {
                break
            }
        }
        if let errorsEndAt, SubprocessLoop.uptime() >= errorsEndAt { closeErrors() }
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
        tellStatus()
    }

    /// Only now, so that who hears of the end finds the error output whole.
    private func tellStatus() {
        guard let status else { return }
        channel.change { $0.ended(status) }
    }
}
