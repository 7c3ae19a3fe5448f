import AgentCore
import FoundationEssentials
import Persistence

/// Finds the alerts of calendar components in a stretch of time. Pure.
///
///     VALARM    TRIGGER from the start or the end of each occurrence, or at
///               one instant; REPEAT and DURATION; whatever its ACTION. One
///               instant in a task that repeats is as far from its later times
///     VTODO     without an alarm of its own: when it is due; due on a day,
///               at the hour the person has chosen
///     never     completed and cancelled items, alarms of places (PROXIMITY),
///               alarms that were acknowledged (RFC 9074 §6.1)
///
/// Whether an alert has been given is not its business.
package struct AlertReader: Sendable {
    package let local: LocalTime
    package let zones: TimeZoneDatabase
    package let settings: AlertSettings

    package init(local: LocalTime, zones: TimeZoneDatabase, settings: AlertSettings) {
        self.local = local
        self.zones = zones
        self.settings = settings
    }

    /// Bounds what one item can ask for in one stretch.
    static let occurrenceLimit = 2_000
    static let repeatLimit = 60
    private static let day = 86_400.0

    package func alerts(in file: CalendarStore.File, from: Date, to: Date) -> [Alert] {
        alerts(in: file.content, list: file.collection.displayName, from: from, to: to).map {
            var alert = $0
            alert.path = file.path
            return alert
        }
    }

    /// Those that ring in `from..<to`, in order of time. Items whose rules
    /// cannot be followed have none.
    package func alerts(
        in file: Component, list: String = "", from: Date, to: Date
    ) -> [Alert] {
        var found: [AlertLog.Key: Alert] = [:]
        for calendar in file.components("VCALENDAR") {
            let resolver = ZoneResolver(calendar: calendar, local: local, zones: zones)
            for name in ["VTODO", "VEVENT"] {
                for group in Self.groups(calendar.components(name)) {
                    for var alert in alerts(of: group, name, resolver, from, to) {
                        alert.list = list
                        found[alert.key] = found[alert.key] ?? alert
                    }
                }
            }
        }
        return found.values.sorted {
            ($0.key.fires, $0.title, $0.uid) < ($1.key.fires, $1.title, $1.uid)
        }
    }

    /// The components of each UID.
    private static func groups(_ components: [Component]) -> [[Component]] {
        if components.count < 2 { return components.isEmpty ? [] : [components] }
        var groups: [String: [Component]] = [:]
        for component in components {
            groups[component.itemID, default: []].append(component)
        }
        return Array(groups.values)
    }

    private func alerts(
        of components: [Component], _ name: String, _ resolver: ZoneResolver, _ from: Date,
        _ to: Date
    ) -> [Alert] {
        let isEvent = name == "VEVENT"
        guard let uid = components.first?.itemID,
            components.contains(where: { Self.isOpen($0) }),
            // Most events have no alarm at all.
            !isEvent || components.contains(where: { !$0.components("VALARM").isEmpty })
        else { return [] }
        let series = OccurrenceSeries(components: components, resolver: resolver)
        let bases = components.map { isEvent ? nil : Self.base(of: $0, resolver) }
        var reach = components.flatMap { $0.components("VALARM") }.compactMap(AlertAlarm.init)
            .reduce(into: (before: Self.day, after: Self.day)) { reach, alarm in
                reach.before = max(reach.before, alarm.reach.before + Self.day)
                reach.after = max(reach.after, alarm.reach.after + Self.day)
            }
        for (component, base) in zip(components, bases) {
            guard let base = base?.instant(in: local) else { continue }
            for instant in component.components("VALARM").compactMap(\.fixedAlarm) {
                reach.before = max(reach.before, base.timeIntervalSince(instant) + Self.day)
                reach.after = max(reach.after, instant.timeIntervalSince(base) + Self.day)
            }
        }
        let occurrences: [Occurrence]
        do throws(RecurrenceError) {
            occurrences = try series.occurrences(
                from: from.addingTimeInterval(-reach.after),
                to: to.addingTimeInterval(reach.before), limit: Self.occurrenceLimit)
        } catch {
            return []
        }
        var alerts: [Alert] = []
        for occurrence in occurrences where Self.isOpen(occurrence.component) {
            alerts += self.alerts(
                of: occurrence, uid: uid, isEvent: isEvent, base: bases[occurrence.place])
        }
        // An alarm at one instant rings then, also where no occurrence is near.
        for place in components.mainPlaces + series.overridePlaces
        where Self.isOpen(components[place]) {
            let component = components[place]
            for alarm in alarms(component) where bases[place] == nil || alarm.isSnooze {
                guard case .at(let instant) = alarm.trigger else { continue }
                let time = occurrences.first { $0.place == place }?.start
                alerts += alarm.instants(first: instant).map {
                    alert(
                        uid, "", at: $0, first: instant, component, isEvent,
                        time ?? Self.time(of: component, resolver) ?? ItemTime(instant, in: local))
                }
            }
        }
        return alerts.filter { $0.instant >= from && $0.instant < to }
    }

    /// When a task that repeats is due now; nil for every other. Its alarms of
    /// one instant are of that time: phones write them so, and move them when it
    /// is done.
    private static func base(of component: Component, _ resolver: ZoneResolver) -> ItemTime? {
        guard component.first("RRULE") != nil || component.first("RDATE") != nil else {
            return nil
        }
        return time(of: component, resolver)
    }

    /// When an alarm of an occurrence rings first; nil for one that was seen,
    /// and for one that does not depend on it.
    private func first(
        _ alarm: AlertAlarm, _ occurrence: Occurrence, _ time: ItemTime, _ base: ItemTime?
    ) -> Date? {
        let first: Date
        switch alarm.trigger {
        case .offset(let duration, let fromEnd):
            first = Self.instant(
                duration, from: fromEnd ? occurrence.end : occurrence.start, in: local)
        case .at(let instant):
            guard let base, !alarm.isSnooze else { return nil }
            let place = base.zone.map(LocalTime.init) ?? local
            let seconds =
                place.civil(at: instant).secondsAsUTC + time.clock.secondsAsUTC
                - base.clock.secondsAsUTC
            first = place.instant(of: CivilDateTime(secondsAsUTC: seconds))
        }
        return alarm.acknowledged.map { $0 >= first } == true ? nil : first
    }

    private func alerts(
        of occurrence: Occurrence, uid: String, isEvent: Bool, base: ItemTime?
    ) -> [Alert] {
        let component = occurrence.component
        let id = occurrence.recurrenceID.map { Self.name(of: $0, in: local) } ?? ""
        let isDue =
            !isEvent && (component.first("DUE") != nil || component.first("DURATION") != nil)
        let time = isDue ? occurrence.end : occurrence.start
        let alarms = component.components("VALARM").compactMap(AlertAlarm.init)
            .filter { !$0.isSeen || base != nil && !$0.isSnooze }
        var alerts: [Alert] = []
        for alarm in alarms {
            guard let first = first(alarm, occurrence, time, base) else { continue }
            alerts += alarm.instants(first: first).map {
                alert(uid, id, at: $0, first: first, component, isEvent, time)
            }
        }
        if isDue, let instant = dueInstant(time), isDueItself(alarms, at: instant, component) {
            alerts.append(alert(uid, id, at: instant, first: instant, component, false, time))
        }
        return alerts
    }

    /// Whether the due time rings: where no alarm was asked for. One that was
    /// put off beyond it, or was seen and has no other, does not.
    private func isDueItself(
        _ alarms: [AlertAlarm], at instant: Date, _ component: Component
    ) -> Bool {
        guard alarms.allSatisfy(\.isSnooze) else { return false }
        return !alarms.contains {
            if case .at(let later) = $0.trigger { later >= instant } else { false }
        }
    }

    private func dueInstant(_ time: ItemTime) -> Date? {
        guard time.isDate else { return time.instant(in: local) }
        guard let hour = settings.allDayHour,
            let clock = CivilDateTime(time.civilDate, hour: hour, minute: 0)
        else { return nil }
        return local.instant(of: clock)
    }

    /// Those that ring by the clock.
    private func alarms(_ component: Component) -> [AlertAlarm] {
        component.components("VALARM").compactMap(AlertAlarm.init).filter { !$0.isSeen }
    }

    private func alert(
        _ uid: String, _ id: String, at instant: Date, first: Date, _ component: Component,
        _ isEvent: Bool, _ time: ItemTime
    ) -> Alert {
        func key(_ instant: Date) -> AlertLog.Key {
            AlertLog.Key(uid: uid, occurrence: id, fires: Int64(LocalTime.seconds(of: instant)))
        }
        let title = component.first("SUMMARY").map {
            TextValue.oneLine(TextValue.unescape($0.value(upTo: ReminderComponent.lineLimit)))
        }
        return Alert(
            key: key(instant), title: title ?? "", isEvent: isEvent, time: time,
            repeats: instant == first ? nil : key(first))
    }

    private static func isOpen(_ component: Component) -> Bool {
        switch component.first("STATUS")?.value.uppercased() {
        case "COMPLETED", "CANCELLED": false
        default: component.name != "VTODO" || component.first("COMPLETED") == nil
        }
    }

    private static func time(of component: Component, _ resolver: ZoneResolver) -> ItemTime? {
        for name in ["DUE", "DTSTART"] as [StaticString] {
            if let moment = component.first(name).flatMap(CalendarMoment.init) {
                return resolver.time(moment).time
            }
        }
        return nil
    }

    /// Of a day, days are counted on the calendar and hours from its midnight.
    private static func instant(
        _ duration: CalendarDuration, from base: ItemTime, in local: LocalTime
    ) -> Date {
        guard base.isDate else { return duration.added(to: base, in: local).instant(in: local) }
        let day = base.civilDate.adding(days: duration.days)
        return local.instant(
            of: CivilDateTime(secondsAsUTC: day.dayNumber * 86_400 + duration.seconds))
    }

    /// A repetition keeps its name in whatever zone the reader is.
    private static func name(of id: ItemTime, in local: LocalTime) -> String {
        id.isDate
            ? CalendarMoment.text(id.civilDate) : CalendarMoment.utcText(id.instant(in: local))
    }
}
