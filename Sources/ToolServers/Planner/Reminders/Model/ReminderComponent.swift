import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Reads the VTODOs of a file (RFC 5545 §3.6.2) as reminders, and finds them
/// again to change them. Pure: trees in, trees out.
///
/// `ItemEditor` makes the changes.
package enum ReminderComponent {
    /// The reminders of a file, as found by `places`.
    package static func reminders(
        in file: CalendarStore.File, context: DateContext
    ) -> [Reminder] {
        var resolvers: [Int: ZoneResolver] = [:]
        return places(in: file.content).map { place in
            let zones = resolvers[place.outer] ?? context.resolver(place.calendar)
            resolvers[place.outer] = zones
            var reminder = Reminder(place.todo, zones: zones)
            reminder.fields.place(in: file)
            return reminder
        }
    }

    /// The location of a VTODO that is a reminder: the index of its calendar in
    /// the file, and its own in the calendar.
    struct Location {
        var outer: Int
        var inner: Int
        var calendar: Component
        var todo: Component
    }

    /// Each VTODO that is not an override of a single occurrence (RECURRENCE-ID); of
    /// several revisions the newest. The overrides of a series that is not in the file are
    /// reminders themselves.
    static func places(in file: Component) -> [Location] {
        var all: [Location] = []
        for (outer, item) in file.items.enumerated() {
            guard case .component(let calendar) = item, calendar.name == "VCALENDAR" else {
                continue
            }
            for (inner, item) in calendar.items.enumerated() {
                guard case .component(let todo) = item, todo.name == "VTODO" else { continue }
                all.append(Location(outer: outer, inner: inner, calendar: calendar, todo: todo))
            }
        }
        if all.count < 2 { return all }
        let wanted = Dictionary(grouping: all.indices) { all[$0].todo.itemID }.values
            .flatMap { group -> [Int] in
                let main = group.map { all[$0].todo }.mainPlaces.map { group[$0] }
                if !main.isEmpty { return main }
                let occurrences = Dictionary(grouping: group) {
                    all[$0].todo.first("RECURRENCE-ID")?.value ?? ""
                }
                return occurrences.values.compactMap { revisions in
                    revisions.max {
                        ItemRevision(all[$0].todo, at: $0) < ItemRevision(all[$1].todo, at: $1)
                    }
                }
            }
        return wanted.sorted().map { all[$0] }
    }

    /// The recurrence of an item; nil if it does not repeat, or has no start.
    /// - Throws: `RecurrenceError` if a rule cannot be read.
    static func series(
        _ todo: Component, zones: ZoneResolver
    ) throws(RecurrenceError) -> RecurrenceSet? {
        guard let set = RecurrenceSet(component: todo, resolver: zones) else { return nil }
        // Ignoring a rule would end the series.
        if let problem = set.problems.first { throw problem }
        return set.isRecurring ? set : nil
    }

    /// Changes the VTODO that a reminder was read from, in its current state.
    /// The calendar around it provides the time zones.
    /// - Returns: the result of `change`; nil if the file has no such VTODO.
    static func change<Result, Failure: Error>(
        _ reminder: Reminder, in file: inout Component, _ editor: ItemEditor,
        _ change: (inout Component, Component) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let place = places(in: file).first(where: { isSame($0.todo, reminder) }) else {
            return nil
        }
        var (calendar, todo) = (place.calendar, place.todo)
        todo.keepID()
        let result = try change(&todo, calendar)
        calendar[component: place.inner] = todo
        editor.describeZones(in: &calendar, beyond: place.calendar)
        file.items[place.outer] = .component(calendar)
        return result
    }

    /// Completion counts too: some programs keep both states under one UID.
    static func isSame(_ todo: Component, _ reminder: Reminder) -> Bool {
        todo.itemID == reminder.uid && todo.isDone == reminder.completed
            && todo.first("RECURRENCE-ID")?.value == reminder.recurrenceID
    }
}
