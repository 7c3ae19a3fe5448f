import AgentCore
import FoundationEssentials
import ICalendar

/// Makes new VTODOs and changes those there are: only the lines that must be
/// different are, whoever wrote them. Pure; ids and the time are given.
package struct ReminderEditor: Sendable {
    let context: DateContext
    let uuid: @Sendable () -> String

    package init(context: DateContext, uuid: @escaping @Sendable () -> String) {
        self.context = context
        self.uuid = uuid
    }

    // MARK: - New

    /// A file with one new VTODO. A due day has no alarm unless one was asked
    /// for, since an alarm at midnight helps nobody.
    package func file(_ draft: ReminderDraft, uid: String) -> Component {
        let stamp = CalendarMoment.utcText(context.now)
        var calendar = Component(
            "VCALENDAR",
            items: [
                .line(ContentLine("VERSION", value: "2.0")),
                .line(ContentLine("PRODID", value: ReminderComponent.productID)),
            ])
        var todo = Component("VTODO")
        todo.set("UID", value: uid)
        todo.set("DTSTAMP", value: stamp)
        todo.set("CREATED", value: stamp)
        todo.set("LAST-MODIFIED", value: stamp)
        todo.set("SUMMARY", value: TextValue.escape(draft.title))
        if let notes = draft.notes, !notes.isEmpty {
            todo.set("DESCRIPTION", value: TextValue.escape(notes))
        }
        let zones = zones(calendar)
        if let due = draft.due {
            if let rule = draft.recurrence {
                TimeLines.set("DTSTART", due, of: &todo, adding: &calendar, zones: zones)
                TimeLines.set("DUE", due, of: &todo, adding: &calendar, zones: zones)
                setRule(rule, start: due, of: &todo)
                if draft.repeatsFromCompletion {
                    todo.set(ReminderComponent.fromCompletion, value: "COMPLETED")
                }
            } else {
                TimeLines.set("DUE", due, of: &todo, adding: &calendar, zones: zones)
            }
        }
        if let priority = draft.priority { todo.set("PRIORITY", value: String(priority)) }
        setCategories(draft.categories, of: &todo)
        if let parent = draft.parent { setParent(parent, of: &todo) }
        todo.set("STATUS", value: "NEEDS-ACTION")
        todo.set("SEQUENCE", value: "0")
        if let due = draft.due, let offset = draft.alarm ?? (due.isDate ? nil : .zero) {
            todo.items.append(.component(alarm(offset, of: todo)))
        }
        calendar.items.append(.component(todo))
        return Component(name: "", begin: nil, items: [.component(calendar)])
    }

    // MARK: - Changed

    /// Applies an edit to one VTODO of that calendar.
    func apply(_ edit: ReminderEdit, to todo: inout Component, in calendar: inout Component) {
        let zones = zones(calendar)
        let before = ReminderComponent.reminder(todo, zones: zones)
        if let title = edit.title { rename(title, from: before.title, &todo) }
        if let change = edit.due {
            changeDue(change, before: before, of: &todo, in: &calendar, zones: zones)
        }
        switch edit.recurrence {
        case nil: break
        case .clear: removeRules(&todo)
        case .set(let rule):
            removeRules(&todo)
            let times = ReminderComponent.times(todo, zones: zones)
            if let start = times.start ?? times.due {
                if times.start == nil {
                    TimeLines.set("DTSTART", start, of: &todo, adding: &calendar, zones: zones)
                }
                setRule(rule, start: start, of: &todo)
            }
        }
        switch edit.alarm {
        case nil: break
        case .clear: todo.removeAlarms { _ in true }
        case .set(let offset):
            todo.removeAlarms { $0.first("ACTION")?.value.uppercased() != "EMAIL" }
            todo.items.append(.component(alarm(offset, of: todo)))
        }
        if let notes = edit.notes {
            set("DESCRIPTION", notes.value.map(TextValue.escape), of: &todo)
        }
        if let priority = edit.priority {
            set("PRIORITY", priority.value.map(String.init), of: &todo)
        }
        if let categories = edit.categories { setCategories(categories.value ?? [], of: &todo) }
        if let parent = edit.parent {
            todo.removeLines("RELATED-TO") {
                ($0.parameter("RELTYPE")?.uppercased() ?? "PARENT") == "PARENT"
            }
            if let uid = parent.value { setParent(uid, of: &todo) }
        }
        stamp(&todo)
    }

    func complete(_ todo: inout Component) {
        todo.set("STATUS", value: "COMPLETED")
        todo.set("COMPLETED", value: CalendarMoment.utcText(context.now))
        todo.set("PERCENT-COMPLETE", value: "100")
        stamp(&todo)
    }

    func reopen(_ todo: inout Component) {
        todo.set("STATUS", value: "NEEDS-ACTION")
        todo.remove("COMPLETED")
        todo.remove("PERCENT-COMPLETE")
        stamp(&todo)
    }

    /// Puts the alert off: whatever would alert before that instant is seen as
    /// acknowledged, and one alarm then stands in for it (RFC 9074 §7.1.2).
    func snooze(_ todo: inout Component, until instant: Date, in calendar: Component) {
        let zones = zones(calendar)
        let times = ReminderComponent.times(todo, zones: zones)
        // A snooze that is snoozed is replaced, not chained.
        todo.removeAlarms { ReminderAlarm($0)?.snoozes != nil }
        var snoozed: String?
        var latest: Date?
        for (index, item) in todo.items.enumerated() {
            guard case .component(var component) = item, component.name == "VALARM",
                let alarm = ReminderAlarm(component),
                let fires = alarm.instant(due: times.due, start: times.start, in: zones.local),
                fires <= instant
            else { continue }
            var uid = alarm.uid
            if uid == nil {
                let new = uuid()
                component.set("UID", value: new)
                uid = new
            }
            if alarm.acknowledged.map({ $0 < fires }) ?? true {
                // A time before the alarm would not silence it.
                component.set(
                    "ACKNOWLEDGED", value: CalendarMoment.utcText(max(context.now, fires)))
            }
            todo.items[index] = .component(component)
            if latest.map({ fires > $0 }) ?? true { (latest, snoozed) = (fires, uid) }
        }
        todo.items.append(
            .component(
                ReminderAlarm.snooze(
                    until: instant, of: snoozed ?? todo.itemID,
                    title: ReminderComponent.title(todo), uid: uuid(), ending: todo.lineEnding)))
        stamp(&todo)
    }

    // MARK: - Parts

    func zones(_ calendar: Component) -> ZoneResolver {
        ZoneResolver(calendar: calendar, local: context.local, zones: context.zones)
    }

    /// Every change is seen by other programs in these three.
    func stamp(_ todo: inout Component) {
        let stamp = CalendarMoment.utcText(context.now)
        todo.set("LAST-MODIFIED", value: stamp)
        todo.set("DTSTAMP", value: stamp)
        let sequence = todo.first("SEQUENCE").flatMap { Int($0.value) } ?? 0
        todo.set("SEQUENCE", value: String(max(0, min(sequence, Int(Int32.max) - 1)) + 1))
    }

    private func alarm(_ offset: CalendarDuration, of todo: Component) -> Component {
        ReminderAlarm.component(
            offset, title: ReminderComponent.title(todo), uid: uuid(), ending: todo.lineEnding)
    }

    /// An alarm that says the old title says the new one.
    private func rename(_ title: String, from old: String, _ todo: inout Component) {
        todo.set("SUMMARY", value: TextValue.escape(title))
        for (index, item) in todo.items.enumerated() {
            guard case .component(var alarm) = item, alarm.name == "VALARM",
                let text = alarm.first("DESCRIPTION")?.value,
                TextValue.oneLine(TextValue.unescape(text)) == old
            else { continue }
            alarm.set("DESCRIPTION", value: TextValue.escape(title))
            todo.items[index] = .component(alarm)
        }
    }

    private func changeDue(
        _ change: ReminderEdit.Change<ItemTime>, before: Reminder, of todo: inout Component,
        in calendar: inout Component, zones: ZoneResolver
    ) {
        // Whatever was put off was about the old time.
        todo.removeAlarms { ReminderAlarm($0)?.snoozes != nil }
        guard let due = change.value else {
            for name in ["DUE", "DTSTART", "DURATION"] as [StaticString] { todo.remove(name) }
            removeRules(&todo)
            todo.removeAlarms { alarm in
                if case .offset? = ReminderAlarm(alarm)?.trigger { return true }
                return alarm.fixedAlarm != nil
            }
            return
        }
        if let start = before.start {
            // The item begins as long before it is due as it did, or with it.
            let moved =
                before.due.map { ItemShift(from: $0, to: due, local: zones.local).moved(start) }
                ?? due
            TimeLines.set("DTSTART", moved, of: &todo, adding: &calendar, zones: zones)
        }
        todo.remove("DURATION")
        TimeLines.set("DUE", due, of: &todo, adding: &calendar, zones: zones)
        let hadTime = before.due.map { !$0.isDate } ?? false
        if due.isDate, hadTime {
            // An alarm at the due time would now ring at midnight.
            let old = before.due?.instant(in: zones.local)
            todo.removeAlarms { alarm in
                if case .offset(.zero, _)? = ReminderAlarm(alarm)?.trigger { return true }
                return alarm.fixedAlarm.map { $0 == old } ?? false
            }
        }
        if let old = before.due { todo.moveAlarms(from: old, to: due, local: zones.local) }
        // Seen ahead of its time, when it was put off, was the old time.
        for (index, item) in todo.items.enumerated() {
            guard case .component(var alarm) = item, alarm.name == "VALARM",
                ReminderAlarm(alarm)?.acknowledged.map({ $0 > context.now }) == true
            else { continue }
            alarm.remove("ACKNOWLEDGED")
            todo.items[index] = .component(alarm)
        }
        if !due.isDate, before.due?.isDate == true {
            // What rang sometime on that day now rings when it is due.
            todo.editAlarms { alarm, instant in
                if zones.local.civil(at: instant).date == due.civilDate {
                    alarm.moveAlarm(to: due.instant(in: zones.local))
                }
            }
        }
        if !due.isDate, !hadTime, todo.components("VALARM").isEmpty {
            todo.items.append(.component(alarm(.zero, of: todo)))
        }
    }

    private func removeRules(_ todo: inout Component) {
        for name in ["RRULE", "RDATE", "EXDATE", "EXRULE"] as [StaticString] { todo.remove(name) }
        todo.remove(ReminderComponent.fromCompletion)
    }

    /// UNTIL is a day for a day and UTC for a time (RFC 5545 §3.3.10).
    private func setRule(_ rule: RecurrenceRule, start: ItemTime, of todo: inout Component) {
        todo.set("RRULE", value: rule.bounded(like: start, in: context.local).text)
    }

    private func setCategories(_ categories: [String], of todo: inout Component) {
        todo.remove("CATEGORIES")
        if !categories.isEmpty {
            todo.set(
                "CATEGORIES", value: categories.map(TextValue.escape).joined(separator: ","))
        }
    }

    private func setParent(_ uid: String, of todo: inout Component) {
        let place =
            todo.items.firstIndex { if case .component = $0 { true } else { false } }
            ?? todo.items.endIndex
        todo.items.insert(
            .line(
                ContentLine(
                    "RELATED-TO", parameters: [("RELTYPE", "PARENT")],
                    value: TextValue.escape(uid), ending: todo.lineEnding)), at: place)
    }

    private func set(_ name: StaticString, _ value: String?, of todo: inout Component) {
        if let value, !value.isEmpty { todo.set(name, value: value) } else { todo.remove(name) }
    }
}

extension CalendarDuration {
    static let zero = CalendarDuration()
}

extension Component {
    mutating func removeAlarms(where isUnwanted: (Component) -> Bool) {
        items.removeAll { item in
            guard case .component(let inner) = item, inner.name == "VALARM" else { return false }
            return isUnwanted(inner)
        }
    }

    mutating func removeLines(_ name: StaticString, where isUnwanted: (ContentLine) -> Bool) {
        items.removeAll { item in
            guard case .line(let line) = item, line.isNamed(name) else { return false }
            return isUnwanted(line)
        }
    }
}
