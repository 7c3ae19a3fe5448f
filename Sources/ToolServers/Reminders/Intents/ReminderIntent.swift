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
        /// nil is "that", here and below. `isExact`: only a title that is
        /// these words is meant.
        case complete(title: String?, isExact: Bool)
        case reopen(title: String)
        case delete(title: String?, isExact: Bool = false)
        case rename(title: String?, to: String)
        /// `phrase` says how long or until when; nil is the
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
        switch action {
        case .complete(nil, _), .delete(nil, _), .rename(nil, _), .move(nil, _), .postpone(nil, _):
            match.refersBack = true
        default: break
        }
        return ReminderIntent(match: match, action: action)
    }

    /// Said where nobody could do it after all.
    private static func missing(_ action: Action) -> String? {
        switch action {
        case .list, .create, .ask: nil
        case .reopen(let title): "Nothing finished is called \"\(title)\"."
        case .complete(nil, _), .delete(nil, _), .rename(nil, _), .snooze(nil, _), .move(nil, _),
            .postpone(nil, _):
            "Nothing done: it is not clear which one is meant. Say its name."
        case .complete(let title?, _), .delete(let title?, _), .rename(let title?, _),
            .snooze(let title?, _):
            nothingIsCalled(title)
        case .move(let title?, _), .postpone(let title?, _): nothingIsCalled(title)
        }
    }

    /// What is said where a title names nothing, or the time was not read.
    static func nothingIsCalled(_ title: String) -> String {
        """
        Nothing done: nothing is called \"\(TextValue.oneLine(title))\". \
        /reminders search and /calendar search look further.
        """
    }

    // MARK: - The list

    private static func listing(_ body: String) -> ReminderIntent? {
        ReminderListPhrases.filter(body).map {
            complete(.list($0), 0.95, "list_reminders", "asks for the list of reminders")
        }
    }

    // MARK: - Acts on one

    private static func target(_ text: String) -> String? {
        Pronoun.isOne(text) ? nil : MessageWords.withoutArticle(text)
    }

    private static func act(_ body: String) -> ReminderIntent? {
        if body.hasSuffix("?") { return nil }
        return completion(body) ?? snooze(body) ?? move(body) ?? other(body)
    }

    private static func completion(_ body: String) -> ReminderIntent? {
        func done(_ title: String, _ confidence: Double, isExact: Bool) -> ReminderIntent? {
            guard !title.contains("?") else { return nil }
            return complete(
                .complete(title: target(title), isExact: isExact), confidence,
                "complete_reminder", "says that \"\(title)\" is done")
        }
        let whole = MessageWords.withoutFinalStop(body).lowercased()
        if ["done", "done!", "that's done", "that’s done", "it's done", "erledigt"].contains(whole)
        {
            return done("that", 0.85, isExact: true)
        }
        if let title = MessageWords.rest(
            of: body,
            after: [
                "done with ", "i'm done with ", "i’m done with ", "im done with ",
                "i am done with ", "done ",
            ])
        {
            return done(title, 0.85, isExact: true)
        }
        if let title = MessageWords.rest(
            of: body, after: ["done:", "completed:", "finished:", "erledigt:"])
        {
            return done(title, 0.95, isExact: false)
        }
        if let text = MessageWords.rest(
            of: body, after: ["mark ", "tick off ", "check off ", "cross off ", "tick "])
        {
            for tail in [
                " as done", " as complete", " as completed", " as finished", " done", " complete",
            ]
            where text.lowercased().hasSuffix(tail) {
                let title = MessageWords.trim(String(text.dropLast(tail.count)))
                return title.isEmpty ? nil : done(title, 0.9, isExact: false)
            }
            return body.lowercased().hasPrefix("mark ") ? nil : done(text, 0.9, isExact: false)
        }
        for tail in [": done", " is done", " is finished", " done", " ist erledigt", " erledigt"]
        where body.lowercased().hasSuffix(tail) {
            let title = MessageWords.trim(String(body.dropLast(tail.count)))
            return title.isEmpty ? nil : done(title, 0.85, isExact: true)
        }
        if let title = MessageWords.rest(
            of: body,
            after: ["complete ", "finish ", "finished ", "i finished ", "i've done ", "i did "])
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
        if Pronoun.isOne(rest) { return snooze(nil, nil) }
        let lead = ["for ", "until ", "till ", "to ", "by "]
        if lead.contains(where: { rest.lowercased().hasPrefix($0) }) {
            return snooze(nil, withoutFor(rest))
        }
        if let sides = MessageWords.sides(of: rest, at: ["for", "until", "till", "to", "by"]) {
            return snooze(target(sides.before), sides.after)
        }
        if DurationParser.duration(of: rest) != nil || rest.lowercased().hasPrefix("a") {
            return snooze(nil, rest)
        }
        // "snooze it 10 min": the target, then the while.
        for pronoun in ["that one ", "this one ", "it ", "that ", "this "]
        where rest.lowercased().hasPrefix(pronoun) {
            return snooze(nil, String(rest.dropFirst(pronoun.count)))
        }
        return snooze(target(rest), nil)
    }

    private static func withoutFor(_ text: String) -> String {
        MessageWords.rest(of: text, after: ["for ", "until ", "till ", "to ", "by ", "in "]) ?? text
    }

    private static func move(_ body: String) -> ReminderIntent? {
        if let phrase = MessageWords.rest(of: body, after: ["make it ", "make that "]) {
            return complete(
                .move(title: nil, phrase: phrase), 0.85, "edit_reminder", "moves what was meant")
        }
        guard
            let rest = MessageWords.rest(
                of: body,
                after: [
                    "move ", "postpone ", "reschedule ", "change ", "push back ", "push ", "delay ",
                    "shift ",
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
            let sides = MessageWords.sides(of: rest, at: ["to", "in"])
        {
            return complete(
                .rename(title: target(sides.before), to: sides.after), 0.85, "edit_reminder",
                "renames \"\(sides.before)\"")
        }
        if let name = MessageWords.rest(of: body, after: ["call it ", "call that ", "rename it "]),
            MessageWords.words(name).count <= 8
        {
            return complete(
                .rename(title: nil, to: name), 0.85, "edit_reminder", "renames what was meant")
        }
        if let title = MessageWords.rest(
            of: body, after: ["reopen ", "undone:", "not done:", "uncomplete "])
        {
            return complete(
                .reopen(title: MessageWords.withoutArticle(title)), 0.9, "reopen_reminder",
                "reopens \"\(title)\"")
        }
        for verb in ["delete ", "remove ", "cancel "] {
            if let rest = MessageWords.rest(of: body, after: [verb]), Pronoun.isOne(rest) {
                return complete(
                    .delete(title: nil), 0.9, "delete_reminder", "deletes what was meant")
            }
            let leads = [
                "the reminder to ", "the reminder about ", "the reminder for ", "the reminder ",
                "my reminder to ", "my reminder ", "reminder ", "the task ", "the todo ",
            ].map { verb + $0 }
            guard let title = MessageWords.rest(of: body, after: leads) else {
                let many: Set = ["everything", "all", "every"]
                guard let title = MessageWords.rest(of: body, after: [verb]),
                    many.union(nouns).isDisjoint(with: MessageWords.words(title))
                else { continue }
                return complete(
                    .delete(title: MessageWords.withoutArticle(title), isExact: true), 0.85,
                    "delete_reminder", "deletes \"\(title)\"")
            }
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
            return wish(reading, phrase: title, MessageVoice(title))
        }
        let voice = MessageVoice(body)
        var reading = parse(body)
        reading.hasLead = reading.hasLead && voice.asksForReminder
        guard
            reading.hasLead
                || ((reading.kind == .todo || voice.isTask(reading)) && hasTime(reading))
        else { return nil }
        if body.hasSuffix("?") || (!reading.hasLead && isQuestion(body)) { return nil }
        // What is told, pasted or asked of a writer is not even asked about.
        guard reading.hasLead || voice.isTask(reading) || voice.mayBeWish(reading) else {
            return nil
        }
        return wish(reading, phrase: body, voice)
    }

    private static func hasTime(_ reading: Reading) -> Bool {
        reading.start != nil || reading.recurrence != nil
    }

    private static func wish(
        _ reading: Reading, phrase: String, _ voice: MessageVoice
    ) -> ReminderIntent {
        let isPlain = TaskTitle.isPlain(reading.title)
        let isCertain = reading.isActedOn
        var match = IntentMatch(
            confidence: reading.hasLead ? 0.9 : 0.4, suggestedTools: ["create_reminder"],
            reasoning: "asks for a reminder")
        // "Remind me tomorrow" speaks of something said before; an alarm need
        // not say what it is for.
        let isNamed = reading.hasOwnTitle || reading.title == "alarm" || reading.title == "timer"
        if isCertain, isPlain, isNamed, reading.hasLead || voice.isTask(reading) {
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
                return Pronoun.isOne(title) || title.lowercased() == "them"
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
