import FoundationEssentials

/// The reminders that a question or a command asks for: by due time, list and tag. Pure.
package struct ReminderQuery: Sendable, Equatable {
    package enum Span: String, Sendable, CaseIterable {
        case open, today, tomorrow, week, overdue, upcoming, completed, all
    }

    package var span = Span.open
    /// Whether overdue reminders are included with today's.
    package var includesOverdue = false
    package var list: String?
    package var tag: String?

    package init(_ span: Span = .open, list: String? = nil, tag: String? = nil) {
        (self.span, self.list, self.tag) = (span, list, tag)
    }

    /// Whether the query excludes all completed reminders.
    package var isOpenOnly: Bool { span != .completed && span != .all }
}
