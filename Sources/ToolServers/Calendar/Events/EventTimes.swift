import AgentCore
import FoundationEssentials

/// Times of an event as lines: how they are written (RFC 5545 §3.3.4, §3.3.5),
/// and how lists of them are read. Pure.
enum EventTimes {
    /// The values of EXDATE and RDATE lines; of a PERIOD its start.
    static func times(_ lines: [ContentLine], zones: ZoneResolver) -> [ItemTime] {
        lines.flatMap { line in
            let zone = line.parameter("TZID")
            return line.value.split(separator: ",").compactMap { value in
                let start = value.split(separator: "/").first.map(String.init) ?? ""
                return CalendarMoment(value: start, zone: zone).map { zones.time($0).time }
            }
        }
    }

    /// A line of that time. Where the calendar has a name for the zone that
    /// name is used.
    static func line(
        _ name: String, _ time: ItemTime, in calendar: Component, zones: ZoneResolver,
        ending: [UInt8]
    ) -> ContentLine {
        let (parameters, value) = form(time, in: calendar, zones: zones)
        return ContentLine(name, parameters: parameters, value: value, ending: ending)
    }

    static func set(
        _ name: StaticString, _ time: ItemTime, of component: inout Component,
        in calendar: Component, zones: ZoneResolver
    ) {
        let old = component.first(name).flatMap(CalendarMoment.init).map { zones.time($0).time }
        if old == time { return }
        let (parameters, value) = form(time, in: calendar, zones: zones)
        component.set(name, parameters: parameters, value: value)
    }

    /// UNTIL must be in UTC where the start has a zone (§3.3.10).
    static func untilText(before time: ItemTime, in local: LocalTime) -> String {
        switch time {
        case .date(let date): CalendarMoment.text(date.adding(days: -1))
        case .time(let clock, nil):
            clockText(CivilDateTime(secondsAsUTC: clock.secondsAsUTC - 1))
        case .time:
            CalendarMoment.utcText(time.instant(in: local).addingTimeInterval(-1))
        }
    }

    private static func form(
        _ time: ItemTime, in calendar: Component, zones: ZoneResolver
    ) -> ([(String, String)], String) {
        switch time {
        case .date(let date): return ([("VALUE", "DATE")], CalendarMoment.text(date))
        case .time(let clock, nil): return ([], clockText(clock))
        case .time(let clock, let rules?):
            if rules != .utc, let zone = name(of: rules, in: calendar, zones: zones) {
                return ([("TZID", zone)], clockText(clock))
            }
            return ([], CalendarMoment.utcText(time.instant(in: zones.local)))
        }
    }

    private static func clockText(_ clock: CivilDateTime) -> String {
        clock.isoText.filter { $0 != "-" && $0 != ":" }
    }

    /// The TZID under which the calendar knows these rules; nil where the zone
    /// has no name that others could know.
    private static func name(
        of rules: TimeZoneRules, in calendar: Component, zones: ZoneResolver
    ) -> String? {
        let present = calendar.components("VTIMEZONE").compactMap { $0.first("TZID")?.value }
        if let known = present.first(where: { zones.rules($0) == rules }) { return known }
        // Its VTIMEZONE is added when the calendar is done.
        return zones.rules(rules.name) == rules ? rules.name : nil
    }
}
