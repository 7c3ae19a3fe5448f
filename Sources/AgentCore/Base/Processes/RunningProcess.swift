import Glibc

/// A child process that we communicate with while it runs: a player that is fed, a recorder that is
/// read. Arguments instead of a shell line, exactly the given variables, descriptors 0 to 2 and a
/// process group of its own.
///
/// It ends when its first process ends; then the rest of the group is killed, and the child is
/// reaped. It is also killed with the last reference, so that it is never orphaned. `Subprocess` is
/// for programs that only run to their end.
package final class RunningProcess: Sendable {
    /// Shared by the loop's thread and the callers.
    private let channel: ProcessChannel

    /// The id of the process and its group; it may be another process's once this one was reaped.
    package var processID: Int32 { channel.pid }

    private init(_ channel: ProcessChannel) {
        self.channel = channel
    }

    deinit { channel.abandon() }

    /// - Parameters:
    ///   - program: absolute path; see `Subprocess.find`.
    ///   - environment: all variables of the child; see `Subprocess.baseEnvironment`.
    ///   - writesInput: if false, the child reads end of file at once.
    ///   - readsOutput: if false, its output goes to `/dev/null`.
    ///   - pipeBytes: capacity of its input and output pipes (at least a page), and of our
    ///     queue before `write` waits; nil is 64 KiB.
    package static func start(
        program: String, arguments: [String] = [], environment: [String: String],
        writesInput: Bool = false, readsOutput: Bool = false, pipeBytes: Int? = nil
    ) throws(SubprocessError) -> RunningProcess {
        try start(
            Subprocess(program: program, arguments: arguments, environment: environment),
            .live(writes: writesInput, reads: readsOutput, pipeBytes: pipeBytes))
    }

    /// Starts a program that has a working folder or limits, for writing and reading; its `input`
    /// is ignored.
    package static func start(_ process: Subprocess) throws(SubprocessError) -> RunningProcess {
        try start(process, .live(writes: true, reads: true, pipeBytes: nil))
    }

    static func start(
        _ process: Subprocess, _ streams: ProcessState.Streams
    ) throws(SubprocessError) -> RunningProcess {
        guard let wake = Waker() else {
            throw SubprocessError(reason: .couldNotStart(errno), program: process.program)
        }
        let child = try ProcessSpawn.start(process, streams)
        let channel = ProcessChannel(
            of: child.pid, streams, limits: process.limits, wake)
        ProcessLoop.start(child, channel)
        return RunningProcess(channel)
    }

    /// Writes bytes to the child's input. Returns once all of them are accepted, after waiting if
    /// the queue is full; false if the child has stopped reading, or after `closeInput`.
    /// - Throws: `CancellationError`: none of the bytes was accepted, and the process continues.
    package func write(_ bytes: [UInt8]) async throws -> Bool {
        try Task.checkCancellation()
        let id = channel.newID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { channel.write(bytes, id, $0) }
        } onCancel: {
            channel.cancel(id)
        }
    }

    /// Ends the child's input after the bytes written so far.
    package func closeInput() { channel.closeInput() }

    /// The child's output, at most 64 KiB, after waiting for the first byte; nil at its end. The
    /// child has to wait while nothing is read.
    /// - Throws: `CancellationError`; no output is lost.
    package func read() async throws -> [UInt8]? {
        try Task.checkCancellation()
        let id = channel.newID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { channel.read(id, $0) }
        } onCancel: {
            channel.cancel(id)
        }
    }

    /// Sends a signal to the group; nothing is sent after the child's end.
    package func signal(_ number: Int32) { channel.signal(number) }

    /// Ends the group, with SIGKILL after the grace period, and reaps the child. Unwritten input is
    /// dropped; output can still be read. Cancellation does not shorten it, since it takes little
    /// time.
    package func stop(
        _ first: Int32 = SIGTERM, grace: Duration = .milliseconds(100)
    ) async -> Subprocess.Result.Status {
        channel.stop(first, grace: grace)
        return await status()
    }

    /// The child's exit status, once it has been reaped. Cancellation does not end the
    /// wait; `signal` does.
    package func status() async -> Subprocess.Result.Status {
        await withCheckedContinuation { channel.waitForStatus($0) }
    }

    /// The last bytes of its error output so far; complete once `status` has returned.
    package var errorOutput: [UInt8] { channel.errorOutput }

    // MARK: - For Subprocess

    /// Waits for the end of a run and of its output.
    func result() async -> (stop: ProcessChannel.Stop?, result: Subprocess.Result) {
        channel.result(await status())
    }

    func cancel() { channel.cancel() }
}
