import AgentCore
import FoundationEssentials
import ICalendar

/// A reminder as a person thinks of it: what, until when, how important, how
/// often, done or not. Read from a VTODO by `ReminderComponent`.
///
/// A snapshot for showing and choosing; changes go to the file, through
/// `ReminderActions`.
package struct Reminder: Sendable, Equatable {
    package var uid: String
    /// The RECURRENCE-ID as it is written, of one occurrence of a series that
    /// is not in the file.
    package var recurrenceID: String?
    package var title: String
    /// DUE; of an item without one DTSTART + DURATION, or the DTSTART of a
    /// repetition.
    package var due: ItemTime?
    /// DTSTART.
    package var start: ItemTime?
    /// The TZID of `due` that nobody knows; its clock was then taken for the
    /// reader's.
    package var unknownZone: String?
    /// Done or cancelled.
    package var completed: Bool
    package var completedAt: Date?
    /// 0…100; nil where the file does not say.
    package var percent: Int?
    /// 1 is the highest, 9 the lowest; nil for none.
    package var priority: Int?
    package var categories: [String]
    /// The list as it is shown.
    package var list: String
    /// The folder of the list, by which it is referred to.
    package var folder: String
    package var notes: String?
    /// The RRULE (else RDATE) as it is written.
    package var recurrence: String?
    /// The next time is counted from when it is done, not from when it was due.
    package var repeatsFromCompletion: Bool
    package var alarms: [ReminderAlarm]
    /// The UID of the reminder that this is a part of.
    package var parent: String?
    package var path: String
    /// What of its times cannot be followed, in words.
    package var problems: [String] = []

    package init(
        uid: String, title: String, due: ItemTime? = nil, start: ItemTime? = nil,
        unknownZone: String? = nil, completed: Bool = false, completedAt: Date? = nil,
        percent: Int? = nil, priority: Int? = nil, categories: [String] = [], list: String = "",
        folder: String = "", notes: String? = nil, recurrence: String? = nil,
        repeatsFromCompletion: Bool = false, alarms: [ReminderAlarm] = [], parent: String? = nil,
        path: String = ""
    ) {
        self.uid = uid
        self.title = title
        self.due = due
        self.start = start
        self.unknownZone = unknownZone
        self.completed = completed
        self.completedAt = completedAt
        self.percent = percent
        self.priority = priority
        self.categories = categories
        self.list = list
        self.folder = folder
        self.notes = notes
        self.recurrence = recurrence
        self.repeatsFromCompletion = repeatsFromCompletion
        self.alarms = alarms
        self.parent = parent
        self.path = path
    }
}

extension Reminder {
    var itemProblems: [CalendarStore.Problem] {
        problems.map {
            CalendarStore.Problem(path: path, title: ReminderText.name(self), reason: $0)
        }
    }
}

extension ItemTime {
    /// When it is over as something to be done: a day counts until its end.
    package func deadline(in local: LocalTime) -> Date {
        switch self {
        case .date(let date): local.start(of: date.adding(days: 1))
        case .time: instant(in: local)
        }
    }
}
