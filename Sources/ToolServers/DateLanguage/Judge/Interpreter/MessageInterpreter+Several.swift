import Base

/// Parses two tasks in one message; one item at several times is a single phrase.
extension MessageInterpreter {
    func several() -> Understanding? {
        let words = utterance.words
        for index in words.indices.dropFirst(3)
        where ["and", "und", ",", ";", "then"].contains(words[index]) {
            var start = index + 1
            while start < words.count,
                ["and", "then", "also", "und", "dann"].contains(words[start])
            { start += 1 }
            guard start + 1 < words.count else { continue }
            let first = candidate(0..<index)
            let second = candidate(start..<words.count)
            guard
                [first, second].allSatisfy({
                    $0.isOnce && $0.reading.hasOwnTitle && isPlainTitle($0.reading.title)
                }), second.reading.lead != .task
            else { continue }
            if beginsTask(start), let both = twoTasks(first, second) { return both }
            if let both = twoItems(first, second, utterance.text(from: index)) { return both }
        }
        return nil
    }

    /// "lunch with Al monday at 12 and gym tuesday at 18": each would be stored by itself. Of two
    /// kinds, the first is offered.
    private func twoItems(
        _ first: Candidate, _ second: Candidate, _ rest: String
    ) -> Understanding? {
        let made = [first, second].compactMap { part($0.text).creation() }
        let kinds = made.compactMap { made -> Understanding.Kind? in
            if made.offline == .store, case .store(_, let kind)? = made.act { kind } else { nil }
        }
        guard kinds.count == 2, var both = made.first else { return nil }
        both.online = .model
        if kinds[0] == kinds[1] {
            both.act = .store([first.reading, second.reading], kinds[0])
        } else {
            (both.act, both.offline) = (.ask(first.reading, kinds[0]), .ask)
            both.unused = [rest]
        }
        return both
    }

    private func beginsTask(_ index: Int) -> Bool {
        Lexicon.isTaskVerb(utterance.words[index])
            || Lexicon.first { $0.leads.match(utterance.words, from: index) }?.meaning == .reminder
    }

    /// "buy milk tomorrow and call Bob at 5"
    private func twoTasks(_ first: Candidate, _ second: Candidate) -> Understanding? {
        guard [first, second].allSatisfy({ [nil, .reminder].contains($0.reading.lead) })
        else { return nil }
        let isAddressed = first.reading.lead == .reminder
        guard isAddressed || first.isTask && second.isTask else { return nil }
        return stored([first.reading, second.reading], isOnline: isAddressed)
    }

    /// Both items with the clock time or day that only one of them names.
    private func stored(_ readings: [ParsedPhrase], isOnline: Bool) -> Understanding {
        var readings = readings
        if let day = readings[0].start?.date, case .time(let clock)? = readings[1].start,
            !readings[1].spans.contains(where: { $0.part == .date }),
            let moved = CivilDateTime(day, hour: clock.hour, minute: clock.minute)
        {
            readings[1].start = .time(max(moved, clock))
        }
        return Understanding(
            act: .store(readings, .reminder), online: isOnline ? .store : .model, offline: .store,
            tools: ["create_reminder"], reasoning: "names several times")
    }
}

extension Candidate {
    /// Whether the item has a time of its own that is certain.
    fileprivate var isOnce: Bool {
        reading.start != nil && reading.isActedOn && reading.recurrence == nil
            && reading.further.isEmpty && reading.anchor == nil && reading.end == nil && !isPast
            && unused.isEmpty
    }
}
