import AgentCore
import FoundationEssentials

/// The form of UNTIL, which depends on the start (RFC 5545 §3.3.10).
extension RecurrenceRule {
    /// The rule with UNTIL as a day for a start that is a day, and in UTC for
    /// a time in a zone.
    package func bounded(like start: ItemTime, in local: LocalTime) -> RecurrenceRule {
        guard case .until(let moment) = bound else { return self }
        var rule = self
        switch (start, moment) {
        case (.date, .utc(let instant)):
            rule.bound = .until(.date(local.civil(at: instant).date))
        case (.date, .floating(let clock)), (.date, .zoned(let clock, _)):
            rule.bound = .until(.date(clock.date))
        case (.time(_, nil), .date(let date)):
            rule.bound = .until(.floating(Self.endOfDay(date)))
        case (.time(_, let zone?), .date(let date)):
            // The whole of the last day counts.
            rule.bound = .until(.utc(LocalTime(zone).instant(of: Self.endOfDay(date))))
        case (.time(_, let zone?), .floating(let clock)):
            rule.bound = .until(.utc(LocalTime(zone).instant(of: clock)))
        default: break
        }
        return rule
    }

    private static func endOfDay(_ date: CivilDate) -> CivilDateTime {
        CivilDateTime(secondsAsUTC: date.dayNumber * 86_400 + 86_399)
    }
}
