import AgentCore
import FoundationEssentials

/// Times as lines of a VTODO: how they are written (RFC 5545 §3.3.4, §3.3.5),
/// with the VTIMEZONE that a TZID asks for. Pure.
enum TimeLines {
    /// Writes `time` into the property `name`, in the zone it is in.
    static func set(
        _ name: StaticString, _ time: ItemTime, of todo: inout Component,
        in calendar: inout Component, zones: ZoneResolver
    ) {
        let (parameters, value) = form(time, in: &calendar, zones: zones)
        todo.set(name, parameters: parameters, value: value)
    }

    /// Gives the property another time in the form it has: a day stays one, a
    /// UTC time stays in UTC, and a TZID keeps the spelling that its VTIMEZONE
    /// has.
    static func move(
        _ name: StaticString, to time: ItemTime, of todo: inout Component, zones: ZoneResolver
    ) {
        guard let line = todo.first(name), let moment = CalendarMoment(line) else { return }
        let value: String
        switch moment {
        case .date: value = CalendarMoment.text(time.civilDate)
        case .utc: value = CalendarMoment.utcText(time.instant(in: zones.local))
        case .floating, .zoned: value = clockText(time.clock)
        }
        todo.set(
            name, parameters: line.parameters.map { ($0.name, $0.values.joined(separator: ",")) },
            value: value)
    }

    private static func form(
        _ time: ItemTime, in calendar: inout Component, zones: ZoneResolver
    ) -> ([(String, String)], String) {
        switch time {
        case .date(let date): return ([("VALUE", "DATE")], CalendarMoment.text(date))
        case .time(let clock, nil): return ([], clockText(clock))
        case .time(let clock, let rules?):
            if rules != .utc, let zone = name(of: rules, at: clock, in: &calendar, zones: zones) {
                return ([("TZID", zone)], clockText(clock))
            }
            return ([], CalendarMoment.utcText(time.instant(in: zones.local)))
        }
    }

    private static func clockText(_ clock: CivilDateTime) -> String {
        clock.isoText.filter { $0 != "-" && $0 != ":" }
    }

    /// The TZID under which the calendar knows these rules, a new one with its
    /// VTIMEZONE if need be; nil where the zone has no name others could know.
    private static func name(
        of rules: TimeZoneRules, at clock: CivilDateTime, in calendar: inout Component,
        zones: ZoneResolver
    ) -> String? {
        let present = calendar.components("VTIMEZONE").compactMap { $0.first("TZID")?.value }
        if let known = present.first(where: { zones.rules($0) == rules }) { return known }
        guard zones.rules(rules.name) == rules else { return nil }
        // Some room before, for when the item is moved to an earlier time.
        let from = CivilDateTime(secondsAsUTC: clock.secondsAsUTC - 400 * 86_400)
        let component = VTimeZone.component(
            for: rules, tzid: rules.name,
            from: Date(timeIntervalSince1970: Double(rules.second(of: from))),
            ending: calendar.lineEnding)
        let place = calendar.items.firstIndex { if case .component = $0 { true } else { false } }
        calendar.items.insert(.component(component), at: place ?? calendar.items.endIndex)
        return rules.name
    }
}
