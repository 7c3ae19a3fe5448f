import AgentCore
import FoundationEssentials
import ICalendar

/// A VEVENT (RFC 5545 §3.6.1) read as an `Event`. Pure: trees in, values out.
///
/// It reads one component by itself; which times a series has is
/// `EventSeries`' business, changing one is `EventEditor`'s.
package enum EventComponent {
    package static let productID = ReminderComponent.productID

    /// nil where the component has no start, which makes it no event of any
    /// day.
    package static func event(_ component: Component, zones: ZoneResolver) -> Event? {
        guard let line = component.first("DTSTART"), let moment = CalendarMoment(line) else {
            return nil
        }
        let start = zones.time(moment)
        var event = Event(
            uid: component.itemID, title: TextValue.oneLine(text(component, "SUMMARY") ?? ""),
            start: start.time, end: end(component, start: start.time, zones: zones))
        if start.isGuess, case .zoned(_, let zone) = moment {
            event.unknownZone = zone
            event.problems.append(CalendarStore.Problem.unknownZone(zone))
        }
        if let line = component.first("DTEND"), CalendarMoment(line) == nil {
            event.problems.append(CalendarStore.Problem.unreadable(line))
        }
        event.problems += CalendarStore.Problem.unreadableLines(component)
        event.location = text(component, "LOCATION").map(TextValue.oneLine)
        event.notes = text(component, "DESCRIPTION", upTo: ReminderComponent.notesLimit)
        event.categories = ReminderComponent.categories(component)
        event.status =
            component.first("STATUS").flatMap { Event.Status(rawValue: $0.value.uppercased()) }
            ?? .confirmed
        event.isTransparent = component.first("TRANSP")?.value.uppercased() == "TRANSPARENT"
        event.rule = component.first("RRULE")?.value
        event.isRecurring = event.rule != nil || component.first("RDATE") != nil
        event.alarms = component.components("VALARM").compactMap(alarm)
        event.hasAttendees = component.first("ATTENDEE") != nil
        event.recurrenceID = component.first("RECURRENCE-ID").flatMap(CalendarMoment.init).map {
            zones.time($0).time
        }
        event.isOverride = event.recurrenceID != nil
        return event
    }

    /// Why `event` is nil.
    static func problem(_ component: Component) -> String {
        component.first("DTSTART").map { CalendarStore.Problem.unreadable($0) }
            ?? CalendarStore.Problem.noStart
    }

    /// RFC 5545 §3.6.1: DTEND, else DURATION, else one day for a day and no
    /// time at all for a time. An end before the start is none.
    private static func end(
        _ component: Component, start: ItemTime, zones: ZoneResolver
    ) -> ItemTime {
        var end: ItemTime?
        if let moment = component.first("DTEND").flatMap(CalendarMoment.init) {
            end = zones.time(moment).time
        } else if let duration = component.first("DURATION").flatMap({ CalendarDuration($0.value) })
        {
            end = duration.added(to: start, in: zones.local)
        }
        if case .date(let day) = start {
            let next = day.adding(days: 1)
            guard case .date(let last)? = end, last > day else { return .date(next) }
            return .date(last)
        }
        guard let end, !end.isDate, end.instant(in: zones.local) > start.instant(in: zones.local)
        else { return start }
        return end
    }

    private static func alarm(_ component: Component) -> Event.Alarm? {
        // What Apple writes to mean "no alarm, not even by default".
        guard component.first("ACTION")?.value.uppercased() != "NONE",
            let trigger = component.first("TRIGGER")
        else { return nil }
        if let duration = CalendarDuration(trigger.value) {
            return trigger.parameter("RELATED")?.uppercased() == "END"
                ? .fromEnd(duration) : .fromStart(duration)
        }
        if case .utc(let instant)? = CalendarMoment(trigger) { return .at(instant) }
        return nil
    }

    private static func text(
        _ component: Component, _ name: StaticString,
        upTo limit: Int = ReminderComponent.lineLimit
    ) -> String? {
        guard let value = component.first(name)?.value(upTo: limit), !value.isEmpty else {
            return nil
        }
        return TextValue.unescape(value)
    }
}
