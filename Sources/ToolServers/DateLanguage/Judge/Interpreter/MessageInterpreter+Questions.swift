import Base

/// Parses questions about existing items: the agenda, free time, lists.
extension MessageInterpreter {
    func question() -> Understanding? {
        patterned() ?? periodAlone() ?? whetherThen() ?? whetherNoted()
    }

    private func patterned() -> Understanding? {
        let words = utterance.words
        guard let (meaning, end, between) = Lexicon.first({ $0.questions.closed(words) })
        else { return nil }
        let rest = utterance.text(between)
        switch meaning.topic {
        case .agenda:
            // "was ist morgen fällig"
            if let last = words.last, ["due", "fällig"].contains(last), end < words.count {
                return reminders(
                    .due, words, Array(words[end...]), utterance.text(end..<words.count - 1))
            }
            // "was steht am 20. in meinem Kalender"
            let place = Self.place(Array(words[end...]))
            let asked = place?.0 == .event ? utterance.text(end..<end + (place?.1 ?? 0)) : rest
            let said = asked.isEmpty ? impliedPeriod : asked
            guard
                let period = said.isEmpty && listsEvents
                    ? .upcoming(context) : period(said)
            else { return nil }
            let namesIt = words.contains { Lexicon.has(.calendarNames, $0) }
            return answer(
                .agenda(period), isOnline: !meaning.isOpen && (namesIt || end < words.count),
                ["list_events"])
        case .free, .busy:
            if words[0] == "is", !words[end...].contains(where: { ["free", "open"].contains($0) }) {
                return nil
            }
            return period(rest).map {
                answer(
                    .free($0, isBusyAsked: meaning.topic == .busy), isOnline: true,
                    ["find_free_time"])
            }
        case .when: return titled(rest).map(when)
        case .next: return next(words, rest)
        case .find:
            return titled(rest).map {
                answer(.find($0), isOnline: false, ["search_reminders", "list_events"])
            }
        case .list:
            // "my shopping list"
            let name = utterance.words[end...].dropLast()
            let isOneWord = name.isEmpty && utterance.words.last?.hasSuffix("liste") == true
            guard utterance.words.last == "list" && (1...3).contains(name.count) || isOneWord else {
                return nil
            }
            let title = isOneWord ? rest : utterance.text(end..<words.count - 1)
            return answer(
                .reminders(ReminderQuery(list: title)), isOnline: false, ["list_reminders"])
        case .reminders, .due, .overdue, .completed:
            return reminders(meaning.topic, words, Array(words[end...]), rest)
        }
    }

    /// "show friday", "events tomorrow", "and monday?", "is monday at 9 free?", "next week":
    /// asking words and a period, and nothing else.
    private func periodAlone() -> Understanding? {
        let words = utterance.words
        guard !utterance.isCorrection, !Lexicon.has(.subjects, words[0]),
            !words.contains(where: { Lexicon.has(.negations, $0) })
        else { return nil }
        let isAsking = { (word: String) in Lexicon.has(.askingWords, word) }
        let start = words.firstIndex { !isAsking($0) } ?? words.count
        let end = max(start, (words.lastIndex { !isAsking($0) } ?? -1) + 1)
        let asking = words[..<start] + words[end...]
        let isMine = asking.contains { Lexicon.has(.subjects, $0) }
        let isFree =
            asking.contains { Lexicon.has(.freeWords, $0) }
            || isMine && asking.contains { ["time", "zeit"].contains($0) }
        // "off friday", "work monday", "time tomorrow" name something.
        guard isFree || isMine || !asking.contains(where: { Lexicon.has(.ownAskingWords, $0) })
        else { return nil }
        if start == end {
            return listsEvents && !words.contains { ["what", "how", "was", "wie"].contains($0) }
                ? answer(.agenda(.upcoming(context)), isOnline: false, ["list_events"]) : nil
        }
        var text = utterance.text(start..<end)
        if text.hasSuffix("'s") || text.hasSuffix("’s") { text.removeLast(2) }
        let tokens = Tokenizer.tokens(of: text, language: context.locale.language)
        let isAsked = asking.contains { !Lexicon.has(.prepositions, $0) }
        // "on friday", "sun" and "week" alone may mean anything.
        guard
            isAsked || utterance.isQuestion && asking.isEmpty
                || asking.isEmpty
                    && (tokens.count > 1
                        || !tokens.contains { $0.has(.doubtful) || $0.lexeme.unit != nil }),
            Period.whole(text, context: context, parse: parse) != nil
                || tokens.contains(where: \.lexeme.isTemporal) && time(text) != nil,
            let period = period(text),
            isFree
                || !period.isMoment
                    && (period.hours == nil || !text.contains(where: \.isNumber))
        else { return nil }
        let act: Understanding.Act =
            isFree ? .free(period, isBusyAsked: false) : .agenda(period)
        var understanding = answer(
            act, isOnline: false, [isFree ? "find_free_time" : "list_events"])
        // Right after an answer of the model, "and monday?" is about that answer.
        understanding.refersBack = true
        return understanding
    }

    /// "is the dentist on friday?"
    private func whetherThen() -> Understanding? {
        let words = utterance.words
        guard utterance.isQuestion, words.count > 3, ["is", "ist"].contains(words[0]),
            Lexicon.has(.articles, words[1]), !["a", "an"].contains(words[1]),
            let target = timed(utterance.text(from: 1)), target.occasion.day != nil,
            let title = target.title.flatMap(titled), Self.words(title).count <= 3
        else { return nil }
        return when(title)
    }

    /// "did I put the scan in for the 23rd?", "habe ich den Ölwechsel eingetragen?"
    private func whetherNoted() -> Understanding? {
        let words = utterance.words
        guard words.count > 3, ["did", "have", "habe", "hab"].contains(words[0]),
            Lexicon.has(.subjects, words[1]),
            let verb = words.firstIndex(where: { Lexicon.has(.notedVerbs, $0) }),
            verb == 2 || verb == words.count - 1
        else { return nil }
        let said = utterance.text(verb == 2 ? 3..<words.count : 2..<verb)
        var title = parse(said).title
        for end in [" in", " down", " up"] where title.hasSuffix(end) {
            title.removeLast(end.count)
        }
        return titled(title).map { answer(.find($0), isOnline: false, ["list_events"]) }
    }

    /// "my events", "what is coming up", "show my calendar"
    private var listsEvents: Bool {
        let words = utterance.words
        return words.contains { Lexicon.has(.upcomingWords, $0) }
            || ["calendar", "kalender"].contains(words.last ?? "")
                && !["what", "was"].contains(words[0])
    }

    /// "what does my week look like", "tomorrow's agenda"
    private var impliedPeriod: String {
        utterance.words.lazy.compactMap { Self.impliedPeriods.whole([$0]) }.first ?? ""
    }

    private static let impliedPeriods = PatternTable("implied periods") { $0 }

    private func answer(
        _ act: Understanding.Act, isOnline: Bool, _ tools: [String]
    ) -> Understanding {
        Understanding(
            act: act, online: isOnline ? .answer : .model, offline: .answer, tools: tools,
            reasoning: "asks what is there")
    }

    /// Asks for an item's time; the name in "my dentist appointment" is "dentist".
    private func when(_ title: String) -> Understanding {
        var words = title.split(separator: " ")
        if words.count > 1, Lexicon.kind(of: words[words.count - 1].lowercased()) == .event {
            words.removeLast()
        }
        return answer(.when(words.joined(separator: " ")), isOnline: false, ["list_events"])
    }

    private func period(_ text: String) -> Period? {
        Period(text, context: context, parse: parse)
    }

    /// The name in a question, if it can be a title.
    private func titled(_ text: String) -> String? {
        var title = withoutArticle(text)
        for lead in ["next ", "nächste ", "nächster "] where title.lowercased().hasPrefix(lead) {
            title.removeFirst(lead.count)
        }
        return isPlainTitle(title, limit: 6) && !Self.isPronoun(title)
            && Set(Self.words(title)).isDisjoint(with: ["all", "every", "any", "alle"])
            ? title : nil
    }

    private func next(_ words: [String], _ rest: String) -> Understanding? {
        if rest.isEmpty {
            let kind = words.lazy.compactMap(Lexicon.kind).first
            return answer(.next(kind), isOnline: false, ["list_events", "list_reminders"])
        }
        // "when is my next meeting with Bo"
        guard words.first == "when" || words.first == "wann",
            let noun = words.firstIndex(of: "next")
        else { return nil }
        return titled(utterance.text(from: noun + 1)).map(when)
    }

    private func reminders(
        _ meaning: Lexicon.Question.Topic, _ words: [String], _ rest: [String], _ text: String
    ) -> Understanding? {
        let tools = ["list_reminders"]
        let after = rest.filter {
            !["for", "für", "there", "open", "noch", "an", "left"].contains($0)
        }
        switch meaning {
        case .overdue, .completed:
            let span: ReminderQuery.Span = meaning == .overdue ? .overdue : .completed
            return after.isEmpty
                ? answer(.reminders(ReminderQuery(span)), isOnline: true, tools) : nil
        default: break
        }
        if after.isEmpty {
            // "What do I have to do?" may be about the current topic.
            let isNamed = meaning == .reminders || words.contains("due") || words.contains("fällig")
            let filter =
                meaning == .due
                ? ReminderQuery.dueNow
                : ReminderQuery(words.contains("done") ? .completed : .open)
            return answer(.reminders(filter), isOnline: isNamed, tools)
        }
        if let span = Self.spans.whole(after.filter { $0 != "due" && $0 != "fällig" }) {
            var query = ReminderQuery(span)
            query.includesOverdue = span == .today
            return answer(.reminders(query), isOnline: true, tools)
        }
        if meaning == .due, !words.contains("due"), !words.contains("fällig") {
            return period(text).map { answer(.agenda($0), isOnline: false, tools) }
        }
        return period(text).map { answer(.agenda($0), isOnline: true, tools) }
    }

    private static let spans = PatternTable("due spans") { ReminderQuery.Span(rawValue: $0) }
}

extension ReminderQuery {
    /// Today's and overdue reminders: "what's due?"
    fileprivate static var dueNow: ReminderQuery {
        var query = ReminderQuery(.today)
        query.includesOverdue = true
        return query
    }
}
