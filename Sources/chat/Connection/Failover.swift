import AgentCore

/// Whether a failed turn could be answered by another provider, and the line
/// that says how. Moving there is the user's own command: the whole
/// conversation goes to another host.
enum Failover {
    /// Faults of one provider or of the way to it, which another may not have.
    static func isWorthOffering(_ error: ProviderError) -> Bool {
        switch error.reason {
        case .overloaded, .rateLimited, .quotaExhausted, .serverFailure: true
        case .transport(let error):
            switch error.reason {
            case .nameNotResolved, .connectionRefused, .connectTimeout, .unreachable,
                .idleTimeout, .totalTimeout, .connectionLost:
                true
            case .badURL, .tls, .proxy, .tooLarge, .protocolViolation, .bodyUnreadable, .other:
                false
            }
        case .keyRejected, .forbidden, .modelNotFound, .endpointNotFound, .badRequest,
            .contextTooLong, .redirected, .brokenStream, .malformed, .offline:
            false
        }
    }

    static func line(to other: ProviderName, host: String) -> StyledLine {
        StyledLine(
            "    To go on with \(other.rawValue): /model \(other.rawValue), then ask again. "
                + "The whole conversation goes to \(host).", .dim)
    }
}

extension Services {
    /// How to go on elsewhere after a failure; nil where there is no other way
    /// or the user wants none.
    func otherWay(after error: ProviderError, than provider: ProviderName) async -> StyledLine? {
        guard settings.failover.value != .off, Failover.isWorthOffering(error),
            let other = await connector.alternative(to: provider)
        else { return nil }
        return Failover.line(to: other, host: await connector.host(of: other))
    }
}
