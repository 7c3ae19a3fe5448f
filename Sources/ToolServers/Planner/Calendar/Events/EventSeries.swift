import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// All events in a file with one UID: the event itself, and its occurrences in
/// a window, each with its effective properties. Pure.
///
/// An event that does not repeat is a series of one. `OccurrenceSeries`
/// computes the times.
package struct EventSeries: Sendable {
    package let uid: String
    /// The event itself; if the file has only overrides (invitations to single
    /// occurrences of another's series), the first of them.
    package let main: Event
    /// The occurrences that were changed separately (RECURRENCE-ID), each once.
    package let overrides: [Event]
    /// The only occurrences to consider, in order: all that exist if the file has no master, or
    /// those with changed properties that match a search.
    private var chosen: [Event]?
    private let series: OccurrenceSeries
    /// The event of each component; nil without a start.
    private let events: [Event?]
    private let local: LocalTime

    /// The recurrence; nil for a lone override.
    var recurrence: RecurrenceSet? { series.recurrence }

    /// The series of a file, one for each UID, in order of first appearance.
    package static func series(
        in file: CalendarStore.File, _ context: DateContext
    ) -> [EventSeries] {
        var problems: [CalendarStore.Problem] = []
        return series(in: file, context, problems: &problems)
    }

    /// - Parameter problems: receives problems of the file and of items that
    ///   are not series, since they have no start.
    static func series(
        in file: CalendarStore.File, _ context: DateContext,
        problems: inout [CalendarStore.Problem]
    ) -> [EventSeries] {
        if let problem = CalendarStore.Problem.ofEnding(file) { problems.append(problem) }
        return series(
            in: file.content, calendar: file.collection.name, path: file.path, context
        ) { component in
            let title = component.first("SUMMARY") == nil ? "(no title)" : component.title
            problems.append(
                CalendarStore.Problem(
                    path: file.path, title: title, reason: Event.problem(component)))
        }
    }

    static func series(
        in content: Component, calendar name: String, path: String, _ context: DateContext,
        _ isStartless: (Component) -> Void = { _ in }
    ) -> [EventSeries] {
        var order: [String] = []
        var found: [String: [(Component, ZoneResolver)]] = [:]
        for calendar in content.components("VCALENDAR") {
            let resolver = context.resolver(calendar)
            for component in calendar.components("VEVENT") {
                let uid = component.itemID
                if found[uid] == nil { order.append(uid) }
                found[uid, default: []].append((component, resolver))
            }
        }
        return order.compactMap { uid in
            let components = found[uid] ?? []
            let series = EventSeries(
                uid: uid, components: components, calendar: name, path: path, local: context.local)
            // An unreadable time makes a part of it unusable, or all of it.
            let lost = components.map(\.0).filter { Event.isLost($0) }
            for component in series == nil ? Array(lost.prefix(1)) : lost { isStartless(component) }
            return series
        }
    }

    /// The series with that UID in a calendar that is being changed.
    static func only(
        _ calendar: Component, uid: String, _ context: DateContext
    ) -> EventSeries? {
        series(
            in: Component(name: "", begin: nil, items: [.component(calendar)]), calendar: "",
            path: "", context
        ).first { $0.uid == uid }
    }

    private init?(
        uid: String, components: [(Component, ZoneResolver)], calendar: String,
        path: String, local: LocalTime
    ) {
        guard let resolver = components.first?.1 else { return nil }
        var events = components.map { component, zones in
            var event = Event(component, zones: zones)
            event?.folder = calendar
            event?.path = path
            return event
        }
        let tree = components.map(\.0)
        let series = OccurrenceSeries(components: tree, resolver: resolver)
        let place = tree.mainPlaces.first
        if let place, let problems = series.recurrence?.problems {
            events[place]?.problems += problems.map { CalendarStore.Problem.reason($0) }
        }
        let master = place.flatMap { events[$0] }
        if master == nil {
            chosen = series.overridePlaces.compactMap { events[$0] }.sorted {
                $0.start.instant(in: local) < $1.start.instant(in: local)
            }
        }
        guard let main = master ?? chosen?.first else { return nil }
        for index in events.indices where events[index]?.isOverride == true {
            // A day of the series is a day on the series' own clock.
            if !main.isOverride, !main.start.isDate, let id = events[index]?.recurrenceID {
                events[index]?.recurrenceID = id.onClock(of: main.start.zone, in: local)
            }
            if events[index]?.recurrence == nil { events[index]?.recurrence = main.recurrence }
        }
        self.uid = uid
        self.main = main
        self.events = events
        self.local = local
        overrides = series.overridePlaces.compactMap { events[$0] }
        self.series = series
    }

    package var path: String { main.path }

    /// Whether the file has no series, only occurrences of one.
    var isLoose: Bool { main.isOverride }

    /// Whether there is more than one occurrence, or may be.
    package var isRecurring: Bool { isLoose ? overrides.count > 1 : main.isRecurring }

    /// The parts of it that cannot be computed, each once for all its occurrences.
    var problems: [CalendarStore.Problem] {
        var reasons: [String] = []
        for event in [main] + overrides {
            for reason in event.problems where !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.map {
            CalendarStore.Problem(path: main.path, title: main.name, reason: $0)
        }
    }

    /// The event that represents all these occurrences.
    var subject: Event { chosen?.first ?? main }

    /// The series itself if its own properties match; if only occurrences
    /// match, just those; nil if none do.
    package func narrowed(to isMeant: (Event) -> Bool) -> EventSeries? {
        if !isLoose, isMeant(main) { return self }
        let own = (chosen ?? overrides).filter(isMeant)
        guard !own.isEmpty else { return nil }
        var series = self
        series.chosen = own.sorted { $0.start.instant(in: local) < $1.start.instant(in: local) }
        return series
    }

    /// Whether both identify the same occurrence: the same day if one of them
    /// is a day, else the same instant, so that another zone works as well.
    static func isSame(_ left: ItemTime, _ right: ItemTime, in local: LocalTime) -> Bool {
        if left.isDate || right.isDate { return left.civilDate == right.civilDate }
        return LocalTime.seconds(of: left.instant(in: local))
            == LocalTime.seconds(of: right.instant(in: local))
    }

    // MARK: - Times

    /// Maximum number of occurrences of one series listed in a window: more
    /// than one an hour all day is unreadable, and would hide the others.
    package static func limit(in window: Range<Date>) -> Int {
        let days = window.upperBound.timeIntervalSince(window.lowerBound) / 86_400
        return 100 + 30 * Int(min(max(days, 0), 1000))
    }

    /// The occurrences that touch the window, by start, without cancelled ones.
    /// If there are too many, only the first, marked with `repeatsTooOften`.
    /// - Throws: `RecurrenceError` if a rule's first time takes too long to find.
    package func occurrences(in window: Range<Date>) throws(RecurrenceError) -> [Event] {
        if let chosen {
            return chosen.filter { $0.status != .cancelled && $0.touches(window, in: local) }
        }
        if !main.isRecurring, events.count == 1 {
            return main.status != .cancelled && main.touches(window, in: local) ? [main] : []
        }
        let limit = Self.limit(in: window)
        // The attempt below reports the error.
        if let found = try? occurrences(in: window, limit: limit + 1), found.count <= limit {
            return found
        }
        return try occurrences(in: window, limit: 1).map { event in
            var event = event
            event.repeatsTooOften = true
            return event
        }
    }

    private func occurrences(
        in window: Range<Date>, limit: Int
    ) throws(RecurrenceError) -> [Event] {
        try series.occurrences(from: window.lowerBound, to: window.upperBound, limit: limit)
            .map(event).filter { $0.status != .cancelled }
    }

    /// The first occurrence that is not over at that instant; nil if all are.
    package func next(after instant: Date) throws(RecurrenceError) -> Event? {
        if let chosen {
            return chosen.first {
                $0.status != .cancelled && $0.interval(in: local).upperBound > instant
            }
        }
        let now = try occurrences(in: instant..<instant.addingTimeInterval(1), limit: 1)
        if let current = now.first { return current }
        guard main.status != .cancelled else { return nil }
        return try series.next(after: instant).map(event)
    }

    /// The last occurrence that begins before that instant.
    package func last(before instant: Date) throws(RecurrenceError) -> Event? {
        if let chosen { return chosen.last { $0.start.instant(in: local) < instant } }
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

    /// The occurrence that the series itself has at that time.
    func occurrence(at start: ItemTime) -> Event {
        var event = main
        event.start = start
        event.end = series.end(of: start) ?? start
        event.recurrenceID = start
        return event
    }

    private func event(_ occurrence: Occurrence) -> Event {
        var event = events[occurrence.place] ?? main
        event.start = occurrence.start
        event.end = occurrence.end
        event.recurrenceID = occurrence.recurrenceID ?? event.recurrenceID
        event.isOverride = occurrence.isOverride
        return event
    }
}

extension EventSeries: ItemMatcher.Found {}
