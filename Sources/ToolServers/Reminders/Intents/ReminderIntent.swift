import AgentCore

/// What a plain message wants of the reminders, as far as it is surely
/// understood. Pure: the date language is passed in.
///
/// It acts only on what it understands whole. A condition, a second wish or a
/// question about reminders goes to the model.
package struct ReminderIntent: Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        case list(ReminderFilter)
        case create(Reading)
        /// Something to be reminded of, but not surely what or when.
        case ask(Reading, phrase: String)
        /// `isExact`: only a title that is these words is meant.
        case complete(title: String, isExact: Bool)
        case reopen(title: String)
        case delete(title: String)
        case rename(title: String, to: String)
        /// nil is "that". `phrase` says how long or until when; nil is the
        /// usual while.
        case snooze(title: String?, phrase: String?)
        /// `phrase` says when.
        case move(title: String?, phrase: String)
        /// `phrase` says by how much.
        case postpone(title: String?, phrase: String)
    }

    package var match: IntentMatch
    /// What can be done, or asked, at once; nil leaves the message to others.
    package var action: Action?

    /// Longer messages are stories about reminders, not wishes for one.
    private static let lengthLimit = 300

    package static func judge(
        _ message: String, parse: (String) -> Reading
    ) -> ReminderIntent {
        let trimmed = MessageWords.trim(message)
        guard !trimmed.isEmpty, trimmed.utf8.count <= DateParser.lengthLimit else {
            return .nothing
        }
        let body = MessageWords.withoutPoliteness(trimmed)
        let words = MessageWords.words(trimmed)
        let isSimple = trimmed.utf8.count <= lengthLimit && !trimmed.contains(where: \.isNewline)
        if isSimple {
            if let intent = listing(body) ?? act(body) ?? creation(body, parse: parse) {
                return intent
            }
        }
        guard mentions(words) else { return .nothing }
        return ReminderIntent(
            match: IntentMatch(
                confidence: startsWithLead(body) ? 0.9 : 0.6, suggestedTools: tools(for: words),
                reasoning: "speaks of reminders"))
    }

    private static let nothing = ReminderIntent(match: .none)

    private static func complete(
        _ action: Action, _ confidence: Double, _ tool: String, _ reasoning: String
    ) -> ReminderIntent {
        var match = IntentMatch(
            confidence: confidence, suggestedTools: [tool], reasoning: reasoning,
            isComplete: true)
        match.missing = missing(action)
        return ReminderIntent(match: match, action: action)
    }

    /// Said where nobody could do it after all.
    private static func missing(_ action: Action) -> String? {
        switch action {
        case .list, .create, .ask: nil
        case .complete(let title, _), .delete(let title), .rename(let title, _):
            "Nothing done: no reminder is called \"\(title)\"."
        case .reopen(let title): "Nothing done: no finished reminder is called \"\(title)\"."
        case .snooze(nil, _), .move(nil, _), .postpone(nil, _):
            "Nothing done: say which reminder, or when, in other words."
        case .snooze(let title?, _), .move(let title?, _), .postpone(let title?, _):
            "Nothing done: no reminder is called \"\(title)\", or the time was not understood."
        }
    }

    // MARK: - The list

    private static func listing(_ body: String) -> ReminderIntent? {
        ReminderListPhrases.filter(body).map {
            complete(.list($0), 0.95, "list_reminders", "asks for the list of reminders")
        }
    }

    // MARK: - Acts on one

    /// Words for what was spoken of last.
    private static let pronouns: Set<String> = [
        "it", "this", "that", "that one", "this one", "the last one", "the reminder",
        "that reminder", "the alert", "the last reminder",
    ]

    private static func target(_ text: String) -> String? {
        pronouns.contains(text.lowercased()) ? nil : MessageWords.withoutArticle(text)
    }

    private static func act(_ body: String) -> ReminderIntent? {
        if body.hasSuffix("?") { return nil }
        return completion(body) ?? snooze(body) ?? move(body) ?? other(body)
    }

    private static func completion(_ body: String) -> ReminderIntent? {
        func done(_ title: String, _ confidence: Double, isExact: Bool) -> ReminderIntent? {
            guard !title.contains("?") else { return nil }
            return complete(
                .complete(title: MessageWords.withoutArticle(title), isExact: isExact), confidence,
                "complete_reminder", "says that \"\(title)\" is done")
        }
        if let title = MessageWords.rest(
            of: body, after: ["done:", "completed:", "finished:", "erledigt:"])
        {
            return done(title, 0.95, isExact: false)
        }
        if let text = MessageWords.rest(of: body, after: ["mark ", "tick off ", "check off "]) {
            for tail in [
                " as done", " as complete", " as completed", " as finished", " done", " complete",
            ]
            where text.lowercased().hasSuffix(tail) {
                let title = MessageWords.trim(String(text.dropLast(tail.count)))
                return title.isEmpty ? nil : done(title, 0.9, isExact: false)
            }
            return body.lowercased().hasPrefix("mark ") ? nil : done(text, 0.9, isExact: false)
        }
        for tail in [" is done", " is finished", " done", " ist erledigt", " erledigt"]
        where body.lowercased().hasSuffix(tail) {
            let title = MessageWords.trim(String(body.dropLast(tail.count)))
            return title.isEmpty ? nil : done(title, 0.85, isExact: true)
        }
        if let title = MessageWords.rest(
            of: body, after: ["complete ", "finished ", "i finished "])
        {
            return done(title, 0.85, isExact: true)
        }
        return nil
    }

    private static func snooze(_ body: String) -> ReminderIntent? {
        let lower = MessageWords.withoutFinalStop(body).lowercased()
        func snooze(_ title: String?, _ phrase: String?) -> ReminderIntent {
            complete(
                .snooze(title: title, phrase: phrase), 0.95, "snooze_reminder",
                "puts an alert off")
        }
        if lower == "snooze" { return snooze(nil, nil) }
        if let rest = MessageWords.rest(
            of: body, after: ["remind me again ", "remind me of that "])
        {
            return snooze(nil, withoutFor(rest))
        }
        guard let rest = MessageWords.rest(of: body, after: ["snooze "]) else { return nil }
        if pronouns.contains(rest.lowercased()) { return snooze(nil, nil) }
        let lead = ["for ", "until ", "till ", "to ", "by "]
        if lead.contains(where: { rest.lowercased().hasPrefix($0) }) {
            return snooze(nil, withoutFor(rest))
        }
        if let sides = MessageWords.sides(of: rest, at: ["for", "until", "till", "to", "by"]) {
            return snooze(target(sides.before), sides.after)
        }
        if WhenWords.stretch(rest.lowercased()) != nil || rest.lowercased().hasPrefix("a") {
            return snooze(nil, rest)
        }
        // "snooze it 10 min": the target, then the while.
        for pronoun in pronouns where rest.lowercased().hasPrefix(pronoun + " ") {
            return snooze(nil, String(rest.dropFirst(pronoun.count + 1)))
        }
        return snooze(target(rest), nil)
    }

    private static func withoutFor(_ text: String) -> String {
        MessageWords.rest(of: text, after: ["for ", "until ", "till ", "to ", "by ", "in "]) ?? text
    }

    private static func move(_ body: String) -> ReminderIntent? {
        guard
            let rest = MessageWords.rest(
                of: body,
                after: [
                    "move ", "postpone ", "reschedule ", "push back ", "push ", "delay ", "shift ",
                    "verschiebe ",
                ])
        else { return nil }
        if let sides = MessageWords.sides(of: rest, at: ["by", "um"]) {
            return complete(
                .postpone(title: target(sides.before), phrase: sides.after), 0.85, "edit_reminder",
                "moves \"\(sides.before)\"")
        }
        guard let sides = MessageWords.sides(of: rest, at: ["to", "until", "till", "for", "auf"])
        else { return nil }
        return complete(
            .move(title: target(sides.before), phrase: sides.after), 0.85, "edit_reminder",
            "moves \"\(sides.before)\"")
    }

    private static func other(_ body: String) -> ReminderIntent? {
        if let rest = MessageWords.rest(of: body, after: ["rename "]),
            let sides = MessageWords.sides(of: rest, at: ["to", "in"]),
            let title = target(sides.before)
        {
            return complete(
                .rename(title: title, to: sides.after), 0.85, "edit_reminder",
                "renames \"\(title)\"")
        }
        if let title = MessageWords.rest(
            of: body, after: ["reopen ", "undone:", "not done:", "uncomplete "])
        {
            return complete(
                .reopen(title: MessageWords.withoutArticle(title)), 0.9, "reopen_reminder",
                "reopens \"\(title)\"")
        }
        for verb in ["delete ", "remove ", "cancel "] {
            let leads = [
                "the reminder to ", "the reminder about ", "the reminder for ", "the reminder ",
                "my reminder to ", "my reminder ", "reminder ", "the task ", "the todo ",
            ].map { verb + $0 }
            guard let title = MessageWords.rest(of: body, after: leads) else { continue }
            return complete(
                .delete(title: MessageWords.withoutArticle(title)), 0.9, "delete_reminder",
                "deletes \"\(title)\"")
        }
        return nil
    }

    // MARK: - A new one

    private static func creation(
        _ body: String, parse: (String) -> Reading
    ) -> ReminderIntent? {
        // A thing to put on a list has no date, so the phrase needs no reader.
        if let title = listed(body) {
            var reading = parse(title)
            reading.hasLead = true
            return wish(reading, phrase: title)
        }
        let reading = parse(body)
        guard reading.hasLead || (reading.kind == .todo && hasTime(reading)) else { return nil }
        if body.hasSuffix("?") || (!reading.hasLead && isQuestion(body)) { return nil }
        return wish(reading, phrase: body)
    }

    private static func hasTime(_ reading: Reading) -> Bool {
        reading.start != nil || reading.recurrence != nil
    }

    private static func wish(_ reading: Reading, phrase: String) -> ReminderIntent {
        let isPlain = TaskTitle.isPlain(reading.title)
        let isCertain = reading.confidence >= DateParser.certain && reading.doubts.isEmpty
        var match = IntentMatch(
            confidence: reading.hasLead ? 0.9 : 0.4, suggestedTools: ["create_reminder"],
            reasoning: "asks for a reminder")
        // "Remind me tomorrow" speaks of something said before; an alarm need
        // not say what it is for.
        let isNamed = reading.hasOwnTitle || reading.title == "alarm" || reading.title == "timer"
        if isCertain, isPlain, isNamed, reading.hasLead || TaskTitle.isTask(reading.title) {
            match.confidence = reading.hasLead ? 0.95 : 0.85
            match.isComplete = true
            return ReminderIntent(match: match, action: .create(reading))
        }
        if !isNamed {
            match.missing = "Not stored: it says when, but not what to be reminded of."
        } else if !isPlain {
            // A question would cut a condition or a second wish off.
            match.missing = """
                Not stored: it takes a model to understand all of it. \
                Word for word: chat reminders add --literal TITLE
                """
            return ReminderIntent(match: match)
        } else if reading.doubts.contains(.past) {
            match.missing = """
                Not stored: the time it names is over. \
                Say it with a date: chat reminders add TITLE --due 2026-11-22T09:00
                """
        } else if reading.hasLead {
            match.missing = """
                Not stored: it is not sure when. \
                Say it with a date: chat reminders add TITLE --due 2026-11-22T09:00
                """
        }
        return ReminderIntent(match: match, action: .ask(reading, phrase: phrase))
    }

    /// "milk" of "add milk to my todo list".
    private static func listed(_ body: String) -> String? {
        guard let thing = MessageWords.rest(of: body, after: ["add ", "put "]) else { return nil }
        for list in [
            "reminders", "todos", "to-dos", "todo list", "to-do list", "to do list", "tasks",
            "task list",
        ] {
            for word in ["to", "on"] where thing.lowercased().hasSuffix(" \(word) my \(list)") {
                let title = MessageWords.trim(
                    String(thing.dropLast(" \(word) my \(list)".count)))
                // "add it to my todos" speaks of something said before, and
                // "add milk, bread and tea" may be one or three.
                let words = MessageWords.words(title)
                if title.isEmpty || title.contains(",") || words.contains("and") { return nil }
                return pronouns.contains(title.lowercased()) || title.lowercased() == "them"
                    ? nil : title
            }
        }
        return nil
    }

    private static let questionWords: Set<String> = [
        "what", "when", "where", "who", "why", "how", "which", "whose", "is", "are", "was", "were",
        "do", "does", "did", "can", "could", "should", "would", "will", "shall", "may", "am",
        "have", "has", "if", "unless", "was", "wann", "wie", "wo", "warum", "ist", "wer",
    ]

    private static func isQuestion(_ body: String) -> Bool {
        MessageWords.words(body).first.map(questionWords.contains) ?? false
    }

    // MARK: - Messages about reminders

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
        if !set.isDisjoint(with: ["snooze", "postpone"]) {
            return ["snooze_reminder", "edit_reminder", "list_reminders"]
        }
        if !set.isDisjoint(with: ["move", "change", "rename", "reschedule", "edit"]) {
            return ["edit_reminder", "list_reminders"]
        }
        if !set.isDisjoint(with: ["find", "search"]) { return ["search_reminders"] }
        if !set.isDisjoint(with: ["remind", "add", "create", "set", "make", "new"]) {
            return ["create_reminder"]
        }
        return ["list_reminders", "create_reminder"]
    }
}
