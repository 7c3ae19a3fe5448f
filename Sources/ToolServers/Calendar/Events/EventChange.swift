import AgentCore
import ICalendar

/// What is to be different about an event, or one of its occurrences, or all
/// of them from one on. What is nil stays.
package struct EventChange: Sendable, Equatable {
    package enum Scope: String, Sendable, CaseIterable { case this, following, all }

    package enum Alarm: Sendable, Equatable {
        case none
        case fromStart(CalendarDuration)
    }

    package enum Rule: Sendable, Equatable {
        case none
        case rule(RecurrenceRule)
    }

    package var title: String?
    /// The start of the occurrence that is meant; the others of the scope move
    /// as far.
    package var start: ItemTime?
    /// Exclusive; without one the length stays.
    package var end: ItemTime?
    /// Empty takes it away.
    package var location: String?
    package var notes: String?
    package var categories: [String]?
    package var alarm: Alarm?
    package var rule: Rule?
    /// The collection it goes to, with all occurrences.
    package var calendar: String?

    package init(title: String? = nil, start: ItemTime? = nil, end: ItemTime? = nil) {
        (self.title, self.start, self.end) = (title, start, end)
    }

    package var isEmpty: Bool { self == EventChange() }
}

/// Why an event is not changed as asked. Facts only.
package struct EventChangeError: Error, Sendable, Equatable {
    package enum Reason: String, Sendable {
        /// Somebody removed it, or this occurrence, in the meantime.
        case gone
        /// It would end before it starts.
        case endsBeforeStart
        /// The rule says its days or times in a way that does not move with
        /// the start.
        case ruleDoesNotMove
        /// Its rules cannot be followed, or not be cut there into two that give
        /// the same times.
        case rulesDoNotSplit
        /// Whether a thing repeats is for all of it, not for one occurrence.
        case ruleOfOne
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}
