import AgentCore

/// What a plain message wants of the reminders, as far as words alone tell.
///
/// It acts only on what it surely understands whole: a message that may hold a
/// date (`DateWords`), a condition or a second wish goes to the model.
package struct ReminderIntent: Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        case list
        case create(title: String)
        case complete(title: String)
    }

    package var match: IntentMatch
    /// What can be done at once; nil leaves the message to the model.
    package var action: Action?

    /// Longer messages are stories about reminders, not wishes for one.
    private static let lengthLimit = 300

    package static func judge(_ message: String) -> ReminderIntent {
        let trimmed = trim(message)
        guard !trimmed.isEmpty, trimmed.utf8.count <= 4096 else { return .nothing }
        let words = DateWords.words(trimmed)
        let isSimple = trimmed.utf8.count <= lengthLimit && !trimmed.contains(where: \.isNewline)
        let body = withoutPoliteness(trimmed)
        let bodyWords = DateWords.words(body)
        if isSimple, isListing(bodyWords) {
            return ReminderIntent(
                match: IntentMatch(
                    confidence: 0.95, suggestedTools: ["list_reminders"],
                    reasoning: "asks for the list of reminders", isComplete: true),
                action: .list)
        }
        if isSimple, let title = completion(body) {
            return ReminderIntent(
                match: IntentMatch(
                    confidence: 0.7, suggestedTools: ["complete_reminder"],
                    reasoning: "says that \"\(title)\" is done", isComplete: true),
                action: .complete(title: title))
        }
        if isSimple, let title = creation(body) { return create(title, body: body) }
        guard mentions(words) else { return .nothing }
        return ReminderIntent(
            match: IntentMatch(
                confidence: startsWithLead(body) ? 0.9 : 0.6, suggestedTools: tools(for: words),
                reasoning: "speaks of reminders"))
    }

    private static let nothing = ReminderIntent(match: .none)

    private static func create(_ title: String, body: String) -> ReminderIntent {
        var match = IntentMatch(
            confidence: 0.9, suggestedTools: ["create_reminder"],
            reasoning: "asks for a reminder", isComplete: true)
        if let word = DateWords.first(in: title) {
            match.isComplete = false
            match.reasoning = "asks for a reminder, perhaps with a date"
            match.missing = """
                Not stored: "\(word)" is not understood without a model. \
                Say it with a date: chat reminders add TITLE --due 2026-11-22T09:00
                """
            return ReminderIntent(match: match)
        }
        guard isPlain(title) else {
            match.isComplete = false
            match.missing = """
                Not stored: it takes a model to understand all of it. \
                Word for word: chat reminders add TITLE
                """
            return ReminderIntent(match: match)
        }
        return ReminderIntent(match: match, action: .create(title: title))
    }

    // MARK: - The kinds of message

    private static let nouns: Set<String> = [
        "reminder", "reminders", "remind", "todo", "todos", "task", "tasks", "to-do", "to-dos",
    ]

    private static func mentions(_ words: [String]) -> Bool {
        words.contains(where: nouns.contains)
            || zip(words, words.dropFirst()).contains { $0 == "to" && ($1 == "do" || $1 == "dos") }
    }

    private static func startsWithLead(_ body: String) -> Bool {
        let lower = body.lowercased()
        return leads.contains { lower.hasPrefix($0) }
    }

    private static let leads = [
        "remind me", "todo:", "to-do:", "to do:", "task:", "reminder:", "add a task",
        "add a reminder", "add a todo", "add a to-do", "create a reminder", "set a reminder",
        "make a reminder", "new reminder", "new task", "new todo",
    ]

    private static func tools(for words: [String]) -> [String] {
        let set = Set(words)
        if !set.isDisjoint(with: ["delete", "remove", "cancel", "clear", "clean"]) {
            return ["delete_reminder", "list_reminders"]
        }
        if !set.isDisjoint(with: ["done", "complete", "completed", "finish", "finished", "tick"]) {
            return ["complete_reminder", "list_reminders"]
        }
        if !set.isDisjoint(with: ["find", "search"]) { return ["search_reminders"] }
        if !set.isDisjoint(with: ["remind", "add", "create", "set", "make", "new"]) {
            return ["create_reminder"]
        }
        return ["list_reminders", "create_reminder"]
    }

    /// The whole message is one of the ways to ask for the list. "What are
    /// reminders?" asks for a definition and "the tasks" may be those of the
    /// conversation, so neither is one.
    private static func isListing(_ words: [String]) -> Bool {
        var words = words.map { $0 == "to-do" ? "todo" : $0 == "to-dos" ? "todos" : $0 }[...]
        if words.last == "please" { words = words.dropLast() }
        guard words.count <= 8 else { return false }
        let text = words.joined(separator: " ")
        let nouns = ["reminders", "todos", "tasks", "todo list", "task list", "to do list"]
        for noun in nouns {
            if text == "my \(noun)" { return true }
            if noun != "tasks", text == noun { return true }
            if [
                "what \(noun) do i have", "do i have any \(noun)", "which \(noun) do i have",
                "what are my open \(noun)", "what is on my \(noun)", "what on my \(noun)",
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
        return false
    }

    /// The title in "done: buy milk" or "mark buy milk as done".
    private static func completion(_ body: String) -> String? {
        if let rest = rest(of: body, after: ["done:", "completed:", "finished:", "complete "]) {
            let title = withoutFinalStop(rest)
            return title.isEmpty || title.contains("?") ? nil : title
        }
        guard let rest = rest(of: body, after: ["mark "]) else { return nil }
        let title = withoutFinalStop(rest)
        for tail in [" as done", " as complete", " as completed", " done", " complete"]
        where title.lowercased().hasSuffix(tail) {
            let title = trim(String(title.dropLast(tail.count)))
            return title.isEmpty ? nil : title
        }
        return nil
    }

    /// The title in a wish for one reminder, dates and all.
    private static func creation(_ body: String) -> String? {
        guard !body.hasSuffix("?") else { return nil }
        let direct = [
            "remind me to ", "remind me that ", "remind me:", "todo:", "to-do:", "to do:", "task:",
            "reminder:", "new task:", "new todo:", "new to-do:", "new reminder:", "add task:",
            "add todo:", "add to-do:", "add reminder:", "add a task:", "add a todo:",
            "add a to-do:", "add a reminder:", "create a task:", "create a todo:",
            "create a reminder:", "set a reminder:", "make a reminder:",
        ]
        if let rest = rest(of: body, after: direct) {
            let title = withoutFinalStop(rest)
            return title.isEmpty ? nil : title
        }
        for verb in ["add", "create", "set", "make"] {
            for noun in ["a task", "a todo", "a to-do", "a reminder", "task", "todo", "reminder"] {
                guard let rest = rest(of: body, after: ["\(verb) \(noun) to "]) else { continue }
                let title = withoutFinalStop(rest)
                // "add a task to the board" puts it somewhere else.
                let first = DateWords.words(title).first ?? ""
                return title.isEmpty || determiners.contains(first) ? nil : title
            }
        }
        guard let rest = rest(of: body, after: ["add ", "put "]) else { return nil }
        let thing = withoutFinalStop(rest)
        for list in [
            "reminders", "todos", "to-dos", "todo list", "to-do list", "to do list",
            "tasks", "task list",
        ] {
            for word in ["to", "on"] where thing.lowercased().hasSuffix(" \(word) my \(list)") {
                let title = trim(String(thing.dropLast(" \(word) my \(list)".count)))
                // "add it to my todos" speaks of something said before, and
                // "add milk, bread and tea" may be one or three.
                let words = DateWords.words(title)
                if title.isEmpty || title.contains(",") || words.contains("and") { return nil }
                return pronouns.contains(title.lowercased()) ? nil : title
            }
        }
        return nil
    }

    /// Nothing in the title needs understanding: one wish, no place, person,
    /// list or rank to be read out of it, in letters whose dates we know.
    private static func isPlain(_ title: String) -> Bool {
        let words = DateWords.words(title)
        if words.contains(where: notPlain.contains) { return false }
        if title.contains(where: { "#@!?\n;".contains($0) }) { return false }
        if title.contains(". ") || title.contains(": ") { return false }
        for (word, next) in zip(words, words.dropFirst()) where word == "and" {
            if secondWish.contains(next) { return false }
        }
        return title.unicodeScalars.allSatisfy { scalar in
            // Dates in other scripts are not in the list of words.
            scalar.value < 0x250 || !scalar.properties.isAlphabetic
        }
    }

    private static let determiners: Set<String> = [
        "the", "my", "our", "your", "his", "her", "their", "this", "that", "these", "those", "a",
        "an", "it", "me",
    ]
    private static let pronouns: Set<String> = ["it", "this", "that", "these", "those", "them"]
    private static let notPlain: Set<String> = [
        "priority", "urgent", "urgently", "important", "note", "notes", "tag", "tagged", "also",
        "then", "instead", "except", "remind", "reminder", "reminders", "p1", "p2", "p3", "p4",
    ]
    private static let secondWish: Set<String> = [
        "what", "how", "why", "who", "where", "which", "tell", "show", "list", "remind", "add",
        "create", "write", "delete", "explain", "give", "also", "then", "set", "make",
    ]

    // MARK: - Text

    private static let politeness = [
        "please ", "please, ", "pls ", "hey ", "hey, ", "hi, ", "ok ", "ok, ", "okay, ",
        "can you ", "could you ", "would you ", "will you ", "i want you to ", "i need you to ",
        "chat, ",
    ]

    private static func withoutPoliteness(_ text: String) -> String {
        var text = text
        while let rest = rest(of: text, after: politeness) { text = rest }
        for tail in [", please.", " please.", ", please", " please", ", thanks", " thanks"]
        where text.lowercased().hasSuffix(tail) {
            return trim(String(text.dropLast(tail.count)))
        }
        return text
    }

    /// What follows the first of the lead-ins that the text starts with, case
    /// aside.
    private static func rest(of text: String, after leads: [String]) -> String? {
        let lower = text.lowercased()
        for lead in leads where lower.hasPrefix(lead) {
            // ASCII lead-ins keep their length in either case, and no letter
            // before them can have changed it.
            return trim(String(text.dropFirst(lead.count)))
        }
        return nil
    }

    private static func withoutFinalStop(_ text: String) -> String {
        var text = trim(text)
        if text.last == ".", !text.hasSuffix("..") { text.removeLast() }
        return trim(text)
    }

    private static func trim(_ text: String) -> String {
        var slice = text[...]
        while slice.first?.isWhitespace == true { slice.removeFirst() }
        while slice.last?.isWhitespace == true { slice.removeLast() }
        return String(slice)
    }
}
