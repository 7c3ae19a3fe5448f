/// How far ahead of the ear we are, and how long to wait before more sound may
/// go to a player that would read any amount of it.
///
/// Sound that was given at `now` is heard from `now` on, or after what was
/// given before it. Pure: the clock's readings come from outside.
struct PlaybackPace {
    /// Seconds of sound that may be under way. A pause is heard after it, and
    /// less than a fifth of a second is felt as at once.
    static let limit = 0.16

    /// On the clock of `Environment.uptime`: when all that was given is heard.
    private(set) var heardAt = 0.0

    /// Seconds to wait before this much can be given.
    func wait(for seconds: Double, at now: Double) -> Double {
        max(0, heardAt + seconds - now - Self.limit)
    }

    mutating func gave(_ seconds: Double, at now: Double) {
        heardAt = max(heardAt, now) + seconds
    }

    /// It has taken nothing for a while: what its pipe holds is yet to be heard.
    mutating func filled(_ seconds: Double, at now: Double) {
        heardAt = max(heardAt, now + seconds)
    }

    /// Seconds until everything is heard.
    func left(at now: Double) -> Double { max(0, heardAt - now) }
}
