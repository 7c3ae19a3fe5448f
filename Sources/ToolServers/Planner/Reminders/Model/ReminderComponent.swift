import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The VTODOs of a file (RFC 5545 §3.6.2), read as reminders and found again to
/// be changed. Pure: trees in, trees out.
///
/// What is changed is `ItemEditor`'s business.
package enum ReminderComponent {
    /// The reminders of a file, as `places` finds them.
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

    /// A VTODO that is a reminder, and where it lies: its calendar among the
    /// items of the file, itself among those of the calendar.
    struct Place {
        var outer: Int
        var inner: Int
        var calendar: Component
        var todo: Component
    }

    /// Each VTODO that is not an override of a single occurrence (RECURRENCE-ID), of
    /// several revisions the newest. The overrides of a series that is not in
    /// the file are reminders themselves.
    static func places(in file: Component) -> [Place] {
        var all: [Place] = []
        for (outer, item) in file.items.enumerated() {
            guard case .component(let calendar) = item, calendar.name == "VCALENDAR" else {
                continue
            }
            for (inner, item) in calendar.items.enumerated() {
                guard case .component(let todo) = item, todo.name == "VTODO" else { continue }
                all.append(Place(outer: outer, inner: inner, calendar: calendar, todo: todo))
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

    /// What the item repeats by; nil for one that does not, or has no time to
    /// begin at.
    /// - Throws: `RecurrenceError` for a rule that cannot be read.
    static func series(
        _ todo: Component, zones: ZoneResolver
    ) throws(RecurrenceError) -> RecurrenceSet? {
        guard let set = RecurrenceSet(component: todo, resolver: zones) else { return nil }
        // A rule that is left out would end the series.
        if let problem = set.problems.first { throw problem }
        return set.isRecurring ? set : nil
    }

    /// Changes the VTODO that a reminder was read from, as it is now. The
    /// calendar around it is there for its time zones.
    /// - Returns: what `change` returns; nil when the file has no such VTODO.
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

    /// Done or not counts too: some programs keep both under one UID.
    static func isSame(_ todo: Component, _ reminder: Reminder) -> Bool {
        todo.itemID == reminder.uid && todo.isDone == reminder.completed
            && todo.first("RECURRENCE-ID")?.value == reminder.recurrenceID
    }
}
