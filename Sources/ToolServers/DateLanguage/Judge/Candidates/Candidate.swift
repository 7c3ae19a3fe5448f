import Base
import ICalendar

/// A message considered as a new item: its parsed phrase, and what its words imply. Pure.
///
/// `MessageInterpreter` decides whether it is created, asked about or left to a model.
struct Candidate {
    /// The message, or the part of it that was parsed.
    let text: String
    let words: [String]
    let isQuestion: Bool
    let reading: ParsedPhrase
    /// The words of the reading's title.
    let title: [String]
    let context: DateContext
    /// The times in the message, including amounts before or after a time.
    let stretches: [Stretch]

    init(
        _ text: String, words: [String], isQuestion: Bool = false, reading: ParsedPhrase,
        context: DateContext
    ) {
        (self.text, self.words, self.isQuestion) = (text, words, isQuestion)
        (self.reading, self.context) = (reading, context)
        title = MessageInterpreter.words(reading.title)
        stretches = Stretch.all(of: reading, in: text, language: context.locale.language)
    }

    /// Whether the message says what to do or attend; an alarm needs no name, and "ping me
    /// in ten minutes" is complete.
    var isNamed: Bool {
        reading.hasOwnTitle || reading.isAlarm
            || ["ping", "buzz", "beep", "nudge", "alert", "notify"].contains(words.first)
                && hasExactClock
    }

    /// Whether the parsed time can be acted on; a time in the past never can.
    var isCertain: Bool {
        reading.isActedOn && !isPast
            && (reading.anchor.map { reading.lead == .reminder && Self.namesAppointment($0.words) }
                ?? true)
    }

    /// "before the dentist", "after lunch with Ida"; not "before sunset".
    private static func namesAppointment(_ text: String) -> Bool {
        let words = MessageInterpreter.words(text)
        return
            (words.first.map(Lexicon.namesAppointment) == true
            || words.contains(where: Lexicon.isAppointment))
            && !words.contains { Lexicon.has(.anyWords, $0) }
    }

    /// The words that the phrase does not account for; an alarm has a short name.
    var unused: [String] {
        let isNoName =
            reading.isAlarm && reading.hasOwnTitle
            && (title.count > 6 || MessageInterpreter.isDescription(title))
        return reading.unused + (isNoName ? [reading.title] : [])
    }

    // MARK: - Times in the message

    /// A part of the message that was parsed as a time, with its words.
    struct Stretch {
        var part: ParsedPhrase.Span.Part
        var range: Range<Int>
        var tokens: [Token]

        var words: [String] { tokens.filter { $0.kind != .sign }.map(\.text) }

        static func all(
            of reading: ParsedPhrase, in text: String, language: DateLocale.Language
        ) -> [Stretch] {
            let bytes = Array(text.utf8)
            return reading.spans.compactMap { span in
                guard Candidate.times.contains(span.part) || span.part == .alarm,
                    span.range.upperBound <= bytes.count
                else { return nil }
                let text = String(decoding: bytes[span.range], as: UTF8.self)
                return Stretch(
                    part: span.part, range: span.range,
                    tokens: Tokenizer.tokens(of: text, language: language))
            }
        }
    }

    static let times: Set<ParsedPhrase.Span.Part> = [.date, .time, .end, .duration, .recurrence]

    /// Whether the time may be a length: "timer 1:30" may be ninety minutes or seconds.
    var isLength: Bool {
        hasExactClock && stretches.contains { $0.tokens.contains { $0.lexeme.unit != nil } }
    }

    /// Whether there is a clock time, or whole days that the event lasts.
    var isExact: Bool {
        if case .date? = reading.start {
            return reading.kind == .event && title.first.map(Lexicon.isTaskVerb) == false
        }
        return hasExactClock
    }

    /// Whether there is a clock time or a duration, not just a part of the day: an alarm
    /// needs one.
    var hasExactClock: Bool {
        hasClock
            && stretches.contains { stretch in
                (stretch.part != .end || isDue(stretch)) && stretch.part != .alarm
                    && stretch.tokens.contains {
                        $0.kind == .digits || $0.lexeme.number != nil || $0.lexeme.part == .noon
                            || $0.lexeme.part == .midnight || $0.has(.half) || $0.has(.halfBefore)
                            || $0.has(.quarter) || $0.has(.article)
                    }
            }
    }

    /// "bis Freitag 18 Uhr" means by then.
    private func isDue(_ stretch: Stretch) -> Bool {
        reading.end == nil && stretch.words.first == "bis"
    }

    var hasClock: Bool { clock != nil }

    var clock: CivilDateTime? {
        if case .time(let clock)? = reading.start { clock } else { nil }
    }

    var namesDay: Bool {
        if reading.recurrence != nil { return true }
        // "tonight at 9", "Freitagabend um 8" name the day together with its part.
        return stretches.contains { stretch in
            stretch.part == .date || stretch.part == .end && isDue(stretch)
                || stretch.part == .time
                    && stretch.tokens.contains {
                        ($0.lexeme.weekday ?? $0.lexeme.offset) != nil || $0.text == "this"
                    }
        }
    }

    var isPast: Bool {
        guard reading.recurrence == nil, let start = reading.start else { return false }
        let now = context.local.civil(at: context.now)
        return switch start {
        case .date(let date): date < now.date
        case .time(let clock): clock < now
        }
    }
}
