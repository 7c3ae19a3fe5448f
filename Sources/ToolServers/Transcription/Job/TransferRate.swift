/// Measures transfer speed over the last seconds, and estimates the remaining
/// time. Pure; its clock is the seconds it is given, which never go back.
///
/// The displayed time counts down by itself and adapts to a new estimate
/// slowly, so that it does not jump when a network stutters.
struct TransferRate: Sendable, Equatable {
    private struct Sample: Sendable, Equatable {
        var time: Double
        var bytes: Int
    }

    private static let window = 6.0
    /// Distance below which samples count as one, which limits the memory.
    private static let spacing = 0.1
    /// An estimate before this much time is a guess.
    private static let patience = 1.0
    /// Seconds in which the displayed value comes two thirds closer to the estimate.
    private static let inertia = 4.0

    private var samples: [Sample] = []
    private var shown: (time: Double, left: Double)?

    /// - Parameter bytes: total so far. A smaller value restarts the measurement.
    mutating func note(_ bytes: Int, of total: Int, at now: Double) {
        if let last = samples.last, bytes < last.bytes {
            samples = []
            shown = nil
        }
        // The newest replaces a sample that is too close to the one before it.
        if samples.count > 1, let last = samples.last,
            last.time - samples[samples.count - 2].time < Self.spacing
        {
            samples.removeLast()
        }
        samples.append(Sample(time: now, bytes: bytes))
        while samples.count > 2, samples[1].time <= now - Self.window { samples.removeFirst() }
        guard let estimate = estimate(of: total, at: now) else { return }
        if let (time, left) = shown {
            let passed = max(0, now - time)
            let counted = max(0, left - passed)
            let share = passed / (passed + Self.inertia)
            shown = (now, counted + (estimate - counted) * share)
        } else {
            shown = (now, estimate)
        }
    }

    /// Bytes per second; nil until there is enough data.
    func perSecond(at now: Double) -> Double? {
        guard let first = samples.first, let last = samples.last,
            now - first.time >= Self.patience
        else { return nil }
        return Double(last.bytes - first.bytes) / (now - first.time)
    }

    /// Seconds until the transfer is complete; nil while it cannot be estimated.
    func secondsLeft(at now: Double) -> Double? {
        shown.map { max(0, $0.left - max(0, now - $0.time)) }
    }

    private func estimate(of total: Int, at now: Double) -> Double? {
        guard let rate = perSecond(at: now), rate > 0, let last = samples.last else { return nil }
        return Double(max(0, total - last.bytes)) / rate
    }

    static func == (one: TransferRate, other: TransferRate) -> Bool {
        one.samples == other.samples && one.shown?.time == other.shown?.time
            && one.shown?.left == other.shown?.left
    }
}
