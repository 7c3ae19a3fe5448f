import AgentCore
import FoundationEssentials
import ICalendar

/// The one-line question about a phrase that can be read in several ways, or
/// that names a time that is over; with the readings to pick from. Pure.
struct ReminderQuestion: Sendable {
    private let reading: ParsedPhrase
    private let phrase: String
    private let words: ItemText
    private let notUnderstood: [String]

    /// More would not be read.
    private static let limit = 4

    /// nil for a reading that can be acted on at once.
    init?(_ reading: ParsedPhrase, phrase: String, words: ItemText) {
        guard !Self.isCertain(reading, words: words) else { return nil }
        self.init(asking: reading, phrase: phrase, words: words)
    }

    /// Asks whatever the reading is.
    ///
    /// - Parameter notUnderstood: words that the reading leaves out.
    init(
        asking reading: ParsedPhrase, phrase: String, words: ItemText, notUnderstood: [String] = []
    ) {
        self.notUnderstood = notUnderstood
        self.reading = reading
        self.phrase = phrase
        self.words = words
    }

    static func isCertain(_ reading: ParsedPhrase, words: ItemText) -> Bool {
        reading.confidence >= DateParser.certain && reading.doubts.isEmpty
            && (reading.hasOwnTitle || reading.hasLead) && !isPast(reading, words: words)
    }

    static func isPast(_ reading: ParsedPhrase, words: ItemText) -> Bool {
        guard let start = reading.start, reading.recurrence == nil else { return false }
        return words.isPast(ItemTime(start, in: words.local))
    }

    var sentence: String {
        if !notUnderstood.isEmpty {
            return "Not understood: \(TextValue.oneLine(notUnderstood.joined(separator: ", "))). "
                + (reading.start == nil ? "When?" : "Is this meant?")
        }
        if reading.isAlarm, reading.start == nil { return "When?" }
        if reading.doubts.contains(.past) || Self.isPast(reading, words: words) {
            let when = reading.start.map { words.fullTime(ItemTime($0, in: words.local)) }
            let subject = when ?? "that time"
            return subject.prefix(1).uppercased() + subject.dropFirst() + " is over. What is meant?"
        }
        if reading.doubts.contains(.leftover) { return "Not all of it was understood. Is it this?" }
        return Self.isCertain(reading, words: words) ? "Is this a reminder?" : "Which is meant?"
    }

    /// - Parameter options: what was said beside the phrase, and stays.
    func output(options: CommandArguments? = nil) -> CommandOutput {
        var output = CommandOutput(lines: [StyledLine(sentence, .warning)])
        // A title cannot be guessed.
        guard reading.hasOwnTitle || reading.hasLead else {
            output.lines = [
                StyledLine("Nothing stored: the words say when, but not what.", .warning)
            ]
            output.outcome = .usage
            return output
        }
        var seen: Set<String> = []
        let said = reading.start == nil && asksWhen ? suggestions : [reading]
        let readings = (said + reading.alternatives).filter { reading in
            seen.insert(label(reading)).inserted
        }
        // One that is over is the last thing meant.
        let ordered =
            readings.filter { !Self.isPast($0, words: words) }
            + readings.filter { Self.isPast($0, words: words) }
        output.choices = ordered.prefix(Self.limit).map {
            CommandOutput.Choice(label($0), command: command($0, options: options))
        }
        let literal = reading.literal(of: phrase)
        if reading.hasOwnTitle, !reading.isAlarm,
            !readings.contains(where: { $0.start == nil && $0.title == literal })
        {
            output.choices.append(
                CommandOutput.Choice(
                    "\"\(literal)\", without a date",
                    command: command(ParsedPhrase(title: literal), options: options)))
        }
        return output
    }

    private var asksWhen: Bool { reading.isAlarm || !notUnderstood.isEmpty }

    /// Sensible times for what is to be at some time: in an hour, this evening,
    /// tomorrow morning.
    private var suggestions: [ParsedPhrase] {
        let now = words.local.civil(at: words.now)
        let hour = words.local.civil(at: words.now.addingTimeInterval(3600))
        let times = [
            CivilDateTime(hour.date, hour: hour.hour, minute: hour.minute),
            CivilDateTime(now.date, hour: 19, minute: 0),
            CivilDateTime(now.date.adding(days: 1), hour: 9, minute: 0),
        ].compactMap { $0 }.filter { $0 > now }
        return times.map { time in
            var reading = reading
            reading.start = .time(time)
            reading.anchor = nil
            return reading
        }
    }

    private func label(_ reading: ParsedPhrase) -> String {
        var reminder = Reminder(uid: "", title: reading.title)
        reminder.folder = words.defaultList
        reminder.due = reading.start.map { ItemTime($0, in: words.local) }
        reminder.recurrence = reading.recurrence?.text
        reminder.repeatsFromCompletion = reading.repeatsFromCompletion
        reminder.priority = reading.priority
        reminder.categories = reading.categories
        return words.full(reminder)
    }

    /// The line that would do it: exactly what was read, and no date read out
    /// of the title again.
    private func command(_ reading: ParsedPhrase, options: CommandArguments?) -> [String] {
        var command = ["reminders", "add", "--literal"]
        var given = options?.options ?? [:]
        func put(_ name: String, _ value: String?) {
            guard given[name] == nil, let value else { return }
            given[name] = [value]
        }
        put("--due", reading.start?.isoText)
        put("--repeat", reading.recurrence?.text)
        put("--alarm", reading.alarm?.text)
        put("--priority", reading.priority.map(String.init))
        put("--list", reading.list)
        if !reading.categories.isEmpty { given["--tag", default: []] += reading.categories }
        for (name, values) in given.sorted(by: { $0.key < $1.key }) {
            for value in values { command += [name, value] }
        }
        if reading.repeatsFromCompletion || options?.flags.contains("--from-done") == true {
            command.append("--from-done")
        }
        return command + ["--", reading.title]
    }
}

extension ParsedPhrase {
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
