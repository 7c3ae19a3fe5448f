import AgentCore
import Base

/// Decides whether another provider may answer a failed message, and words the offer. Pure. Only a
/// keystroke or a setting of the user allows it, since the whole conversation would go to another
/// host.
package enum Failover {
    package enum Way: Sendable, Equatable {
        /// Sent without asking; a notice is shown.
        case silent
        case ask
    }

    /// A conversation with a local server never goes to a cloud service without asking.
    /// asking.
    package static func way(
        _ setting: Settings.Failover, fromLocal: Bool, toLocal: Bool
    ) -> Way {
        setting == .auto && (!fromLocal || toLocal) ? .silent : .ask
    }

    /// Failures of one provider or of the network path to it, so that another may work.
    package static func isWorthOffering(_ error: ProviderError) -> Bool {
        switch error.reason {
        case .overloaded, .rateLimited, .aboveLimit, .quotaExhausted, .serverFailure, .keyRejected,
            .brokenStream:
            true
        case .transport(let error):
            switch error.reason {
            case .nameNotResolved, .connectionRefused, .connectTimeout, .unreachable,
                .idleTimeout, .totalTimeout, .connectionLost:
                true
            case .badURL, .tls, .certificatesMissing, .proxy, .tooLarge, .protocolViolation,
                .unsupportedEncoding, .bodyUnreadable, .forbiddenAddress, .libraryMissing,
                .notRecorded, .other:
                false
            }
        case .forbidden, .modelNotFound, .endpointNotFound, .badRequest, .contextTooLong,
            .redirected, .malformed, .offline, .withheld, .wouldLeak:
            false
        }
    }

    /// The lines above the question: the cause, and the consequence of a yes.
    package static func reasons(
        _ error: ProviderError, to other: ProviderName, host: String
    ) -> [StyledLine] {
        lines(
            error,
            "\(other.facts.displayName) can answer; the whole conversation goes to \(host).", .dim)
    }

    package static func question(to other: ProviderName) -> String {
        "  Go on with \(other.facts.title)? y or Enter for no: "
    }

    /// The notice with `failover: auto`.
    static func movedOn(
        model: String, host: String, after error: ProviderError
    ) -> [StyledLine] {
        lines(error, "Going on with \(model); the whole conversation goes to \(host).", .warning)
    }

    private static func lines(
        _ error: ProviderError, _ next: String, _ style: StyledLine.Style
    ) -> [StyledLine] {
        [
            StyledLine("  ! \(Diagnostic.cause(error)).", .failure),
            StyledLine("    " + next, style),
        ]
    }

    /// The offer as a line, if part of an answer was shown or no terminal can ask.
    static func line(to other: ProviderName, host: String) -> StyledLine {
        StyledLine(
            "    To go on with \(other.facts.title): /model \(other.rawValue), then say \"go on\". "
                + "The whole conversation goes to \(host).", .dim)
    }
}
