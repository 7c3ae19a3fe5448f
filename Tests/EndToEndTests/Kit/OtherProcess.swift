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
}
