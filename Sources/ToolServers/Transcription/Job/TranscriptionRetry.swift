import AgentCore

/// Decides what to do after a failed upload. Pure: the job waits, asks and cuts.
///
/// A partly sent upload, or one with words already returned, may have been paid
/// for: it is sent again only with the user's consent.
struct TranscriptionRetry: Sendable, Equatable {
    enum Decision: Sendable, Equatable {
        case giveUp
        case retry(after: Double)
        /// Tries again only with consent, after this many seconds.
        case ask(after: Double)
        /// The server accepts less than this.
        case halve
    }

    var policy = RetryPolicy()
    /// Maximum number of attempts per piece, including those with consent.
    var limit = 10

    /// - Parameters:
    ///   - attempt: number of the failed attempt, from 1.
    ///   - random: uniform in 0..<1.
    func decision(
        for error: TranscriptionError, attempt: Int, random: Double
    ) -> Decision {
        let backoff = RetryPolicy.backoff(afterAttempt: attempt, random: random)
        switch error.reason {
        case .tooLarge: return .halve
        case .rateLimited, .serverFailure:
            let wait = max(backoff, error.retryAfter ?? 0)
            if wait > policy.longestWait || error.shouldRetry == false { return .giveUp }
            // The response had begun.
            if error.status == 200 { return attempt < limit ? .ask(after: wait) : .giveUp }
            return attempt < policy.attempts ? .retry(after: wait) : .giveUp
        case .badRequest where error.shouldRetry == true && attempt < policy.attempts:
            return .retry(after: backoff)
        case .transport(let failure):
            if let sent = error.sentBytes, sent > 0 {
                let isCut = [.connectionLost, .idleTimeout, .totalTimeout].contains(failure.reason)
                return isCut && attempt < limit ? .ask(after: backoff) : .giveUp
            }
            switch policy.decision(for: failure, attempt: attempt, hasShown: false, random: random)
            {
            case .retry(let wait): return .retry(after: wait)
            case .ask, .giveUp: return .giveUp
            }
        case .cut: return attempt < limit ? .ask(after: backoff) : .giveUp
        case .noKey, .badAddress, .keyRejected, .forbidden, .modelNotFound, .endpointNotFound,
            .unsupportedFormat, .badRequest, .quotaExhausted, .redirected, .malformed, .notOffered:
            return .giveUp
        }
    }
}
