import FoundationEssentials
import Glibc

/// The program's inputs from outside except I/O: time, ids, randomness and variables. Passed at
/// init, never global, so that tests control all of them.
package struct Environment: Sendable {
    /// Wall clock.
    package var now: @Sendable () -> Date
    /// Seconds since an arbitrary start, never set back (CLOCK_MONOTONIC).
    package var uptime: @Sendable () -> Double
    /// The `uptime`, including the time that the machine was suspended (CLOCK_BOOTTIME).
    package var sinceBoot: @Sendable () -> Double
    /// Returns after the duration; throws `CancellationError` at once when the task is
    /// cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// A new lower-case UUID.
    package var uuid: @Sendable () -> String
    /// Uniform in 0..<1; for retry jitter.
    package var random: @Sendable () -> Double
    package var variables: [String: String]

    /// - Parameter sinceBoot: if nil, the machine is never suspended.
    package init(
        now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Double,
        sinceBoot: (@Sendable () -> Double)? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        uuid: @escaping @Sendable () -> String, random: @escaping @Sendable () -> Double,
        variables: [String: String]
    ) {
        self.now = now
        self.uptime = uptime
        self.sinceBoot = sinceBoot ?? uptime
        self.sleep = sleep
        self.uuid = uuid
        self.random = random
        self.variables = variables
    }

    /// The real environment. `variables` are those of the process at its start.
    package static func system(variables: [String: String]) -> Environment {
        Environment(
            now: { Date() },
            uptime: systemUptime, sinceBoot: { seconds(on: CLOCK_BOOTTIME) },
            sleep: { try await Task.sleep(for: $0) },
            uuid: { UUID().uuidString.lowercased() },
            random: { Double.random(in: 0..<1) },
            variables: variables)
    }

    /// Seconds on CLOCK_MONOTONIC, for threads that wait in `poll`.
    @Sendable package static func systemUptime() -> Double { seconds(on: CLOCK_MONOTONIC) }

    private static func seconds(on clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Duration {
    /// Zero for a negative duration, the maximum for one beyond 584 years.
    package var inNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : whole.addingSaturated(UInt64(attoseconds / 1_000_000_000))
    }

    package var inSeconds: Double { Double(inNanoseconds) / 1e9 }
}

extension UInt64 {
    package func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
