import AgentCore
import FoundationEssentials

/// Goes through the matches of a search, starting with the newest: decides which to look up, when
/// to skip a long run of one conversation, and when to stop. Pure.
struct SearchWalk {
    struct Match: Equatable {
        var conversation: Int64
        var turn: Int64
        var message: Int64
        var role: Role
        var time: Date
    }

    private let limit: Int
    private var reseeks: Int
    private(set) var found: [Match] = []
    private(set) var hasMore = false
    private var seen: Set<Int64> = []
    /// Number of consecutive matches of known conversations.
    private var repeats = 0
    /// Messages above this one belong to a known conversation.
    private var skipTo = Int64.max
    private var start: Int64? = .max
    private var steps = 0
    private var lookUps = 0

    /// Limits of about 10 ms each.
    private static let stepLimit = 40_000
    private static let lookUpLimit = 2_500
    /// Number of matches that cost about as much as finding the end of a run.
    private static let patience = 24
    /// A restart costs about as much as reading past this many messages.
    private static let farInMessages: Int64 = 4_000

    /// - Parameter reseeks: how often the search may restart further down, which is expensive for
    ///   prefix searches.
    init(limit: Int, reseeks: Int) {
        self.limit = limit
        self.reseeks = reseeks
    }

    /// The start of the next pass; nil after the last.
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

    /// - Returns: true if the end of this run should be looked up.
    mutating func take(_ place: Match, isHidden: Bool) -> Bool {
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

    /// - Returns: false if the pass ends, to restart at `target`.
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
