import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Changes a series as a whole: moves it, ends it, splits it.
extension EventEditor {
    /// Moves a series, with the ids of occurrences (RECURRENCE-ID, EXDATE, RDATE) and the days in
    /// its rule.
    mutating func move(
        _ event: Event, by shift: ItemShift, _ change: ItemEdit
    ) throws(EventChangeError) {
        var (main, component, _) = try main()
        let set = RecurrenceSet(component: component, resolver: zones)
        if change.recurrence == nil {
            for name in ["RRULE", "EXRULE"] as [StaticString] {
                try moveRules(name, of: &component, event, by: shift)
            }
        }
        try moveTimes("EXDATE", of: &component) { time throws(EventChangeError) in
            guard time.isDate, !event.start.isDate else { return [moved(time, event, by: shift)] }
            // A day excludes everything on it, which may be on another day
            // afterwards.
            return try times(on: time.civilDate, of: set).map { moved($0, event, by: shift) }
        }
        try moveTimes("RDATE", of: &component) { time throws(EventChangeError) in
            [moved(time, event, by: shift)]
        }
        calendar[component: main] = component
        for place in placesOfOverrides {
            guard var override = calendar[component: place], var old = overrideID(at: place),
                let own = self.event(at: place)
            else { continue }
            if old.isDate, !event.start.isDate,
                let named = try times(on: old.civilDate, of: set).first
            {
                old = named
            }
            self.set("RECURRENCE-ID", moved(old, event, by: shift), of: &override)
            // An override that was not moved itself moves with the others.
            if EventSeries.isSame(own.start, old, in: local), own.isAllDay == old.isDate {
                let start = moved(own.start, event, by: shift)
                self.set("DTSTART", start, of: &override)
                if override.first("DTEND") != nil {
                    self.set("DTEND", moved(own.end, event, by: shift), of: &override)
                }
                override.moveAlarms(from: own.start, to: start, zones)
            }
            items.stamp(&override)
            calendar[component: place] = override
        }
    }

    /// Moves a time by as much as the series moves on its own clock: a time written in another zone
    /// (many programs use UTC) keeps that zone and identifies the same occurrence. A day in a
    /// series of times stays a day.
    private func moved(_ time: ItemTime, _ event: Event, by shift: ItemShift) -> ItemTime {
        let series = shift.moved(event.start)
        if time.isDate, !event.start.isDate, !series.isDate {
            let days = series.civilDate.dayNumber - event.start.civilDate.dayNumber
            return .date(time.civilDate.adding(days: days))
        }
        guard case .time(_, let zone?) = time, case .time(_, let home) = event.start,
            zone != home
        else { return shift.moved(time) }
        let there = time.onClock(of: home, in: local)
        if series.isDate { return shift.moved(there) }
        return ItemTime(shift.moved(there).instant(in: local), zone: zone, in: local)
    }

    /// The times of the series on one day of its own clock, including excluded ones.
    private func times(
        on day: CivilDate, of set: RecurrenceSet?
    ) throws(EventChangeError) -> [ItemTime] {
        guard var set else { return [] }
        set.excluded = []
        let window = (local.start(of: day.adding(days: -1)), local.start(of: day.adding(days: 3)))
        guard
            // A rule that cannot be followed cannot be moved either.
            let found = try? set.starts(
                from: window.0, to: window.1, limit: Self.timesOfADay, in: local),
            found.count < Self.timesOfADay
        else { throw EventChangeError(.ruleDoesNotMove) }
        return found.filter { $0.civilDate == day }
    }

    /// Maximum number of times within a few days that are written out one by one.
    private static let timesOfADay = 2_000

    private func moveRules(
        _ name: StaticString, of component: inout Component, _ event: Event, by shift: ItemShift
    ) throws(EventChangeError) {
        let moved = shift.moved(event.start)
        let days = moved.civilDate.dayNumber - event.start.civilDate.dayNumber
        let ending = component.lineEnding
        try component.editLines(name) { line throws(EventChangeError) in
            var rule = RRuleLine(line.value)
            let isClockFixed = ["BYHOUR", "BYMINUTE", "BYSECOND"].contains { rule[$0] != nil }
            if isClockFixed, shift.seconds != 0 { throw EventChangeError(.ruleDoesNotMove) }
            guard rule.shift(days: days, from: event.start.civilDate) else {
                throw EventChangeError(.ruleDoesNotMove)
            }
            if let until = rule["UNTIL"].flatMap({ CalendarMoment(value: $0) }) {
                rule["UNTIL"] = movedUntil(until, event.start, to: moved, by: shift)
            }
            return rule.text == line.value
                ? [line] : [ContentLine("\(name)", value: rule.text, ending: ending)]
        }
    }

    /// UNTIL moved as far as the occurrences, in the form required by the new start.
    private func movedUntil(
        _ until: CalendarMoment, _ start: ItemTime, to moved: ItemTime, by shift: ItemShift
    ) -> String {
        let clock: CivilDateTime
        switch until {
        case .date(let date):
            if moved.isDate { return CalendarMoment.text(date.adding(days: shift.days)) }
            clock = CivilDateTime(secondsAsUTC: date.dayNumber * 86_400 + 86_399)
        case .floating(let time), .zoned(let time, _, _):
            clock = CivilDateTime(secondsAsUTC: time.secondsAsUTC + shift.seconds)
        case .utc(let instant):
            let place = start.zone.map(LocalTime.init) ?? local
            clock = CivilDateTime(
                secondsAsUTC: place.civil(at: instant).secondsAsUTC + shift.seconds)
        }
        // The text for "before", which subtracts one second or day.
        switch moved {
        case .date: return CalendarMoment.text(clock.date)
        case .time:
            return TimeLines.untilText(
                before: moved.with(CivilDateTime(secondsAsUTC: clock.secondsAsUTC + 1)), in: local)
        }
    }

    /// Rewrites the lists of that name where `change` returns other times (one
    /// line for each) or none; unchanged values keep their bytes, as do those
    /// that are not times.
    private func moveTimes(
        _ name: StaticString, of component: inout Component,
        _ change: (ItemTime) throws(EventChangeError) -> [ItemTime]
    ) throws(EventChangeError) {
        let ending = component.lineEnding
        try component.editLines(name) { line throws(EventChangeError) in
            var (kept, new): ([Substring], [ContentLine]) = ([], [])
            let values = line.value.split(separator: ",", omittingEmptySubsequences: false)
            for value in values {
                // A PERIOD has its end after the slash.
                let halves = value.split(separator: "/", maxSplits: 1)
                guard let first = halves.first,
                    let moment = CalendarMoment(
                        value: String(first), zone: line.parameter("TZID"))
                else {
                    kept.append(value)
                    continue
                }
                let time = zones.time(moment).time
                let times = try change(time)
                if times == [time] {
                    kept.append(value)
                    continue
                }
                new += times.map { moved in
                    let plain = self.line("\(name)", moved, ending)
                    guard halves.count == 2, !moved.isDate else { return plain }
                    return ContentLine(
                        "\(name)",
                        parameters: [("VALUE", "PERIOD")] + Self.parameters(of: plain),
                        value: plain.value + "/" + length(of: String(halves[1]), line, from: time),
                        ending: ending)
                }
            }
            if kept.count == values.count { return [line] }
            let rest = ContentLine(
                "\(name)", parameters: Self.parameters(of: line),
                value: kept.joined(separator: ","), ending: ending)
            return (kept.isEmpty ? [] : [rest]) + new
        }
    }

    /// The end of a PERIOD, after the slash, as a duration.
    private func length(of text: String, _ line: ContentLine, from start: ItemTime) -> String {
        guard CalendarDuration(text) == nil,
            let end = CalendarMoment(value: text, zone: line.parameter("TZID"))
        else { return text }
        let seconds = zones.time(end).time.instant(in: local).timeIntervalSince(
            start.instant(in: local))
        return CalendarDuration(seconds: max(0, Int(seconds))).text
    }

    private static func parameters(of line: ContentLine) -> [(String, String)] {
        line.parameters.map { ($0.name, $0.values.joined(separator: ",")) }
    }

    // MARK: - Ending and splitting

    /// Excludes one occurrence (EXDATE) and removes its override.
    mutating func exclude(_ id: ItemTime) throws(EventChangeError) {
        for place in places(ofOverride: id).reversed() { calendar.items.remove(at: place) }
        guard let main = placeOfMain, var component = calendar[component: main] else { return }
        component.add(line("EXDATE", id, component.lineEnding))
        items.stamp(&component)
        calendar[component: main] = component
    }

    /// Ends the series before that occurrence and removes later overrides.
    mutating func cut(before id: ItemTime) throws(EventChangeError) {
        let id = try time(of: id)
        if let main = placeOfMain {
            guard var component = calendar[component: main],
                let split = try split(component, at: id)
            else { throw EventChangeError(.gone) }
            setRules(split.rules.map(\.earlier), of: &component)
            for name in ["RDATE", "EXDATE"] as [StaticString] {
                try moveTimes(name, of: &component) { isBefore($0, id) ? [$0] : [] }
            }
            items.stamp(&component)
            calendar[component: main] = component
        }
        for place in placesOfOverrides.reversed() {
            if let own = overrideID(at: place), !isBefore(own, id) {
                calendar.items.remove(at: place)
            }
        }
    }

    /// Ends the series before that occurrence and returns a file with a new
    /// series that begins with it, under its own UID.
    mutating func split(at id: ItemTime, newUID: String) throws(EventChangeError) -> Component {
        var later = self
        try later.begin(with: id, newUID: newUID)
        try cut(before: id)
        return later.file
    }

    /// The time of the series that a RECURRENCE-ID without a time refers to.
    private func time(of id: ItemTime) throws(EventChangeError) -> ItemTime {
        guard id.isDate, let component = placeOfMain.flatMap({ calendar[component: $0] }),
            let set = RecurrenceSet(component: component, resolver: zones), !set.start.isDate
        else { return id }
        return try times(on: id.civilDate, of: set).first ?? id
    }

    /// The division of a series at an occurrence; nil for a component without a start.
    private func split(
        _ component: Component, at id: ItemTime
    ) throws(EventChangeError) -> SeriesSplit? {
        guard let set = RecurrenceSet(component: component, resolver: zones) else { return nil }
        return try SeriesSplit(set, component.all("RRULE").map(\.value), at: id, in: local)
    }

    /// Sets the texts of the RRULE lines, in order; nil removes a line.
    private func setRules(_ rules: [RRuleLine?], of component: inout Component) {
        var texts = rules.makeIterator()
        let ending = component.lineEnding
        component.editLines("RRULE") { line in
            guard let text = (texts.next() ?? nil)?.text else { return [] }
            return text == line.value ? [line] : [ContentLine("RRULE", value: text, ending: ending)]
        }
    }

    private mutating func begin(with id: ItemTime, newUID: String) throws(EventChangeError) {
        let id = try time(of: id)
        var (_, component, event) = try main()
        guard let split = try split(component, at: id) else { throw EventChangeError(.gone) }
        setRules(split.rules.map(\.later), of: &component)
        for (name, first) in [("RDATE", id), ("EXDATE", split.start)]
            as [(StaticString, ItemTime)]
        {
            try moveTimes(name, of: &component) { isBefore($0, first) ? [] : [$0] }
        }
        let series = EventSeries.only(calendar, uid: uid, items.context)
        set("DTSTART", split.start, of: &component)
        if component.first("DTEND") != nil, let end = series?.occurrence(at: split.start).end {
            set("DTEND", end, of: &component)
        }
        component.moveAlarms(from: event.start, to: id, zones)
        for time in split.excluded { component.add(line("EXDATE", time, component.lineEnding)) }
        // RFC 5545 §3.8.4.5: so that other programs see that the two belong together.
        component.relate("SIBLING", to: component.first("UID")?.value ?? "")
        component.set("UID", value: newUID)
        component.set("CREATED", value: CalendarMoment.utcText(items.context.now))
        items.stamp(&component)
        component.set("SEQUENCE", value: "0")
        for place in places.reversed() {
            guard let own = overrideID(at: place) else { continue }
            if isBefore(own, id) {
                calendar.items.remove(at: place)
            } else {
                calendar[component: place]?.set("UID", value: newUID)
            }
        }
        // Earlier overrides may have been removed; the main component is the one without
        // RECURRENCE-ID.
        guard let place = placeOfMain else { throw EventChangeError(.gone) }
        calendar[component: place] = component
        // The new file contains only one event: others stay in the old file.
        calendar.items.removeAll {
            guard case .component(let other) = $0 else { return false }
            return other.isItem && other.itemID != newUID
        }
        // The file is new, so nothing has been omitted intentionally.
        VTimeZone.ensure(in: &calendar, zones: zones)
    }

    func isBefore(_ time: ItemTime, _ id: ItemTime) -> Bool {
        if time.isDate || id.isDate { return time.civilDate < id.civilDate }
        return time.instant(in: local) < id.instant(in: local)
    }

    /// Removes the event and its overrides from a file that also contains others.
    mutating func remove() {
        for place in places.reversed() { calendar.items.remove(at: place) }
    }
}
