import Base

/// Decides when a transfer has taken or been silent for too long. Pure: times are nanoseconds of a
/// monotonic clock, supplied by the caller.
///
/// libcurl enforces the connect limit; this counts from the moment at which the request could be
/// sent. A transfer that *we* have paused is not silent.
struct TransferDeadlines: Sendable, Equatable {
    private let idle: UInt64
    private let end: UInt64?
    private var lastActivity: UInt64?
    private var isPaused = false

    init(limits: TransferLimits, start: UInt64) {
        idle = limits.idle.inNanoseconds
        end = limits.total.map { start.addingSaturated($0.inNanoseconds) }
    }

    var isConnected: Bool { lastActivity != nil }

    mutating func noteActivity(at now: UInt64) { lastActivity = now }

    mutating func pause() { isPaused = true }

    mutating func resume(at now: UInt64) {
        isPaused = false
        lastActivity = now
    }

    /// The next instant at which `expired` may be non-nil.
    var next: UInt64? {
        guard let silence else { return end }
        return end.map { min($0, silence) } ?? silence
    }

    func expired(at now: UInt64) -> TransportError.Reason? {
        if let end, now >= end { return .totalTimeout }
        if let silence, now >= silence { return .idleTimeout }
        return nil
    }

    private var silence: UInt64? {
        guard !isPaused, let lastActivity else { return nil }
        return lastActivity.addingSaturated(idle)
    }
}

extension Duration {
    var inMilliseconds: Int {
        Int(clamping: inNanoseconds / 1_000_000)
    }
}
