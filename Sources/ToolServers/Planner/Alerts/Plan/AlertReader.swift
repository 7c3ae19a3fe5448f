import Base
import CalendarFiles
import FoundationEssentials
import ICalendar
import Persistence

/// Finds the alerts of calendar components in a period. Pure.
///
///     VALARM    TRIGGER from the start or the end of each occurrence, or at
///               one instant; REPEAT and DURATION; whatever its ACTION. One
///               instant in a task that repeats is as far from its later times
///     VTODO     without an alarm of its own: when it is due; due on a day,
///               at the configured hour
///     VEVENT    without an alarm, if it was made here: as long before its
///               start as the user wants, a day at the configured hour
///     never     completed and cancelled items, those that the user wants
///               silent, alarms of places (PROXIMITY), alarms that were
///               acknowledged (RFC 9074 §6.1)
///
/// `AlertPlan` decides which of them are given.
package struct AlertReader: Sendable {
    package let local: LocalTime
    package let zones: TimeZoneDatabase
    package let settings: AlertSettings
    /// Other events ring by their own alarms only.
    package var ownEvents: CalendarStore.OwnEvents

    package init(
        local: LocalTime, zones: TimeZoneDatabase, settings: AlertSettings,
        ownEvents: CalendarStore.OwnEvents = .init()
    ) {
        (self.local, self.zones) = (local, zones)
        (self.settings, self.ownEvents) = (settings, ownEvents)
    }

    /// The result for a period.
    package struct Findings: Sendable {
        package var alerts: [Alert] = []
        /// The instant after which there are more.
        package var end: Date?
        /// Files that are unreadable, or have more alerts than are examined.
        package var problems: [CalendarStore.Problem] = []

        mutating func add(_ other: Findings) {
            alerts += other.alerts
            problems += other.problems
            if let theirs = other.end { end = min(end ?? theirs, theirs) }
        }
    }

    /// The remaining time and memory budget of one file, whatever it contains.
    struct Search {
        let (from, to, near): (Date, Date, Date)
        /// Number of alerts that may still be created.
        var room = AlertReader.alertLimit
        /// Number of searches left in series with too many times to list, of which only the
        /// alerts nearest to `near` are searched for.
        var looks = 120
        /// A failed search for a rule's times counts as this many.
        static let costOfFailure = 30
        var isCrowded = false
        /// All alerts before this instant are known.
        var end: Date?
    }

    private static let crowded = CalendarStore.Problem(
        path: "",
        reason: "it asks for more than can be looked at; of its alerts only the nearest are given")

    /// The details are left to `ItemFields`: this text is also logged.
    private static let oddAlarm = CalendarStore.Problem(
        path: "",
        reason: "it has an alarm that is not written as the standard has it; chat doctor says more")

    /// Maximum number of alerts of one file in a period; beyond it only the
    /// nearest are searched.
    static let alertLimit = 1_000
    /// Maximum number of alarms of an item.
    static let alarmLimit = 50
    static let repeatLimit = 60
    private static let day = 86_400.0

    /// The alerts in `from..<to`, in order of time. If a file has very many,
    /// those nearest to `near`. Items whose rules cannot be followed have none.
    package func alerts(
        in file: CalendarStore.File, from: Date, to: Date, near: Date
    ) -> Findings {
        var found = alerts(
            in: file.content, list: file.collection.displayName, from: from, to: to, near: near)
        for index in found.alerts.indices { found.alerts[index].path = file.path }
        for index in found.problems.indices { found.problems[index].path = file.path }
        return found
    }

    func alerts(
        in file: Component, list: String = "", from: Date, to: Date, near: Date
    ) -> Findings {
        var search = Search(from: from, to: to, near: min(max(from, near), to))
        var found: [AlertLog.Key: Alert] = [:]
        var hasOddAlarm = false
        for calendar in file.components("VCALENDAR") {
            let resolver = ZoneResolver(calendar: calendar, local: local, zones: zones)
            for name in ["VTODO", "VEVENT"] {
                for group in Self.groups(calendar.components(name)) {
                    hasOddAlarm =
                        hasOddAlarm
                        || group.contains {
                            Self.isOpen($0) && !CalendarStore.Problem.ofAlarms($0, resolver).isEmpty
                        }
                    for var alert in alerts(of: group, name, resolver, &search) {
                        alert.list = list
                        found[alert.key] = found[alert.key] ?? alert
                    }
                }
            }
        }
        let alerts = found.values.sorted {
            ($0.key.fires, $0.title, $0.uid) < ($1.key.fires, $1.title, $1.uid)
        }
        return Findings(
            alerts: alerts, end: search.end,
            problems: (hasOddAlarm ? [Self.oddAlarm] : [])
                + (search.isCrowded ? [Self.crowded] : []))
    }

    /// The components grouped by UID.
    private static func groups(_ components: [Component]) -> [[Component]] {
        if components.count < 2 { return components.isEmpty ? [] : [components] }
        var groups: [String: [Component]] = [:]
        for component in components {
            groups[component.itemID, default: []].append(component)
        }
        return Array(groups.values)
    }

    /// One component, read once for all its occurrences.
    struct Item {
        let component: Component
        let uid: String
        /// Shared by its alerts, since it may be long.
        let title: String
        let isEvent: Bool
        let isOpen: Bool
        /// Whether it has a due time.
        let isDue: Bool
        /// The time at which a recurring task is due now; nil for every other item. Its alarms at a
        /// fixed time belong to that time: phones write them so, and move them when the task is
        /// done.
        let base: ItemTime?
        let alarms: [AlertAlarm]
        /// Whether it may ring without an alarm.
        let ringsItself: Bool
        /// The time when it was last changed or began to ring, if known.
        let changed: Date?

        /// Maximum number of ringings per occurrence.
        var weight: Int { alarms.reduce(ringsItself ? 1 : 0) { $0 + 1 + $1.repeats } }
    }

    private func alerts(
        of components: [Component], _ name: String, _ resolver: ZoneResolver,
        _ search: inout Search
    ) -> [Alert] {
        let isEvent = name == "VEVENT"
        guard let uid = components.first?.itemID,
            components.contains(where: { Self.isOpen($0) }),
            // Most events created elsewhere have no alarm at all.
            !isEvent || ownEvents.uids.contains(uid)
                || components.contains(where: { !$0.components("VALARM").isEmpty })
        else { return [] }
        guard search.looks > 0, search.room > 0 else {
            search.isCrowded = true
            return []
        }
        // If an occurrence lacks the alarm of its series, that is intentional.
        let isOwn =
            ownEvents.uids.contains(uid)
            && !components.mainPlaces.contains { components[$0].hasAlarm }
        let items = components.map { component in
            let base = isEvent ? nil : Self.base(of: component, resolver)
            let alarms = component.components("VALARM").lazy
                .compactMap { AlertAlarm($0, of: component, resolver) }
                .filter { !$0.alarm.isSeen || base != nil && !$0.isSnooze }
            if alarms.count > Self.alarmLimit { search.isCrowded = true }
            let isDue =
                !isEvent && (component.first("DUE") != nil || component.first("DURATION") != nil)
            let rings = isEvent ? isOwn && !component.hasAlarm : isDue
            return Item(
                component: component, uid: uid, title: component.title,
                isEvent: isEvent, isOpen: Self.isOpen(component), isDue: isDue,
                base: base, alarms: Array(alarms.prefix(Self.alarmLimit)),
                ringsItself: rings && !component.isSilent,
                // A clock that is ahead must not silence it.
                changed: [component.changed, ownEvents.since].compactMap(\.self)
                    .filter { $0 <= search.near }.max())
        }
        let series = OccurrenceSeries(components: components, resolver: resolver)
        var reach = items.flatMap(\.alarms)
            .reduce(into: (before: Self.day + settings.eventLead, after: Self.day)) {
                reach, alarm in
                reach.before = max(reach.before, alarm.reach.before + Self.day)
                reach.after = max(reach.after, alarm.reach.after + Self.day)
            }
        for item in items {
            for alarm in item.alarms {
                guard let offset = offset(of: alarm, item) else { continue }
                reach.before = max(reach.before, Self.day - offset)
                reach.after = max(reach.after, Self.day + offset)
            }
        }
        if series.recurrence?.problems.contains(where: { $0.reason != .invalidRule }) == true {
            search.isCrowded = true
        }
        let limit = search.room / max(1, items.lazy.map(\.weight).max() ?? 1)
        var occurrences: [Occurrence] = []
        var isDense = false
        do throws(RecurrenceError) {
            occurrences = try series.occurrences(
                from: search.from.addingTimeInterval(-reach.after),
                to: search.to.addingTimeInterval(reach.before), limit: limit + 1)
            isDense = occurrences.count > limit
        } catch {
            isDense = true
            search.looks -= Search.costOfFailure
        }
        var alerts: [Alert] = []
        if isDense {
            alerts = nearest(in: series, items, &search)
        } else {
            for occurrence in occurrences where items[occurrence.place].isOpen {
                alerts += self.alerts(of: occurrence, items[occurrence.place], search)
            }
        }
        // In a series of events such an alarm belongs to the first occurrence, which may have been
        // removed, or moved with a separate alarm.
        func firstHolds(_ place: Int) -> Bool {
            guard isEvent, let start = series.recurrence?.start, components.mainPlaces == [place],
                components.count > 1 || components[place].first("EXDATE") != nil
            else { return true }
            let from = start.instant(in: local)
            // If a time cannot be resolved, the alarm rings as written.
            let first = try? series.occurrences(
                from: from, to: from.addingTimeInterval(1), limit: 8, startingThere: true)
            return first?.contains { $0.place == place && $0.start == start } ?? true
        }
        // An alarm at a fixed time rings then, even if no occurrence is near.
        for (place, item) in (components.mainPlaces + series.overridePlaces).map({ ($0, items[$0]) }
        )
        where item.isOpen {
            for alarm in item.alarms where item.base == nil || alarm.isSnooze {
                guard case .at(let instant) = alarm.trigger, alarm.isSnooze || firstHolds(place)
                else { continue }
                let time = occurrences.first { $0.place == place }?.start
                alerts += alarm.instants(first: instant, from: search.from, to: search.to).map {
                    alert(
                        item, "", at: $0, first: instant,
                        time ?? Self.time(of: item.component, resolver)
                            ?? ItemTime(instant, in: local))
                }
            }
        }
        search.room = max(0, search.room - alerts.count)
        return alerts
    }

    private static func base(of component: Component, _ resolver: ZoneResolver) -> ItemTime? {
        guard component.first("RRULE") != nil || component.first("RDATE") != nil else {
            return nil
        }
        return time(of: component, resolver)
    }

    /// Seconds from the item's time to an alarm at a fixed time.
    func offset(of alarm: AlertAlarm, _ item: Item) -> Double? {
        guard case .at(let instant) = alarm.trigger, let base = item.base, !alarm.isSnooze
        else { return nil }
        return instant.timeIntervalSince(base.instant(in: local))
    }

    private func alerts(of occurrence: Occurrence, _ item: Item, _ search: Search) -> [Alert] {
        let time = item.isDue ? occurrence.end : occurrence.start
        var alerts: [Alert] = []
        for alarm in item.alarms {
            guard let first = first(alarm, occurrence, item) else { continue }
            alerts += alarm.instants(first: first, from: search.from, to: search.to).map {
                alert(item, name(of: occurrence), at: $0, first: first, time)
            }
        }
        if let instant = dueInstant(of: occurrence, item), instant >= search.from,
            instant < search.to
        {
            alerts.append(alert(item, name(of: occurrence), at: instant, first: instant, time))
        }
        return alerts
    }

    /// The time at which an alarm of an occurrence first rings; nil if it was acknowledged, or does
    /// not depend on the occurrence.
    func first(_ alarm: AlertAlarm, _ occurrence: Occurrence, _ item: Item) -> Date? {
        let first: Date
        switch alarm.trigger {
        case .offset(let duration, let fromStart):
            first = duration.instant(
                from: fromStart ? occurrence.start : occurrence.end, in: local)
        case .at(let instant):
            guard let base = item.base, !alarm.isSnooze else { return nil }
            let time = item.isDue ? occurrence.end : occurrence.start
            let place = base.zone.map(LocalTime.init) ?? local
            let seconds =
                place.civil(at: instant).secondsAsUTC + time.clock.secondsAsUTC
                - base.clock.secondsAsUTC
            first = place.instant(of: CivilDateTime(secondsAsUTC: seconds))
        }
        return alarm.alarm.acknowledged.map { $0 >= first } == true ? nil : first
    }

    /// The time at which the occurrence rings because it is due or begins; nil if it does not.
    func dueInstant(of occurrence: Occurrence, _ item: Item) -> Date? {
        guard item.ringsItself,
            let instant = item.isEvent
                ? settings.ring(of: occurrence.start, changed: item.changed, in: local)
                : dueInstant(occurrence.end),
            isDueItself(item.alarms, at: instant),
            item.component.acknowledged.map({ $0 >= instant }) != true
        else { return nil }
        return instant
    }

    func name(of occurrence: Occurrence) -> String {
        occurrence.recurrenceID.map { Self.name(of: $0, in: local) } ?? ""
    }

    /// Whether the due time rings: only if no alarm is set. A reminder that was snoozed
    /// past it, or was acknowledged and has no other alarm, does not ring.
    private func isDueItself(_ alarms: [AlertAlarm], at instant: Date) -> Bool {
        guard alarms.allSatisfy(\.isSnooze) else { return false }
        return !alarms.contains {
            if case .at(let later) = $0.trigger { later >= instant } else { false }
        }
    }

    private func dueInstant(_ time: ItemTime) -> Date? {
        time.isDate ? settings.ring(ofDay: time.civilDate, in: local) : time.instant(in: local)
    }

    func alert(
        _ item: Item, _ id: String, at instant: Date, first: Date, _ time: ItemTime
    ) -> Alert {
        func key(_ instant: Date) -> AlertLog.Key {
            AlertLog.Key(
                uid: item.uid, occurrence: id, fires: Int64(LocalTime.seconds(of: instant)))
        }
        var alert = Alert(
            key: key(instant), title: item.title, isEvent: item.isEvent, time: time,
            repeats: instant == first ? nil : key(first))
        if item.isEvent, item.ringsItself, !time.isDate, instant == time.instant(in: local) {
            alert.insteadOf = key(instant.addingTimeInterval(-settings.eventLead))
        }
        return alert
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

    /// The name of an occurrence, independent of the reader's zone.
    static func name(of id: ItemTime, in local: LocalTime) -> String {
        id.isDate
            ? CalendarMoment.text(id.civilDate) : CalendarMoment.utcText(id.instant(in: local))
    }
}
