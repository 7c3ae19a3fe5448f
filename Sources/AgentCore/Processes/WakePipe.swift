import Glibc

/// A pipe that wakes a loop blocked in `poll`, from any thread.
///
/// It lives as long as anyone may still signal: the descriptors are closed
/// with the last reference, so a late signal never meets a foreign descriptor.
final class WakePipe: Sendable {
    enum Signal: UInt8 {
        case cancelled = 1
        case exited = 2
        /// Something was asked of a `RunningProcess`.
        case asked = 3
    }

    let readEnd: Int32
    private let writeEnd: Int32

    init(program: String) throws(SubprocessError) {
        guard let ends = ProcessSpawn.pipe() else {
            throw SubprocessError(reason: .couldNotStart(errno), program: program)
        }
        readEnd = ends.read
        writeEnd = ends.write
        _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
        _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Never blocks, and whoever signals leaves only a few bytes unread, so that
    /// none is dropped. SIGPIPE cannot come, for this object holds the reading
    /// end too.
    func signal(_ signal: Signal) {
        var byte = signal.rawValue
        _ = write(writeEnd, &byte, 1)
    }

    /// The signals that have come since the last call.
    func received() -> [Signal] {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = read(readEnd, &buffer, buffer.count)
        return buffer.prefix(max(0, count)).compactMap(Signal.init)
    }
}
