import AgentCore
import ICalendar

/// What a new reminder is made of. Every field but the title may be missing.
package struct ReminderDraft: Sendable, Equatable {
    package var title: String
    package var due: ItemTime?
    package var recurrence: RecurrenceRule?
    package var repeatsFromCompletion = false
    /// When to alert, from `due`; nil is at `due`, if that is a time.
    package var alarm: CalendarDuration?
    package var notes: String?
    package var priority: Int?
    package var categories: [String] = []
    /// The folder's name, or the name it shows; nil is the default list.
    package var list: String?
    /// The UID of the reminder that this is a part of.
    package var parent: String?

    package init(title: String, due: ItemTime? = nil) {
        self.title = title
        self.due = due
    }

    /// What a phrase says. A time whose zone it names is kept in that zone: at
    /// nine in London it stays nine there.
    package init(_ reading: Reading, in context: DateContext) {
        title = reading.title
        due = reading.start.map { ItemTime($0, in: context.local) }
        if let due, !due.isDate, let zone = reading.zone.flatMap({ context.zones.rules(named: $0) })
        {
            self.due = ItemTime(due.instant(in: context.local), in: LocalTime(zone))
        }
        recurrence = reading.recurrence
        repeatsFromCompletion = reading.repeatsFromCompletion
        alarm = reading.alarm
        priority = reading.priority
        categories = reading.categories
        list = reading.list
    }
}

/// What is to be changed in a reminder; nil leaves a field as it is.
package struct ReminderEdit: Sendable, Equatable {
    package enum Change<Value: Sendable & Equatable>: Sendable, Equatable {
        case set(Value)
        case clear

        package var value: Value? {
            if case .set(let value) = self { value } else { nil }
        }
    }

    package var title: String?
    package var due: Change<ItemTime>?
    package var recurrence: Change<RecurrenceRule>?
    package var alarm: Change<CalendarDuration>?
    package var notes: Change<String>?
    package var priority: Change<Int>?
    package var categories: Change<[String]>?
    package var parent: Change<String>?
    package var list: String?

    package init(title: String? = nil, due: Change<ItemTime>? = nil) {
        (self.title, self.due) = (title, due)
    }

    package var isEmpty: Bool { self == ReminderEdit() }

    /// Something that is written into the file itself, and not where it lies.
    var changesContent: Bool {
        var other = self
        other.list = nil
        return !other.isEmpty
    }
}

extension Reading {
    /// The phrase without its lead-in ("remind me to"), dates and all.
    func literal(of phrase: String) -> String {
        let lead = spans.filter { $0.part == .lead }.first { $0.range.lowerBound == 0 }
        let bytes = Array(phrase.utf8)
        guard let end = lead?.range.upperBound, end < bytes.count else { return phrase }
        let rest = TextValue.oneLine(String(decoding: bytes[end...], as: UTF8.self))
        let text = rest.drop { ":,- ".contains($0) }
        return text.isEmpty ? phrase : String(text)
    }
}

extension ItemTime {
    /// A wall clock of the reader's own place.
    package init(_ moment: Reading.Moment, in local: LocalTime) {
        switch moment {
        case .date(let date): self = .date(date)
        case .time(let clock): self = .time(clock, zone: local.rules)
        }
    }
}
