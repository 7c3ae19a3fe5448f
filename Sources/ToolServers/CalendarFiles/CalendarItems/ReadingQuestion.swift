import AgentCore
import Base
import DateLanguage
import FoundationEssentials
import ICalendar

/// The one-line question about a phrase that is ambiguous or refers to a past
/// time, with the readings to choose from. Pure.
package struct ReadingQuestion: Sendable {
    package let reading: ParsedPhrase
    package let isEvent: Bool
    package let text: ItemText
    /// Parts of the phrase not covered by the reading.
    package let notUnderstood: [String]

    package init(
        reading: ParsedPhrase, isEvent: Bool, text: ItemText, notUnderstood: [String] = []
    ) {
        self.reading = reading
        self.isEvent = isEvent
        self.text = text
        let isDoubted = isEvent || reading.doubts.contains(.leftover)
        var words = notUnderstood.isEmpty && isDoubted ? reading.unused : notUnderstood
        if words.isEmpty, let anchor = reading.anchor { words = ["when \"\(anchor.words)\" is"] }
        self.notUnderstood = words
    }

    /// Maximum number of choices; more would not be read.
    private static let limit = 4

    /// Whether it can be acted on without asking.
    package var isCertain: Bool {
        reading.confidence >= DateParser.certain && reading.doubts.isEmpty
            && notUnderstood.isEmpty
            && (isEvent || (reading.hasOwnTitle || reading.hasLead) && !isPast(reading))
    }

    private func isPast(_ reading: ParsedPhrase) -> Bool {
        guard let start = reading.start, reading.recurrence == nil else { return false }
        return text.isPast(ItemTime(start, in: text.local))
    }

    var sentence: String {
        if reading.doubts.contains(.contradictory) {
            let words = notUnderstood.isEmpty ? reading.unused : notUnderstood
            return "These do not fit together: \(words.joined(separator: ", ").oneLine). "
                + "Which do you mean?"
        }
        if !notUnderstood.isEmpty {
            return "Not understood: \(notUnderstood.joined(separator: ", ").oneLine). "
                + (reading.start == nil ? "When?" : "Is this what you mean?")
        }
        if reading.isAlarm, reading.start == nil { return "When?" }
        if reading.doubts.contains(.past) || !isEvent && isPast(reading) {
            let when = reading.start.map { text.fullTime(ItemTime($0, in: text.local)) }
            let subject = when ?? "that time"
            return subject.prefix(1).uppercased() + subject.dropFirst() + " is over. "
                + (isEvent && reading.alternatives.isEmpty
                    ? "Add it all the same?" : "What do you mean?")
        }
        let isOffer = reading.doubts == [.unclaimed]
        if !isCertain, !isOffer { return "Which do you mean?" }
        return (isOffer ? "No model is connected. " : "")
            + (isEvent ? "Add this to the calendar?" : "Is this a reminder?")
    }

    /// - Parameters:
    ///   - readings: alternatives to the reading itself.
    ///   - choice: nil for a reading that cannot be acted on.
    package func output(
        _ readings: [ParsedPhrase]? = nil, as choice: (ParsedPhrase) -> CommandOutput.Choice?
    ) -> CommandOutput {
        var seen: Set<String> = []
        let all = ((readings ?? [reading]) + reading.alternatives).compactMap { each in
            choice(each).map { (choice: $0, isPast: isPast(each)) }
        }.filter { seen.insert($0.choice.label).inserted }
        var output = CommandOutput(lines: [StyledLine(sentence, .warning)])
        // Past readings are the least likely and come last.
        output.choices = (all.filter { !$0.isPast } + all.filter(\.isPast)).prefix(Self.limit)
            .map(\.choice)
        return output
    }
}
