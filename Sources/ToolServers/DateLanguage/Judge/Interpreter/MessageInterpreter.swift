import Base
import ICalendar

/// Decides what one message asks of the reminders and the calendar. Pure.
///
/// The message is tried as a question, then as a refusal, then as a change, then as a new item. One
/// that begins like a change is never parsed as a new item: "turn off the alarm for tomorrow" sets
/// no alarm.
package struct MessageInterpreter {
    let message: String
    let utterance: MessageText
    let context: DateContext
    let parse: (String) -> ParsedPhrase

    init(_ message: String, context: DateContext, parse: @escaping (String) -> ParsedPhrase) {
        (self.context, self.parse) = (context, parse)
        let isShort = message.utf8.count <= MessageText.lengthLimit
        let message = isShort ? Self.joined(message, parse) : message
        self.message = message
        utterance = MessageText(
            isShort ? Self.spaced(message) : "", language: context.locale.language)
    }

    /// "Remind me: passport photos. Saturday, 10 a.m." as one sentence, if only one of its
    /// sentences names something and the others give the time.
    private static func joined(
        _ message: String, _ parse: (String) -> ParsedPhrase
    ) -> String {
        let sentences = MessageForm.sentences(message)
        guard (2...4).contains(sentences.count), !message.contains(where: \.isNewline),
            sentences.dropLast().allSatisfy({ $0.last != "?" })
        else { return message }
        let readings = sentences.map(parse)
        guard readings.filter(\.hasOwnTitle).count == 1,
            readings.allSatisfy({
                $0.hasOwnTitle || $0.unused.isEmpty && ($0.start != nil || $0.hasLead)
            })
        else { return message }
        return sentences.dropLast().map { String($0.dropLast()) + ", " }.joined()
            + (sentences.last ?? "")
    }

    /// "10-Minuten-Timer", "7-Uhr-Wecker", split into their words.
    private static func spaced(_ message: String) -> String {
        guard message.utf8.contains(UInt8(ascii: "-")) else { return message }
        return message.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let parts = word.split(separator: "-")
            let noun = parts.last?.filter(\.isLetter) ?? ""
            return word.first?.isNumber == true && Lexicon.kind(of: noun) != nil
                ? parts.joined(separator: " ") : String(word)
        }.joined(separator: " ")
    }

    func understanding() -> Understanding {
        guard message.utf8.count <= MessageText.lengthLimit, !utterance.words.isEmpty,
            !MessageForm.isPasted(message)
        else {
            // "he said after 3. 3:10 then"
            let isSaid = utterance.words.count <= 16 && !message.contains(where: \.isNewline)
            return (isSaid && message.first?.isLetter == true ? inClauses() : nil) ?? mentioned()
        }
        return question() ?? correction() ?? denied() ?? change() ?? creation()
            ?? mentioned(isUnclaimed: true)
    }

    // MARK: - Refusals

    /// "no dentist tomorrow", "weck mich nicht um 7": creates nothing. If an item of that
    /// name exists, the user is asked whether to cancel it.
    private func denied() -> Understanding? {
        let words = utterance.words
        guard let index = words.indices.first(where: { MessageText.denies(words, $0) }),
            deniesAll(index)
        else { return nil }
        // "wake me at 7, not at 8" still gives a time.
        let (before, after) = (utterance.text(0..<index), utterance.text(from: index + 1))
        let isOfTime = time(after) != nil || Lexicon.kind(of: after) != nil
        // "ring Bo at 6, not before" as well.
        let isNot = index > 0 && words[index - 1] == "," && ["not", "nicht"].contains(words[index])
        if index > 0, isOfTime || isNot, case .time? = parse(before).start {
            return part(before).doubted(utterance.text(from: index))
        }
        let start =
            index > 0 && ["do", "does", "did"].contains(words[index - 1]) ? index - 1 : index
        let rest = [utterance.text(0..<start), utterance.text(from: index + 1)]
            .filter { !$0.isEmpty }.joined(separator: " ")
        switch part(rest).understanding().act {
        case .change, .undo: return notUnderstood()
        case .store, .ask: break
        // "no dentist after all"
        case nil where words.count <= 3 && isPlainTitle(rest): break
        default: return index == 0 && words[0] == "no" && time(after) != nil ? nil : mentioned()
        }
        guard let target = timed(rest), target.title != nil else { return mentioned() }
        return result(
            .init(
                verb: .delete, title: target.title, occasion: target.occasion, kind: target.kind,
                asksFirst: true, actsIfExact: target.occasion == .any), isOnline: false)
    }

    /// A new item for which `words` are not understood.
    private func doubted(_ words: String) -> Understanding {
        guard var understanding = creation() else { return mentioned() }
        if case .store(let readings, let kind)? = understanding.act, let reading = readings.first {
            understanding.act = .ask(reading, kind)
        }
        (understanding.online, understanding.offline) = (.model, .ask)
        understanding.unused.append(words)
        return understanding
    }

    /// Whether the negation applies to the whole message, not to a word of the task
    /// ("remind me not to be late"), a time ("not on holidays") or a change ("not done:
    /// …").
    private func deniesAll(_ index: Int) -> Bool {
        let words = utterance.words
        let isOfChange = Lexicon.all.contains {
            $0.changes.matches(words).contains { $0.end > index }
        }
        let reading = parse(utterance.text)
        let offset = utterance.offset(of: index)
        let owner = reading.spans.first { $0.range.contains(offset) }?.part
        let isCondition = words[..<index].contains { Lexicon.has(.clauseOpeners, $0) }
        guard !isOfChange, !isCondition, owner == nil || owner == .title else { return false }
        guard [.reminder, .task].contains(reading.lead),
            reading.spans.contains(where: { $0.part == .lead && $0.range.upperBound <= offset })
        else { return true }
        guard index + 1 < words.count else { return false }
        let next = utterance.offset(of: index + 1)
        return Lexicon.has(.prepositions, words[index + 1])
            && !["to", "zu"].contains(words[index + 1])
            || reading.spans.contains {
                Candidate.times.contains($0.part) && $0.range.contains(next)
            }
    }

    // MARK: - Mentions

    /// An understanding without an act that names the tools a model may need.
    private func mentioned(isUnclaimed: Bool = false) -> Understanding {
        let words = String(message.prefix(4096)).lowercased()
            .split { !$0.isLetter && $0 != "-" }.map(String.init)
        if words.contains(where: { Lexicon.has(.reminderNouns, $0) }) {
            return Understanding(
                isUnclaimed: isUnclaimed,
                tools: ["list_reminders", "create_reminder", "complete_reminder"],
                reasoning: "speaks of reminders")
        }
        guard words.contains(where: { Lexicon.has(.calendarNouns, $0) }) else {
            return Understanding(isUnclaimed: isUnclaimed)
        }
        return Understanding(
            isUnclaimed: isUnclaimed,
            fallbackMessage:
                "Not understood without a model. To see what there is: chat calendar agenda",
            tools: ["list_events", "create_event", "edit_event", "find_free_time"],
            reasoning: "speaks of the calendar")
    }

    // MARK: - Helpers

    func part(_ text: String) -> MessageInterpreter {
        MessageInterpreter(text, context: context, parse: parse)
    }

    /// A time and nothing else; nil for anything else, or if the time is uncertain.
    func time(_ text: String) -> ParsedPhrase? {
        guard !text.isEmpty else { return nil }
        if Lexicon.isUnsureTime(Self.words(text)) { return nil }
        let reading = parse(Self.time(text, context))
        guard reading.start != nil, !reading.hasOwnTitle, !reading.hasLead, reading.isActedOn,
            reading.recurrence == nil, reading.anchor == nil, reading.list == nil
        else { return nil }
        return reading
    }

    /// A bare number is an hour when a time is expected.
    package static func time(_ text: String, _ context: DateContext) -> String {
        guard text.utf8.count <= 2, Int(text) != nil else { return text }
        return (context.locale.language == .german ? "um " : "at ") + text
    }

    /// The length; nil for a bare number: "snooze it for 10".
    func duration(_ text: String) -> CalendarDuration? {
        DurationParser.duration(of: text, bare: nil)
    }

    /// Whether the words name one thing like a title: not a sentence, no condition, not
    /// longer than people write.
    func isPlainTitle(_ title: String, limit: Int = 9) -> Bool {
        let words = Self.words(title)
        return !words.isEmpty && words.count <= limit
            && !title.contains(where: { "?;:,".contains($0) })
            && !Self.isClause(words)
            && !Leftovers.areIn(title, language: context.locale.language)
    }

    /// Whether the words contain a finite verb or its subject.
    static func isClause(_ words: some Collection<String>) -> Bool {
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
        while words.count > 1, case let word = words[0].lowercased(),
            Lexicon.has(.articles, word) || Lexicon.has(.closings, word)
        { words.removeFirst() }
        return words.joined(separator: " ")
    }

    /// "that thing we talked about": a description, not a title.
    static func isDescription(_ words: [String]) -> Bool {
        isClause(words)
            || ["that", "which", "who"].contains(words.first ?? "")
            || words.contains {
                Lexicon.has(.vagueThings, $0)
            }
    }

    static func isQuestionWord(_ word: String) -> Bool { Lexicon.has(.questionWords, word) }
}

extension ParsedPhrase {
    /// Whether the phrase is certain enough to be acted on at once. If it can name two
    /// days, the usual one is taken ("next friday"): the answer gives the date, and it can
    /// be undone.
    package var isActedOn: Bool {
        confidence >= DateParser.certain && doubts.allSatisfy { $0 == .ambiguous } && unused.isEmpty
    }
}
