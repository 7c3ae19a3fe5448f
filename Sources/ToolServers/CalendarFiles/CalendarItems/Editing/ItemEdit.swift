import DateLanguage
import ICalendar

/// The changes to an item; for a new one, all of its fields. nil leaves a field unchanged.
package struct ItemEdit: Sendable, Equatable {
    package enum Change<Value: Sendable & Equatable>: Sendable, Equatable {
        case set(Value)
        case clear

        package var value: Value? {
            if case .set(let value) = self { value } else { nil }
        }
    }

    package var title: String?
    package var notes: Change<String>?
    package var location: Change<String>?
    package var categories: Change<[String]>?
    /// A new task without an alarm gets one at `due`, if that is a time.
    package var alarm: Change<CalendarDuration>?
    package var recurrence: Change<RecurrenceRule>?
    /// The folder's name or display name; nil means the default list for a new item.
    package var list: String?

    // MARK: VTODO
    package var due: Change<ItemTime>?
    /// Whether the next time of a new reminder is counted from completion.
    package var repeatsFromCompletion = false
    package var priority: Change<Int>?
    /// The UID of the parent reminder.
    package var parent: Change<String>?

    // MARK: VEVENT
    /// The start of the occurrence to change; the others in the scope move by
    /// as much.
    package var start: ItemTime?
    /// Exclusive; nil keeps the length.
    package var end: ItemTime?

    package init(
        title: String? = nil, due: ItemTime? = nil, start: ItemTime? = nil, end: ItemTime? = nil
    ) {
        (self.title, self.start, self.end) = (title, start, end)
        self.due = due.map { .set($0) }
    }

    /// The parts of a phrase other than its time.
    package init(_ reading: ParsedPhrase) {
        title = reading.title
        recurrence = reading.recurrence.map { .set($0) }
        repeatsFromCompletion = reading.repeatsFromCompletion
        alarm = reading.hasNoAlarm ? .clear : reading.alarm.map { .set($0) }
        priority = reading.priority.map { .set($0) }
        if !reading.categories.isEmpty { categories = .set(reading.categories) }
        list = reading.list
    }

    /// A reminder from a phrase.
    package init(reminder reading: ParsedPhrase, in context: DateContext) {
        self.init(reading)
        due = reading.start.map { .set(ItemTime($0, of: reading, in: context)) }
    }

    package var isEmpty: Bool { self == ItemEdit() }

    /// Whether the contents of the file change, not only its location.
    package var changesContent: Bool {
        var other = self
        other.list = nil
        return !other.isEmpty
    }
}
