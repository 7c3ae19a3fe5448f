import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The question about a phrase for a new reminder; see `ReadingQuestion`. Pure.
struct ReminderQuestion: Sendable {
    private let question: ReadingQuestion
    private let phrase: String
    private var reading: ParsedPhrase { question.reading }
    private var words: ItemText { question.text }

    /// nil if the reading can be acted on at once.
    init?(_ reading: ParsedPhrase, phrase: String, words: ItemText) {
        self.init(asking: reading, phrase: phrase, words: words)
        if question.isCertain { return nil }
    }

    /// Asks regardless of the reading.
    ///
    /// - Parameter notUnderstood: words not covered by the reading.
    init(
        asking reading: ParsedPhrase, phrase: String, words: ItemText, notUnderstood: [String] = []
    ) {
        self.phrase = phrase
        question = ReadingQuestion(
            reading: reading, isEvent: false, text: words, notUnderstood: notUnderstood)
    }

    /// - Parameter options: options given with the phrase; they are kept.
    func output(options: CommandArguments? = nil) -> CommandOutput {
        // A title cannot be guessed.
        guard reading.hasOwnTitle || reading.hasLead else {
            return CommandOutput(
                lines: [StyledLine("Nothing stored: the words say when, but not what.", .warning)],
                outcome: .usage)
        }
        let asksWhen = reading.isAlarm || !question.notUnderstood.isEmpty
        let readings = reading.start == nil && asksWhen ? suggestions : [reading]
        var output = question.output(readings) {
            CommandOutput.Choice(label($0), command: command($0, options: options))
        }
        let literal = reading.literal(of: phrase)
        let isPlain = reading.start == nil && question.notUnderstood.isEmpty
        if reading.hasOwnTitle, !reading.isAlarm, !isPlain,
            !(readings + reading.alternatives).contains(where: {
                $0.start == nil && $0.title == literal
            })
        {
            output.choices.append(
                CommandOutput.Choice(
                    "\"\(literal)\", without a date",
                    command: command(ParsedPhrase(title: literal), options: options)))
        }
        return output
    }

    /// Sensible suggestions for a reminder without a time: in an hour, this
    /// evening, tomorrow morning.
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

    /// The command line for a reading: exactly what was read, without reading a
    /// date out of the title again.
    private func command(_ reading: ParsedPhrase, options: CommandArguments?) -> [String] {
        var command = ["reminders", "add", "--literal"]
        var given: [String: [String]] = [:]
        let fields = RemindersServer.draftFields(isNew: true)
        for option in fields.compactMap(\.option).flatMap(\.names) {
            given[option] = options?.values(option).first.map { _ in options?.values(option) ?? [] }
        }
        func put(_ name: String, _ value: String?) {
            guard given[name] == nil, let value else { return }
            given[name] = [value]
        }
        put("--due", reading.start?.isoText)
        put("--repeat", reading.recurrence?.text)
        put("--alarm", reading.hasNoAlarm ? "none" : reading.alarm?.text)
        put("--priority", reading.priority.map(String.init))
        put("--list", reading.list)
        if !reading.categories.isEmpty { given["--tag", default: []] += reading.categories }
        for (name, values) in given.sorted(by: { $0.key < $1.key }) {
            for value in values { command += [name, value] }
        }
        if reading.repeatsFromCompletion || options?.has("--from-done") == true {
            command.append("--from-done")
        }
        return command + ["--", reading.title]
    }
}

extension ParsedPhrase {
    /// The phrase without its lead-in ("remind me to"), including dates.
    func literal(of phrase: String) -> String {
        let lead = spans.filter { $0.part == .lead }.first { $0.range.lowerBound == 0 }
        let bytes = Array(phrase.utf8)
        guard let end = lead?.range.upperBound, end < bytes.count else { return phrase }
        let rest = String(decoding: bytes[end...], as: UTF8.self).oneLine
        let text = rest.drop { ":,- ".contains($0) }
        return text.isEmpty ? phrase : String(text)
    }
}
