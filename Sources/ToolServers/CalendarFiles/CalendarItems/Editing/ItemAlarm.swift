import Base
import FoundationEssentials
import ICalendar

/// An alarm of an item (VALARM, RFC 5545 §3.6.6), with the additions of RFC
/// 9074: an id, the time it was acknowledged, and the alarm it snoozes.
///
/// The scheduler decides when alarms fire.
package struct ItemAlarm: Sendable, Equatable {
    package enum Trigger: Sendable, Equatable {
        case at(Date)
        /// Relative to DUE or DTEND; with `fromStart` to DTSTART, if there is one.
        case offset(CalendarDuration, fromStart: Bool)
    }

    package var uid: String?
    package var trigger: Trigger
    package var acknowledged: Date?
    /// The UID of the snoozed alarm (RELATED-TO;RELTYPE=SNOOZE).
    package var snoozes: String?

    /// nil for an alarm that never rings by the clock: it has no readable time,
    /// or depends on a place.
    /// - Parameter item: its item, whose alarms may have been acknowledged all
    ///   at once.
    package init?(_ component: Component, of item: Component? = nil, _ zones: ZoneResolver) {
        guard component.isClockAlarm,
            let said = component.first("TRIGGER").flatMap(AlarmTrigger.init)
        else { return nil }
        switch said.when {
        case .at(let moment): trigger = .at(zones.time(moment).time.instant(in: zones.local))
        case .offset(let duration, let fromStart):
            trigger = .offset(duration, fromStart: fromStart)
        }
        uid = component.first("UID").map { TextValue.unescape($0.value) }
        acknowledged = [component.acknowledged, item?.acknowledged].compactMap(\.self).max()
        snoozes = component.snoozedAlarm
    }

    /// Whether it rang at its fixed time and was acknowledged.
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

    /// An alarm that snoozes another one (RFC 9074 §7.1.2).
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
    /// The instant of the alarm. For a whole day, days are counted on the calendar and hours from
    /// its midnight.
    package func instant(from base: ItemTime, in local: LocalTime) -> Date {
        guard base.isDate else { return added(to: base, in: local).instant(in: local) }
        let day = base.civilDate.adding(days: days)
        return local.instant(
            of: CivilDateTime(secondsAsUTC: day.dayNumber * 86_400 + seconds))
    }
}

extension CalendarStore.Problem {
    /// Problems of unreadable alarms, and of readable ones that are not in the standard's
    /// form.
    package static func ofAlarms(_ item: Component, _ zones: ZoneResolver) -> [String] {
        var reasons: [String] = []
        for alarm in item.components("VALARM").prefix(20) where alarm.isClockAlarm {
            let reason: String?
            if let line = alarm.first("TRIGGER") {
                reason =
                    AlarmTrigger(line).map { $0.isStandard ? nil : asRead(line, $0, zones) }
                    ?? "it has an alarm that cannot be understood (\(shown(line))), which does not ring"
            } else {
                reason = "it has an alarm without a TRIGGER, which does not ring"
            }
            if let reason, !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons
    }

    private static func asRead(
        _ line: ContentLine, _ said: AlarmTrigger, _ zones: ZoneResolver
    ) -> String {
        let meaning: String
        switch said.when {
        case .offset(let duration, _): meaning = duration.text
        case .at(let moment):
            let (time, isGuess) = zones.time(moment)
            meaning = zones.local.isoText(time.instant(in: zones.local))
            if isGuess, let zone = moment.zone { return unknownZone(zone) }
        }
        return "it has an alarm that is not written as the standard has it (\(shown(line))); "
            + "it is read as \(meaning)"
    }

    private static func shown(_ line: ContentLine) -> String {
        (String(line.value.prefix(valueLimit))).oneLine
    }
}
