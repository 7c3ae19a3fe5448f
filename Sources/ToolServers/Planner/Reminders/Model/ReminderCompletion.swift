import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Completes a reminder (the standard does not define this for recurring ones):
/// a copy is kept as done, and the series continues with its first future time.
/// Pure.
///
///     once                          completed in place
///     repeats                       due moves to the next future time; the
///                                   copy is another file
///     repeats, no time is left      completed in place
package struct ReminderCompletion: Sendable {
    /// The completed copy of a series that continues.
    package struct Copy: Sendable {
        package var uid: String
        package var file: Component
        package var nextDue: ItemTime
    }

    let editor: ItemEditor

    package init(_ editor: ItemEditor) { self.editor = editor }

    /// Completes one VTODO, in place or by moving it to its next time.
    /// - Returns: the completed copy, if the series continues.
    /// - Throws: `RecurrenceError` if a rule's next time cannot be found.
    func complete(
        _ todo: inout Component, in calendar: Component
    ) throws(RecurrenceError) -> Copy? {
        let zones = editor.context.resolver(calendar)
        guard let series = try ReminderComponent.series(todo, zones: zones),
            let due = Reminder(todo, zones: zones).due,
            let next = try next(of: series, due: due, todo: todo, zones: zones)
        else {
            editor.complete(&todo)
            return nil
        }
        let done = copy(of: todo, in: calendar)
        advance(&todo, from: series.start, to: next, zones: zones)
        if todo.first("DUE") != nil {
            let shift = ItemShift(from: series.start, to: next.start, local: zones.local)
            TimeLines.move("DUE", to: shift.moved(due, kind: due), of: &todo, zones: zones)
        }
        editor.stamp(&todo)
        let moved = Reminder(todo, zones: zones).due ?? next.start
        return Copy(uid: done.uid, file: done.file, nextDue: moved)
    }

    private struct Next {
        var start: ItemTime
        /// The remaining COUNT, including that time.
        var count: Int?
    }

    /// The first time after now, and after the completed one.
    private func next(
        of series: RecurrenceSet, due: ItemTime, todo: Component, zones: ZoneResolver
    ) throws(RecurrenceError) -> Next? {
        let now = editor.context.now
        let local = zones.local
        if todo.first(ItemEditor.fromCompletion)?.value.uppercased() == "COMPLETED" {
            return try nextFromNow(series, local: local)
        }
        // If it is due on a day and done on it, the next is another day.
        let lead = due.instant(in: local).timeIntervalSince(series.start.instant(in: local))
        let after = max(series.start.instant(in: local), now.addingTimeInterval(-lead))
        guard let start = try series.next(after: after, in: local) else { return nil }
        guard case .count(let count)? = series.rules.first?.bound else {
            return Next(start: start)
        }
        // The rule also counts excluded times, so it is evaluated alone.
        let rule = RecurrenceSet(start: series.start, rules: series.rules)
        let passed = try rule.starts(
            from: series.start.instant(in: local), to: start.instant(in: local),
            limit: count, in: local
        ).count
        return Next(start: start, count: max(1, count - passed))
    }

    /// Computed as if the series began today at the current time.
    private func nextFromNow(
        _ series: RecurrenceSet, local: LocalTime
    ) throws(RecurrenceError) -> Next? {
        let now = editor.context.now
        let start: ItemTime
        switch series.start {
        case .date: start = .date(local.civil(at: now).date)
        case .time(let clock, let zone):
            start = .time(
                clock.on((zone.map(LocalTime.init) ?? local).civil(at: now).date), zone: zone)
        }
        let isShort = series.rules.first.map {
            [.secondly, .minutely, .hourly].contains($0.frequency)
        }
        // "every! 4 hours" is counted from the minute of completion.
        let anchor =
            isShort == true
            ? start.with(
                (start.zone.map(LocalTime.init) ?? local).civil(at: now)) : start
        var left: Int?
        var rules = series.rules
        if case .count(let count)? = rules.first?.bound {
            guard count > 1 else { return nil }
            left = count - 1
            for index in rules.indices { rules[index].bound = .none }
        }
        let moved = RecurrenceSet(
            start: anchor, rules: rules, added: series.added, excluded: series.excluded)
        let after = max(anchor.instant(in: local), now)
        guard let next = try moved.next(after: after, in: local) else { return nil }
        return Next(start: next, count: left)
    }

    private func advance(
        _ todo: inout Component, from start: ItemTime, to next: Next, zones: ZoneResolver
    ) {
        TimeLines.move("DTSTART", to: next.start, of: &todo, zones: zones)
        todo.moveAlarms(from: start, to: next.start, zones)
        if let count = next.count, let line = todo.first("RRULE") {
            var rule = RRuleLine(line.value)
            rule["COUNT"] = String(count)
            todo.set("RRULE", value: rule.text)
        }
        if todo.first("STATUS") != nil { todo.set("STATUS", value: "NEEDS-ACTION") }
        todo.remove("PERCENT-COMPLETE")
        todo.remove("COMPLETED")
        // Snoozes belong to the completed time.
        todo.removeSnoozes()
    }

    /// A copy of the item, completed, with an id of its own and no recurrence.
    private func copy(of todo: Component, in calendar: Component) -> (uid: String, file: Component)
    {
        var copy = todo
        let uid = editor.uuid()
        ItemEditor.removeRules(of: &copy)
        copy.removeAlarms { _ in true }
        copy.set("UID", value: uid)
        copy.set("CREATED", value: CalendarMoment.utcText(editor.context.now))
        // SIBLING: RELATED-TO alone would make it a part of the series.
        copy.relate("SIBLING", to: TextValue.escape(todo.itemID))
        editor.complete(&copy)
        var own = calendar
        own.items.removeAll { item in
            if case .component(let inner) = item { inner.isItem } else { false }
        }
        own.items.append(.component(copy))
        return (uid, Component(name: "", begin: nil, items: [.component(own)]))
    }
}
