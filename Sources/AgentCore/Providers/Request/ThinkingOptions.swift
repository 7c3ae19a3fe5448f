/// How much a model is to think before it answers. Which words a model takes
/// is the provider's matter; one that is refused is left out and the request
/// sent again (`RequestAdjustments`).
package enum Effort: String, Sendable, CaseIterable {
    case none, minimal, low, medium, high, xhigh, max
}

/// How much of a model's thinking the user sees.
package enum ThinkingDisplay: String, Sendable, CaseIterable {
    /// Nothing; it is not asked for either.
    case off
    /// One line that tells how long; the words pass by and are folded away.
    case summary
    /// All of it, dimmed.
    case full
}
