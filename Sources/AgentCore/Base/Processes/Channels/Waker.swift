import Glibc

/// A pipe that ends a wait in `poll`, from any thread.
///
/// The descriptors are closed with the last reference, so that a late signal never reaches
/// a reused descriptor.
package final class Waker: Sendable {
    /// The descriptor to poll for input.
    package let readEnd: Int32
    private let writeEnd: Int32

    /// Nil if the system has no descriptors left.
    package init?() {
        guard let ends = ProcessSpawn.pipe() else { return nil }
        (readEnd, writeEnd) = (ends.read, ends.write)
        for end in [readEnd, writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    package func signal() {
        var byte: UInt8 = 0
        // A full pipe wakes as well.
        _ = write(writeEnd, &byte, 1)
    }

    /// Discards the signals so far.
    package func forget() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) > 0 {}
    }
}
