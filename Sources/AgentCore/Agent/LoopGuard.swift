/// Ends a turn in which the model keeps calling tools without end. Pure; one value per user
/// message.
package struct LoopGuard: Sendable {
    package enum Limit: Sendable, Equatable {
        /// Calls in one turn.
        case calls(Int)
        /// A call was repeated with the same arguments.
        case identical(tool: String, Int)
        /// Replies in a row in which no call could run.
        case invalidRounds(Int)
        /// Pauses requested by the provider in one turn.
        case pauses(Int)
    }

    package static let callLimit = 25
    package static let identicalLimit = 5
    package static let invalidRoundLimit = 3
    package static let pauseLimit = 5

    private var calls = 0
    private var counts: [String: Int] = [:]
    private var invalidRounds = 0
    private var pauses = 0

    package init() {}

    /// Admits one call, or returns the limit that it would exceed.
    package mutating func admit(_ call: ToolCall) -> Limit? {
        if calls >= Self.callLimit { return .calls(Self.callLimit) }
        let key = "\(call.name)\u{0}\(call.arguments)"
        let count = counts[key, default: 0]
        if count >= Self.identicalLimit {
            return .identical(tool: call.name, Self.identicalLimit)
        }
        calls += 1
        counts[key] = count + 1
        return nil
    }

    /// Notes a finished round of calls.
    package mutating func finishRound(valid: Int) -> Limit? {
        invalidRounds = valid > 0 ? 0 : invalidRounds + 1
        return invalidRounds >= Self.invalidRoundLimit ? .invalidRounds(invalidRounds) : nil
    }

    package mutating func pause() -> Limit? {
        pauses += 1
        return pauses > Self.pauseLimit ? .pauses(Self.pauseLimit) : nil
    }
}
