import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The events of all calendars at one time and in one zone: reads them, and
/// carries out changes as single steps that can be undone.
///
/// It holds no state: `CalendarStore` has the files, `EventEditor` edits them,
/// `ItemMatcher` chooses, and `ItemActions` is shared with reminders.
package struct EventBook: Sendable {
    package struct Listing: Sendable {
        package var events: [Event] = []
        package var problems: [CalendarStore.Problem] = []
    }

    package struct Shelf: Sendable {
        package var series: [EventSeries] = []
        package var problems: [CalendarStore.Problem] = []
    }

    /// The result of an action: the current event, and those it conflicts with.
    package struct Done: Sendable, Equatable {
        package var event: Event
        package var conflicts: [Event] = []
        package var scope = EventScope.this
        /// Whether it was deleted.
        package var isGone = false
    }

    let items: ItemActions
    var alerts = AlertSettings()
    let context: DateContext
    /// Default calendar for new events.
    let defaultCalendar: String
    /// A collection of reminders, in which events are put only on request.
    let reminderList: String

    var store: CalendarStore { items.store }
    var local: LocalTime { context.local }
    var now: Date { context.now }

    // MARK: - Reading

    /// Every occurrence that touches the window, by start.
    package func events(in window: Range<Date>) async throws -> Listing {
        let found = try await store.files(CalendarStore.Selection(kind: "VEVENT", window: window))
        return events(of: found.files, found.problems, in: window)
    }

    /// The occurrences in files that were already read.
    func events(
        of files: [CalendarStore.File], _ problems: [CalendarStore.Problem], in window: Range<Date>
    ) -> Listing {
        var listing = Listing(problems: problems)
        for file in files {
            let all = EventSeries.series(
                in: file, context, problems: &listing.problems)
            let count = listing.events.count
            for series in all {
                do throws(RecurrenceError) {
                    let found = try series.occurrences(in: window)
                    listing.events += found
                    // It is unknown how far an unreadable rule extends.
                    if !found.isEmpty
                        || series.recurrence?.problems.isEmpty == false
                            && series.main.start.instant(in: local) < window.upperBound
                    {
                        listing.problems += series.problems
                    }
                } catch {
                    let problem = CalendarStore.Problem(
                        path: file.path, reason: CalendarStore.Problem.reason(error))
                    // A file is named once, however many items it contains.
                    if listing.problems.last != problem { listing.problems.append(problem) }
                    if series.main.touches(window, in: local) {
                        listing.events.append(series.main)
                    }
                }
            }
            if listing.events.count > count {
                listing.problems += CalendarStore.Problem.ofFile(file)
            }
        }
        sort(&listing.events)
        return listing
    }

    /// Sorts by precomputed keys: a comparison of events would make four instants.
    private func sort(_ events: inout [Event]) {
        let keys = events.map { event in
            (event.start.instant(in: local).timeIntervalSince1970, event.isAllDay ? 0 : 1)
        }
        events = events.indices.sorted { first, second in
            if keys[first].0 != keys[second].0 { return keys[first].0 < keys[second].0 }
            return keys[first].1 != keys[second].1
                ? keys[first].1 < keys[second].1
                : Event.isBefore(events[first], events[second], in: local)
        }.map { events[$0] }
    }

    package func events(on days: ClosedRange<CivilDate>) async throws -> Listing {
        try await events(in: window(days))
    }

    func window(_ days: ClosedRange<CivilDate>) -> Range<Date> {
        let from = local.start(of: days.lowerBound)
        return from..<max(from, local.start(of: days.upperBound.adding(days: 1)))
    }

    /// All series that contain those words; all series if no words are given.
    package func shelf(text: String? = nil) async throws -> Shelf {
        let files = try await store.files(CalendarStore.Selection(kind: "VEVENT", text: text))
        var shelf = Shelf(problems: files.problems)
        for file in files.files {
            shelf.series += EventSeries.series(
                in: file, context, problems: &shelf.problems)
            shelf.problems += CalendarStore.Problem.ofFile(file)
        }
        return shelf
    }

    /// One event for each series that contains the words: its next occurrence,
    /// else the last.
    package func search(_ query: String) async throws -> Listing {
        let shelf = try await shelf(text: query)
        var listing = Listing(problems: shelf.problems)
        for series in ItemMatcher.search(query, in: shelf.series) {
            // Without computable times the series itself is listed.
            let next = (try? series.next(after: now)) ?? nil  // Not computable: nil.
            let event = next ?? ((try? series.last(before: now)) ?? nil) ?? series.subject
            listing.events.append(event)
            listing.problems += series.problems
        }
        sort(&listing.events)
        return listing
    }

    /// Everything in the calendars that cannot be read or followed.
    package static func problems(
        in store: CalendarStore, _ context: DateContext
    ) async throws -> [CalendarStore.Problem] {
        let files = try await store.files(CalendarStore.Selection())
        var problems = files.problems
        var paths: [String: [String]] = [:]
        for file in files.files {
            for uid in file.content.itemIDs { paths[uid, default: []].append(file.path) }
            let series = EventSeries.series(
                in: file, context, problems: &problems)
            problems += series.flatMap(\.problems)
            problems += ReminderComponent.reminders(in: file, context: context)
                .flatMap(\.itemProblems)
            problems += CalendarStore.Problem.ofFile(file)
            problems += [CalendarStore.Problem.ofComponents(file)].compactMap(\.self)
        }
        for uid in paths.keys.sorted() {
            guard let paths = paths[uid], let first = paths.first else { continue }
            problems += paths.dropFirst().map {
                CalendarStore.Problem(path: first, uid: uid, isIn: $0)
            }
        }
        return problems
    }

    /// - Throws: `ToolError` if there is no match, or more than one.
    package func find(
        _ query: String, at time: DateField? = nil
    ) async throws -> (series: EventSeries, event: Event) {
        // Needs all series: an id is not a word in an event.
        let shelf = try await shelf()
        let ids = ItemIDs(shelf.series)
        let text = ItemText(context)
        return try ItemMatcher.only(
            EventMatcher.match(query, in: shelf.series, after: now, at: time, in: local),
            query: query
        ) { text.candidate($0.event, id: ids.label($0.event)) }
    }

    func conflicts(with event: Event) async throws -> [Event] {
        guard event.isBusy else { return [] }
        return FreeTime.conflicts(
            with: event, among: try await events(in: event.interval(in: local)).events, in: local)
    }
}
