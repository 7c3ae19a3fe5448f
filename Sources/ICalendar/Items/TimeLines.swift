import Base
import FoundationEssentials

/// Formats times of an item as lines (RFC 5545 §3.3.4, §3.3.5), and reads lists
/// of them. Pure.
package enum TimeLines {
    /// A line with that time. If the calendar has a name for the zone, that
    /// name is used.
    package static func line(
        _ name: String, _ time: ItemTime, in calendar: Component, zones: ZoneResolver,
        ending: [UInt8]
    ) -> ContentLine {
        let (parameters, value) = form(time, in: calendar, zones: zones)
        return ContentLine(name, parameters: parameters, value: value, ending: ending)
    }

    /// Writes `time` into the property `name`, in its own zone. The VTIMEZONE
    /// for a new TZID is added when the calendar is complete.
    package static func set(
        _ name: StaticString, _ time: ItemTime, of component: inout Component,
        in calendar: Component, zones: ZoneResolver
    ) {
        let old = component.first(name).flatMap(CalendarMoment.init).map { zones.time($0).time }
        if old == time { return }
        let (parameters, value) = form(time, in: calendar, zones: zones)
        component.set(name, parameters: parameters, value: value)
    }

    /// Changes the property's time but keeps its form: a day stays one, a UTC
    /// time stays in UTC, and a TZID keeps the spelling of its VTIMEZONE.
    package static func move(
        _ name: StaticString, to time: ItemTime, of component: inout Component, zones: ZoneResolver
    ) {
        guard let line = component.first(name), let moment = CalendarMoment(line) else { return }
        var parameters = line.parameters.map { ($0.name, $0.values.joined(separator: ",")) }
        let value: String
        switch moment {
        case .date: value = CalendarMoment.text(time.civilDate)
        case .utc: value = CalendarMoment.utcText(time.instant(in: zones.local))
        case .floating, .zoned: value = CalendarMoment.text(time.clock)
        }
        // The old value may have had an offset, or contradicted its VALUE
        // parameter; the new one needs correct parameters.
        if time.isDate == false { parameters.removeAll { $0 == ("VALUE", "DATE") } }
        if let zone = time.zone, case .zoned(_, let old, _) = moment,
            zones.rules(old) != zone || line.parameter("TZID") == nil
        {
            parameters.removeAll { $0.0 == "TZID" }
            parameters.append(("TZID", zone.name))
        }
        component.set(name, parameters: parameters, value: value)
    }

    /// UNTIL must be in UTC if the start has a zone (§3.3.10).
    package static func untilText(before time: ItemTime, in local: LocalTime) -> String {
        switch time {
        case .date(let date): CalendarMoment.text(date.adding(days: -1))
        case .time(let clock, nil):
            CalendarMoment.text(CivilDateTime(secondsAsUTC: clock.secondsAsUTC - 1))
        case .time:
            CalendarMoment.utcText(time.instant(in: local).addingTimeInterval(-1))
        }
    }

    private static func form(
        _ time: ItemTime, in calendar: Component, zones: ZoneResolver
    ) -> ([(String, String)], String) {
        switch time {
        case .date(let date): return ([("VALUE", "DATE")], CalendarMoment.text(date))
        case .time(let clock, nil): return ([], CalendarMoment.text(clock))
        case .time(let clock, let rules?):
            if rules != .utc, let zone = name(of: rules, in: calendar, zones: zones) {
                return ([("TZID", zone)], CalendarMoment.text(clock))
            }
            return ([], CalendarMoment.utcText(time.instant(in: zones.local)))
        }
    }

    /// The TZID of these rules in the calendar; nil if the zone has no name
    /// that other programs could know.
    private static func name(
        of rules: TimeZoneRules, in calendar: Component, zones: ZoneResolver
    ) -> String? {
        let present = calendar.components("VTIMEZONE").compactMap { $0.first("TZID")?.value }
        if let known = present.first(where: { zones.rules($0) == rules }) { return known }
        return zones.rules(rules.name) == rules ? rules.name : nil
    }
}
