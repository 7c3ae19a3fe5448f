import Base
import FoundationEssentials
import ICalendar

/// An alarm of an item (VALARM, RFC 5545 §3.6.6), with what RFC 9074 adds:
/// an id, the time it was seen, and of which other one it is the snooze.
///
/// When alarms fire is the scheduler's business.
package struct ItemAlarm: Sendable, Equatable {
    package enum Trigger: Sendable, Equatable {
        case at(Date)
        /// From DUE or DTEND; with `fromStart` from DTSTART, where there is one.
        case offset(CalendarDuration, fromStart: Bool)
    }

    package var uid: String?
    package var trigger: Trigger
    package var acknowledged: Date?
    /// The UID of what was put off (RELATED-TO;RELTYPE=SNOOZE).
    package var snoozes: String?

    /// nil for an alarm that never rings by the clock: without a time that can
    /// be read, or of a place.
    package init?(_ component: Component) {
        guard component.first("PROXIMITY") == nil, component.first("X-APPLE-PROXIMITY") == nil,
            // What Apple writes to mean "no alarm, not even by default".
            component.first("ACTION")?.value.uppercased() != "NONE",
            let line = component.first("TRIGGER")
        else { return nil }
        if let duration = CalendarDuration(line.value) {
            let related = line.parameter("RELATED")?.uppercased()
            trigger = .offset(duration, fromStart: related != "END")
        } else if case .utc(let instant)? = CalendarMoment(line) {
            trigger = .at(instant)
        } else {
            return nil
        }
        uid = component.first("UID").map { TextValue.unescape($0.value) }
        if case .utc(let instant)? = component.first("ACKNOWLEDGED").flatMap(CalendarMoment.init) {
            acknowledged = instant
        }
        snoozes = component.all("RELATED-TO").first {
            $0.parameter("RELTYPE")?.uppercased() == "SNOOZE"
        }.map { TextValue.unescape($0.value) }
    }

    /// It rang at its one instant and was acknowledged.
    package var isSeen: Bool {
        guard case .at(let instant) = trigger, let acknowledged else { return false }
        return acknowledged >= instant
    }

    package func instant(due: ItemTime?, start: ItemTime?, in local: LocalTime) -> Date? {
        switch trigger {
        case .at(let instant): return instant
        case .offset(let duration, let fromStart):
            let base = fromStart ? start ?? due : due ?? start
            return base.map { duration.instant(from: $0, in: local) }
        }
    }

    // MARK: - Writing

    static func component(
        _ trigger: CalendarDuration, title: String, uid: String, fromEnd: Bool, ending: [UInt8]
    ) -> Component {
        component(
            title: title, uid: uid,
            trigger: ContentLine(
                "TRIGGER", parameters: fromEnd ? [("RELATED", "END")] : [], value: trigger.text,
                ending: ending), ending: ending)
    }

    /// An alarm that stands for another one later (RFC 9074 §7.1.2).
    package static func snooze(
        until instant: Date, of other: String, title: String, uid: String, ending: [UInt8]
    ) -> Component {
        var alarm = component(
            title: title, uid: uid,
            trigger: ContentLine(
                "TRIGGER", parameters: [("VALUE", "DATE-TIME")],
                value: CalendarMoment.utcText(instant), ending: ending), ending: ending)
        alarm.items.append(
            .line(
                ContentLine(
                    "RELATED-TO", parameters: [("RELTYPE", "SNOOZE")],
                    value: TextValue.escape(other), ending: ending)))
        return alarm
    }

    private static func component(
        title: String, uid: String, trigger: ContentLine, ending: [UInt8]
    ) -> Component {
        Component(
            "VALARM",
            items: [
                .line(ContentLine("UID", value: uid, ending: ending)),
                .line(ContentLine("ACTION", value: "DISPLAY", ending: ending)),
                .line(
                    ContentLine(
                        "DESCRIPTION", value: TextValue.escape(title), ending: ending)),
                .line(trigger),
            ], ending: ending)
    }
}

extension CalendarDuration {
    /// Of a day, days are counted on the calendar and hours from its midnight.
    package func instant(from base: ItemTime, in local: LocalTime) -> Date {
        guard base.isDate else { return added(to: base, in: local).instant(in: local) }
        let day = base.civilDate.adding(days: days)
        return local.instant(
            of: CivilDateTime(secondsAsUTC: day.dayNumber * 86_400 + seconds))
    }
}
