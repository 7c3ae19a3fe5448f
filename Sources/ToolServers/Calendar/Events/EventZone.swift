import AgentCore
enum EventZone {
    static func component(_ rules: TimeZoneRules) -> Component? { nil }
}
extension RecurrenceRule {
    init?(parsing text: String) { return nil }
    var text: String { "FREQ=\(frequency.rawValue)" }
}
