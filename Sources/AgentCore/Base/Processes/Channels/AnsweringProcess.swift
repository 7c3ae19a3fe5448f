import Dispatch
import Glibc

/// A child process that reads a line, writes an answer and reads on, and does not mark the
/// end of an answer: espeak-ng without `--stdin`.
///
/// The end of an answer can be detected all the same. The input is a pipe of one page, in
/// which at most one write waits at a time. A child that has read a second write has come
/// back to reading, and has flushed its output for the first one:
///
///     write line ── taken: it answers ── write fillers ── taken: the answer is whole
///
/// A line has to fit into the child's read size (4,096 bytes), and the child has to flush
/// its output before it reads on. The blocking calls run on a queue of its own.
package actor AnsweringProcess: QueuedActor {
    package enum Problem: Error, Sendable, Equatable {
        /// The process has ended, has stopped reading, or reports an error.
        case ended(complaint: [UInt8])
        /// The process neither read nor wrote for the given time.
        case hangs
    }

    /// Requested size of the output pipe: a sentence of sound. The system may refuse it.
    private static let outputBytes = 1 << 20
    private static let mostComplaint = 4 << 10

    package nonisolated let executor = QueueExecutor(label: "answering-process")

    private nonisolated let child: ProcessSpawn
    /// Milliseconds in which it fills its output pipe.
    private let nap: Int32
    private let isErrorOutputLog: Bool
    /// The last bytes of its error output.
    private var complaint: [UInt8] = []
    private var buffer: [UInt8]

    /// - Parameter isErrorOutputLog: whether the error output is a log, not a sign that an answer
    ///   failed. For the others see `RunningProcess.start`.
    package init(
        program: String, arguments: [String], environment: [String: String],
        isErrorOutputLog: Bool = false
    ) throws(SubprocessError) {
        self.isErrorOutputLog = isErrorOutputLog
        child = try ProcessSpawn.start(
            Subprocess(program: program, arguments: arguments, environment: environment),
            .live(writes: true, reads: true, pipeBytes: Self.outputBytes))
        // The smallest pipe: a page.
        _ = fcntl(child.input, ProcessSpawn.setPipeSize, 1)
        let room = fcntl(child.output, ProcessSpawn.getPipeSize)
        nap = max(1, min(8, Int32(clamping: room) >> 17))
        buffer = [UInt8](repeating: 0, count: 256 << 10)
    }

    deinit {
        signal(SIGKILL)
        for descriptor in [child.input, child.output, child.errorOutput] { close(descriptor) }
        let pid = child.pid
        // It ends at once, but waiting for that may block.
        DispatchQueue(label: "answering-process-end").async {
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        }
    }

    /// Signals its process group, whose id stays valid until it is reaped, which happens
    /// last.
    package nonisolated func signal(_ number: Int32) {
        _ = kill(-child.pid, number)
    }

    /// The child's output for a line. A cancelled task ends the process.
    /// - Parameters:
    ///   - line: with its newline, at most 4,096 bytes.
    ///   - fillers: lines to send next that produce no output. Any output for the last of
    ///     them belongs to this answer or to the next.
    ///   - patience: seconds without a byte before it counts as hanging.
    /// - Throws: `Problem`, `CancellationError`; the process is unusable then.
    package func answer(
        to line: [UInt8], fillers: [[UInt8]], patience: Double
    ) async throws -> [UInt8] {
        try Task.checkCancellation()
        do {
            return try await withTaskCancellationHandler {
                let restoreSignals = ProcessLoop.blockSIGPIPE()
                defer { restoreSignals() }
                var answer: [UInt8] = []
                for piece in [line] + fillers {
                    try give(piece)
                    try waitUntilTaken(&answer, patience: patience)
                }
                if !complaint.isEmpty, !isErrorOutputLog { throw ended() }
                return answer
            } onCancel: {
                signal(SIGKILL)
            }
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    // MARK: -

    /// Writes bytes; the pipe is empty, so they all fit.
    private func give(_ bytes: [UInt8]) throws(Problem) {
        while true {
            let count = Glibc.write(child.input, bytes, bytes.count)
            if count == bytes.count { return }
            guard count < 0, errno == EINTR else { throw ended() }
        }
    }

    private func waitUntilTaken(_ answer: inout [UInt8], patience: Double) throws(Problem) {
        var heardAt = Environment.systemUptime()
        while true {
            var entry = pollfd(fd: child.input, events: Int16(POLLOUT), revents: 0)
            let isReady = poll(&entry, 1, nap) > 0
            if entry.revents & Int16(POLLERR) != 0 { throw ended() }
            // Checked before reading: everything flushed before it took the line is available now.
            var unread: Int32 = 0
            let isTaken = ioctl(child.input, UInt(FIONREAD), &unread) == 0 && unread == 0
            let before = answer.count
            readOutput(into: &answer)
            readComplaint()
            if isTaken { return }
            let now = Environment.systemUptime()
            if answer.count > before { heardAt = now }
            if now - heardAt >= patience { throw .hangs }
            // With larger pages, the pipe has room beside the waiting bytes.
            if isReady { usleep(500) }
        }
    }

    private func readOutput(into answer: inout [UInt8]) {
        while true {
            let count = Glibc.read(child.output, &buffer, buffer.count)
            if count > 0 {
                answer += buffer[..<count]
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }

    private func readComplaint() {
        var bytes = [UInt8](repeating: 0, count: 512)
        while true {
            let count = Glibc.read(child.errorOutput, &bytes, bytes.count)
            if count > 0 {
                complaint = Array((complaint + bytes[..<count]).suffix(Self.mostComplaint))
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }

    private func ended() -> Problem {
        readComplaint()
        return .ended(complaint: complaint)
    }
}
