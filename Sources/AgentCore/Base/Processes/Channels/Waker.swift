import Glibc

/// A pipe that ends a wait in `poll`, from any thread.
///
/// The descriptors are closed with the last reference, so that a late signal never reaches
/// a reused descriptor.
package final class Waker: Sendable {
    /// The descriptor to poll for input.
    package let readEnd: Int32
    private let writeEnd: Int32

    /// Nil with `errno` set if the system has no descriptors left.
    package init?() {
        guard let ends = ProcessSpawn.pipe() else { return nil }
        (readEnd, writeEnd) = (ends.read, ends.write)
        for end in [readEnd, writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Never blocks: a full pipe wakes as well. SIGPIPE is impossible, since this object also has
    /// the reading end.
    /// - Parameter reason: told by `received`, where a loop has several.
    package func signal(_ reason: UInt8 = 0) {
        var byte = reason
        _ = write(writeEnd, &byte, 1)
    }

    /// The reasons of the signals since the last call.
    func received() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(readEnd, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}
