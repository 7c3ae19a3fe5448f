import Glibc

/// A child we talk to while it runs: a player that is fed, a recorder that is
/// read. Words instead of a shell line, exactly the variables given, the
/// descriptors 0 to 2 and a process group of its own.
///
/// It ends when its first process ends; what is left of the group is killed
/// then, and the child is reaped. When the last reference goes away it is
/// killed too: no path leaves an orphan. For programs that are only run to
/// their end there is `Subprocess`.
package final class RunningProcess: Sendable {
    /// What the loop's thread and the callers share.
    private let channel: ProcessChannel

    /// Its process id, which is its group's too; of another process, perhaps,
    /// once it was reaped.
    package var processID: Int32 { channel.pid }

    private init(_ channel: ProcessChannel) {
        self.channel = channel
    }

    deinit { channel.abandon() }

    /// - Parameters:
    ///   - program: absolute path; see `Subprocess.find`.
    ///   - environment: all variables of the child; see
    ///     `Subprocess.baseEnvironment`.
    ///   - writesInput: otherwise it reads end of file at once.
    ///   - readsOutput: otherwise its output goes to `/dev/null`.
    ///   - pipeBytes: what the pipes of its input and output hold (at least a
    ///     page), and what waits on our side before `write` does; nil is 64 KiB.
    package static func start(
        program: String, arguments: [String] = [], environment: [String: String],
        writesInput: Bool = false, readsOutput: Bool = false, pipeBytes: Int? = nil
    ) throws(SubprocessError) -> RunningProcess {
        try start(
            Subprocess(program: program, arguments: arguments, environment: environment),
            .live(writes: writesInput, reads: readsOutput, pipeBytes: pipeBytes))
    }

    /// The same for a program with a folder of its own or with limits, which is written
    /// to and read; its `input` is not used.
    package static func start(_ process: Subprocess) throws(SubprocessError) -> RunningProcess {
        try start(process, .live(writes: true, reads: true, pipeBytes: nil))
    }

    static func start(
        _ process: Subprocess, _ streams: ProcessState.Streams
    ) throws(SubprocessError) -> RunningProcess {
        let wake = try WakePipe(program: process.program)
        let child = try ProcessSpawn.start(process, streams)
        let channel = ProcessChannel(child.pid, streams, process.limits, wake)
        ProcessLoop.start(child, channel)
        return RunningProcess(channel)
    }

    /// Hands bytes to the child's input. Returns when they were taken, all of
    /// them, which waits while enough is under way; false when the child reads
    /// no more, or after `closeInput`.
    /// - Throws: `CancellationError`; none of the bytes was taken then, and the
    ///   process goes on.
    package func write(_ bytes: [UInt8]) async throws -> Bool {
        try Task.checkCancellation()
        let id = channel.newID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { channel.write(bytes, id, $0) }
        } onCancel: {
            channel.cancel(id)
        }
    }

    /// The child reads end of file after what was written.
    package func closeInput() { channel.closeInput() }

    /// What the child wrote, at most 64 KiB, waiting for the first byte; nil at
    /// the end of its output. While it is not read, the child has to wait.
    /// - Throws: `CancellationError`; nothing is lost then.
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

    /// Ends the group, with SIGKILL after the grace, and reaps. What was not
    /// yet given to the child is dropped; what it has written can still be
    /// read. Not hastened by cancellation: it is short by itself.
    package func stop(
        _ first: Int32 = SIGTERM, grace: Duration = .milliseconds(100)
    ) async -> Subprocess.Result.Status {
        channel.stop(first, grace: grace)
        return await status()
    }

    /// The child's end, once it has been reaped. Cancellation does not cut the
    /// wait short; `signal` does.
    package func status() async -> Subprocess.Result.Status {
        await withCheckedContinuation { channel.waitForStatus($0) }
    }

    /// The last of what it wrote to its error output, so far; whole once
    /// `status` has returned.
    package var errorOutput: [UInt8] { channel.errorOutput }

    // MARK: - For Subprocess

    /// Waits for the end of a run and of what it wrote.
    func result() async -> (stop: ProcessChannel.Stop?, result: Subprocess.Result) {
        channel.result(await status())
    }

    func cancel() { channel.cancel() }
}
