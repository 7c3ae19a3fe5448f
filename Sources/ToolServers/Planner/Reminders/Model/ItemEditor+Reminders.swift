import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Edits specific to a VTODO: its due time, whether it is done, and its snoozes.
extension ItemEditor {
    /// A file with one new VTODO. A due day has no alarm unless one was
    /// requested, since an alarm at midnight would be of no use.
    func newReminder(_ wanted: ItemEdit, uid: String) -> Component {
        var edit = wanted
        let due = edit.due?.value
        if due?.isDate == false, edit.alarm == nil { edit.alarm = .set(.zero) }
        if due == nil { edit.alarm = nil }
        return file("VTODO", edit, uid: uid) { todo, calendar, zones in
            guard let due else { return }
            if edit.recurrence?.value != nil {
                TimeLines.set("DTSTART", due, of: &todo, in: calendar, zones: zones)
            }
            TimeLines.set("DUE", due, of: &todo, in: calendar, zones: zones)
            guard let rule = edit.recurrence?.value else { return }
            set(rule, start: due, of: &todo)
            if edit.repeatsFromCompletion { todo.set(Self.fromCompletion, value: "COMPLETED") }
        }
    }

    /// Applies an edit to one VTODO of that calendar.
    func apply(_ edit: ItemEdit, to todo: inout Component, in calendar: Component) {
        let zones = context.resolver(calendar)
        let before = Reminder(todo, zones: zones)
        if let change = edit.due {
            changeDue(change.value, before: before, of: &todo, in: calendar, zones: zones)
        }
        if let change = edit.recurrence {
            Self.removeRules(of: &todo)
            let now = Reminder(todo, zones: zones)
            if let rule = change.value, let start = now.start ?? now.due {
                TimeLines.set("DTSTART", start, of: &todo, in: calendar, zones: zones)
                set(rule, start: start, of: &todo)
            }
        }
        apply(edit, to: &todo)
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

    /// Snoozes the alert: every alarm before that instant counts as
    /// acknowledged, and one alarm then replaces them (RFC 9074 §7.1.2).
    func snooze(_ todo: inout Component, until instant: Date, in calendar: Component) {
        let zones = context.resolver(calendar)
        let times = Reminder(todo, zones: zones)
        // A snooze that is snoozed is replaced, not chained.
        todo.removeSnoozes()
        var latest: (fires: Date, uid: String)?
        todo.editComponents("VALARM") { component in
            guard let alarm = ItemAlarm(component, zones),
                let fires = alarm.instant(due: times.due, start: times.start, in: zones.local),
                fires <= instant
            else { return }
            let uid = alarm.uid ?? uuid()
            if alarm.uid == nil { component.set("UID", value: uid) }
            if alarm.acknowledged.map({ $0 < fires }) ?? true {
                // A time before the alarm would not silence it.
                component.set(
                    "ACKNOWLEDGED", value: CalendarMoment.utcText(max(context.now, fires)))
            }
            if latest.map({ fires > $0.fires }) ?? true { latest = (fires, uid) }
        }
        todo.items.append(
            .component(
                ItemAlarm.snooze(
                    until: instant, of: latest?.uid ?? todo.itemID, title: todo.title,
                    uid: uuid(), ending: todo.lineEnding)))
        stamp(&todo)
    }

    private func changeDue(
        _ due: ItemTime?, before: Reminder, of todo: inout Component, in calendar: Component,
        zones: ZoneResolver
    ) {
        // Snoozes belong to the old time.
        todo.removeSnoozes()
        guard let due else {
            for name in ["DUE", "DTSTART", "DURATION"] as [StaticString] { todo.remove(name) }
            Self.removeRules(of: &todo)
            todo.remove(Self.noAlarm)
            todo.removeAlarms { alarm in
                if case .offset? = ItemAlarm(alarm, zones)?.trigger { return true }
                return alarm.fixedAlarm(zones) != nil
            }
            return
        }
        if let start = before.start {
            // The item starts as long before it is due as it did, or when it is due.
            let moved =
                before.due.map { ItemShift(from: $0, to: due, local: zones.local).moved(start) }
                ?? due
            TimeLines.set("DTSTART", moved, of: &todo, in: calendar, zones: zones)
        }
        todo.remove("DURATION")
        TimeLines.set("DUE", due, of: &todo, in: calendar, zones: zones)
        let old = before.due
        if due.isDate, let old, !old.isDate {
            // An alarm at the due time would now ring at midnight.
            todo.removeAlarms { alarm in
                if case .offset(.zero, _)? = ItemAlarm(alarm, zones)?.trigger { return true }
                return alarm.fixedAlarm(zones) == old.instant(in: zones.local)
            }
        }
        if let old { todo.moveAlarms(from: old, to: due, zones) }
        // An acknowledgement ahead of time (a snooze) was about the old time.
        todo.editComponents("VALARM") { alarm in
            if alarm.acknowledged.map({ $0 > context.now }) == true {
                alarm.remove("ACKNOWLEDGED")
            }
        }
        guard !due.isDate else { return }
        if old?.isDate == true {
            // Alarms sometime on that day now ring when it is due.
            todo.moveAlarms(zones) { instant in
                zones.local.civil(at: instant).date == due.civilDate
                    ? due.instant(in: zones.local) : instant
            }
        }
        if old?.isDate ?? true, todo.components("VALARM").isEmpty, !todo.isSilent {
            add(alarm: .zero, to: &todo)
        }
    }
}

extension Component {
    mutating func removeSnoozes() { removeAlarms { $0.snoozedAlarm != nil } }
}
