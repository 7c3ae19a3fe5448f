import Base
import DateLanguage
import FoundationEssentials
import ICalendar

/// Creates VTODOs and VEVENTs and edits their common parts: changes only the lines that
/// must differ, whatever program wrote them. Pure; ids and the time are given.
///
/// `ItemEditor+Reminders` and `EventEditor` handle the times of each kind.
package struct ItemEditor: Sendable {
    package static let productID = "-//chat//NONSGML chat//EN"
    /// Marks a recurrence that is counted from completion ("every! 3 days").
    package static let fromCompletion: StaticString = "X-CHAT-REPEAT-FROM"

    /// Marks an item for which the user wants no alarm. Other programs ignore it.
    package static let noAlarm: StaticString = "X-CHAT-ALARM"

    package let context: DateContext
    package let uuid: @Sendable () -> String

    /// A file with one new item.
    /// - Parameter times: writes the lines with its time.
    package func file(
        _ name: String, _ edit: ItemEdit, uid: String,
        times: (inout Component, _ calendar: Component, ZoneResolver) -> Void
    ) -> Component {
        let stamp = CalendarMoment.utcText(context.now)
        var calendar = Component(
            "VCALENDAR",
            items: [
                .line(ContentLine("VERSION", value: "2.0")),
                .line(ContentLine("PRODID", value: Self.productID)),
            ])
        var item = Component(name)
        item.set("UID", value: uid)
        for name in ["DTSTAMP", "CREATED", "LAST-MODIFIED"] as [StaticString] {
            item.set(name, value: stamp)
        }
        words(edit, of: &item)
        times(&item, calendar, context.resolver(calendar))
        marks(edit, of: &item)
        if name == "VTODO" { item.set("STATUS", value: "NEEDS-ACTION") }
        item.set("SEQUENCE", value: "0")
        alarm(edit, of: &item)
        calendar.items.append(.component(item))
        VTimeZone.ensure(in: &calendar, zones: context.resolver(calendar))
        return Component(name: "", begin: nil, items: [.component(calendar)])
    }

    /// Applies everything but times.
    package func apply(_ edit: ItemEdit, to item: inout Component) {
        words(edit, of: &item)
        alarm(edit, of: &item)
        marks(edit, of: &item)
    }

    private func words(_ edit: ItemEdit, of item: inout Component) {
        if let title = edit.title {
            let old = item.title
            item.set("SUMMARY", value: TextValue.escape(title))
            // An alarm with the old title gets the new one.
            item.editComponents("VALARM") { alarm in
                guard let text = alarm.first("DESCRIPTION")?.value,
                    TextValue.unescape(text).oneLine == old
                else { return }
                alarm.set("DESCRIPTION", value: TextValue.escape(title))
            }
        }
        set("LOCATION", edit.location, of: &item) { TextValue.escape($0) }
        set("DESCRIPTION", edit.notes, of: &item) { TextValue.escape($0) }
    }

    private func marks(_ edit: ItemEdit, of item: inout Component) {
        set("PRIORITY", edit.priority, of: &item) { String($0) }
        if edit.categories != nil { item.remove("CATEGORIES") }
        set("CATEGORIES", edit.categories, of: &item) {
            $0.map(TextValue.escape).joined(separator: ",")
        }
        guard let parent = edit.parent else { return }
        item.editLines("RELATED-TO") { $0.namesParent ? [] : [$0] }
        if let uid = parent.value {
            item.relate("PARENT", to: TextValue.escape(uid))
        }
    }

    private func alarm(_ edit: ItemEdit, of item: inout Component) {
        guard let change = edit.alarm else { return }
        item.removeAlarms {
            change == .clear || $0.first("ACTION")?.value.uppercased() != "EMAIL"
        }
        if let offset = change.value {
            item.remove(Self.noAlarm)
            add(alarm: offset, to: &item)
        } else {
            item.set(Self.noAlarm, value: "NONE")
        }
    }

    package func add(alarm offset: CalendarDuration, to item: inout Component) {
        item.items.append(
            .component(
                ItemAlarm.component(
                    offset, title: item.title, uid: uuid(), fromEnd: item.name == "VTODO",
                    ending: item.lineEnding)))
    }

    private func set<Value>(
        _ name: StaticString, _ change: ItemEdit.Change<Value>?, of item: inout Component,
        _ text: (Value) -> String
    ) {
        guard let change else { return }
        if let text = change.value.map(text), !text.isEmpty {
            item.set(name, value: text)
        } else {
            item.remove(name)
        }
    }

    // MARK: - Rules and stamps

    /// UNTIL is a day for a day and UTC for a time (RFC 5545 §3.3.10).
    package func set(_ rule: RecurrenceRule, start: ItemTime, of item: inout Component) {
        item.set("RRULE", value: rule.bounded(like: start, in: context.local).text)
    }

    package static func removeRules(of item: inout Component) {
        for name in ["RRULE", "RDATE", "EXDATE", "EXRULE"] as [StaticString] { item.remove(name) }
        item.remove(fromCompletion)
    }

    /// Other programs recognise a change by these three.
    package func stamp(_ item: inout Component) {
        let stamp = CalendarMoment.utcText(context.now)
        item.set("LAST-MODIFIED", value: stamp)
        item.set("DTSTAMP", value: stamp)
        let sequence = item.first("SEQUENCE").flatMap { Int($0.value) } ?? 0
        item.set("SEQUENCE", value: String(max(0, min(sequence, Int(Int32.max) - 1)) + 1))
    }

    /// Adds missing VTIMEZONEs if a calendar uses a zone it did not use before.
    /// Omissions of other programs alone are not repaired.
    package func describeZones(in calendar: inout Component, beyond before: Component) {
        let known = Set(VTimeZone.zones(usedIn: before).map(\.tzid))
        if VTimeZone.zones(usedIn: calendar).contains(where: { !known.contains($0.tzid) }) {
            VTimeZone.ensure(in: &calendar, zones: context.resolver(before))
        }
    }
}

extension Component {
    /// Whether the user chose "no alarm".
    package var isSilent: Bool {
        first(ItemEditor.noAlarm)?.value.uppercased() == "NONE"
    }

    /// Adds a reference to a related item (RFC 5545 §3.8.4.5).
    package mutating func relate(_ type: String, to uid: String) {
        add(
            ContentLine(
                "RELATED-TO", parameters: [("RELTYPE", type)], value: uid, ending: lineEnding))
    }
}

extension ContentLine {
    /// Whether a RELATED-TO refers to the parent.
    package var namesParent: Bool { (parameter("RELTYPE")?.uppercased() ?? "PARENT") == "PARENT" }
}
