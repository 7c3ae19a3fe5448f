/// Decides whether a failed request is worth sending again, and when. Pure: the agent waits, shows
/// the countdown and asks the question.
///
/// A request is never repeated once part of its answer was shown, nor if money, a key or the
/// request itself is the cause. `x-should-retry` overrides the rule by status, but not these.
package struct RetryPolicy: Sendable, Equatable {
    package enum Decision: Sendable, Equatable {
        case giveUp
        case retry(after: Double)
        /// The server asks for a wait longer than the limit: seconds to wait if
        /// the user agrees.
        case ask(after: Double)
    }

    /// Attempts in total, the first included.
    package var attempts: Int
    /// The longest wait, in seconds, that needs no question.
    package var longestWait: Double

    package init(attempts: Int = 3, longestWait: Double = 60) {
        self.attempts = attempts
        self.longestWait = longestWait
    }

    /// - Parameters:
    ///   - attempt: number of the failed attempt, from 1.
    ///   - hasShown: whether part of the answer was shown or a tool ran.
    ///   - random: uniform in 0..<1.
    package func decision(
        for error: ProviderError, attempt: Int, hasShown: Bool, random: Double
    ) -> Decision {
        guard !hasShown, attempt < attempts, isWorthwhile(error, attempt: attempt) else {
            return .giveUp
        }
        let backoff = Self.backoff(afterAttempt: attempt, random: random)
        guard let asked = error.retryAfter, asked > 0 else { return .retry(after: backoff) }
        // The server's delay is a lower bound.
        return asked > longestWait ? .ask(after: asked) : .retry(after: max(asked, backoff))
    }

    package func decision(
        for error: TransportError, attempt: Int, hasShown: Bool, random: Double
    ) -> Decision {
        guard !hasShown, attempt < attempts, Self.isWorthwhile(error) else { return .giveUp }
        return .retry(after: Self.backoff(afterAttempt: attempt, random: random))
    }

    /// 0.5 s, doubled with every attempt up to 8 s, less up to a quarter so that many clients do
    /// not return at the same moment.
    package static func backoff(afterAttempt attempt: Int, random: Double) -> Double {
        var delay = 0.5
        for _ in 1..<max(1, min(attempt, 10)) { delay *= 2 }
        return min(delay, 8) * (1 - 0.25 * random)
    }

    private func isWorthwhile(_ error: ProviderError, attempt: Int) -> Bool {
        switch error.reason {
        case .quotaExhausted, .aboveLimit, .keyRejected, .forbidden, .modelNotFound,
            .contextTooLong,
            .redirected, .offline, .withheld, .wouldLeak:
            return false
        case .transport(let error):
            return Self.isWorthwhile(error)
        case .rateLimited:
            // Without a waiting time, Anthropic's 429 may be the monthly cap.
            return error.shouldRetry ?? (error.provider != .claude || error.retryAfter != nil)
        case .overloaded, .serverFailure, .brokenStream:
            return error.shouldRetry ?? true
        case .badRequest, .endpointNotFound, .malformed:
            return error.shouldRetry ?? isWorthwhile(status: error.status, error, attempt)
        }
    }

    private func isWorthwhile(status: Int?, _ error: ProviderError, _ attempt: Int) -> Bool {
        switch status ?? 0 {
        case 408: true
        // Anthropic documents that a conflict may be retried once.
        case 409: error.provider != .claude || attempt == 1
        case 500...: true
        default: false
        }
    }

    /// There was no connection, or it was lost. After minutes of silence, two more attempts are not
    /// worth the wait.
    private static func isWorthwhile(_ error: TransportError) -> Bool {
        switch error.reason {
        case .nameNotResolved, .connectionRefused, .connectTimeout, .unreachable, .proxy,
            .connectionLost:
            true
        case .badURL, .tls, .certificatesMissing, .idleTimeout, .totalTimeout, .tooLarge,
            .protocolViolation, .unsupportedEncoding, .bodyUnreadable, .forbiddenAddress,
            .libraryMissing, .notRecorded, .other:
            false
        }
    }
}
