import AgentCore
import FoundationEssentials

/// What the TZIDs of one file mean (RFC 5545 §3.2.19): the zone database's
/// rules for a name it knows.
package struct ZoneResolver: Sendable {
    package let local: LocalTime
    private let zones: TimeZoneDatabase

    /// `calendar` is the VCALENDAR whose components are read.
    package init(calendar: Component?, local: LocalTime, zones: TimeZoneDatabase) {
        self.local = local
        self.zones = zones
    }

    /// The rules of a TZID; nil for one that nobody knows, which is then read
    /// as the reader's own time and said aloud.
    package func rules(_ tzid: String) -> TimeZoneRules? { zones.rules(named: tzid) }

    /// `isGuess`: the zone is not known, the reader's own was taken.
    package func time(_ moment: CalendarMoment) -> (time: ItemTime, isGuess: Bool) {
        switch moment {
        case .date(let date): (.date(date), false)
        case .utc(let instant):
            (
                .time(
                    CivilDateTime(secondsAsUTC: LocalTime.seconds(of: instant)), zone: .utc), false
            )
        case .floating(let clock): (.time(clock, zone: nil), false)
        case .zoned(let clock, let tzid):
            rules(tzid).map { (.time(clock, zone: $0), false) } ?? (.time(clock, zone: nil), true)
        }
    }
}
