import Foundation
import Glibc

/// Says when the quiet time of a question is over, instead of a clock.
package final class QuietTime: @unchecked Sendable {
    // Proof for @unchecked: `end` is only touched under `condition`.
    private let condition = NSCondition()
    private var end: Int32?

    package init() {}

    /// The session gets the reading end and closes it when the time is over.
    package var timer: @Sendable () -> Int32 {
        { [self] in
            var ends: [Int32] = [-1, -1]
            _ = pipe(&ends)
            condition.withLock { end = ends[1] }
            condition.broadcast()
            return ends[0]
        }
    }

    /// Ends the quiet time of the question on the screen; what is typed
    /// after the return is its answer.
    package func pass() {
        condition.lock()
        // Only a guard: without a question its test fails at the next line.
        let limit = Date(timeIntervalSinceNow: 20)
        while end == nil, condition.wait(until: limit) {}
        let writer = end ?? -1
        end = nil
        condition.unlock()
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
        // An error on this end: the other one is closed.
        var closed = pollfd(fd: writer, events: 0, revents: 0)
        poll(&closed, 1, 20_000)
        close(writer)
    }
}
