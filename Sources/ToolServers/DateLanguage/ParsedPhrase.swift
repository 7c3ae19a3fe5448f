import Base
import ICalendar

/// The parsed content of a phrase such as "dentist next friday 2-3:30pm": a title, and its
/// dates and times. Pure value; made by `DateParser`.
///
/// Whether anything is created from it is decided elsewhere.
package struct ParsedPhrase: Sendable, Equatable {
    /// VTODO or VEVENT (RFC 5545 §3.6).
    package enum Kind: String, Sendable { case todo, event }

    /// A day, or a wall-clock time in the zone of the context.
    package enum Moment: Sendable, Hashable {
        case date(CivilDate)
        case time(CivilDateTime)

        package var date: CivilDate {
            switch self {
            case .date(let date): date
            case .time(let clock): clock.date
            }
        }

        /// Wall-clock seconds, for sorting moments.
        var order: Int {
            switch self {
            case .date(let date): date.dayNumber * 86_400
            case .time(let clock): clock.secondsAsUTC
            }
        }

        /// `2026-03-05` or `2026-03-05T17:00`.
        package var isoText: String {
            switch self {
            case .date(let date): date.isoText
            case .time(let clock):
                "\(date.isoText)T\(clock.clockText)"
                    + (clock.second == 0 ? "" : ":\(clock.second < 10 ? "0" : "")\(clock.second)")
            }
        }
    }

    /// A range of the phrase and its role.
    package struct Span: Sendable, Equatable {
        package enum Part: String, Sendable {
            case title, date, time, end, duration, recurrence, alarm, zone, priority, category,
                list, lead
        }

        package var part: Part
        /// UTF-8 offsets in the phrase.
        package var range: Range<Int>

        package init(_ part: Part, _ range: Range<Int>) {
            (self.part, self.range) = (part, range)
        }
    }

    /// Something to tell or ask the user before acting on the phrase.
    package enum Doubt: String, Sendable {
        /// The phrase names a time in the past ("yesterday at 5").
        case past
        /// Two readings are about equally good ("next friday"); see `alternatives`.
        case ambiguous
        /// A part looks like a date and was not understood.
        case leftover
        /// A weekday that does not match the date, or an end before its start.
        case contradictory
        /// Nothing says that it is an item; no model could be asked.
        case unclaimed
    }

    /// "an hour before my meeting with Bo": a time relative to an event whose time the
    /// phrase does not give.
    package struct Anchor: Sendable, Equatable {
        /// Offset from the event; negative if before it.
        package var offset: CalendarDuration
        /// The name of the event ("meeting with Bo").
        package var words: String
        /// Range of the name, in UTF-8 offsets of the phrase.
        package var range: Range<Int>
    }

    /// Another time of an item with several, with its own rule.
    package struct Occasion: Sendable, Equatable {
        package var start: Moment
        package var recurrence: RecurrenceRule?
    }

    package var title: String
    package var kind: Kind = .todo
    /// nil if the phrase has no time.
    package var start: Moment?
    /// The end: exclusive if it is a time, inclusive if it is a day.
    package var end: Moment?
    /// The other times of an item with several, in order ("at 9, 12 and 15"); none is
    /// before `start`.
    package var further: [Occasion] = []
    /// The event that the time depends on; `start` is then nil, or the day given for the event.
    package var anchor: Anchor?
    /// The rule. Its days are in `zone` if one is named, as `start` is kept in that zone: Mondays
    /// at 11 pm in New York are `BYDAY=MO` in Berlin, too.
    package var recurrence: RecurrenceRule?
    /// "every! 3 days": counted from completion.
    package var repeatsFromCompletion = false
    /// Offset from the start as in a TRIGGER; negative if before it.
    package var alarm: CalendarDuration?
    /// "no alarm": the item should not ring.
    package var hasNoAlarm = false
    /// IANA name of a zone that the phrase names ("3pm EST"); `start` and `end` are still
    /// in the context's zone.
    package var zone: String?
    /// 1 high, 5 medium, 9 low.
    package var priority: Int?
    package var categories: [String] = []
    package var list: String?
    package var spans: [Span] = []
    package var doubts: [Doubt] = []
    /// Words about time that are not part of this reading, in order.
    package var unused: [String] = []
    /// The lead-in: "remind me", "todo:", "add to my calendar:".
    var lead: Lexicon.Lead?
    /// Confidence of 0…1. From `DateParser.certain` it can be acted on without asking.
    package var confidence: Double = 1
    /// Other readings, best first; their own `alternatives` are empty.
    package var alternatives: [ParsedPhrase] = []

    package init(
        title: String, kind: Kind = .todo, start: Moment? = nil, confidence: Double = 1
    ) {
        (self.title, self.kind, self.start, self.confidence) = (title, kind, start, confidence)
    }

    /// One phrase for each of the given times.
    package var occasions: [ParsedPhrase] {
        var first = self
        first.further = []
        // "today and tomorrow at 9pm": the clock applies to both.
        if case .date(let date)? = start, case .time(let clock)? = further.first?.start,
            let time = CivilDateTime(date, hour: clock.hour, minute: clock.minute)
        {
            first.start = .time(time)
        }
        return [first]
            + further.map { occasion in
                var other = first
                (other.start, other.recurrence) = (occasion.start, occasion.recurrence)
                if case .time(let end)? = end, case .time(let start)? = first.start,
                    case .time(let moved) = occasion.start
                {
                    other.end = .time(
                        CivilDateTime(
                            secondsAsUTC: moved.secondsAsUTC + end.secondsAsUTC - start.secondsAsUTC
                        ))
                }
                return other
            }
    }

    /// Whether the phrase asks to be reminded or says that it is a task.
    package var hasLead: Bool { lead?.isTask == true }

    /// Whether words are left over for a title. If not, the parser substitutes a generic
    /// word, or the phrase.
    package var hasOwnTitle: Bool {
        !title.oneLine.isEmpty
            && (spans.isEmpty || spans.contains { $0.part == .title })
    }
}
