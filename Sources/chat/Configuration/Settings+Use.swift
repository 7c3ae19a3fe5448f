import AgentCore
import ToolServers

/// The settings in the terms of those who use them.
extension Settings {
    var routingMode: IntentRouter.Mode {
        switch routing.value {
        case .auto: .auto
        case .local: .local
        case .model: .model
        }
    }

    /// The smaller of what was set, what the model can give, and 32,000: more
    /// than anybody reads, and some servers reserve it.
    func maxTokens(for model: String) -> Int {
        let limit = ModelCatalog.info(model)?.maxOutput ?? 32_000
        return min(maxTokens.value ?? 32_000, limit)
    }

    /// Phrases are read against this; the zone and the clock are looked at
    /// each time, since the machine may travel.
    func dates(_ environment: Environment, zones: TimeZoneDatabase) -> DateContext {
        DateContext(
            now: environment.now(), local: LocalTime(), zones: zones,
            locale: DateLocale(named: locale.value), hours: hours.value)
    }
}

extension Configuration.HourName {
    var path: WritableKeyPath<PartsOfDay, Int> & Sendable {
        switch self {
        case .morning: \.morning
        case .noon: \.noon
        case .afternoon: \.afternoon
        case .evening: \.evening
        case .night: \.night
        case .endOfDay: \.endOfDay
        }
    }
}
