import Base

/// Parses questions about existing items: the agenda, free time, lists.
extension MessageInterpreter {
    func question() -> Understanding? {
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
            guard let period = period(said) else { return nil }
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
        case .when: return titled(rest).map { answer(.when($0), isOnline: false, ["list_events"]) }
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
                .reminders(ReminderFilter(list: title)), isOnline: false, ["list_reminders"])
        case .reminders, .due, .overdue, .completed:
            return reminders(meaning.topic, words, Array(words[end...]), rest)
        }
    }

    /// "what does my week look like", "tomorrow's agenda"
    private var impliedPeriod: String {
        for (word, period) in [
            ("week", "this week"), ("woche", "this week"), ("month", "this month"),
            ("tomorrow", "tomorrow"),
        ] where utterance.words.contains(word) { return period }
        return ""
    }

    private func answer(
        _ act: Understanding.Act, isOnline: Bool, _ tools: [String]
    ) -> Understanding {
        Understanding(
            act: act, online: isOnline ? .answer : .model, offline: .answer, tools: tools,
            reasoning: "asks what is there")
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
            let kind: Understanding.Kind? =
                words.contains { ["reminder", "task"].contains($0) }
                ? .reminder
                : words.contains { ["appointment", "event", "meeting", "termin"].contains($0) }
                    ? .event : nil
            return answer(.next(kind), isOnline: false, ["list_events", "list_reminders"])
        }
        // "when is my next meeting with Bo"
        guard words.first == "when" || words.first == "wann",
            let noun = words.firstIndex(of: "next")
        else { return nil }
        return titled(utterance.text(from: noun + 1)).map {
            answer(.when($0), isOnline: false, ["list_events"])
        }
    }

    private func reminders(
        _ meaning: Lexicon.Question.Topic, _ words: [String], _ rest: [String], _ text: String
    ) -> Understanding? {
        let tools = ["list_reminders"]
        let after = rest.filter {
            !["for", "für", "there", "open", "noch", "an", "left"].contains($0)
        }
        switch meaning {
        case .overdue:
            return after.isEmpty
                ? answer(.reminders(ReminderFilter(.overdue)), isOnline: true, tools) : nil
        case .completed:
            return after.isEmpty
                ? answer(.reminders(ReminderFilter(.completed)), isOnline: true, tools) : nil
        default: break
        }
        if after.isEmpty {
            // "What do I have to do?" may be about the current topic.
            let isNamed = meaning == .reminders || words.contains("due") || words.contains("fällig")
            let filter =
                meaning == .due
                ? ReminderFilter.dueNow
                : ReminderFilter(words.contains("done") ? .completed : .open)
            return answer(.reminders(filter), isOnline: isNamed, tools)
        }
        if let span = Self.spans.whole(after.filter { $0 != "due" && $0 != "fällig" }) {
            var filter = ReminderFilter(span)
            filter.includesOverdue = span == .today
            return answer(.reminders(filter), isOnline: true, tools)
        }
        if meaning == .due, !words.contains("due"), !words.contains("fällig") {
            return period(text).map { answer(.agenda($0), isOnline: false, tools) }
        }
        return period(text).map { answer(.agenda($0), isOnline: true, tools) }
    }

    private static let spans = PatternTable("due spans") { ReminderFilter.Span(rawValue: $0) }
}

extension ReminderFilter {
    /// Today's and overdue reminders: "what's due?"
    fileprivate static var dueNow: ReminderFilter {
        var filter = ReminderFilter(.today)
        filter.includesOverdue = true
        return filter
    }
}
