import AgentCore

/// From wall clock to instant for many times in a row: remembers the stretch
/// in which the offset stays the same, since few times lie near a change.
struct ZoneClock: Sendable {
    enum Kind: Sendable { case ordinary, skipped, repeated }

    struct Answer: Sendable {
        var second: Int
        var kind: Kind
        /// By how much the clocks change, for what is not ordinary.
        var change = 0
    }

    private let rules: TimeZoneRules
    /// Clocks in `low..<high` have this offset, and no other.
    private var (low, high, offset) = (0, 0, 0)

    private static let day = 86_400

    init(_ rules: TimeZoneRules) { self.rules = rules }

    /// The second of `clock`, both as seconds of a clock in UTC. As
    /// `TimeZoneRules.second(of:)`: what the clock jumps over lies that much
    /// later, what it shows twice is the first.
    mutating func second(of clock: Int) -> Answer {
        if clock >= low, clock < high { return Answer(second: clock - offset, kind: .ordinary) }
        // No place is a day from UTC, so this is before any change that
        // touches the clock.
        var at = clock - 2 * Self.day
        offset = rules.state(at: at).offset
        low = at + Self.day
        while let change = rules.transition(after: at) {
            let (before, after) = (change.before.offset, change.after.offset)
            high = change.second + min(before, after)
            if clock < high { return Answer(second: clock - offset, kind: .ordinary) }
            if clock < change.second + max(before, after) {
                high = low
                return Answer(
                    second: clock - before, kind: after > before ? .skipped : .repeated,
                    change: abs(after - before))
            }
            (at, low, offset) = (change.second, change.second + max(before, after), after)
        }
        high = .max
        return Answer(second: clock - offset, kind: .ordinary)
    }
}
