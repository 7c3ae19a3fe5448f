import AgentCore

/// The many ways to ask for the list, each as a whole message. Pure.
///
/// "What are reminders?" asks for a definition and "the tasks" may be those of
/// the conversation, so neither is one.
enum ReminderListPhrases {
    static func filter(_ body: String) -> ReminderFilter? {
        var words = MessageWords.words(body).map {
            $0 == "to-do" ? "todo" : $0 == "to-dos" ? "todos" : $0
        }[...]
        if words.last == "please" { words = words.dropLast() }
        guard !words.isEmpty, words.count <= 10 else { return nil }
        let (span, rest) = splitSpan(words)
        let text = rest.joined(separator: " ")
        if isList(text) || (span != nil && nouns.contains(text)) { return made(span ?? .open) }
        // German has the day in the middle.
        switch words.joined(separator: " ") {
        case "was ist heute fällig", "was ist heute zu tun", "was muss ich heute tun":
            return made(.today)
        case "was ist morgen fällig", "was ist morgen zu tun", "was muss ich morgen tun":
            return made(.tomorrow)
        default: break
        }
        if let span, text.hasSuffix(" due"), isList(String(text.dropLast(4))) { return made(span) }
        if let span, asksWhatIsDue(text) { return made(span) }
        if span == nil,
            ["what is overdue", "what overdue", "overdue", "overdue reminders"]
                .contains(text)
        {
            return ReminderFilter(.overdue)
        }
        return nil
    }

    /// Asking for today is asking for what is late too.
    private static func made(_ span: ReminderFilter.Span) -> ReminderFilter {
        var filter = ReminderFilter(span)
        filter.includesOverdue = span == .today
        return filter
    }

    private static let spans: [(words: [String], span: ReminderFilter.Span)] = [
        (["for", "today"], .today), (["today"], .today), (["for", "tomorrow"], .tomorrow),
        (["tomorrow"], .tomorrow), (["for", "this", "week"], .week), (["this", "week"], .week),
    ]

    /// The span at the end, or "overdue" and the like before the noun.
    private static func splitSpan(
        _ words: ArraySlice<String>
    ) -> (ReminderFilter.Span?, [String]) {
        for entry in spans where words.count > entry.words.count {
            if Array(words.suffix(entry.words.count)) == entry.words {
                return (entry.span, Array(words.dropLast(entry.words.count)))
            }
        }
        let adjectives: [String: ReminderFilter.Span] = [
            "overdue": .overdue, "upcoming": .upcoming, "completed": .completed, "done": .completed,
            "today": .today, "tomorrow": .tomorrow,
        ]
        for (index, word) in words.enumerated() where index + 1 < words.count {
            guard let span = adjectives[word] else { continue }
            var rest = Array(words)
            rest.remove(at: index)
            if nouns.contains(rest[index...].joined(separator: " ")) { return (span, rest) }
        }
        return (nil, Array(words))
    }

    private static func asksWhatIsDue(_ text: String) -> Bool {
        [
            "what is due", "what due", "whats due", "what is", "what do i have to do",
            "what do i need to do", "what must i do", "anything due", "is anything due",
            "what have i got to do", "do i have anything to do", "was ist fällig",
        ].contains(text) && text != "what is"
    }

    private static let nouns = [
        "reminders", "todos", "tasks", "todo list", "task list", "to do list", "erinnerungen",
        "aufgaben",
    ]

    private static func isList(_ text: String) -> Bool {
        for noun in nouns where text.hasSuffix(noun) {
            if text == "my \(noun)" || text == "meine \(noun)" { return true }
            if noun != "tasks", noun != "aufgaben", text == noun { return true }
            if [
                "what \(noun) do i have", "do i have any \(noun)", "which \(noun) do i have",
                "what are my open \(noun)", "what is on my \(noun)", "what on my \(noun)",
                "zeig meine \(noun)", "zeige meine \(noun)",
            ].contains(text) {
                return true
            }
            for verb in ["list", "show", "show me", "display", "give me", "view", "see"] {
                for owner in ["", "my ", "all my ", "all ", "my open ", "open ", "all of my "]
                where text == "\(verb) \(owner)\(noun)" {
                    return true
                }
            }
            for verb in ["what are", "what is", "what", "whats", "tell me"] {
                if text == "\(verb) my \(noun)" || text == "\(verb) all my \(noun)" { return true }
            }
        }
        for noun in nouns {
            if ["what \(noun) do i have", "do i have any \(noun)", "which \(noun) do i have"]
                .contains(text)
            {
                return true
            }
        }
        return false
    }
}
