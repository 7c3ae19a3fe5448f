/// Tokens of a request or the sum of several; `input` is *everything* that was read, cached
/// or not. Reported by servers, so sums saturate and negative numbers count as zero.
package struct Usage: Sendable, Equatable {
    package var input: Int
    /// The part of `input` that came from the provider's prompt cache.
    package var cachedInput: Int
    /// The part of `input` that was written to the prompt cache, which costs more than
    /// plain reading; 0 if the provider does not report it.
    package var cacheWrite: Int
    package var output: Int
    /// The part of `output` that was thinking.
    package var reasoning: Int
    /// Number of web searches, which are charged separately.
    package var searches: Int
    /// Reasoning of earlier answers that the server dropped from the model's input because
    /// something before it had changed. Not tokens, and not stored.
    package var droppedReasoning: Int

    package init(
        input: Int = 0, cachedInput: Int = 0, cacheWrite: Int = 0, output: Int = 0,
        reasoning: Int = 0, searches: Int = 0, droppedReasoning: Int = 0
    ) {
        self.droppedReasoning = max(0, droppedReasoning)
        self.searches = max(0, searches)
        self.input = max(0, input)
        self.cachedInput = max(0, cachedInput)
        self.cacheWrite = max(0, cacheWrite)
        self.output = max(0, output)
        self.reasoning = max(0, reasoning)
    }

    package var isEmpty: Bool { self == Usage() }

    package static func + (left: Usage, right: Usage) -> Usage {
        Usage(
            input: saturating(left.input, right.input),
            cachedInput: saturating(left.cachedInput, right.cachedInput),
            cacheWrite: saturating(left.cacheWrite, right.cacheWrite),
            output: saturating(left.output, right.output),
            reasoning: saturating(left.reasoning, right.reasoning),
            searches: saturating(left.searches, right.searches),
            droppedReasoning: saturating(left.droppedReasoning, right.droppedReasoning))
    }

    private static func saturating(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}
