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
        var reach = components.flatMap { $0.components("VALARM") }.compactMap(AlertAlarm.init)
            .reduce(into: (before: Self.day, after: Self.day)) { reach, alarm in
                reach.before = max(reach.before, alarm.reach.before + Self.day)
                reach.after = max(reach.after, alarm.reach.after + Self.day)
            }
        let fixed = isEvent ? [] : fixedAlarms(of: components, resolver)
        reach = fixed.reduce(into: reach) { reach, each in
            reach.before = max(reach.before, Self.day - each.offset)
            reach.after = max(reach.after, Self.day + each.offset)
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
            alerts += self.alerts(of: occurrence, uid: uid, isEvent: isEvent)
        }
        for each in fixed {
            for occurrence in occurrences where occurrence.place == each.place {
                let time = isTaskDue(occurrence.component) ? occurrence.end : occurrence.start
                if time == each.base { continue }
                let shift = time.clock.secondsAsUTC - each.base.clock.secondsAsUTC
                let first = each.home.instant(
                    of: CivilDateTime(secondsAsUTC: each.clock.secondsAsUTC + shift))
                if let seen = each.alarm.acknowledged, seen >= first { continue }
                let id = occurrence.recurrenceID.map { Self.name(of: $0, in: local) } ?? ""
                alerts += each.alarm.instants(first: first).map {
                    alert(uid, id, at: $0, first: first, occurrence.component, false, time)
                }
            }
        }
        // An alarm at one instant rings then, also where no occurrence is near.
        for component in (components.mainPlaces + series.overridePlaces).map({ components[$0] })
        where Self.isOpen(component) {
            for alarm in alarms(component) {
                guard case .at(let instant) = alarm.trigger else { continue }
                let time = occurrences.first { $0.component == component }?.start
                alerts += alarm.instants(first: instant).map {
                    alert(
                        uid, "", at: $0, first: instant, component, isEvent,
                        time ?? Self.time(of: component, resolver) ?? ItemTime(instant, in: local))
                }
            }
        }
        return alerts.filter { $0.instant >= from && $0.instant < to }
    }

    /// An alarm of one instant in a task that repeats, which is of the time it is
    /// due at now: phones write them so and move them when that is done.
    private struct FixedAlarm {
        var place: Int
        var alarm: AlertAlarm
        var base: ItemTime
        /// Where the task is, and when it rings there.
        var home: LocalTime
        var clock: CivilDateTime
        /// Seconds from the time it is due.
        var offset: Double
    }

    private func fixedAlarms(
        of components: [Component], _ resolver: ZoneResolver
    ) -> [FixedAlarm] {
        components.mainPlaces.flatMap { place -> [FixedAlarm] in
            let component = components[place]
            guard component.first("RRULE") != nil || component.first("RDATE") != nil,
                Self.isOpen(component), let base = Self.time(of: component, resolver)
            else { return [] }
            let home = base.zone.map(LocalTime.init) ?? local
            return component.components("VALARM").compactMap { inner in
                guard let instant = inner.fixedAlarm, let alarm = AlertAlarm(inner) else {
                    return nil
                }
                return FixedAlarm(
                    place: place, alarm: alarm, base: base, home: home,
                    clock: home.civil(at: instant),
                    offset: instant.timeIntervalSince(base.instant(in: local)))
            }
        }
    }

    private func isTaskDue(_ component: Component) -> Bool {
        component.first("DUE") != nil || component.first("DURATION") != nil
    }

    private func alerts(of occurrence: Occurrence, uid: String, isEvent: Bool) -> [Alert] {
        let component = occurrence.component
        let id = occurrence.recurrenceID.map { Self.name(of: $0, in: local) } ?? ""
        let isDue = !isEvent && isTaskDue(component)
        let time = isDue ? occurrence.end : occurrence.start
        let alarms = alarms(component)
        var alerts: [Alert] = []
        for alarm in alarms {
            guard case .offset(let duration, let fromEnd) = alarm.trigger else { continue }
            let base = fromEnd ? occurrence.end : occurrence.start
            let first = Self.instant(duration, from: base, in: local)
            if let seen = alarm.acknowledged, seen >= first { continue }
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
