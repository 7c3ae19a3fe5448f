import AgentCore

/// How a message speaks: whether it can be a wish for the day's things at all,
/// or tells, asks, quotes, or wants something written. Pure.
///
/// "dentist next friday 2-3:30pm" and "interview with the author of 1984 at 3pm
/// was great" both hold a time. What parts them is grammar, not words about
/// calendars: a wish without a lead-in is one short noun with its time at an
/// edge, or an imperative that is the person's own; it has no finite verb, no
/// subject, no second sentence, and nothing that is quoted or code. In doubt it
/// is no wish: a model understands both.
struct MessageVoice: Sendable {
    private let text: String
    private let words: [String]

    init(_ message: String) {
        text = MessageWords.trim(message)
        words = MessageWords.words(message)
    }

    /// One line that somebody says, not text that was pasted.
    var isSpoken: Bool {
        !text.isEmpty && !text.contains(where: \.isNewline) && !isQuoted && !isCode && !isLog
            && !hasSecondSentence
    }

    // MARK: - What is pasted

    private var isQuoted: Bool {
        guard let first = text.first else { return false }
        return "\"“„«‘>'`".contains(first) || text.hasPrefix("- ") || text.hasPrefix("* ")
    }

    private var isCode: Bool {
        text.contains { "{}<>|\\`=$".contains($0) } || text.hasPrefix("#")
            || ["//", "();", "--", "::", "->", "[@"].contains { text.firstRange(of: $0) != nil }
            || text.hasSuffix(";")
    }

    /// A clock to the second, as machines write it.
    private var isLog: Bool {
        words.contains { word in
            word.split(whereSeparator: { "-–".contains($0) }).contains { clock in
                let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
                return parts.count >= 3
                    && parts[1...2].allSatisfy { $0.prefix(2).count { $0.isNumber } == 2 }
            }
        }
    }

    private var hasSecondSentence: Bool {
        let parts = text.split(whereSeparator: \.isWhitespace).map(String.init)
        for (word, next) in zip(parts, parts.dropFirst()) {
            guard let mark = word.last else { continue }
            if "?!".contains(mark) { return true }
            if mark == ".", !isAbbreviation(word), next.first?.isLetter == true { return true }
        }
        return false
    }

    private func isAbbreviation(_ word: String) -> Bool {
        let stem = word.dropLast().lowercased()
        return stem.count <= 1 || stem.contains(".") || stem.allSatisfy(\.isNumber)
            || VoiceWords.abbreviations.contains(stem)
    }

    // MARK: - What asks to be reminded

    /// Begins with the words that ask for a reminder or a task. "I want to"
    /// and "add" ask for many things.
    var asksForReminder: Bool {
        let lower = text.lowercased()
        guard let lead = VoiceWords.reminderLeads.first(where: lower.hasPrefix) else {
            return false
        }
        let rest = words.dropFirst(MessageWords.words(lead).count)
        if lead == "remind me ", let next = rest.first {
            // It asks to be told, not to be reminded later.
            if VoiceWords.questions.contains(next) { return false }
            if next == "of", !hasClockOrDay { return false }
        }
        // Without its colon "todo" may name an app.
        if lead == "todo " || lead == "task ", let next = rest.first {
            return TaskTitle.isVerb(next)
        }
        return true
    }

    private var hasClockOrDay: Bool {
        words.contains { word in
            word.contains(where: \.isNumber) || VoiceWords.days.contains(word)
        }
    }

    // MARK: - What has no lead-in

    /// A noun with its time, as a calendar has it: "lunch with Anna".
    ///
    /// - Parameter isAsked: said to be an event in so many words; then a title
    ///   may be anything short.
    func isEvent(_ reading: Reading, isAsked: Bool) -> Bool {
        let title = MessageWords.words(reading.title)
        guard let first = title.first, isSpoken, title.count <= (isAsked ? 12 : 7) else {
            return false
        }
        if isAsked { return true }
        guard !Self.isClause(title), !hasList(reading.title), !VoiceWords.verbs.contains(first),
            !VoiceWords.questions.contains(first), standsAtAnEdge(reading), hasPlainTime(reading)
        else { return false }
        if TaskTitle.isVerb(first), let next = title.dropFirst().first,
            !VoiceWords.prepositions.contains(next), !VoiceWords.events.contains(next)
        {
            return false
        }
        // The head stands before what belongs to it: "tips for an interview".
        let head = title.prefix { !VoiceWords.prepositions.contains($0) }
        if head.contains(where: VoiceWords.told.contains) { return false }
        // From one place to another is a thing to be looked up.
        if Set(title).isSuperset(of: ["from", "to"]) { return false }
        if let attended = attended(Array(head), reading) { return attended }
        // A word nobody knows is an event only where day and clock are said.
        let parts = Set(reading.spans.map(\.part))
        guard reading.kind == .event, !title.contains(where: VoiceWords.belonging.contains),
            case .time? = reading.start
        else { return false }
        return parts.isSuperset(of: [.date, .time]) && title.count <= 4
    }

    /// Whether the last noun of a compound is one of what is attended: "yoga
    /// class", not "yoga poses". A name or a number may follow it. nil where
    /// none of them is.
    private func attended(_ head: [String], _ reading: Reading) -> Bool? {
        guard head.contains(where: VoiceWords.events.contains) else { return nil }
        let isShouted = !reading.title.contains(where: \.isLowercase)
        let names = Set(
            reading.title.split(whereSeparator: \.isWhitespace).filter {
                !isShouted && $0.first?.isUppercase == true
            }.map { $0.lowercased() })
        let last = head.last { word in
            VoiceWords.events.contains(word)
                || !(names.contains(word) || word.contains(where: \.isNumber))
        }
        return last.map(VoiceWords.events.contains) ?? false
    }

    /// A word that is a noun as well is the verb where something marks its
    /// object: "water the plants", not "water temperature".
    private static func isOrder(_ title: [String], _ reading: Reading) -> Bool {
        guard VoiceWords.nounsToo.contains(title[0]) else { return true }
        if VoiceWords.determiners.contains(title[1]) || VoiceWords.particles.contains(title[1]) {
            return true
        }
        let words = reading.title.split(whereSeparator: \.isWhitespace)
        if words.count > 1, let first = words[1].first, first.isUppercase || first.isNumber {
            return true
        }
        return words.count > 1 && words[1].hasSuffix("'s")
            || ["call", "ring", "text", "email", "mail", "phone"].contains(title[0])
                && title.count == 2 && !VoiceWords.afterCall.contains(title[1])
    }

    /// What the person has to do, with its time: "pay rent on friday".
    func isTask(_ reading: Reading) -> Bool {
        let title = MessageWords.words(reading.title)
        // "swim tomorrow at 7": what is done without an object, at a clock time.
        if title.count == 1, isSpoken, TaskTitle.isDoneAlone(title[0]),
            case .time? = reading.start, standsAtAnEdge(reading), hasPlainTime(reading)
        {
            return reading.end == nil
        }
        guard title.count > 1, title.count <= 9, isSpoken, TaskTitle.isTask(reading.title),
            !Self.isClause(title), !hasList(reading.title), standsAtAnEdge(reading),
            hasPlainTime(reading), !VoiceWords.nounMakers.contains(title[1]),
            Self.isOrder(title, reading),
            !title.dropFirst().contains(where: VoiceWords.told.contains)
        else { return false }
        // A machine's rhythm, not a person's.
        if [.secondly, .minutely].contains(reading.recurrence?.frequency) { return false }
        return reading.end == nil
    }

    /// Worth a question where no model can be asked.
    func mayBeWish(_ reading: Reading) -> Bool {
        let title = MessageWords.words(reading.title)
        guard let first = title.first, let start = words.first, reading.hasOwnTitle, isSpoken,
            title.count <= 9, !reading.doubts.contains(.past), !hasList(reading.title)
        else { return false }
        return !Self.isClause(words)
            && ![first, start].contains(where: {
                VoiceWords.verbs.contains($0) || VoiceWords.questions.contains($0)
            }) && !title.contains(where: VoiceWords.told.contains)
            && !title.contains(where: VoiceWords.belonging.contains) && hasPlainTime(reading)
    }

    private func hasList(_ title: String) -> Bool {
        if title.contains(where: { ",;?[]\"“”".contains($0) }) { return true }
        var previous: Character = " "
        for character in text {
            if previous == ":", !character.isNumber { return true }
            previous = character
        }
        return previous == ":"
    }

    /// A finite verb, its subject, or what joins clauses.
    private static func isClause(_ title: [String]) -> Bool {
        title.contains { word in
            VoiceWords.finite.contains(word) || VoiceWords.subjects.contains(word)
                || VoiceWords.joining.contains(word)
                || ["n't", "'m", "'re", "'ll", "'ve"].contains(where: word.hasSuffix)
        }
    }

    private static let times: Set<Reading.Span.Part> = [
        .date, .time, .end, .duration, .recurrence,
    ]

    /// The time stands first or last; only where and with whom may follow it.
    private func standsAtAnEdge(_ reading: Reading) -> Bool {
        let times = reading.spans.filter { Self.times.contains($0.part) }.map(\.range)
        guard let title = reading.spans.first(where: { $0.part == .title })?.range,
            let start = times.map(\.lowerBound).min(), let end = times.map(\.upperBound).max(),
            title.lowerBound < start, title.upperBound > end
        else { return true }
        let rest = MessageWords.words(
            String(decoding: Array(text.utf8).dropFirst(end), as: UTF8.self))
        guard let next = rest.first else { return true }
        return VoiceWords.places.contains(next) && rest.count <= 4
    }

    /// "at 100" is no clock that a person says.
    private func hasPlainTime(_ reading: Reading) -> Bool {
        let bytes = Array(text.utf8)
        return reading.spans.filter { $0.part == .time }.allSatisfy { span in
            guard span.range.upperBound <= bytes.count else { return true }
            let words = MessageWords.words(String(decoding: bytes[span.range], as: UTF8.self))
            return !words.contains { $0.allSatisfy(\.isNumber) && $0.count == 3 }
        }
    }
}

extension Reading {
    /// Sure enough to be done at once. Of two days that a phrase can name the
    /// usual one is taken ("next friday"): the answer says the date, and it
    /// can be undone.
    var isActedOn: Bool {
        confidence >= DateParser.certain && doubts.allSatisfy { $0 == .ambiguous }
    }
}
