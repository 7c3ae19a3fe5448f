import AgentCore
import FoundationEssentials

/// A reminder as a person thinks of it: what, until when, how important, done
/// or not. Read from a VTODO by `ReminderComponent`.
///
/// A snapshot for showing and choosing; changes go to the file, through
/// `ReminderStore`.
package struct Reminder: Sendable, Equatable {
    package enum Due: Sendable, Equatable {
        /// The whole day.
        case date(CivilDate)
        /// Approximate where the file names a zone that is not known yet.
        case instant(Date, isApproximate: Bool = false)
    }

    package var uid: String
    package var title: String
    package var due: Due?
    /// Done or cancelled.
    package var completed: Bool
    package var completedAt: Date?
    /// 1 is the highest, 9 the lowest; nil for none.
    package var priority: Int?
    package var categories: [String]
    /// The folder it lies in.
    package var list: String
    package var notes: String?
    /// The RRULE as it is written.
    package var recurrence: String?
    package var path: String
    /// The file says that this program wrote it.
    package var isOurs: Bool

    package init(
        uid: String, title: String, due: Due? = nil, completed: Bool = false,
        completedAt: Date? = nil, priority: Int? = nil, categories: [String] = [],
        list: String = "", notes: String? = nil, recurrence: String? = nil, path: String = "",
        isOurs: Bool = true
    ) {
        self.uid = uid
        self.title = title
        self.due = due
        self.completed = completed
        self.completedAt = completedAt
        self.priority = priority
        self.categories = categories
        self.list = list
        self.notes = notes
        self.recurrence = recurrence
        self.path = path
        self.isOurs = isOurs
    }

    /// What a new reminder is made of.
    package struct Draft: Sendable, Equatable {
        package var title: String
        package var due: Due?
        package var notes: String?
        package var priority: Int?

        package init(
            title: String, due: Due? = nil, notes: String? = nil, priority: Int? = nil
        ) {
            self.title = title
            self.due = due
            self.notes = notes
            self.priority = priority
        }
    }
}

extension Reminder.Due {
    /// The instant to sort by and to compare with now: a day counts until it
    /// is over.
    package func end(in local: LocalTime) -> Date {
        switch self {
        case .date(let date): local.start(of: date.adding(days: 1))
        case .instant(let instant, _): instant
        }
    }

    package func day(in local: LocalTime) -> CivilDate {
        switch self {
        case .date(let date): date
        case .instant(let instant, _): local.civil(at: instant).date
        }
    }

    /// ISO 8601: a date alone, or a time with the local offset.
    package func isoText(in local: LocalTime) -> String {
        switch self {
        case .date(let date): date.isoText
        case .instant(let instant, _): local.isoText(instant)
        }
    }
}
