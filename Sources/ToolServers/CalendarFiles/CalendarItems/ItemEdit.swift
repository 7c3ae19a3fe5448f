import DateLanguage
import ICalendar

/// The changes to an item; for a new one, all of its fields. What
/// is nil stays as it is.
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
    /// Of a new task without one the alarm is at `due`, if that is a time.
    package var alarm: Change<CalendarDuration>?
    package var recurrence: Change<RecurrenceRule>?
    /// The folder's name, or the name it shows; nil for a new item is the
    /// default one.
    package var list: String?

    // MARK: VTODO
    package var due: Change<ItemTime>?
    /// Of a new one: the next time is counted from completion.
    package var repeatsFromCompletion = false
    package var priority: Change<Int>?
    /// The UID of the reminder that this is a part of.
    package var parent: Change<String>?

    // MARK: VEVENT
    /// The start of the occurrence that is meant; the others of the scope move
    /// as far.
    package var start: ItemTime?
    /// Exclusive; without one the length stays.
    package var end: ItemTime?

    package init(
        title: String? = nil, due: ItemTime? = nil, start: ItemTime? = nil, end: ItemTime? = nil
    ) {
        (self.title, self.start, self.end) = (title, start, end)
        self.due = due.map { .set($0) }
    }

    /// What a phrase says beside when.
    package init(_ reading: ParsedPhrase) {
        title = reading.title
        recurrence = reading.recurrence.map { .set($0) }
        repeatsFromCompletion = reading.repeatsFromCompletion
        alarm = reading.hasNoAlarm ? .clear : reading.alarm.map { .set($0) }
        priority = reading.priority.map { .set($0) }
        if !reading.categories.isEmpty { categories = .set(reading.categories) }
        list = reading.list
    }

    /// A reminder as a phrase says it.
    package init(reminder reading: ParsedPhrase, in context: DateContext) {
        self.init(reading)
        due = reading.start.map { .set(ItemTime($0, of: reading, in: context)) }
    }

    package var isEmpty: Bool { self == ItemEdit() }

    /// Something that is written into the file itself, and not where it lies.
    package var changesContent: Bool {
        var other = self
        other.list = nil
        return !other.isEmpty
    }
}
