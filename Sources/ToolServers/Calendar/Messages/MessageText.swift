import AgentCore

/// A message without what is only polite, in one form of spelling, for
/// comparing with the ways a thing is asked. Pure.
struct MessageText: Sendable, Equatable {
    /// Spaces single, no politeness, no mark at the end; letters as typed.
    let text: String
    let words: [String]
    let isQuestion: Bool

    init(_ message: String) {
        var words = message.split(whereSeparator: \.isWhitespace).map {
            String($0.map { $0 == "’" ? "'" : $0 })
        }
        var hasMark = false
        while let last = words.last, let mark = last.last, "?!.".contains(mark), last.count > 1 {
            hasMark = hasMark || mark == "?"
            words[words.count - 1].removeLast()
        }
        func lower(_ index: Int) -> String {
            index < words.count ? words[index].lowercased().filter { $0 != "," } : ""
        }
        var isPolite = true
        while isPolite, words.count > 1 {
            isPolite = false
            if [
                "please", "actually", "hey", "hi", "ok", "okay", "so", "and", "bitte", "now",
                "hello",
            ].contains(
                lower(0))
            {
                words.removeFirst()
                isPolite = true
            } else if ["can", "could", "would", "will"].contains(lower(0)), lower(1) == "you",
                words.count > 2
            {
                words.removeFirst(2)
                hasMark = false
                isPolite = true
            } else if let lead = Self.wishes.first(where: { lead in
                lead.indices.allSatisfy { lower($0) == lead[$0] }
            }), Self.changes.contains(lower(lead.count)) {
                words.removeFirst(lead.count)
                isPolite = true
            } else if lower(0) == "tell", lower(1) == "me", words.count > 3,
                ["what", "what's", "whats", "when", "when's"].contains(lower(2))
            {
                words.removeFirst(2)
                isPolite = true
            }
            if ["please", "thanks", "bitte"].contains(lower(words.count - 1)) {
                words.removeLast()
                while words.last?.last == "," { words[words.count - 1].removeLast() }
                isPolite = true
            }
        }
        // "what's on" and "whats on" are "what is on".
        let short = [
            "what's": "what is", "whats": "what is", "when's": "when is", "whens": "when is",
            "how's": "how is", "i've": "i have", "what've": "what have",
        ]
        if let first = words.first, let long = short[first.lowercased()] {
            words.replaceSubrange(0...0, with: long.split(separator: " ").map(String.init))
        }
        self.words = words
        text = words.joined(separator: " ")
        let first = words.first?.lowercased() ?? ""
        isQuestion = hasMark || Self.questionWords.contains(first)
    }

    /// Before a verb that changes an event they are only a softer order; before
    /// any other they tell of somebody.
    private static let wishes = [
        ["i", "want", "to"], ["i", "need", "to"], ["i'd", "like", "to"], ["let's"], ["lets"],
    ]
    private static let changes: Set<String> = [
        "move", "reschedule", "cancel", "postpone", "push", "shift", "rename",
    ]

    private static let questionWords: Set<String> = [
        "what", "when", "who", "whom", "whose", "where", "why", "which", "how", "is", "are", "am",
        "was", "were", "do", "does", "did", "has", "have", "had", "should", "shall", "may",
        "might", "can", "could", "would", "will", "wann", "wer", "wie", "wo", "warum", "welche",
        "ist", "sind", "habe", "hat",
    ]

    /// Begins with what is asked of a writer, not of a calendar.
    var isRequestForProse: Bool {
        let first = words.first?.lowercased() ?? ""
        return [
            "write", "tell", "explain", "describe", "summarize", "summarise", "translate",
            "draft", "compose", "give", "show", "list", "find", "search", "suggest", "recommend",
            "help", "think", "imagine", "rewrite", "correct", "compare", "i", "i'm", "we", "he",
            "she", "they", "if", "because", "let", "let's", "tldr", "act", "pretend", "delete",
            "remove", "cancel", "move", "reschedule", "postpone", "push", "shift", "delay",
            "done", "snooze", "remind", "todo", "undo", "yesterday",
        ].contains(first.filter { $0 != ":" && $0 != "," })
    }

    /// What follows those words at the start; nil where they are not there.
    func after(_ lead: String) -> String? {
        let wanted = lead.split(separator: " ")
        guard words.count >= wanted.count,
            zip(words, wanted).allSatisfy({ $0.lowercased() == $1 })
        else { return nil }
        return words[wanted.count...].joined(separator: " ")
    }

    /// "add an event: dentist friday" → "dentist friday", and whether an event
    /// was asked for in so many words.
    func withoutCreationLead() -> (String, Bool) {
        let leads = [
            "add an event", "add event", "add an appointment", "add to my calendar",
            "add to the calendar", "create an event", "create event", "create an appointment",
            "new event", "new appointment", "schedule an event", "schedule a meeting",
            "make an appointment", "put on my calendar", "put in my calendar", "event:",
            "appointment:", "termin:", "neuer termin",
        ]
        for lead in leads {
            guard var rest = after(lead) ?? after(lead + ":") else { continue }
            for word in [":", "for ", "called ", "named "] where rest.lowercased().hasPrefix(word) {
                rest.removeFirst(word.count)
            }
            while rest.first == " " { rest.removeFirst() }
            if rest.isEmpty { continue }
            // The meeting is then what it is about: "schedule a meeting with Bo".
            return lead == "schedule a meeting" ? ("meeting " + rest, true) : (rest, true)
        }
        for verb in ["schedule ", "add ", "put ", "book "] where text.lowercased().hasPrefix(verb) {
            // Here the word is a noun: "book club on monday".
            if verb == "book ", let next = MessageWords.words(text).dropFirst().first,
                Self.afterBook.contains(next)
            {
                continue
            }
            let rest = Self.withoutLeadingArticle(String(text.dropFirst(verb.count)))
            for place in [
                " on my calendar", " to my calendar", " in my calendar", " on the calendar",
                " to the calendar", " in the calendar", " in den kalender",
            ] {
                if let range = rest.lowercased().firstRange(of: place),
                    rest.lowercased().count == rest.count
                {
                    let lower = rest.lowercased()
                    let start = lower.distance(from: lower.startIndex, to: range.lowerBound)
                    return (
                        String(rest.prefix(start)) + String(rest.dropFirst(start + place.count)),
                        true
                    )
                }
            }
            return (rest, false)
        }
        return (text, false)
    }

    private static let afterBook: Set<String> = [
        "club", "clubs", "group", "fair", "launch", "signing", "reading", "release", "sale",
        "swap", "talk", "tour", "review", "exchange", "festival",
    ]

    private static func withoutLeadingArticle(_ text: String) -> String {
        for article in ["a ", "an ", "the ", "my "] where text.lowercased().hasPrefix(article) {
            return String(text.dropFirst(article.count))
        }
        return text
    }

    static func withoutArticle(_ text: String) -> String {
        var words = text.split(separator: " ").map(String.init)
        let articles = [
            "the", "my", "a", "an", "our", "der", "die", "das", "den", "mein", "meine", "meinen",
        ]
        while words.count > 1, articles.contains(words[0].lowercased()) { words.removeFirst() }
        let nouns = ["event", "appointment", "termin"]
        if words.count > 1, let last = words.last?.lowercased(), nouns.contains(last) {
            words.removeLast()
        }
        return words.joined(separator: " ")
    }
}
