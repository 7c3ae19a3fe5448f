import AgentCore
import Glibc
import Synchronization

/// Writes to a descriptor of a pipeline: in order, whole, and without holding
/// a thread of the cooperative pool when the reader is slow.
///
/// One writer at a time, as for any stream. What fits at once is written at
/// once; only a full pipe costs a visit to a queue. A reader that has gone
/// (`| head -1`) is not an error: the rest is dropped, and the caller is told.
final class StandardOutput: Sendable {
    private let descriptor: Int32
    private let patient: PatientWriter
    private let isClosed = Atomic(false)

    /// At most this much is surely taken by a pipe that poll calls ready
    /// (pipe(7), PIPE_BUF).
    private static let certainBytes = 4096

    init(descriptor: Int32) {
        self.descriptor = descriptor
        patient = PatientWriter(descriptor: descriptor)
    }

    /// - Returns: false once the reader has gone.
    @discardableResult
    func write(_ bytes: [UInt8]) async -> Bool {
        if isClosed.load(ordering: .relaxed) { return false }
        if bytes.isEmpty { return true }
        var rest = bytes[...]
        if rest.count <= Self.certainBytes, isReady {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
        }
        if rest.isEmpty { return true }
        let isWritten = await patient.write(Array(rest))
        if !isWritten { isClosed.store(true, ordering: .relaxed) }
        return isWritten
    }

    private var isReady: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1 && request.revents == Int16(POLLOUT)
    }
}

/// Writes that may wait, on a queue of their own.
private actor PatientWriter {
    private let executor = QueueExecutor(label: "chat.output")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
