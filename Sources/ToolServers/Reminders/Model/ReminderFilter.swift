import AgentCore
import FoundationEssentials
import ICalendar

/// Which reminders are wanted: by when they are due, by list, by tag. Pure.
package struct ReminderFilter: Sendable, Equatable {
    package enum Span: String, Sendable, CaseIterable {
        case open, today, tomorrow, week, overdue, upcoming, completed, all
    }

    package var span = Span.open
    /// Today's with those that should have been done before.
    package var includesOverdue = false
    package var list: String?
    package var tag: String?

    package init(_ span: Span = .open, list: String? = nil, tag: String? = nil) {
        self.span = span
        self.list = list
        self.tag = tag
    }

    /// No completed one can pass.
    package var isOpenOnly: Bool { span != .completed && span != .all }

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
