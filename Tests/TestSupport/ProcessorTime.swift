import Foundation

/// How much processor time a piece of a test took: a guard against an engine
/// that has lost its bounds, which a busy machine does not set off.
package enum ProcessorTime {
    package static func measure(_ body: () throws -> Void) rethrows -> Duration {
        let start = now()
        try body()
        return now() - start
    }

    /// Of all threads of this process.
    package static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
