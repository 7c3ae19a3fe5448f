import Base

/// Finds which item a change is about: by its name, its kind or its time.
extension MessageInterpreter {
    struct Target {
        /// nil means "it".
        var title: String?
        var kind: Understanding.Kind?
        /// Whether only an item of that kind can be meant.
        var isSure = true
        /// "the rota one": one of several existing items.
        var isListed = false
        var occasion = Change.Occasion.any
    }

    /// "the reminder to call mom", "my dentist appointment", "it"; nil if the words cannot
    /// be a title.
    func named(_ text: String) -> Target? {
        let text = text.split(separator: " ").joined(separator: " ")
        guard !text.isEmpty else { return nil }
        if ["them", "these", "those", "ones", "alle"].contains(text.lowercased()) {
            return nil
        }
        if Self.isPronoun(text) { return Target() }
        if let pick = Self.picks.whole(Self.words(text)) {
            return Target(occasion: .init(pick: pick))
        }
        let inner = MessageText.plain(text)
        // "the one for dad"
        if inner.words.count > 3, inner.words[1] == "one", Lexicon.has(.articles, inner.words[0]),
            Lexicon.has(.prepositions, inner.words[2])
        {
            return Target(title: inner.text(from: 3), isListed: true)
        }
        if let (kind, end) = Lexicon.first({ lexicon in
            lexicon.kinds.match(inner.words).map { ($0.meaning, $0.end) }
        }), end < inner.words.count {
            let title = inner.text(from: end)
            guard isTitle(title) else { return nil }
            // "the reminder function in app.py" is not a reminder.
            if inner.words[end...].contains(where: Lexicon.isTechnical),
                !Lexicon.has(.connectors, inner.words[end - 1])
            {
                return Target(title: withoutArticle(text))
            }
            // "the reminder model" may not be a reminder.
            let isSure =
                Lexicon.has(.connectors, inner.words[end - 1]) || text.hasSuffix("\"")
                || Lexicon.german.has(.taskVerbs, inner.words.last ?? "")
                || Lexicon.isTaskVerb(inner.words[end])
                || inner.words[end...].contains(where: Lexicon.isAppointment)
            return Target(title: title, kind: kind, isSure: isSure)
        }
        var title = withoutArticle(text)
        var words = title.split(separator: " ").map(String.init)
        // "the rota one"
        if words.count > 1, text != title, words.last == "one" {
            title = words.dropLast().joined(separator: " ")
            return isTitle(title) ? Target(title: title, isListed: true) : nil
        }
        // "the timer"
        if words.count == 1, text != title, let kind = Lexicon.kind(of: words[0]) {
            // "my appointment" may have any title.
            return Target(
                title: words[0], kind: kind, occasion: .init(isOnlyName: kind == .event))
        }
        // "Friseurtermin"
        if words.count == 1, words[0].count > 8, words[0].lowercased().hasSuffix("termin") {
            return Target(title: String(words[0].dropLast(6)), kind: .event)
        }
        // "my dentist appointment"; an appointment may have that whole title.
        if words.count > 1, let kind = words.last.flatMap(Lexicon.kind) {
            words.removeLast()
            title = words.joined(separator: " ")
            let isSure = !words.contains { Lexicon.isTechnical($0.lowercased()) }
            return isTitle(title) ? Target(title: title, kind: isSure ? kind : nil) : nil
        }
        return isTitle(title) ? Target(title: title) : nil
    }

    static let picks = PatternTable("picks") { Change.Pick(rawValue: $0) }

    private func isTitle(_ title: String) -> Bool {
        let words = Self.words(title)
        let conditions = words.filter { Lexicon.has(.conditions, $0) }
        return !words.isEmpty && words.count <= 10
            && !Lexicon.has(.manyThings, words[0])
            && !Self.isDescription(words) && !title.hasSuffix(")") && !title.hasSuffix("%")
            && Set(words).isDisjoint(with: ["half", "part", "rest", "teil", "hälfte"])
            && !Leftovers.areIn(title, language: context.locale.language)
            && !title.contains(where: { "?;,".contains($0) })
            // "buy eggs and milk" is a title, "it and move it to friday" is not.
            && (conditions.isEmpty
                || words.count <= 6 && !words.contains("it")
                    && conditions.allSatisfy { $0 == "and" || $0 == "und" })
    }

    /// Like `named`, for words that may also give a time: "my 7am alarm", "the dentist on
    /// tuesday at 9"; nil also if the time is uncertain.
    func timed(_ text: String) -> Target? {
        let body = withoutArticle(text)
        if Self.picks.whole(Self.words(text)) != nil { return named(text) }
        let reading = Self.isPronoun(text) ? ParsedPhrase(title: body) : parse(body)
        let candidate = Candidate(body, words: Self.words(body), reading: reading, context: context)
        guard let start = reading.start,
            reading.hasOwnTitle || reading.isAlarm || candidate.hasExactClock
                || candidate.namesDay && body != text
        else { return named(text) }
        guard reading.isActedOn, reading.recurrence == nil else { return nil }
        let noun = Lexicon.kind(of: reading.title)
        // "my 3pm" gives no more of a name than "my 3pm meeting".
        let isOnlyName =
            noun != nil || reading.isAlarm || !reading.hasOwnTitle || reading.title == "one"
        let title = reading.hasOwnTitle || reading.isAlarm ? reading.title : body
        guard
            var target = isOnlyName ? Target(title: title, kind: noun) : named(title)
        else { return nil }
        if reading.lead.map({ $0 != .event && $0.isTask }) == true { target.kind = .reminder }
        let clock = candidate.hasExactClock ? candidate.clock : nil
        target.occasion = .init(
            day: candidate.namesDay ? start.date : nil, clock: clock,
            isOnlyName: isOnlyName
                && (clock != nil || noun == .event || title == "one" || !reading.hasOwnTitle))
        return target
    }
}
