import Base
import Glibc
import Synchronization

/// Writes to a descriptor of a pipeline: in order, completely, and without blocking a thread of the
/// cooperative pool when the reader is slow.
///
/// One writer at a time. Data that fits is written at once; only a full pipe needs the queue. A
/// reader that has closed the pipe (`| head -1`) is not an error: the rest is dropped, and the
/// caller is informed. Any other failure is kept, and `App` reports it at the end.
package final class StandardOutput: Sendable {
    private let descriptor: Int32
    private let patient: PatientWriter
    /// The first `errno`; 0 for none.
    private let code = Atomic<Int32>(0)

    /// A pipe that poll reports as ready accepts at least this many bytes (pipe(7),
    /// PIPE_BUF).
    private static let certainBytes = 4096

    package init(descriptor: Int32) {
        self.descriptor = descriptor
        patient = PatientWriter(descriptor: descriptor)
    }

    /// - Returns: false once writing has become impossible.
    @discardableResult
    package func write(_ bytes: [UInt8]) async -> Bool {
        if code.load(ordering: .relaxed) != 0 { return false }
        if bytes.isEmpty { return true }
        var rest = bytes[...]
        if rest.count <= Self.certainBytes, isReady {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
        }
        if rest.isEmpty { return true }
        note(await patient.write(Array(rest)))
        return code.load(ordering: .relaxed) == 0
    }

    /// Records the result of a writer that writes to this descriptor in another way; 0 is success.
    package func note(_ failure: Int32) {
        _ = code.compareExchange(expected: 0, desired: failure, ordering: .relaxed)
    }

    /// Closes a copy of the descriptor; call it after the last write. Some file systems report a
    /// full disk or quota only at close (close(2)).
    /// - Throws: `OutputFailure`, unless the reader has closed the pipe.
    package func finish() throws(OutputFailure) {
        let copy = dup(descriptor)
        if copy >= 0, close(copy) != 0, errno != EINTR { note(errno) }
        let code = code.load(ordering: .relaxed)
        if code != 0, code != EPIPE { throw OutputFailure(code: code) }
    }

    private var isReady: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1 && request.revents == Int16(POLLOUT)
    }
}

/// A failure to write standard output.
package struct OutputFailure: Error, Sendable, Equatable {
    var code: Int32
}

/// Writes that may block, on a queue of their own.
private actor PatientWriter: QueuedActor {
    nonisolated let executor = QueueExecutor(label: "chat.output")
    private let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// - Returns: 0 or the `errno`.
    func write(_ bytes: [UInt8]) -> Int32 { WholeFile.write(bytes, to: descriptor) }
}

extension OutputFailure: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(
            "Standard output could not be written: \(Diagnostic.system(code)).",
            todo: "The output is incomplete, but the command was carried out.")
    }
}
