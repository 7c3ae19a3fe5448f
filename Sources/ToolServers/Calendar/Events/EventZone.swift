import AgentCore
enum EventZone {
    static func component(_ rules: TimeZoneRules) -> Component? { nil }
}
