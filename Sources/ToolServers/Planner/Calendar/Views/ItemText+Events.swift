import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// Formats events.
extension ItemText {
    /// `Fri 13 Mar 14:00–15:30 CET`, `Fri 13 Mar – Sun 15 Mar`,
    /// `Fri 13 Mar 23:00 – Sat 14 Mar 07:00 CET`.
    package func span(_ event: Event) -> String {
        let days = event.days(in: local)
        if event.isAllDay {
            return days.count == 1
                ? day(days.lowerBound) : "\(day(days.lowerBound)) – \(day(days.upperBound))"
        }
        let own = event.interval(in: local)
        let (start, end) = (local.civil(at: own.lowerBound), local.civil(at: own.upperBound))
        let zone = local.abbreviation(at: own.lowerBound)
        let first = "\(day(start.date)) \(start.clockText)"
        if own.isEmpty { return "\(first) \(zone)" }
        // For the reader an event until midnight is on one day.
        if days.count == 1 { return "\(first)–\(end.clockText) \(zone)" }
        return "\(first) – \(day(end.date)) \(end.clockText) \(zone)"
    }

    /// `Fri 13 Mar 14:00–15:30 CET (08:00 EST)`: with the clock time in the
    /// event's own zone, if it differs.
    func fullSpan(_ event: Event) -> String {
        ownClock(event).map { "\(span(event)) (\($0))" } ?? span(event)
    }

    /// `08:00 EST`; nil if the clock there shows the same.
    func ownClock(_ event: Event) -> String? {
        if let zone = event.unknownZone {
            return CalendarStore.Problem.unknownZone(zone)
        }
        // Many programs write every time in UTC, so it is not a place.
        guard case .time(let clock, let zone?) = event.start, zone != .utc else { return nil }
        let instant = event.start.instant(in: local)
        let place = LocalTime(zone)
        guard place.offset(at: instant) != local.offset(at: instant) else { return nil }
        return "\(clock.clockText) \(place.abbreviation(at: instant))"
    }

    /// `dentist · Fri 13 Mar 14:00–15:30 CET`.
    package func line(_ event: Event) -> String {
        var text = "\(event.name) · \(fullSpan(event))"
        if let location = event.location { text += " · \(location)" }
        if let rule = event.recurrence, event.isRecurring {
            let start = event.recurrenceID ?? event.start
            text += " · \(RuleDescription.of(rule, start: start, in: local))"
        }
        return text
    }

    /// `rings 13:50`, `rings Thu 12 Mar 13:50`; nil if it does not ring.
    func ring(_ event: Event) -> String? {
        event.rings.map { instant in
            let civil = local.civil(at: instant)
            let isSameDay = civil.date == event.start.day(in: local)
            return "rings \(isSameDay ? "" : day(civil.date) + " ")\(civil.clockText)"
        }
    }

    /// The reason why it does not ring; nil if it does, or if that is obvious.
    func silence(_ event: Event) -> String? {
        if event.rings != nil || isPast(event.start) { return nil }
        let hasNoTime = event.isAllDay && event.alarms.isEmpty && !event.isSilent
        return hasNoTime ? "no time, so it will not ring" : "will not ring"
    }

    /// One line that distinguishes an event from others with the same title.
    func candidate(_ event: Event, id: String) -> String {
        "\(event.name) · \(span(event))\(event.repeats ? " · repeats" : "") [id \(id)]"
    }

    // MARK: - JSON

    /// The object of `--json`. Every field is always present. An `end` is
    /// exclusive, as in iCalendar: for whole days the day after the last.
    package func json(_ event: Event) -> JSONValue {
        var zone: JSONValue = .null
        if case .time(_, let rules?) = event.start { zone = .string(rules.name) }
        return [
            "uid": .string(event.uid),
            "title": .string(event.title),
            "start": .string(event.start.isoText(in: local)),
            "end": .string(event.end.isoText(in: local)),
            "allDay": .bool(event.isAllDay),
            "calendar": .string(event.folder),
            "location": text(event.location),
            "notes": text(event.notes),
            "recurring": .bool(event.repeats),
            "path": .string(event.path),
            "recurrenceId": event.repeats
                ? event.recurrenceID.map { .string($0.isoText(in: local)) } ?? .null : .null,
            "recurrence": text(event.recurrence),
            "zone": zone,
            "categories": texts(event.categories),
            "status": .string(event.status.rawValue.lowercased()),
            "busy": .bool(event.isBusy),
            "rings": event.rings.map { .string(local.isoText($0)) } ?? .null,
            "problems": texts(event.problems),
        ]
    }

    /// One line of JSON for the model: only the fields present, long notes shortened.
    func modelLine(_ event: Event, id: String) -> String {
        let days = event.days(in: local)
        return JSONWriter.string(
            .compact([
                "id": .string(id),
                "title": .string(event.title),
                "start": .string(event.start.isoText(in: local)),
                "end": event.isAllDay ? nil : .string(event.end.isoText(in: local)),
                "last_day": event.isAllDay && days.count > 1
                    ? .string(days.upperBound.isoText) : nil,
                "location": event.location.map(JSONValue.string),
                "calendar": .string(event.folder),
                "repeats": event.isRecurring
                    ? event.recurrence.map(JSONValue.string) ?? true
                    : event.isOverride ? true : nil,
                "only_the_first": event.repeatsTooOften ? true : nil,
                "status": event.status == .tentative ? "tentative" : nil,
                "rings": event.rings.map { .string(local.isoText($0)) },
                "problems": someTexts(event.problems),
                "notes": shortNotes(event.notes),
            ]))
    }
}

extension Event: PlannerItem {
    static let noun = "event"
    static let command = CalendarServer.noun
    func json(_ text: ItemText) -> JSONValue { text.json(self) }
    func told(_ text: ItemText, id: String, parent: String?) -> String {
        text.modelLine(self, id: id)
    }

    func time(after edit: ItemEdit, _ text: ItemText) -> String? {
        guard edit.start != nil || edit.end != nil else { return nil }
        var changed = self
        if let start = edit.start {
            changed.end = ItemShift(from: self.start, to: start, local: text.local).moved(end)
            changed.start = start
        }
        changed.end = edit.end ?? changed.end
        return text.fullSpan(changed)
    }
}
