import AgentCore

/// What follows a failed upload. Pure: waiting, asking and cutting are the
/// job's.
///
/// An upload of which a part had left, or whose words had begun to come, may
/// have been paid for: it is sent again only when the user agrees.
struct TranscriptionRetry: Sendable, Equatable {
    enum Decision: Sendable, Equatable {
        case giveUp
        case retry(after: Double)
        /// Only with consent, then after so many seconds.
        case ask(after: Double)
        /// The server takes less than this.
        case halve
    }

    var policy = RetryPolicy()
    /// Attempts of one piece, those that were agreed to included.
    var limit = 10

    /// - Parameters:
    ///   - attempt: number of the attempt that failed, from 1.
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
            // The answer had begun.
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
