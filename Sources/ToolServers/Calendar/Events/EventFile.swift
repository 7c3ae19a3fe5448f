import AgentCore
import FoundationEssentials
import ICalendar

/// A new event as a file, with the lines that other programs look for. Pure.
package enum EventFile {
    package static func file(
        _ draft: EventDraft, uid: String, now: Date, zones: ZoneResolver
    ) -> Component {
        var calendar = Component(
            "VCALENDAR",
            items: [
                .line(ContentLine("VERSION", value: "2.0")),
                .line(ContentLine("PRODID", value: EventComponent.productID)),
            ])
        let stamp = CalendarMoment.utcText(now)
        var lines = [
            ContentLine("UID", value: uid),
            ContentLine("DTSTAMP", value: stamp),
            ContentLine("CREATED", value: stamp),
            ContentLine("LAST-MODIFIED", value: stamp),
            ContentLine("SUMMARY", value: TextValue.escape(draft.title)),
            TimeLines.line(
                "DTSTART", draft.start, in: calendar, zones: zones, ending: ContentLine.crlf),
            TimeLines.line(
                "DTEND", draft.end, in: calendar, zones: zones, ending: ContentLine.crlf),
        ]
        if let rule = draft.rule { lines.append(ContentLine("RRULE", value: rule.text)) }
        if let location = draft.location, !location.isEmpty {
            lines.append(ContentLine("LOCATION", value: TextValue.escape(location)))
        }
        if let notes = draft.notes, !notes.isEmpty {
            lines.append(ContentLine("DESCRIPTION", value: TextValue.escape(notes)))
        }
        if !draft.categories.isEmpty {
            lines.append(categories(draft.categories, ending: ContentLine.crlf))
        }
        lines.append(ContentLine("SEQUENCE", value: "0"))
        var items = lines.map(Component.Item.line)
        if let alarm = draft.alarm {
            items.append(.component(self.alarm(alarm, title: draft.title)))
        }
        calendar.items.append(.component(Component("VEVENT", items: items)))
        VTimeZone.ensure(in: &calendar, zones: zones)
        return Component(name: "", begin: nil, items: [.component(calendar)])
    }

    static func categories(_ names: [String], ending: [UInt8]) -> ContentLine {
        ContentLine(
            "CATEGORIES", value: names.map(TextValue.escape).joined(separator: ","),
            ending: ending)
    }

    static func alarm(
        _ trigger: CalendarDuration, title: String, ending: [UInt8] = ContentLine.crlf
    ) -> Component {
        Component(
            "VALARM",
            items: [
                ContentLine("ACTION", value: "DISPLAY", ending: ending),
                ContentLine("DESCRIPTION", value: TextValue.escape(title), ending: ending),
                ContentLine("TRIGGER", value: trigger.text, ending: ending),
            ].map(Component.Item.line), ending: ending)
    }
}
