import Base
import FoundationEssentials

/// Times of an item as lines: how they are written (RFC 5545 §3.3.4, §3.3.5),
/// and how lists of them are read. Pure.
package enum TimeLines {
    /// A line of that time. Where the calendar has a name for the zone that
    /// name is used.
    package static func line(
        _ name: String, _ time: ItemTime, in calendar: Component, zones: ZoneResolver,
        ending: [UInt8]
    ) -> ContentLine {
        let (parameters, value) = form(time, in: calendar, zones: zones)
        return ContentLine(name, parameters: parameters, value: value, ending: ending)
    }

    /// Writes `time` into the property `name`, in the zone it is in. The
    /// VTIMEZONE that a new TZID asks for is added when the calendar is done.
    package static func set(
        _ name: StaticString, _ time: ItemTime, of component: inout Component,
        in calendar: Component, zones: ZoneResolver
    ) {
        let old = component.first(name).flatMap(CalendarMoment.init).map { zones.time($0).time }
        if old == time { return }
        let (parameters, value) = form(time, in: calendar, zones: zones)
        component.set(name, parameters: parameters, value: value)
    }

    /// Gives the property another time in the form it has: a day stays one, a
    /// UTC time stays in UTC, and a TZID keeps the spelling that its VTIMEZONE
    /// has.
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
        // What the value said by an offset, or against its VALUE, a parameter says.
        if time.isDate == false { parameters.removeAll { $0 == ("VALUE", "DATE") } }
        if let zone = time.zone, case .zoned(_, let old, _) = moment,
            zones.rules(old) != zone || line.parameter("TZID") == nil
        {
            parameters.removeAll { $0.0 == "TZID" }
            parameters.append(("TZID", zone.name))
        }
        component.set(name, parameters: parameters, value: value)
    }

    /// UNTIL must be in UTC where the start has a zone (§3.3.10).
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

    /// The TZID under which the calendar knows these rules; nil where the zone
    /// has no name that others could know.
    private static func name(
        of rules: TimeZoneRules, in calendar: Component, zones: ZoneResolver
    ) -> String? {
        let present = calendar.components("VTIMEZONE").compactMap { $0.first("TZID")?.value }
        if let known = present.first(where: { zones.rules($0) == rules }) { return known }
        return zones.rules(rules.name) == rules ? rules.name : nil
    }
}
