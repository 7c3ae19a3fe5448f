/// Decides whether a tool server answers a message at once, or the model does. Pure: the servers'
/// judgements are its input.
package struct IntentRouter: Sendable {
    package enum Mode: String, Sendable, CaseIterable {
        /// Local if a server understood the whole message.
        case auto
        /// Never asks a model.
        case local
        /// Always asks the model.
        case model
    }

    package struct Judgement: Sendable, Equatable {
        package var server: String
        package var match: IntentMatch
    }

    package enum Route: Sendable, Equatable {
        /// One of these servers answers without a model: the first that can, the most confident
        /// first. If none can, the message takes the other route.
        case local(servers: [String], nearest: Judgement)
        /// The model answers. `nearest` is the most confident server, used to report missing facts
        /// if there is no model.
        case model(nearest: Judgement?)
    }

    /// Minimum confidence at which a server's claim of a complete understanding is trusted.
    package static let completeThreshold = 0.8

    package var mode: Mode

    package init(mode: Mode = .auto) { self.mode = mode }

    package func route(_ judgements: [Judgement]) -> Route {
        let ranked = Self.sorted(judgements)
        if mode != .model {
            let complete = ranked.filter {
                $0.match.isComplete && $0.match.confidence >= Self.completeThreshold
            }
            if let first = complete.first {
                return .local(servers: complete.map(\.server), nearest: first)
            }
        }
        return .model(nearest: ranked.first)
    }

    /// The servers that claim the message at all, the surest first.
    package static func ranked(_ judgements: [Judgement]) -> [String] {
        sorted(judgements).map(\.server)
    }

    private static func sorted(_ judgements: [Judgement]) -> [Judgement] {
        judgements.filter { $0.match.confidence > 0 }
            .sorted { $0.match.confidence > $1.match.confidence }
    }

    /// Asks every server.
    package static func judge(_ message: PlainMessage, by servers: [any ToolServer]) -> [Judgement]
    {
        servers.map { Judgement(server: $0.name, match: $0.canHandle(message: message)) }
    }
}
