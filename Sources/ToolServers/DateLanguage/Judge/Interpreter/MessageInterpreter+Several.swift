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
            guard start + 1 < words.count, beginsTask(start) else { continue }
            let first = candidate(0..<index)
            let second = candidate(start..<words.count)
            guard [first, second].allSatisfy(\.isOnce), second.reading.lead != .task else {
                continue
            }
            if let both = twoTasks(first, second) { return both }
        }
        return nil
    }

    private func beginsTask(_ index: Int) -> Bool {
        Lexicon.isTaskVerb(utterance.words[index])
            || Lexicon.first { $0.leads.match(utterance.words, from: index) }?.meaning == .reminder
    }

    /// "buy milk tomorrow and call Bob at 5"
    private func twoTasks(_ first: Candidate, _ second: Candidate) -> Understanding? {
        guard first.reading.hasOwnTitle, second.reading.hasOwnTitle,
            [first, second].allSatisfy({
                [nil, .reminder].contains($0.reading.lead) && isPlainTitle($0.reading.title)
            })
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
