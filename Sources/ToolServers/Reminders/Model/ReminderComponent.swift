import AgentCore
import FoundationEssentials
import ICalendar

/// A VTODO (RFC 5545 §3.6.2) read as a `Reminder`, and found again in its file
/// to be changed. Pure: trees in, trees out.
///
/// What is changed is `ReminderEditor`'s business.
package enum ReminderComponent {
    package static let productID = "-//chat//NONSGML chat//EN"
    /// Bytes and names that are shown of what others wrote. The file keeps all.
    static let lineLimit = 10_000
    static let notesLimit = 1 << 20
    private static let categoryLimit = 200
    /// Marks a repetition that is counted from completion ("every! 3 days").
    static let fromCompletion: StaticString = "X-CHAT-REPEAT-FROM"

    /// The reminders of a file, as `places` finds them.
    package static func reminders(
        in file: CalendarStore.File, context: DateContext
    ) -> [Reminder] {
        var resolvers: [Int: ZoneResolver] = [:]
        return places(in: file.content).map { place in
            let calendar = place.calendar
            let zones =
                resolvers[place.outer]
                ?? ZoneResolver(calendar: calendar, local: context.local, zones: context.zones)
            resolvers[place.outer] = zones
            var reminder = self.reminder(place.todo, zones: zones)
            reminder.path = file.path
            reminder.list = file.collection.displayName
            reminder.folder = file.collection.name
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

    /// Each VTODO that is no override of a single occurrence (RECURRENCE-ID), of
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
        var groups: [String: [Int]] = [:]
        for index in all.indices { groups[all[index].todo.itemID, default: []].append(index) }
        let wanted = groups.values.flatMap { group -> [Int] in
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

    static func reminder(_ todo: Component, zones: ZoneResolver) -> Reminder {
        let times = times(todo, zones: zones)
        var reminder = Reminder(uid: todo.itemID, title: title(todo))
        reminder.recurrenceID = todo.first("RECURRENCE-ID")?.value
        reminder.due = times.due
        reminder.start = times.start
        reminder.unknownZone = times.unknownZone
        reminder.problems = times.problems
        reminder.completedAt = todo.first("COMPLETED").flatMap(CalendarMoment.init)
            .map { zones.time($0).time.instant(in: zones.local) }
        reminder.completed = todo.isDone
        reminder.percent = number(todo, "PERCENT-COMPLETE", in: 0...100)
        reminder.priority = number(todo, "PRIORITY", in: 1...9)
        reminder.categories = categories(todo)
        reminder.notes = todo.first("DESCRIPTION")
            .map { TextValue.unescape($0.value(upTo: notesLimit)) }
            .flatMap { $0.isEmpty ? nil : $0 }
        reminder.recurrence = (todo.first("RRULE") ?? todo.first("RDATE"))?.value
        if reminder.recurrence != nil {
            reminder.problems += RecurrenceSet.ruleProblems(todo).map {
                CalendarStore.Problem.reason($0)
            }
            if times.due == nil, times.problems.isEmpty {
                reminder.problems.append("it repeats without a DTSTART or DUE to begin at")
            }
        }
        reminder.repeatsFromCompletion =
            todo.first(fromCompletion)?.value.uppercased() == "COMPLETED"
        reminder.alarms = todo.components("VALARM").compactMap(ReminderAlarm.init)
        reminder.parent = todo.all("RELATED-TO").first {
            ($0.parameter("RELTYPE")?.uppercased() ?? "PARENT") == "PARENT"
        }.map { TextValue.unescape($0.value) }.flatMap { $0.isEmpty ? nil : $0 }
        return reminder
    }

    static func title(_ todo: Component) -> String {
        TextValue.oneLine(
            todo.first("SUMMARY").map { TextValue.unescape($0.value(upTo: lineLimit)) } ?? "")
    }

    static func categories(_ component: Component) -> [String] {
        let names = component.all("CATEGORIES").prefix(categoryLimit).flatMap {
            TextValue.list($0.value(upTo: lineLimit))
        }
        return names.prefix(categoryLimit).map(TextValue.oneLine)
    }

    /// When an item is, as far as that can be read.
    struct Times {
        var due: ItemTime?
        var start: ItemTime?
        /// A TZID that is not known.
        var unknownZone: String?
        var problems: [String] = []
    }

    static func times(_ todo: Component, zones: ZoneResolver) -> Times {
        var times = Times()
        func time(_ name: StaticString) -> ItemTime? {
            guard let line = todo.first(name) else { return nil }
            guard let moment = CalendarMoment(line) else {
                times.problems.append(CalendarStore.Problem.unreadable(line))
                return nil
            }
            let (time, isGuess) = zones.time(moment)
            if isGuess, case .zoned(_, let zone) = moment {
                if times.unknownZone != zone {
                    times.problems.append(CalendarStore.Problem.unknownZone(zone))
                }
                times.unknownZone = zone
            }
            return time
        }
        times.problems = CalendarStore.Problem.unreadableLines(todo)
        times.start = time("DTSTART")
        times.due = time("DUE")
        if times.due != nil { return times }
        if let start = times.start, let text = todo.first("DURATION")?.value,
            let duration = CalendarDuration(text)
        {
            times.due = duration.added(to: start, in: zones.local)
        } else if todo.first("RRULE") != nil || todo.first("RDATE") != nil {
            times.due = times.start
        }
        return times
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

    private static func number(
        _ todo: Component, _ name: StaticString, in range: ClosedRange<Int>
    ) -> Int? {
        todo.first(name).flatMap { Int($0.value) }.flatMap { range.contains($0) ? $0 : nil }
    }

    /// Changes the VTODO that a reminder was read from, as it is now. The
    /// calendar around it is there for its time zones.
    /// - Returns: what `change` returns; nil when the file has no such VTODO.
    static func change<Result, Failure: Error>(
        _ reminder: Reminder, in file: inout Component,
        _ change: (inout Component, inout Component) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let place = places(in: file).first(where: { isSame($0.todo, reminder) }) else {
            return nil
        }
        var (calendar, todo) = (place.calendar, place.todo)
        todo.keepID()
        let count = calendar.items.count
        let result = try change(&todo, &calendar)
        // A VTIMEZONE may have been put in front.
        calendar.items[place.inner + calendar.items.count - count] = .component(todo)
        file.items[place.outer] = .component(calendar)
        return result
    }

    /// Done or not counts too: some programs keep both under one UID.
    static func isSame(_ todo: Component, _ reminder: Reminder) -> Bool {
        todo.itemID == reminder.uid && todo.isDone == reminder.completed
            && todo.first("RECURRENCE-ID")?.value == reminder.recurrenceID
    }
}
