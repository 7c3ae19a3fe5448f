import AgentCore
import FoundationEssentials
import ICalendar

/// Changes the events of a file in place: only the lines that must be
/// different are, whoever wrote them. Pure: trees in, trees out.
///
///     this       an override of its own (RECURRENCE-ID), or the one there is
///     following  the series ends before; a new one begins, in a new file
///     all        the event itself; overrides keep what was special about them
///
/// Choosing the occurrence and writing the file is `EventBook`'s business.
package struct EventEditor: Sendable {
    package var file: Component
    let uid: String
    let items: ItemEditor
    var local: LocalTime { items.context.local }

    init(_ file: Component, uid: String, _ items: ItemEditor) {
        self.file = file
        self.uid = uid
        self.items = items
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

    // MARK: - Changing

    /// Changes one occurrence, named by its time in the series.
    mutating func changeOne(_ id: ItemTime, _ change: ItemEdit) throws(EventChangeError) {
        if change.recurrence != nil { throw EventChangeError(.ruleOfOne) }
        try withCalendar { editor, calendar throws(EventChangeError) in
            if let place = editor.place(ofOverride: id, in: calendar) {
                try editor.change(at: place, in: &calendar, change)
                return
            }
            guard let main = editor.placeOfMain(in: calendar),
                let component = calendar[component: main],
                let event = Event(component, zones: editor.resolver(calendar))
            else { throw EventChangeError(.gone) }
            guard event.isRecurring else {
                try editor.change(at: main, in: &calendar, change)
                return
            }
            let resolver = editor.resolver(calendar)
            let occurrence = editor.occurrence(id, in: calendar) ?? event
            var override = component
            for name in ["RRULE", "RDATE", "EXDATE", "EXRULE", "DURATION", "RECURRENCE-ID"]
                as [StaticString]
            { override.remove(name) }
            let line = TimeLines.line(
                "RECURRENCE-ID", id, in: calendar, zones: resolver,
                ending: component.lineEnding)
            let place =
                override.items.firstIndex {
                    if case .line(let line) = $0 { line.isNamed("DTSTART") } else { false }
                } ?? 0
            override.items.insert(.line(line), at: place)
            TimeLines.set(
                "DTSTART", occurrence.start, of: &override, in: calendar, zones: resolver)
            override.moveAlarms(from: event.start, to: occurrence.start, local: editor.local)
            if component.first("DTEND") != nil || component.first("DURATION") != nil {
                TimeLines.set(
                    "DTEND", occurrence.end, of: &override, in: calendar, zones: resolver)
            }
            let last = editor.places(in: calendar).last ?? calendar.items.endIndex - 1
            calendar.items.insert(.component(override), at: last + 1)
            try editor.change(at: last + 1, in: &calendar, change)
        }
    }

    /// Changes the whole series. `id` names the occurrence whose start
    /// `change` gives; the others move as far.
    mutating func changeAll(_ id: ItemTime, _ change: ItemEdit) throws(EventChangeError) {
        try withCalendar { editor, calendar throws(EventChangeError) in
            guard let main = editor.placeOfMain(in: calendar),
                let component = calendar[component: main],
                let event = Event(component, zones: editor.resolver(calendar))
            else { return try editor.changeLoose(id, from: nil, change, in: &calendar) }
            var own = change
            if event.isRecurring, let start = change.start {
                let shift = ItemShift(from: id, to: start, local: editor.local)
                own.start = shift.moved(event.start)
                own.end = change.end.map { end in
                    ItemShift(from: start, to: end, local: editor.local).moved(
                        own.start ?? event.start, kind: end)
                }
                try editor.move(&calendar, event, by: shift, change)
            } else if event.isRecurring, let end = change.end {
                let shift = ItemShift(from: id, to: end, local: editor.local)
                own.end = shift.moved(event.start)
            }
            let oldTitle = event.title
            for place in editor.placesOfOverrides(in: calendar) {
                try editor.changeWords(at: place, in: &calendar, change, oldTitle: oldTitle)
            }
            guard let place = editor.placeOfMain(in: calendar) else {
                throw EventChangeError(.gone)
            }
            try editor.change(at: place, in: &calendar, own)
        }
    }

    /// Changes the occurrences of a series that is not in the file, all or from
    /// one on. `id` names the one whose times `change` gives; the others move as
    /// far, and keep a title of their own. What names them stays: it is of the
    /// series, which others have.
    mutating func changeLoose(
        _ id: ItemTime, from first: ItemTime?, _ change: ItemEdit
    ) throws(EventChangeError) {
        try withCalendar { editor, calendar throws(EventChangeError) in
            try editor.changeLoose(id, from: first, change, in: &calendar)
        }
    }

    private func changeLoose(
        _ id: ItemTime, from first: ItemTime?, _ change: ItemEdit, in calendar: inout Component
    ) throws(EventChangeError) {
        if change.recurrence != nil { throw EventChangeError(.ruleOfOne) }
        let zones = resolver(calendar)
        guard let named = place(ofOverride: id, in: calendar),
            let component = calendar[component: named],
            let event = Event(component, zones: zones)
        else { throw EventChangeError(.gone) }
        for place in placesOfOverrides(in: calendar) {
            guard let component = calendar[component: place],
                let other = Event(component, zones: zones),
                let own = other.recurrenceID, first.map({ !isBefore(own, $0) }) ?? true
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
            if moved.isEmpty { continue }
            try self.change(at: place, in: &calendar, moved)
        }
    }

    // MARK: - Components

    /// Where the components of this UID lie among the calendar's items.
    func places(in calendar: Component) -> [Int] {
        calendar.items.indices.filter { index in
            guard let component = calendar[component: index] else { return false }
            return component.name == "VEVENT" && component.itemID == uid
        }
    }

    /// Of several revisions that of the newest.
    func placeOfMain(in calendar: Component) -> Int? {
        places(in: calendar).filter { calendar[component: $0]?.first("RECURRENCE-ID") == nil }
            .max { revision($0, in: calendar) < revision($1, in: calendar) }
    }

    /// Those of superseded revisions too.
    func placesOfOverrides(in calendar: Component) -> [Int] {
        places(in: calendar).filter { calendar[component: $0]?.first("RECURRENCE-ID") != nil }
    }

    func places(ofOverride id: ItemTime, in calendar: Component) -> [Int] {
        let zones = resolver(calendar)
        let start = placeOfMain(in: calendar).flatMap { calendar[component: $0] }
            .flatMap { $0.first("DTSTART") }.flatMap(CalendarMoment.init).map {
                zones.time($0).time
            }
        // A day of the series is one of its own clock.
        let home = { (time: ItemTime) in
            start.map { $0.isDate ? time : time.onClock(of: $0.zone, in: local) } ?? time
        }
        return places(in: calendar).filter {
            overrideID(at: $0, in: calendar, zones).map {
                EventSeries.isSame(home($0), home(id), in: local)
            } ?? false
        }
    }

    func place(ofOverride id: ItemTime, in calendar: Component) -> Int? {
        places(ofOverride: id, in: calendar)
            .max { revision($0, in: calendar) < revision($1, in: calendar) }
    }

    private func revision(_ place: Int, in calendar: Component) -> ItemRevision {
        ItemRevision(calendar[component: place] ?? Component("VEVENT"), at: place)
    }

    func resolver(_ calendar: Component) -> ZoneResolver {
        items.context.resolver(calendar)
    }

    private func occurrence(_ id: ItemTime, in calendar: Component) -> Event? {
        EventSeries.only(calendar, uid: uid, items.context)?.occurrence(at: id)
    }

    /// Runs `edit` on the calendar that holds the event.
    mutating func withCalendar(
        _ edit: (inout EventEditor, inout Component) throws(EventChangeError) -> Void
    ) throws(EventChangeError) {
        for (index, item) in file.items.enumerated() {
            guard case .component(var calendar) = item, calendar.name == "VCALENDAR",
                !places(in: calendar).isEmpty
            else { continue }
            for place in places(in: calendar) { calendar[component: place]?.keepID() }
            let items = items
            try items.edit(&calendar) { calendar throws(EventChangeError) in
                try edit(&self, &calendar)
            }
            file.items[index] = .component(calendar)
            return
        }
        throw EventChangeError(.gone)
    }

    // MARK: - One component

    /// Applies a change to the component there.
    func change(
        at place: Int, in calendar: inout Component, _ change: ItemEdit
    ) throws(EventChangeError) {
        let resolver = resolver(calendar)
        guard var component = calendar[component: place],
            let event = Event(component, zones: resolver)
        else { throw EventChangeError(.gone) }
        try times(change, event, of: &component, in: calendar)
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

    /// For an override when all are changed: what is the same for all, but no
    /// times; a title of its own stays.
    private func changeWords(
        at place: Int, in calendar: inout Component, _ change: ItemEdit, oldTitle: String
    ) throws(EventChangeError) {
        guard var component = calendar[component: place] else { return }
        var own = change
        if component.title != oldTitle { own.title = nil }
        let before = component
        items.apply(own, to: &component)
        if component == before { return }
        items.stamp(&component)
        calendar[component: place] = component
    }

    private func times(
        _ change: ItemEdit, _ event: Event, of component: inout Component,
        in calendar: Component
    ) throws(EventChangeError) {
        guard change.start != nil || change.end != nil else { return }
        let resolver = resolver(calendar)
        let start = change.start.map { own($0, like: event.start) } ?? event.start
        var end: ItemTime
        if let wanted = change.end {
            end = own(wanted, like: event.end)
        } else if start.isDate == event.start.isDate {
            end = ItemShift(from: event.start, to: start, local: local).moved(event.end)
            if !start.isDate {
                // The length is what stays, not the clock, over a change of
                // the clocks.
                let length = event.interval(in: local)
                let instant = start.instant(in: local).addingTimeInterval(
                    length.upperBound.timeIntervalSince(length.lowerBound))
                if case .time(_, let zone) = end {
                    end = .time((zone.map(LocalTime.init) ?? local).civil(at: instant), zone: zone)
                }
            }
        } else if start.isDate {
            end = .date(start.civilDate.adding(days: 1))
        } else {
            end = CalendarDuration(seconds: 3600).added(to: start, in: local)
        }
        if start.isDate != end.isDate { end = start.isDate ? .date(end.civilDate) : start }
        let isBackwards =
            start.isDate
            ? end.civilDate <= start.civilDate
            : end.instant(in: local) < start.instant(in: local)
        if isBackwards { throw EventChangeError(.endsBeforeStart) }
        TimeLines.set("DTSTART", start, of: &component, in: calendar, zones: resolver)
        component.moveAlarms(from: event.start, to: start, local: local)
        if component.first("DURATION") != nil, component.first("DTEND") == nil, change.end == nil {
            return
        }
        component.remove("DURATION")
        if component.first("DTEND") == nil, end == start { return }
        TimeLines.set("DTEND", end, of: &component, in: calendar, zones: resolver)
    }

    /// The same instant in the zone the event is kept in, so that a series
    /// stays with the clocks of its own place.
    private func own(_ time: ItemTime, like old: ItemTime) -> ItemTime {
        guard case .time(_, let new) = time, case .time(_, let zone) = old, new != zone else {
            return time
        }
        let instant = time.instant(in: local)
        return .time((zone.map(LocalTime.init) ?? local).civil(at: instant), zone: zone)
    }
}
