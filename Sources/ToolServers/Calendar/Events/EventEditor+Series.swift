import AgentCore
import FoundationEssentials

/// What concerns a series as a whole: moving it, ending it, splitting it.
extension EventEditor {
    /// Moves what names occurrences (RECURRENCE-ID, EXDATE, RDATE) and what
    /// the rule says of days with a series that moves.
    func move(
        _ calendar: inout Component, _ event: Event, by shift: ItemShift, _ change: EventChange
    ) throws(EventChangeError) {
        guard let main = placeOfMain(in: calendar),
            case .component(var component) = calendar.items[main]
        else { throw EventChangeError(.gone) }
        let zones = resolver(calendar)
        if change.rule == nil {
            try moveRule(of: &component, event, by: shift)
        }
        for name in ["EXDATE", "RDATE"] {
            moveTimes(name, of: &component, in: calendar, zones) { shift.moved($0) }
        }
        calendar.items[main] = .component(component)
        for place in places(in: calendar) {
            guard case .component(var override) = calendar.items[place],
                let id = override.first("RECURRENCE-ID").flatMap(CalendarMoment.init),
                let own = EventComponent.event(override, zones: zones)
            else { continue }
            let old = zones.time(id).time
            TimeLines.set(
                "RECURRENCE-ID", shift.moved(old), of: &override, in: calendar, zones: zones)
            // One that was not moved by itself moves with the others.
            if own.start == old {
                TimeLines.set(
                    "DTSTART", shift.moved(own.start), of: &override, in: calendar, zones: zones)
                if override.first("DTEND") != nil {
                    TimeLines.set(
                        "DTEND", shift.moved(own.end), of: &override, in: calendar, zones: zones)
                }
            }
            stamp(&override)
            calendar.items[place] = .component(override)
        }
    }

    private func moveRule(
        of component: inout Component, _ event: Event, by shift: ItemShift
    ) throws(EventChangeError) {
        guard let line = component.first("RRULE") else { return }
        var rule = RuleText(line.value)
        let isClockFixed = ["BYHOUR", "BYMINUTE", "BYSECOND"].contains { rule[$0] != nil }
        let moved = shift.moved(event.start)
        if isClockFixed, shift.seconds != 0 { throw EventChangeError(.ruleDoesNotMove) }
        let days = moved.civilDate.dayNumber - event.start.civilDate.dayNumber
        guard rule.shift(days: days, from: event.start.civilDate) else {
            throw EventChangeError(.ruleDoesNotMove)
        }
        if let until = rule["UNTIL"].flatMap({ CalendarMoment(value: $0) }) {
            rule["UNTIL"] = movedUntil(until, event.start, to: moved, by: shift)
        }
        if rule.text != line.value { component.set("RRULE", value: rule.text) }
    }

    /// UNTIL moves as far as the occurrences, in the form the new start asks
    /// for.
    private func movedUntil(
        _ until: CalendarMoment, _ start: ItemTime, to moved: ItemTime, by shift: ItemShift
    ) -> String {
        let clock: CivilDateTime
        switch until {
        case .date(let date):
            if moved.isDate { return CalendarMoment.text(date.adding(days: shift.days)) }
            clock = CivilDateTime(secondsAsUTC: date.dayNumber * 86_400 + 86_399)
        case .floating(let time), .zoned(let time, _):
            clock = CivilDateTime(secondsAsUTC: time.secondsAsUTC + shift.seconds)
        case .utc(let instant):
            var place = local
            if case .time(_, let zone?) = start { place = LocalTime(zone) }
            clock = CivilDateTime(
                secondsAsUTC: place.civil(at: instant).secondsAsUTC + shift.seconds)
        }
        // The text for "before", which takes one second or day off.
        switch moved {
        case .date: return CalendarMoment.text(clock.date)
        case .time:
            return TimeLines.untilText(
                before: moved.with(CivilDateTime(secondsAsUTC: clock.secondsAsUTC + 1)), in: local)
        }
    }

    /// Rewrites a list of times, one line for each, where `change` makes any
    /// different; nil takes a time out.
    private func moveTimes(
        _ name: String, of component: inout Component, in calendar: Component,
        _ zones: ZoneResolver, _ change: (ItemTime) -> ItemTime?
    ) {
        let lines = component.items.indices.filter { index in
            if case .line(let line) = component.items[index] { line.name == name } else { false }
        }
        guard let first = lines.first else { return }
        let old = lines.flatMap { index -> [ItemTime] in
            guard case .line(let line) = component.items[index] else { return [] }
            return TimeLines.times([line], zones: zones)
        }
        let new = old.map(change)
        if new == old.map(Optional.some) { return }
        let ending = component.lineEnding
        let replacements = new.compactMap { $0 }.map {
            Component.Item.line(
                TimeLines.line(name, $0, in: calendar, zones: zones, ending: ending))
        }
        for index in lines.reversed() { component.items.remove(at: index) }
        component.items.insert(contentsOf: replacements, at: first)
    }

    // MARK: - Ending and splitting

    /// Takes one occurrence out (EXDATE), and its override with it.
    package mutating func exclude(_ id: ItemTime) throws(EventChangeError) {
        try withCalendar { editor, calendar throws(EventChangeError) in
            if let place = editor.place(ofOverride: id, in: calendar) {
                calendar.items.remove(at: place)
            }
            guard let main = editor.placeOfMain(in: calendar),
                case .component(var component) = calendar.items[main]
            else { return }
            let line = TimeLines.line(
                "EXDATE", id, in: calendar, zones: editor.resolver(calendar),
                ending: component.lineEnding)
            component.items.insert(.line(line), at: editor.placeForLine(in: component))
            editor.stamp(&component)
            calendar.items[main] = .component(component)
        }
    }

    /// Ends the series before that occurrence; later overrides go.
    package mutating func cut(before id: ItemTime) throws(EventChangeError) {
        try withCalendar { editor, calendar throws(EventChangeError) in
            try editor.end(&calendar, before: id)
        }
    }

    /// Ends the series before that occurrence and gives a file with a new one
    /// that begins with it, under a UID of its own.
    package mutating func split(
        at id: ItemTime, newUID: String
    ) throws(EventChangeError) -> Component {
        var later = self
        try later.withCalendar { editor, calendar throws(EventChangeError) in
            try editor.begin(&calendar, with: id, newUID: newUID)
        }
        try cut(before: id)
        return later.file
    }

    private func end(
        _ calendar: inout Component, before id: ItemTime
    ) throws(EventChangeError) {
        guard let main = placeOfMain(in: calendar),
            case .component(var component) = calendar.items[main]
        else { throw EventChangeError(.gone) }
        let zones = resolver(calendar)
        if let line = component.first("RRULE") {
            var rule = RuleText(line.value)
            rule.end(until: TimeLines.untilText(before: firstNotIn(calendar, id), in: local))
            component.set("RRULE", value: rule.text)
        }
        moveTimes("RDATE", of: &component, in: calendar, zones) { isBefore($0, id) ? $0 : nil }
        moveTimes("EXDATE", of: &component, in: calendar, zones) { isBefore($0, id) ? $0 : nil }
        stamp(&component)
        calendar.items[main] = .component(component)
        for place in places(in: calendar).reversed() {
            if let own = overrideID(at: place, in: calendar, zones), !isBefore(own, id) {
                calendar.items.remove(at: place)
            }
        }
    }

    /// A moment after the last occurrence that stays, so that the rule names
    /// its day, and not the day of the first that is gone.
    private func firstNotIn(_ calendar: Component, _ id: ItemTime) -> ItemTime {
        let series = EventSeries.only(calendar, uid: uid, local: local, zones: zones)
        // A rule too hard to follow was not shown, so no occurrence was chosen.
        guard
            let last = try? series?.recurrence?.previous(
                before: id.instant(in: local), in: local)
        else { return id }
        return last.isDate
            ? .date(last.civilDate.adding(days: 1))
            : last.with(CivilDateTime(secondsAsUTC: last.clock.secondsAsUTC + 1))
    }

    private func begin(
        _ calendar: inout Component, with id: ItemTime, newUID: String
    ) throws(EventChangeError) {
        guard let main = placeOfMain(in: calendar),
            case .component(var component) = calendar.items[main]
        else { throw EventChangeError(.gone) }
        let zones = resolver(calendar)
        guard let event = EventComponent.event(component, zones: zones) else {
            throw EventChangeError(.gone)
        }
        if let line = component.first("RRULE") {
            var rule = RuleText(line.value)
            if let count = rule["COUNT"].flatMap({ Int($0) }) {
                let before = countBefore(id, event, rule: line.value)
                rule["COUNT"] = String(max(1, count - before))
            }
            component.set("RRULE", value: rule.text)
        }
        moveTimes("RDATE", of: &component, in: calendar, zones) { isBefore($0, id) ? nil : $0 }
        moveTimes("EXDATE", of: &component, in: calendar, zones) { isBefore($0, id) ? nil : $0 }
        var occurrence = EventSeries.only(calendar, uid: uid, local: local, zones: self.zones)?
            .occurrence(at: id)
        occurrence?.start = id
        TimeLines.set("DTSTART", id, of: &component, in: calendar, zones: zones)
        if component.first("DTEND") != nil, let end = occurrence?.end {
            TimeLines.set("DTEND", end, of: &component, in: calendar, zones: zones)
        }
        // RFC 5545 §3.8.4.5: so that others see that the two belong together.
        component.items.insert(
            .line(
                ContentLine(
                    "RELATED-TO", parameters: [("RELTYPE", "SIBLING")],
                    value: component.first("UID")?.value ?? "", ending: component.lineEnding)),
            at: placeForLine(in: component))
        component.set("UID", value: newUID)
        component.set("CREATED", value: CalendarMoment.utcText(now))
        stamp(&component)
        component.set("SEQUENCE", value: "0")
        for place in places(in: calendar).reversed() {
            guard case .component(var override) = calendar.items[place],
                let own = overrideID(at: place, in: calendar, zones)
            else { continue }
            if isBefore(own, id) {
                calendar.items.remove(at: place)
            } else {
                override.set("UID", value: newUID)
                calendar.items[place] = .component(override)
            }
        }
        // Overrides before the event may have gone; it is the one without.
        guard let place = placeOfMain(in: calendar) else { throw EventChangeError(.gone) }
        calendar.items[place] = .component(component)
        // A file is one event's: others that lie in it stay where they are.
        calendar.items.removeAll {
            guard case .component(let other) = $0 else { return false }
            return other.name != "VTIMEZONE" && EventComponent.uid(other) != newUID
        }
        // The file is new, so nobody left anything out of it on purpose.
        VTimeZone.ensure(in: &calendar, zones: zones)
    }

    /// How many of a COUNT are used up before that occurrence. The times taken
    /// out count too (§3.3.10).
    private func countBefore(_ id: ItemTime, _ event: Event, rule: String) -> Int {
        // A rule that cannot be read, or followed, was not shown either, so no
        // occurrence of it was chosen.
        guard let rule = try? RecurrenceRule(parsing: rule) else { return 0 }
        let starts = try? RecurrenceSet(start: event.start, rules: [rule]).starts(
            from: event.start.instant(in: local), to: id.instant(in: local), in: local)
        return starts?.count ?? 0
    }

    private func overrideID(
        at place: Int, in calendar: Component, _ zones: ZoneResolver
    ) -> ItemTime? {
        guard case .component(let component) = calendar.items[place] else { return nil }
        return component.first("RECURRENCE-ID").flatMap(CalendarMoment.init).map {
            zones.time($0).time
        }
    }

    private func isBefore(_ time: ItemTime, _ id: ItemTime) -> Bool {
        if time.isDate || id.isDate { return time.civilDate < id.civilDate }
        return time.instant(in: local) < id.instant(in: local)
    }

    private func placeForLine(in component: Component) -> Int {
        component.items.firstIndex { if case .component = $0 { true } else { false } }
            ?? component.items.endIndex
    }

    /// Takes the event and its overrides out of a file that holds others too.
    package mutating func remove() throws(EventChangeError) {
        try withCalendar { editor, calendar throws(EventChangeError) in
            for place in editor.places(in: calendar).reversed() {
                calendar.items.remove(at: place)
            }
        }
    }
}
