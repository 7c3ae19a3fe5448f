import AgentCore
import FoundationEssentials

/// What a plain message wants of the calendar, as far as words alone tell.
/// Pure; the date language is given.
///
/// It acts only on what it surely understands whole. Which event a title
/// means is seen when it is done: `CalendarServer+Messages`.
struct CalendarIntent: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case create(EventDraft)
        /// More than one way to read it, or a doubt.
        case ask(String, [EventDraft])
        case agenda(Period)
        case free(Period)
        case when(String)
        /// nil is "that", here and below.
        case move(String?, to: TimeArgument)
        case push(String?, by: CalendarDuration)
        case rename(String?, to: String)
        case cancel(String?)
    }

    var match: IntentMatch
    var action: Action?

    /// Longer messages are stories about events, not wishes for one.
    private static let lengthLimit = 300
    static let nothing = CalendarIntent(match: .none)

    static func judge(
        _ message: String, context: DateContext, parse: (String) -> Reading
    ) -> CalendarIntent {
        guard message.utf8.count <= lengthLimit else { return mentioned(message) }
        let text = MessageText(message)
        guard !text.words.isEmpty, !message.contains(where: \.isNewline) else {
            return mentioned(message)
        }
        if let action = question(text, context, parse) {
            return sure(action, ["list_events", "find_free_time"], 0.9)
        }
        if let action = change(text, context, parse) {
            let tool = if case .cancel = action { "delete_event" } else { "edit_event" }
            var intent = sure(action, [tool, "list_events"], 0.9)
            intent.match.missing = missing(action)
            switch action {
            case .move(nil, _), .push(nil, _), .rename(nil, _), .cancel(nil):
                intent.match.refersBack = true
            default: break
            }
            return intent
        }
        return creation(text, context, parse) ?? mentioned(message)
    }

    private static func sure(
        _ action: Action, _ tools: [String], _ confidence: Double
    ) -> CalendarIntent {
        CalendarIntent(
            match: IntentMatch(
                confidence: confidence, suggestedTools: tools, reasoning: "speaks of the calendar",
                isComplete: true), action: action)
    }

    /// Said where nothing of that name is there.
    private static func missing(_ action: Action) -> String? {
        switch action {
        case .move(let title?, _), .push(let title?, _), .rename(let title?, _),
            .cancel(let title?):
            ReminderIntent.nothingIsCalled(title)
        case .move(nil, _), .push(nil, _), .rename(nil, _), .cancel(nil):
            "Nothing done: it is not clear which one is meant. Say its name."
        case .create, .ask, .agenda, .free, .when: nil
        }
    }

    // MARK: - Creating

    private static func creation(
        _ text: MessageText, _ context: DateContext, _ parse: (String) -> Reading
    ) -> CalendarIntent? {
        guard !text.isQuestion, !text.isRequestForProse else { return nil }
        let (body, isAsked) = text.withoutCreationLead()
        let reading = parse(body)
        guard !reading.hasLead, reading.start != nil, reading.hasOwnTitle,
            reading.title.contains(where: { $0.isLetter || $0.isNumber }),
            MessageVoice(body).isEvent(reading, isAsked: isAsked),
            reading.kind == .event || isAsked || !isDeadline(reading)
        else { return nil }
        var match = IntentMatch(
            confidence: 0.9, suggestedTools: ["create_event"], reasoning: "names an event")
        if reading.isActedOn, let draft = ReadingPlan.draft(reading, context) {
            match.isComplete = true
            return CalendarIntent(match: match, action: .create(draft))
        }
        switch ReadingPlan(reading, context: context).verdict {
        case .noTime: return nil
        case .draft(let draft):
            match.isComplete = true
            return CalendarIntent(match: match, action: .create(draft))
        case .ask(let question, let drafts):
            match.confidence = 0.7
            match.missing = """
                Not stored, since it can be read in more than one way. \
                Say it with a date: chat calendar add TITLE --start 2026-11-22T09:00
                """
            return CalendarIntent(match: match, action: .ask(question, drafts))
        }
    }

    /// A day without a clock, or a time by which something is to be done.
    private static func isDeadline(_ reading: Reading) -> Bool {
        guard case .time? = reading.start else { return true }
        return TaskTitle.isTask(reading.title)
    }

    // MARK: - Asking

    private static func question(
        _ text: MessageText, _ context: DateContext, _ parse: (String) -> Reading
    ) -> Action? {
        // The noun stands last: "habe ich am freitag um 14 uhr zeit?"
        if let rest = text.after("habe ich"), rest.lowercased().hasSuffix(" zeit") {
            return Period(rest, context: context, parse: parse).map(Action.free)
        }
        for lead in freeLeads {
            guard let rest = text.after(lead) else { continue }
            return Period(rest, context: context, parse: parse).map(Action.free)
        }
        for lead in agendaLeads {
            guard var rest = text.after(lead) else { continue }
            if rest.isEmpty,
                lead.hasSuffix(" week look like") || lead.hasSuffix("my week look")
                    || lead == "how is my week"
            {
                rest = "this week"
            }
            if let period = Period(rest, context: context, parse: parse) { return .agenda(period) }
        }
        for lead in whenLeads {
            guard let rest = text.after(lead) else { continue }
            var title = MessageText.withoutArticle(rest)
            if title.hasPrefix("next ") { title.removeFirst(5) }
            return title.isEmpty ? nil : .when(title)
        }
        return nil
    }

    private static let freeLeads = [
        "am i free", "am i busy", "am i available", "are we free", "when am i free",
        "do i have time",
        "do i have any time", "have i got time", "is there time", "when do i have time",
        "bin ich", "habe ich zeit", "wann habe ich zeit", "wann bin ich",
    ]

    /// The longest first, so that none swallows a word of the time.
    private static let agendaLeads = [
        "what is on my calendar", "what is on the calendar", "what do i have going on",
        "do i have plans", "do i have any plans", "do i have something", "anything",
        "what is on my schedule", "what is on my agenda",
        "what is in my calendar", "what is my schedule", "what is my agenda",
        "what does my calendar look like", "what does my day look like",
        "what does my week look like", "what does my schedule look like",
        "what is happening", "what is planned", "what is scheduled", "what is coming up",
        "what is up", "what is on", "what is there",
        "what do i have on", "what do i have planned", "what do i have scheduled",
        "what do i have", "what have i got on", "what have i got planned", "what have i got",
        "what events do i have", "what appointments do i have", "what meetings do i have",
        "which events do i have", "do i have anything on", "do i have anything planned",
        "do i have anything", "do i have any events", "do i have any meetings",
        "do i have any appointments", "have i got anything on", "have i got anything",
        "is there anything on", "anything on", "anything planned",
        "show me my calendar", "show my calendar", "show the calendar", "show me my agenda",
        "show my agenda", "show me my schedule", "show my schedule", "show my events",
        "show me my events", "show me what is on", "list my events", "list events",
        "list my appointments", "my calendar", "my agenda", "my schedule", "calendar", "agenda",
        "schedule", "how does my day look", "how does my week look", "how is my day",
        "how is my week", "was steht", "was habe ich", "was ist", "zeig mir meinen kalender",
        "zeige meinen kalender", "mein kalender", "kalender",
    ].sorted { $0.count > $1.count }

    private static let whenLeads = [
        "when is", "when are", "what time is", "what time's", "at what time is", "when does",
        "wann ist",
        "um wie viel uhr ist",
    ]

    // MARK: - Changing

    private static func change(
        _ text: MessageText, _ context: DateContext, _ parse: (String) -> Reading
    ) -> Action? {
        guard !text.isQuestion else { return nil }
        if let name = renamed(text) { return name }
        for verb in [
            "cancel", "call off", "drop", "delete", "remove", "absagen", "sage", "storniere",
            "streiche", "lösche",
        ] {
            guard var rest = text.after(verb) else { continue }
            if verb == "sage" {
                guard rest.hasSuffix(" ab") else { continue }
                rest.removeLast(3)
            }
            // "Drop it" is no more than a saying.
            if Pronoun.isOne(rest) { return verb == "drop" ? nil : .cancel(nil) }
            var title = MessageText.withoutArticle(rest)
            // "delete the event dentist"
            for noun in ["event ", "appointment ", "termin "]
            where title.lowercased().hasPrefix(noun) {
                title.removeFirst(noun.count)
            }
            for tail in [" from my calendar", " from the calendar"]
            where title.lowercased().hasSuffix(tail) {
                title.removeLast(tail.count)
            }
            // "cancel" alone, or what is no event of a calendar.
            return title.isEmpty ? nil : .cancel(title)
        }
        for lead in ["make it", "make that"] {
            guard let rest = text.after(lead) else { continue }
            return moved("it to " + rest, verb: "move", context, parse)
        }
        for verb in moveVerbs {
            guard let rest = text.after(verb) else { continue }
            // "put the dentist on my calendar for friday" makes a new one.
            if verb == "put", rest.lowercased().firstRange(of: " calendar") != nil { return nil }
            return moved(rest, verb: verb, context, parse)
        }
        return nil
    }

    /// "rename the team lunch to team brunch", "call it barber".
    private static func renamed(_ text: MessageText) -> Action? {
        for lead in ["call it", "call that", "rename it", "rename it to", "rename that to"]
            .reversed()
        {
            guard let name = text.after(lead) else { continue }
            return name.isEmpty || name.split(separator: " ").count > 8
                ? nil : .rename(nil, to: name)
        }
        guard let rest = text.after("rename"),
            let sides = MessageWords.sides(of: rest, at: ["to", "in"])
        else { return nil }
        return .rename(MessageText.withoutArticle(sides.before), to: sides.after)
    }

    private static let moveVerbs = [
        "move", "reschedule", "postpone", "change", "push back", "push", "shift", "delay", "bring",
        "put", "verschiebe",
        "verlege",
    ]

    private static func moved(
        _ rest: String, verb: String, _ context: DateContext, _ parse: (String) -> Reading
    ) -> Action? {
        // By how much: "push the dentist (back) by an hour", "move it forward 30 min".
        let words = rest.split(separator: " ").map(String.init)
        for index in words.indices.reversed() where index > 0 {
            let word = words[index].lowercased()
            guard ["by", "back", "forward", "later", "earlier", "um", "out"].contains(word) else {
                continue
            }
            var title = Array(words[..<index])
            var amount = Array(words[(index + 1)...])
            var isEarlier = word == "forward" || word == "earlier"
            if word == "by" || word == "um", let last = title.last?.lowercased(),
                ["back", "forward", "out"].contains(last), title.count > 1
            {
                isEarlier = last == "forward"
                title.removeLast()
            }
            if let last = amount.last?.lowercased(), ["later", "earlier"].contains(last) {
                isEarlier = last == "earlier"
                amount.removeLast()
            }
            if word == "later" || word == "earlier", amount.isEmpty {
                // "move the dentist an hour later"
                for start in 1..<max(1, title.count) {
                    let words = title[start...].joined(separator: " ")
                    if let length = DurationParser.duration(of: words) {
                        return push(Array(title[..<start]), length, isEarlier)
                    }
                }
                continue
            }
            if let length = DurationParser.duration(of: amount.joined(separator: " ")) {
                return push(title, length, isEarlier)
            }
        }
        // To when: the last "to" that a time follows.
        for index in words.indices.reversed() where index > 0 {
            let word = words[index].lowercased()
            guard ["to", "until", "till", "for", "on", "at", "auf"].contains(word) else { continue }
            // "to friday at 4": both belong to the time.
            if word == "at" || word == "on",
                words[..<index].contains(where: {
                    ["to", "until", "for", "auf"].contains($0.lowercased())
                })
            {
                continue
            }
            var phrase = words[(index + 1)...].joined(separator: " ")
            // A bare number is an hour here.
            if phrase.utf8.count <= 2, Int(phrase) != nil { phrase = "at " + phrase }
            let title = MessageText.withoutArticle(words[..<index].joined(separator: " "))
            let reading = parse(phrase)
            guard !title.isEmpty, !phrase.isEmpty,
                reading.confidence >= DateParser.certain || reading.alternatives.isEmpty,
                !reading.doubts.contains(.past)
            else { return nil }
            if let time = try? TimeArgument(phrase, context: context, parse: parse) {
                return .move(named(title), to: time)
            }
        }
        return nil
    }

    private static func push(
        _ title: [String], _ length: CalendarDuration, _ isEarlier: Bool
    ) -> Action? {
        let title = MessageText.withoutArticle(title.joined(separator: " "))
        guard !title.isEmpty else { return nil }
        let sign = isEarlier ? -1 : 1
        return .push(
            named(title),
            by: CalendarDuration(days: sign * length.days, seconds: sign * length.seconds))
    }

    /// nil for "it".
    private static func named(_ title: String) -> String? { Pronoun.isOne(title) ? nil : title }

    // MARK: - Merely speaking of it

    private static let nouns: Set<String> = [
        "calendar", "calendars", "event", "events", "appointment", "appointments", "meeting",
        "meetings", "schedule", "agenda", "kalender", "termin", "termine",
    ]

    /// For choosing tools; the model answers.
    private static func mentioned(_ message: String) -> CalendarIntent {
        let words = MessageWords.words(String(message.prefix(4096)))
        guard words.contains(where: nouns.contains) else { return .nothing }
        return CalendarIntent(
            match: IntentMatch(
                confidence: 0.5,
                suggestedTools: ["list_events", "create_event", "edit_event", "find_free_time"],
                reasoning: "speaks of the calendar",
                missing: "Not understood without a model. What is there: chat calendar agenda"))
    }
}
