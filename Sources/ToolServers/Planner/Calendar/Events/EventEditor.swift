import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Changes one event of a file in place: only the lines that must differ are
/// changed, whatever program wrote them. Pure: trees in, trees out.
///
///     this       an override of its own (RECURRENCE-ID), or the one there is
///     following  the series ends before; a new one begins, in a new file
///     all        the event itself; overrides keep what was special about them
///
/// `EventBook` chooses the occurrence and writes the file.
struct EventEditor: Sendable {
    let uid: String
    let items: ItemEditor
    let zones: ZoneResolver
    /// The calendar that contains the event.
    var calendar: Component
    private let original: Component
    private let index: Int

    var local: LocalTime { items.context.local }

    /// - Throws: `gone` if the file has no such event.
    init(_ file: Component, uid: String, _ items: ItemEditor) throws(EventChangeError) {
        var all: [(holder: Int, component: Component)] = []
        for index in file.items.indices {
            guard let calendar = file[component: index], calendar.name == "VCALENDAR" else {
                continue
            }
            all += calendar.components("VEVENT").filter { $0.itemID == uid }.map { (index, $0) }
        }
        // If there are several calendars in one file, the one whose revision is
        // shown.
        let place = all.map(\.component).mainPlaces.first ?? 0
        guard all.indices.contains(place), let calendar = file[component: all[place].holder] else {
            throw EventChangeError(.gone)
        }
        let holder = all[place].holder
        (self.uid, self.items, self.calendar) = (uid, items, calendar)
        (original, index) = (file, holder)
        zones = items.context.resolver(calendar)
        for place in places { self.calendar[component: place]?.keepID() }
    }

    /// A file with one new event.
    static func file(_ draft: ItemEdit, start: ItemTime, uid: String, _ items: ItemEditor)
        -> Component
    {
        items.file("VEVENT", draft, uid: uid) { event, calendar, zones in
            TimeLines.set("DTSTART", start, of: &event, in: calendar, zones: zones)
            if let end = draft.end {
                TimeLines.set("DTEND", end, of: &event, in: calendar, zones: zones)
            }
            if let rule = draft.recurrence?.value { items.set(rule, start: start, of: &event) }
        }
    }

    /// The file in its current state.
    var file: Component {
        var (file, calendar) = (original, calendar)
        if let before = file[component: index] {
            items.describeZones(in: &calendar, beyond: before)
        }
        file[component: index] = calendar
        return file
    }

    // MARK: - Changing

    /// Changes one occurrence, identified by its time in the series.
    mutating func changeOne(_ id: ItemTime, _ change: ItemEdit) throws(EventChangeError) {
        if change.recurrence != nil { throw EventChangeError(.ruleOfOne) }
        if let place = places(ofOverride: id).max(by: isOlder) {
            return try self.change(at: place, change)
        }
        let (main, component, event) = try self.main()
        guard event.isRecurring else { return try self.change(at: main, change) }
        let occurrence =
            EventSeries.only(calendar, uid: uid, items.context)?.occurrence(at: id) ?? event
        var override = component
        ItemEditor.removeRules(of: &override)
        for name in ["DURATION", "RECURRENCE-ID"] as [StaticString] { override.remove(name) }
        let place =
            override.items.firstIndex {
                if case .line(let line) = $0 { line.isNamed("DTSTART") } else { false }
            } ?? 0
        override.items.insert(.line(line("RECURRENCE-ID", id, component.lineEnding)), at: place)
        set("DTSTART", occurrence.start, of: &override)
        override.moveAlarms(from: event.start, to: occurrence.start, zones)
        if component.first("DTEND") != nil || component.first("DURATION") != nil {
            set("DTEND", occurrence.end, of: &override)
        }
        let last = places.last ?? calendar.items.endIndex - 1
        calendar.items.insert(.component(override), at: last + 1)
        try self.change(at: last + 1, change)
    }

    /// Changes the whole series, even one without a main event. `id` is the occurrence whose start
    /// `change` gives; the others move by as much.
    mutating func changeAll(_ id: ItemTime, _ change: ItemEdit) throws(EventChangeError) {
        guard let (_, _, event) = try? main() else {  // There are only overrides.
            return try changeLoose(id, from: nil, change)
        }
        var own = change
        if event.isRecurring, let start = change.start {
            let shift = ItemShift(from: id, to: start, local: local)
            own.start = shift.moved(event.start)
            own.end = change.end.map { end in
                ItemShift(from: start, to: end, local: local).moved(
                    own.start ?? event.start, kind: end)
            }
            try move(event, by: shift, change)
        } else if event.isRecurring, let end = change.end {
            own.end = ItemShift(from: id, to: end, local: local).moved(event.start)
        }
        // Overrides keep their times and any title of their own.
        var words = change
        (words.start, words.end, words.recurrence) = (nil, nil, nil)
        for place in placesOfOverrides {
            guard let before = calendar[component: place] else { continue }
            var (override, edit) = (before, words)
            if override.title != event.title { edit.title = nil }
            items.apply(edit, to: &override)
            if override == before { continue }
            items.stamp(&override)
            calendar[component: place] = override
        }
        try self.change(at: try main().place, own)
    }

    /// Changes occurrences whose series is not in the file: all of them, or those from one on. `id`
    /// is the one whose times `change` gives; the others move by as much, and keep their own
    /// titles. Their ids do not change: they belong to the series, which is in other people's
    /// files.
    mutating func changeLoose(
        _ id: ItemTime, from first: ItemTime?, _ change: ItemEdit
    ) throws(EventChangeError) {
        if change.recurrence != nil { throw EventChangeError(.ruleOfOne) }
        guard let named = places(ofOverride: id).max(by: isOlder), let event = event(at: named)
        else { throw EventChangeError(.gone) }
        for place in placesOfOverrides {
            guard let other = self.event(at: place), let own = other.recurrenceID,
                first.map({ !isBefore(own, $0) }) ?? true
            else { continue }
            var moved = change
            if let start = change.start {
                let shift = ItemShift(from: event.start, to: start, local: local)
                moved.start = shift.moved(other.start)
            }
            if let end = change.end {
                let shift = ItemShift(from: change.start ?? event.start, to: end, local: local)
                moved.end = shift.moved(moved.start ?? other.start, kind: end)
            }
            if other.title != event.title { moved.title = nil }
            if !moved.isEmpty { try self.change(at: place, moved) }
        }
    }

    // MARK: - Components

    /// The indexes of this UID's components among the calendar's items.
    var places: [Int] {
        calendar.items.indices.filter { index in
            calendar[component: index].map { $0.name == "VEVENT" && $0.itemID == uid } == true
        }
    }

    func event(at place: Int) -> Event? {
        calendar[component: place].flatMap { Event($0, zones: zones) }
    }

    /// The newest of several revisions.
    var placeOfMain: Int? {
        places.filter { calendar[component: $0]?.first("RECURRENCE-ID") == nil }.max(by: isOlder)
    }

    /// The event itself.
    /// - Throws: `gone` if it is missing or has no start.
    func main() throws(EventChangeError) -> (place: Int, component: Component, event: Event) {
        guard let place = placeOfMain, let component = calendar[component: place],
            let event = event(at: place)
        else { throw EventChangeError(.gone) }
        return (place, component, event)
    }

    /// Includes those of superseded revisions.
    var placesOfOverrides: [Int] {
        places.filter { calendar[component: $0]?.first("RECURRENCE-ID") != nil }
    }

    func overrideID(at place: Int) -> ItemTime? {
        calendar[component: place]?.first("RECURRENCE-ID").flatMap(CalendarMoment.init).map {
            zones.time($0).time
        }
    }

    func places(ofOverride id: ItemTime) -> [Int] {
        let start = placeOfMain.flatMap { event(at: $0)?.start }
        // A day of the series is a day on the series' own clock.
        let home = { (time: ItemTime) in
            start.map { $0.isDate ? time : time.onClock(of: $0.zone, in: local) } ?? time
        }
        return places.filter {
            overrideID(at: $0).map { EventSeries.isSame(home($0), home(id), in: local) } ?? false
        }
    }

    private func isOlder(_ place: Int, _ other: Int) -> Bool {
        guard let one = calendar[component: place], let two = calendar[component: other] else {
            return false
        }
        return ItemRevision(one, at: place) < ItemRevision(two, at: other)
    }

    // MARK: - One component

    func set(_ name: StaticString, _ time: ItemTime, of component: inout Component) {
        TimeLines.set(name, time, of: &component, in: calendar, zones: zones)
    }

    func line(_ name: String, _ time: ItemTime, _ ending: [UInt8]) -> ContentLine {
        TimeLines.line(name, time, in: calendar, zones: zones, ending: ending)
    }

    private mutating func change(at place: Int, _ change: ItemEdit) throws(EventChangeError) {
        guard var component = calendar[component: place], let event = event(at: place) else {
            throw EventChangeError(.gone)
        }
        try times(change, event, of: &component)
        items.apply(change, to: &component)
        switch change.recurrence {
        case nil: break
        case .set(let rule):
            items.set(rule, start: change.start ?? event.start, of: &component)
        case .clear: ItemEditor.removeRules(of: &component)
        }
        items.stamp(&component)
        calendar[component: place] = component
    }

    private func times(
        _ change: ItemEdit, _ event: Event, of component: inout Component
    ) throws(EventChangeError) {
        guard change.start != nil || change.end != nil else { return }
        let start = change.start.map { own($0, like: event.start) } ?? event.start
        var end: ItemTime
        if let wanted = change.end {
            end = own(wanted, like: event.end)
        } else if start.isDate == event.start.isDate {
            end = ItemShift(from: event.start, to: start, local: local).moved(event.end)
            if case .time(_, let zone) = end, !start.isDate {
                // When the clocks change in between, the length is kept, not the clock time.
                let length = event.interval(in: local)
                let instant = start.instant(in: local).addingTimeInterval(
                    length.upperBound.timeIntervalSince(length.lowerBound))
                end = .time((zone.map(LocalTime.init) ?? local).civil(at: instant), zone: zone)
            }
        } else if start.isDate {
            end = .date(start.civilDate.adding(days: 1))
        } else {
            end = TimeSpan.usualLength.added(to: start, in: local)
        }
        if start.isDate != end.isDate { end = start.isDate ? .date(end.civilDate) : start }
        let isBackwards =
            start.isDate
            ? end.civilDate <= start.civilDate
            : end.instant(in: local) < start.instant(in: local)
        if isBackwards { throw EventChangeError(.endsBeforeStart) }
        set("DTSTART", start, of: &component)
        component.moveAlarms(from: event.start, to: start, zones)
        let hasEnd = component.first("DTEND") != nil
        if component.first("DURATION") != nil, !hasEnd, change.end == nil { return }
        component.remove("DURATION")
        if hasEnd || end != start { set("DTEND", end, of: &component) }
    }

    /// The instant in the zone of the event, so that a series follows the clocks of its own zone.
    private func own(_ time: ItemTime, like old: ItemTime) -> ItemTime {
        guard case .time(_, let new) = time, case .time(_, let zone) = old, new != zone else {
            return time
        }
        let instant = time.instant(in: local)
        return .time((zone.map(LocalTime.init) ?? local).civil(at: instant), zone: zone)
    }
}

/// The part of a recurring event that a change applies to.
package enum EventScope: String, Sendable, CaseIterable { case this, following, all }

/// The reason why an event could not be changed as requested. Facts only.
package struct EventChangeError: Error, Sendable, Equatable {
    package enum Reason: String, Sendable {
        /// Another program removed it, or this occurrence, in the meantime.
        case gone
        /// The event would end before it starts.
        case endsBeforeStart
        /// The rule specifies its days or times in a way that does not move
        /// with the start.
        case ruleDoesNotMove
        /// The rules cannot be followed, or cannot be split there without changing the times.
        case rulesDoNotSplit
        /// A rule belongs to the whole series, not to one occurrence.
        case ruleOfOne
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}
