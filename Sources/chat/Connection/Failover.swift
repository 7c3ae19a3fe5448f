import AgentCore

/// Whether a failed message may be answered by another provider, and the words
/// for it. Pure: the whole conversation goes to another host, so it is the
/// user's own keystroke, or a setting of his, that sends it there.
enum Failover {
    enum Way: Sendable, Equatable {
        /// Without a question, with a line that says so.
        case silent
        case ask
    }

    /// What was said to a server on this machine goes to no cloud unasked.
    static func way(
        _ setting: Settings.Failover, from: ProviderName, to: ProviderName
    ) -> Way {
        setting == .auto && (from != .local || to == .local) ? .silent : .ask
    }

    /// Faults of one provider or of the way to it, which another may not have.
    static func isWorthOffering(_ error: ProviderError) -> Bool {
        switch error.reason {
        case .overloaded, .rateLimited, .quotaExhausted, .serverFailure, .keyRejected,
            .brokenStream:
            true
        case .transport(let error):
            switch error.reason {
            case .nameNotResolved, .connectionRefused, .connectTimeout, .unreachable,
                .idleTimeout, .totalTimeout, .connectionLost:
                true
            case .badURL, .tls, .proxy, .tooLarge, .protocolViolation, .unsupportedEncoding,
                .bodyUnreadable, .libraryMissing, .other:
                false
            }
        case .forbidden, .modelNotFound, .endpointNotFound, .badRequest, .contextTooLong,
            .redirected, .malformed, .offline, .withheld:
            false
        }
    }

    /// What stands above the question: why, and what a yes means.
    static func reasons(
        _ error: ProviderError, to other: ProviderName, host: String
    ) -> [StyledLine] {
        [
            StyledLine("  ! \(Diagnostic.cause(error)).", .failure),
            StyledLine(
                "    \(other.displayName) can answer; the whole conversation goes to \(host).",
                .dim),
        ]
    }

    static func question(to other: ProviderName) -> String {
        "  Go on with \(other.displayName)? y or Enter for no: "
    }

    /// With `failover: auto`.
    static func movedOn(
        model: String, host: String, after error: ProviderError
    ) -> [StyledLine] {
        [
            StyledLine("  ! \(Diagnostic.cause(error)).", .failure),
            StyledLine(
                "    Going on with \(model); the whole conversation goes to \(host).", .warning),
        ]
    }

    /// Where part of an answer was shown, or nobody could be asked.
    static func line(to other: ProviderName, host: String) -> StyledLine {
        StyledLine(
            "    To go on with \(other.displayName): /model \(other.rawValue), then say \"go on\". "
                + "The whole conversation goes to \(host).", .dim)
    }
}
