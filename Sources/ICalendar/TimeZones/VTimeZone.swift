import Base
import FoundationEssentials

/// Writes VTIMEZONE components (RFC 5545 §3.6.5), one for each TZID used in a calendar,
/// correct from the earliest time that needs it.
///
/// A zone with a rule for its clock changes gets that rule, once for each
/// season; changes outside of the rule are listed one by one. Programs that
/// read no more than two seasons (phones among them) thus find both.
package enum VTimeZone {
    /// The component for a zone, with its clock changes from `from` on.
    package static func component(
        for rules: TimeZoneRules, tzid: String, from: Date, ending: [UInt8] = ContentLine.crlf
    ) -> Component {
        let observances = Observance.all(of: rules, from: LocalTime.seconds(of: from))
        var items: [Component.Item] = [
            .line(ContentLine("TZID", value: TextValue.escape(tzid), ending: ending))
        ]
        items += observances.map { .component($0.component(ending: ending)) }
        return Component("VTIMEZONE", items: items, ending: ending)
    }

    /// Adds a VTIMEZONE for each TZID that the calendar's components use but do
    /// not have. Existing ones are not changed; an unknown TZID gets none. A
    /// zone described only in the resolver's own file, from which a component
    /// was copied, keeps that description.
    package static func ensure(in calendar: inout Component, zones: ZoneResolver) {
        let present = Set(calendar.components("VTIMEZONE").compactMap(tzid))
        let missing = Self.zones(usedIn: calendar).filter { !present.contains($0.tzid) }
        let ending = calendar.lineEnding
        for zone in missing {
            guard let rules = zones.rules(zone.tzid) else { continue }
            // Some margin, in case the item is moved to an earlier time.
            let first = CivilDateTime(secondsAsUTC: zone.first.secondsAsUTC - 400 * 86_400)
            let component =
                zones.description(zone.tzid)
                ?? component(
                    for: rules, tzid: zone.tzid,
                    from: Date(timeIntervalSince1970: Double(rules.second(of: first))),
                    ending: ending)
            calendar.items.insert(.component(component), at: place(in: calendar))
        }
    }

    /// The index for a new VTIMEZONE: after the last one, else before the first component.
    private static func place(in calendar: Component) -> Int {
        let zone = calendar.items.lastIndex { item in
            if case .component(let inner) = item { inner.name == "VTIMEZONE" } else { false }
        }
        let first = calendar.items.firstIndex { item in
            if case .component = item { true } else { false }
        }
        return zone.map { $0 + 1 } ?? first ?? calendar.items.endIndex
    }

    static func tzid(of component: Component) -> String? {
        component.first("TZID").map { TextValue.unescape($0.value) }
    }

    /// The TZIDs used in a component and those inside it, in order of their
    /// first use, each with the earliest wall-clock time it is used for.
    package static func zones(usedIn component: Component) -> [(tzid: String, first: CivilDateTime)]
    {
        var zones: [(tzid: String, first: CivilDateTime)] = []
        collect(component, &zones)
        return zones
    }

    private static func collect(
        _ component: Component, _ zones: inout [(tzid: String, first: CivilDateTime)]
    ) {
        for item in component.items {
            switch item {
            case .component(let inner) where inner.name != "VTIMEZONE": collect(inner, &zones)
            case .component: break
            case .line(let line):
                // Reading the parameters of every line would be slow.
                guard line.content.contains(UInt8(ascii: ";")), let tzid = line.parameter("TZID")
                else { continue }
                for case .zoned(let clock, _, _) in CalendarMoment.list(line) {
                    if let index = zones.firstIndex(where: { $0.tzid == tzid }) {
                        zones[index].first = min(zones[index].first, clock)
                    } else {
                        zones.append((tzid, clock))
                    }
                }
            }
        }
    }
}
