import Base
import ICalendar

/// What a phrase such as "dentist next friday 2-3:30pm" says: a title, and
/// what is said about when. Pure value; made by `DateParser`.
///
/// Whether anything is created from it is decided elsewhere.
package struct ParsedPhrase: Sendable, Equatable {
    /// VTODO or VEVENT (RFC 5545 §3.6).
    package enum Kind: String, Sendable { case todo, event }

    /// A day, or a wall clock in the zone of the context.
    package enum Moment: Sendable, Hashable {
        case date(CivilDate)
        case time(CivilDateTime)

        package var date: CivilDate {
            switch self {
            case .date(let date): date
            case .time(let clock): clock.date
            }
        }

        /// Seconds on a wall clock, for putting moments in order.
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

    /// What a stretch of the phrase was taken for.
    package struct Span: Sendable, Equatable {
        package enum Part: String, Sendable {
            case title, date, time, end, duration, recurrence, alarm, zone, priority, category,
                list, lead
        }

        package var part: Part
        /// UTF-8 offsets in the phrase.
        package var range: Range<Int>

        package init(_ part: Part, _ range: Range<Int>) {
            self.part = part
            self.range = range
        }
    }

    /// What to tell or ask the user before acting on it.
    package enum Doubt: String, Sendable {
        /// The phrase itself names a time that is over ("yesterday at 5").
        case past
        /// Two readings are about as good ("next friday"); see `alternatives`.
        case ambiguous
        /// A stretch looks like a date and was not understood.
        case leftover
        /// A weekday that the date is not, an end before its start.
        case contradictory
    }

    /// "an hour before my meeting with Bo": when, by a thing whose time the
    /// phrase does not say.
    package struct Anchor: Sendable, Equatable {
        /// Before the thing when negative.
        package var offset: CalendarDuration
        /// What the thing is called ("meeting with Bo").
        package var words: String
        /// Where that stands, in UTF-8 offsets of the phrase.
        package var range: Range<Int>
    }

    /// Another time of what is to be done several times, with the rule of its own.
    package struct Occasion: Sendable, Equatable {
        package var start: Moment
        package var recurrence: RecurrenceRule?
    }

    package var title: String
    package var kind: Kind = .todo
    /// nil without a time.
    package var start: Moment?
    /// A time is exclusive; a day is the last day, inclusive.
    package var end: Moment?
    /// The other times of what is to be done several times, in order ("at 9,
    /// 12 and 15"); none is before `start`.
    package var further: [Occasion] = []
    /// `start` is then nil, or the day that is said of the thing.
    package var anchor: Anchor?
    /// Its days are those of `zone` where one is named, as `start` will be
    /// kept in it: Mondays at 11 pm in New York are `BYDAY=MO` in Berlin, too.
    package var recurrence: RecurrenceRule?
    /// "every! 3 days": counted from when it is done.
    package var repeatsFromCompletion = false
    /// Before the start when negative, as a TRIGGER is.
    package var alarm: CalendarDuration?
    /// "no alarm": it is not to ring.
    package var hasNoAlarm = false
    /// IANA name of a zone that the phrase names ("3pm EST"); `start` and
    /// `end` are in the context's zone all the same.
    package var zone: String?
    /// 1 high, 5 medium, 9 low.
    package var priority: Int?
    package var categories: [String] = []
    package var list: String?
    package var spans: [Span] = []
    package var doubts: [Doubt] = []
    /// What speaks of time in the phrase and says nothing of this reading, in
    /// order.
    package var unused: [String] = []
    /// What leads in: "remind me", "todo:", "add to my calendar:".
    var lead: Lexicon.Lead?
    /// 0…1. From `DateParser.certain` on it can be acted on without a question.
    package var confidence: Double = 1
    /// Other readings, the best first; their own `alternatives` are empty.
    package var alternatives: [ParsedPhrase] = []

    package init(
        title: String, kind: Kind = .todo, start: Moment? = nil, confidence: Double = 1
    ) {
        self.title = title
        self.kind = kind
        self.start = start
        self.confidence = confidence
    }

    /// One reading for each of the times given.
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

    /// The phrase asks to be reminded or says that it is a task.
    package var hasLead: Bool { lead?.isTask == true }

    /// Words are left over for a title. Without any, the parser gives a word
    /// that stands for one, or the phrase.
    package var hasOwnTitle: Bool {
        !title.oneLine.isEmpty
            && (spans.isEmpty || spans.contains { $0.part == .title })
    }
}
