/// How much of an event that repeats is meant.
package enum EventScope: String, Sendable, CaseIterable { case this, following, all }

/// Why an event is not changed as asked. Facts only.
package struct EventChangeError: Error, Sendable, Equatable {
    package enum Reason: String, Sendable {
        /// Somebody removed it, or this occurrence, in the meantime.
        case gone
        /// It would end before it starts.
        case endsBeforeStart
        /// The rule says its days or times in a way that does not move with
        /// the start.
        case ruleDoesNotMove
        /// Its rules cannot be followed, or not be cut there into two that give
        /// the same times.
        case rulesDoNotSplit
        /// Whether a thing repeats is for all of it, not for one occurrence.
        case ruleOfOne
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}
