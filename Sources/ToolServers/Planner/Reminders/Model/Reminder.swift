import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// A VTODO (RFC 5545 §3.6.2) as the user sees it: what, until when, how
/// important, how often, done or not.
///
/// `ReminderComponent` finds it in its file, and `ItemEditor` changes it.
package struct Reminder: CalendarItem {
    package var fields: ItemFields
    /// The RECURRENCE-ID as written, for an occurrence whose series is not in
    /// the file.
    package var recurrenceID: String?
    /// DUE; without one DTSTART + DURATION, or the DTSTART of a recurring item.
    package var due: ItemTime?
    /// DTSTART.
    package var start: ItemTime?
    /// Whether it is done or cancelled.
    package var completed = false
    package var completedAt: Date?
    /// 0…100; nil if the file does not say.
    package var percent: Int?
    /// 1 is the highest, 9 the lowest; nil for none.
    package var priority: Int?
    /// Whether the next time is counted from completion instead of the due time.
    package var repeatsFromCompletion = false
    /// The UID of the parent reminder.
    package var parent: String?

    package init(uid: String, title: String) { fields = ItemFields(uid: uid, title: title) }

    init(_ todo: Component, zones: ZoneResolver) {
        fields = ItemFields(todo, zones)
        recurrenceID = todo.first("RECURRENCE-ID")?.value
        start = fields.time("DTSTART", of: todo, zones)
        due = fields.time("DUE", of: todo, zones)
        if let start {
            let length = fields.length(of: todo, from: start, zones)
            if due == nil, todo.first("DURATION") != nil {
                due = length.end(of: start, in: zones.local)
            } else if fields.isRecurring {
                due = due ?? start
            }
        }
        if fields.isRecurring {
            let isTimeless = due == nil && todo.first("DTSTART") == nil && todo.first("DUE") == nil
            fields.problems += RecurrenceSet.ruleProblems(todo).map {
                CalendarStore.Problem.reason($0)
            }
            if isTimeless {
                fields.problems.append("it repeats without a DTSTART or DUE to begin at")
            }
        }
        completed = todo.isDone
        completedAt = todo.first("COMPLETED").flatMap(CalendarMoment.init)
            .map { zones.time($0).time.instant(in: zones.local) }
        percent = Self.number(todo, "PERCENT-COMPLETE", in: 0...100)
        priority = Self.number(todo, "PRIORITY", in: 1...9)
        repeatsFromCompletion =
            todo.first(ItemEditor.fromCompletion)?.value.uppercased() == "COMPLETED"
        parent = todo.all("RELATED-TO").first(where: \.namesParent)
            .map { TextValue.unescape($0.value) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func number(
        _ todo: Component, _ name: StaticString, in range: ClosedRange<Int>
    ) -> Int? {
        todo.first(name).flatMap { Int($0.value) }.flatMap { range.contains($0) ? $0 : nil }
    }
}

extension Reminder: ItemMatcher.Found {
    package func narrowed(to isMeant: (Reminder) -> Bool) -> Reminder? {
        isMeant(self) ? self : nil
    }

    /// The reminders meant by a title, a part of one, or an id. Occurrences of
    /// a series that is not in the file are completed one after the other, like
    /// a recurring reminder: only the earliest of those counts.
    package static func named(_ query: String, in all: [Reminder]) -> [Reminder] {
        let found = ItemMatcher.named(query, in: all)
        guard found.count > 1, let first = found.first, first.recurrenceID != nil,
            found.allSatisfy({ $0.uid == first.uid && $0.path == first.path })
        else { return found }
        return [earliest(found)].compactMap(\.self)
    }

    static func earliest(_ reminders: [Reminder]) -> Reminder? {
        let utc = LocalTime(.utc)
        return reminders.min {
            ($0.due ?? $0.start)?.instant(in: utc) ?? .distantFuture
                < ($1.due ?? $1.start)?.instant(in: utc) ?? .distantFuture
        }
    }
}

extension ReminderQuery {
    package func allows(_ reminder: Reminder, at text: ItemText) -> Bool {
        if let list {
            let wanted = SearchText.folded(list)
            guard
                [reminder.list, reminder.folder].contains(where: { SearchText.folded($0) == wanted }
                )
            else { return false }
        }
        if let tag {
            let wanted = SearchText.folded(tag.hasPrefix("#") ? String(tag.dropFirst()) : tag)
            guard reminder.categories.contains(where: { SearchText.folded($0) == wanted }) else {
                return false
            }
        }
        switch span {
        case .all: return true
        case .completed: return reminder.completed
        case .open: return !reminder.completed
        case .today, .tomorrow, .week, .overdue, .upcoming: break
        }
        guard !reminder.completed, let due = reminder.due else { return false }
        let isPast = text.isPast(due)
        let days = due.day(in: text.local).dayNumber - text.today.dayNumber
        switch span {
        case .today: return days == 0 || (includesOverdue && isPast)
        case .tomorrow: return days == 1
        case .week: return !isPast && days < 7
        case .overdue: return isPast
        default: return !isPast
        }
    }
}
