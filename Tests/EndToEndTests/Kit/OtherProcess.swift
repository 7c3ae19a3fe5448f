import Foundation

/// A process that is nobody's child any more.
enum OtherProcess {
    /// Also when it waits to be reaped, which is up to another program (init)
    /// and may take it seconds.
    static func hasEnded(_ pid: pid_t) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        else { return true }
        return stat.contains(") Z ")
    }

    /// What `look` finds, within a minute.
    static func waitUntil<Value>(
        _ what: String, _ look: () throws -> Value?
    ) throws -> Value {
        let end = Date(timeIntervalSinceNow: 60)
        while Date() < end {
            if let value = try look() { return value }
            // No event tells of another process: look again, and leave the
            // processor to it meanwhile.
            poll(nil, 0, 5)
        }
        throw RunningProgram.Failure(description: "never: \(what)")
    }
}
