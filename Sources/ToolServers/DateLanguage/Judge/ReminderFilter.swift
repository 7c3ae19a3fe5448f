import FoundationEssentials

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
}
