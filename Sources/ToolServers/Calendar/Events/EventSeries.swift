import AgentCore
import FoundationEssentials

/// All that a file says under one UID: the event, what repeats it, and the
/// occurrences that were changed apart (RECURRENCE-ID); and the times it takes
/// in a window. Pure.
///
/// An event that does not repeat is a series of one.
package struct EventSeries: Sendable {
    package let uid: String
    /// The event itself; of a lone override (an invitation to one occurrence
    /// of somebody's series) that override.
    package let main: Event
    package let overrides: [Event]
    /// What repeats it.
    let recurrence: RecurrenceSet
    private let length: Length
    private let local: LocalTime
    private let overrideKeys: Set<Key>

    /// RFC 5545 §3.8.5.3: an end makes every occurrence exactly as long, a
    /// DURATION as long on the clock.
    private enum Length: Sendable {
        case days(Int)
        case exact(Double, zone: TimeZoneRules?)
        case duration(CalendarDuration)
    }

    /// What names an occurrence: days where the series or the override speaks
    /// of days, else instants, so that another zone or UTC names it as well.
    private enum Key: Hashable { case day(Int), second(Int) }

    /// More occurrences of one series are not looked for in one window: no
    /// calendar of a person has them.
    package static let limit = 5000

    /// The series of a file, one for each UID, in the order they begin there.
    package static func series(
        in file: CalendarStore.File, local: LocalTime, zones: TimeZoneDatabase
    ) -> [EventSeries] {
        series(
            in: file.content, calendar: file.collection.name, path: file.path, local: local,
            zones: zones)
    }

    static func series(
        in content: Component, calendar name: String, path: String, local: LocalTime,
        zones: TimeZoneDatabase
    ) -> [EventSeries] {
        var order: [String] = []
        var found: [String: [(Component, ZoneResolver, Bool)]] = [:]
        for calendar in content.components("VCALENDAR") {
            let resolver = ZoneResolver(calendar: calendar, local: local, zones: zones)
            let isOurs = calendar.first("PRODID")?.value == EventComponent.productID
            for component in calendar.components("VEVENT") {
                let uid = EventComponent.uid(component)
                if found[uid] == nil { order.append(uid) }
                found[uid, default: []].append((component, resolver, isOurs))
            }
        }
        return order.compactMap { uid in
            EventSeries(
                uid: uid, components: found[uid] ?? [], calendar: name, path: path, local: local)
        }
    }

    /// The one of that UID in a calendar that is being changed.
    static func only(
        _ calendar: Component, uid: String, local: LocalTime, zones: TimeZoneDatabase
    ) -> EventSeries? {
        series(
            in: Component(name: "", begin: nil, items: [.component(calendar)]), calendar: "",
            path: "", local: local, zones: zones
        ).first { $0.uid == uid }
    }

    private init?(
        uid: String, components: [(Component, ZoneResolver, Bool)], calendar: String,
        path: String, local: LocalTime
    ) {
        var main: (Event, Component, ZoneResolver)?
        var overrides: [Event] = []
        for (component, zones, isOurs) in components {
            guard var event = EventComponent.event(component, zones: zones) else { continue }
            event.calendar = calendar
            event.path = path
            event.isOurs = isOurs
            if event.recurrenceID != nil {
                overrides.append(event)
            } else if main == nil {
                main = (event, component, zones)
            }
        }
        if main == nil, !overrides.isEmpty {
            let first = overrides[0]
            self.main = first
            recurrence = RecurrenceSet(start: first.start)
            length = Self.length(of: first, component: nil, local: local)
        } else if let main {
            self.main = main.0
            recurrence =
                RecurrenceSet(component: main.1, resolver: main.2)
                ?? RecurrenceSet(start: main.0.start)
            length = Self.length(of: main.0, component: main.1, local: local)
        } else {
            return nil
        }
        self.uid = uid
        let rule = self.main.rule
        self.overrides = overrides.map { override in
            var override = override
            override.rule = override.rule ?? rule
            return override
        }
        self.local = local
        let isDaily = self.main.isAllDay
        overrideKeys = Set(
            overrides.compactMap { override in
                override.recurrenceID.map { Self.key($0, isDaily: isDaily, local: local) }
            })
    }

    /// Whether there is more than one occurrence, or may be.
    package var isRecurring: Bool { main.isRecurring && !main.isOverride }

    private static func key(_ time: ItemTime, isDaily: Bool, local: LocalTime) -> Key {
        isDaily || time.isDate
            ? .day(time.civilDate.dayNumber)
            : .second(LocalTime.seconds(of: time.instant(in: local)))
    }

    private func isOverridden(_ start: ItemTime) -> Bool {
        guard !overrideKeys.isEmpty else { return false }
        return overrideKeys.contains(Self.key(start, isDaily: main.isAllDay, local: local))
            || overrideKeys.contains(.day(start.civilDate.dayNumber))
    }

    static func isSame(_ left: ItemTime, _ right: ItemTime, in local: LocalTime) -> Bool {
        let isDaily = left.isDate || right.isDate
        return key(left, isDaily: isDaily, local: local)
            == key(right, isDaily: isDaily, local: local)
    }

    // MARK: - Times

    /// The occurrences that touch the window, by start; cancelled ones are
    /// not among them.
    /// - Throws: `RecurrenceError` for a rule that cannot be used.
    package func occurrences(in window: Range<Date>) throws(RecurrenceError) -> [Event] {
        var found = overrides.filter { $0.touches(window, in: local) }
        if !main.isOverride {
            if isRecurring {
                let from = window.lowerBound.addingTimeInterval(-reach)
                found += try recurrence.starts(
                    from: from, to: window.upperBound, limit: Self.limit, in: local
                ).filter { !isOverridden($0) }.map(occurrence).filter {
                    $0.touches(window, in: local)
                }
            } else if main.touches(window, in: local), !isOverridden(main.start) {
                found.append(main)
            }
        }
        return found.filter { $0.status != .cancelled }.sorted {
            Event.isBefore($0, $1, in: local)
        }
    }

    /// The first occurrence that is not over at that instant; nil when all
    /// are.
    package func next(after instant: Date) throws(RecurrenceError) -> Event? {
        var windowLength = 40 * 86_400.0
        var from = instant
        // Windows that double: near ones are usual, the last may be far off.
        for _ in 0..<12 {
            let to = from.addingTimeInterval(windowLength)
            let found = try occurrences(in: from..<to).first {
                let own = $0.interval(in: local)
                return own.upperBound > instant || own.lowerBound >= instant
            }
            if let found { return found }
            if !isRecurring {
                return main.status != .cancelled && main.start.instant(in: local) >= instant
                    ? main : nil
            }
            let later = overrides.filter { $0.start.instant(in: local) >= to }
            if try recurrence.next(after: to.addingTimeInterval(-1), in: local) == nil,
                later.isEmpty
            {
                return nil
            }
            from = to
            windowLength *= 2
        }
        return nil
    }

    /// The last occurrence that begins before that instant.
    package func last(before instant: Date) throws(RecurrenceError) -> Event? {
        let start = main.start.instant(in: local)
        guard isRecurring else { return start < instant ? main : nil }
        var windowLength = 40 * 86_400.0
        var to = instant
        for _ in 0..<12 {
            let from = to.addingTimeInterval(-windowLength)
            let found = try occurrences(in: from..<to).last {
                $0.start.instant(in: local) < instant
            }
            if let found { return found }
            if from < start { return nil }
            to = from
            windowLength *= 2
        }
        return nil
    }

    /// How far before a window an occurrence may begin that touches it.
    private var reach: Double {
        switch length {
        case .days(let days): Double(days + 1) * 86_400
        case .exact(let seconds, _): seconds + 86_400
        case .duration(let duration): Double(duration.seconds + (duration.days + 1) * 86_400)
        }
    }

    /// The occurrence that the series itself gives at that time.
    func occurrence(at start: ItemTime) -> Event {
        var event = main
        event.start = start
        event.end = end(of: start)
        event.recurrenceID = start
        return event
    }

    private func end(of start: ItemTime) -> ItemTime {
        if let end = recurrence.addedEnds[start] { return end }
        switch length {
        case .days(let days): return .date(start.civilDate.adding(days: days))
        case .duration(let duration): return duration.added(to: start, in: local)
        case .exact(let seconds, let zone):
            let instant = start.instant(in: local).addingTimeInterval(seconds)
            guard case .time(_, let own) = start else { return start }
            return ItemTime(instant, zone: zone ?? own, in: local)
        }
    }

    private static func length(
        of event: Event, component: Component?, local: LocalTime
    ) -> Length {
        if event.isAllDay {
            return .days(event.end.civilDate.dayNumber - event.start.civilDate.dayNumber)
        }
        if let component, component.first("DTEND") == nil,
            let duration = component.first("DURATION").flatMap({ CalendarDuration($0.value) }),
            duration.days >= 0, duration.seconds >= 0
        {
            return .duration(duration)
        }
        let own = event.interval(in: local)
        var zone: TimeZoneRules?
        if case .time(_, let place) = event.end { zone = place }
        return .exact(own.upperBound.timeIntervalSince(own.lowerBound), zone: zone)
    }
}
