import Base
import ICalendar

/// What one message asks of the reminders and the calendar. Pure.
///
/// A question is looked for first, then a change, then something new. What
/// begins as a change is never read as something new: "turn off the alarm for
/// tomorrow" sets none.
package struct MessageInterpreter {
    let message: String
    let utterance: MessageText
    let context: DateContext
    let parse: (String) -> ParsedPhrase

    init(_ message: String, context: DateContext, parse: @escaping (String) -> ParsedPhrase) {
        self.message = message
        self.context = context
        self.parse = parse
        let isShort = message.utf8.count <= MessageText.lengthLimit
        utterance = MessageText(isShort ? message : "", language: context.locale.language)
    }

    func understanding() -> Understanding {
        guard message.utf8.count <= MessageText.lengthLimit, !utterance.words.isEmpty,
            !MessageForm.isPasted(message)
        else { return mentioned() }
        return question() ?? change() ?? creation() ?? mentioned()
    }

    // MARK: - Merely speaking of it

    /// Acts on nothing, but tells which tools a model may need.
    private func mentioned() -> Understanding {
        let words = String(message.prefix(4096)).lowercased()
            .split { !$0.isLetter && $0 != "-" }.map(String.init)
        if words.contains(where: { Lexicon.has(.reminderNouns, $0) }) {
            return Understanding(
                tools: ["list_reminders", "create_reminder", "complete_reminder"],
                reasoning: "speaks of reminders")
        }
        guard words.contains(where: { Lexicon.has(.calendarNouns, $0) }) else {
            return Understanding()
        }
        return Understanding(
            fallbackMessage:
                "Not understood without a model. To see what there is: chat calendar agenda",
            tools: ["list_events", "create_event", "edit_event", "find_free_time"],
            reasoning: "speaks of the calendar")
    }

    // MARK: - What the parts of a message share

    /// A time and nothing else; nil for anything else, or where it is not
    /// sure when.
    func time(_ text: String) -> ParsedPhrase? {
        guard !text.isEmpty else { return nil }
        if Lexicon.isUnsureTime(Self.words(text)) { return nil }
        let reading = parse(Self.time(text))
        guard reading.start != nil, !reading.hasOwnTitle, !reading.hasLead, reading.isActedOn,
            reading.recurrence == nil, reading.anchor == nil
        else { return nil }
        return reading
    }

    /// A bare number is an hour where a time is asked for.
    package static func time(_ text: String) -> String {
        text.utf8.count <= 2 && Int(text) != nil ? "at \(text)" : text
    }

    /// A number alone does not count: "snooze it for 10".
    func duration(_ text: String) -> CalendarDuration? {
        DurationParser.duration(of: text, bare: nil)
    }

    /// Words about one thing, as a title has them: not a sentence, no
    /// condition, not longer than people write.
    func isPlainTitle(_ title: String, limit: Int = 9) -> Bool {
        let words = Self.words(title)
        return !words.isEmpty && words.count <= limit
            && !title.contains(where: { "?;:,".contains($0) })
            && !Self.isClause(words)
            && !Leftovers.areIn(title, language: context.locale.language)
    }

    /// Holds a finite verb or its subject.
    static func isClause(_ words: [String]) -> Bool {
        words.contains { word in
            Lexicon.has(.finiteVerbs, word) || Lexicon.has(.subjects, word)
                || ["n't", "'m", "'re", "'ll", "'ve"].contains(where: word.hasSuffix)
        }
    }

    static func words(_ text: String) -> [String] { Tokenizer.words(of: text) }

    static func isPronoun(_ text: String) -> Bool {
        let word = text.lowercased()
        return Lexicon.has(.pronouns, word)
            || pronounPhrases.whole(word.cut(at: " ").map(String.init)) != nil
    }

    private static let pronounPhrases = PatternTable("pronoun phrases") { _ in () }

    func withoutArticle(_ text: String) -> String {
        var words = text.split(separator: " ").map(String.init)
        while words.count > 1, Lexicon.has(.articles, words[0].lowercased()) { words.removeFirst() }
        return words.joined(separator: " ")
    }

    /// "that thing we talked about": a description, no title.
    static func isDescription(_ words: [String]) -> Bool {
        isClause(words)
            || ["that", "which", "who"].contains(words.first ?? "")
            || words.contains {
                ["something", "whatever", "thing", "everything", "etwas", "was"].contains($0)
            }
    }

    static func isQuestionWord(_ word: String) -> Bool { Lexicon.has(.questionWords, word) }
}

extension ParsedPhrase {
    /// Sure enough to be done at once. Of two days that a phrase can name the
    /// usual one is taken ("next friday"): the answer says the date, and it
    /// can be undone.
    package var isActedOn: Bool {
        confidence >= DateParser.certain && doubts.allSatisfy { $0 == .ambiguous } && unused.isEmpty
    }
}
