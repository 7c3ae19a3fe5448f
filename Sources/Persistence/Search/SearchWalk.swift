import AgentCore
import FoundationEssentials

/// The way through the matches of a search, from the newest on: which of them
/// are looked up, when a long run of one conversation is skipped, and when it
/// has been enough. Pure.
struct SearchWalk {
    struct Place: Equatable {
        var conversation: Int64
        var turn: Int64
        var message: Int64
        var role: Role
        var time: Date
    }

    private let limit: Int
    private var reseeks: Int
    private(set) var found: [Place] = []
    private(set) var hasMore = false
    private var seen: Set<Int64> = []
    /// Matches of conversations that are known, one after the other.
    private var repeats = 0
    /// Messages above it are of a conversation that is known.
    private var skipTo = Int64.max
    private var start: Int64? = .max
    private var steps = 0
    private var lookUps = 0

    /// About 10 ms each.
    private static let stepLimit = 40_000
    private static let lookUpLimit = 2_500
    /// Looking for the end of a run costs about as much as this many matches.
    private static let patience = 24
    /// A new start costs about as much as stepping over this many.
    private static let farInMessages: Int64 = 4_000

    /// - Parameter reseeks: how often the search may be started again further
    ///   down; dear where a word's beginning is looked for.
    init(limit: Int, reseeks: Int) {
        self.limit = limit
        self.reseeks = reseeks
    }

    /// Where the next pass begins; nil when it is over.
    mutating func nextStart() -> Int64? {
        defer { start = nil }
        return start
    }

    /// Whether a message has to be looked up.
    mutating func wants(_ message: Int64) -> Bool {
        steps += 1
        if message > skipTo { return false }
        lookUps += 1
        return true
    }

    var mayGoOn: Bool {
        mutating get {
            guard steps < Self.stepLimit, lookUps < Self.lookUpLimit else {
                hasMore = true
                return false
            }
            return found.count <= limit && !hasMore
        }
    }

    /// - Returns: true where the end of this run should be looked for.
    mutating func take(_ place: Place, isHidden: Bool) -> Bool {
        if !seen.contains(place.conversation), !isHidden {
            if found.count == limit {
                hasMore = true
                return false
            }
            seen.insert(place.conversation)
            found.append(place)
            repeats = 0
            return false
        }
        repeats += 1
        return repeats >= Self.patience
    }

    /// - Returns: false where the pass ends, to begin again at `target`.
    mutating func skip(from message: Int64, to target: Int64?) -> Bool {
        repeats = 0
        guard let target else { return false }
        skipTo = target
        if message - target > Self.farInMessages, reseeks > 0 {
            reseeks -= 1
            start = target
            return false
        }
        return mayGoOn
    }
}
