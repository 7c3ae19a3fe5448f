import ICalendar

/// Classifies messages without a lead-in: appointments, chores, and lookalikes.
extension Candidate {
    /// Whether the message is an event that the user attends, with its time: "lunch with
    /// Anna tomorrow at 12".
    var isAppointment: Bool {
        guard !title.isEmpty, title.count <= 8, reading.start != nil, isPlainRequest
        else { return false }
        let head = Array(title.dropLast(place.count).prefix { !Lexicon.has(.prepositions, $0) })
        if title.count == 1, reading.end == nil, Lexicon.has(.aloneVerbs, title[0]) { return false }
        // "quiz night" is still an appointment.
        let isCompound = head.count == 2 && ["night", "evening"].contains(head[1])
        guard !head.isEmpty, head.count <= 5,
            isCompound || !Lexicon.has(.assistantVerbs, head[0]),
            // "shelve the physio appointment"
            !head.dropFirst().contains(where: { Lexicon.has(.articles, $0) })
        else { return false }
        let last = head.last { !($0.contains(where: \.isNumber)) } ?? ""
        guard isAttended(head, last) else { return false }
        // The rest is a person, a place or the destination of a flight.
        let tail = title.dropFirst(head.count)
        if tail.contains(where: { ["about", "of", "over", "über", "between"].contains($0) }) {
            return false
        }
        if tail.contains("from"), tail.contains("to") { return false }
        if Lexicon.isTaskVerb(head[0]),
            head.count > 1 || tail.first.map({ $0 != "with" && $0 != "mit" }) == true
        {
            // "book club" is an appointment, "call the doctor" is not.
            return head.count > 1 && Lexicon.isAppointment(last)
                && ["book", "dance"].contains(head[0])
        }
        return true
    }

    func isAttended(_ head: [String], _ last: String) -> Bool {
        if Lexicon.namesAppointment(last) { return true }
        // "parents evening", "movie night", "1:1"
        if head.prefix(2) == ["1", "1"] { return true }
        let isTimed = head.count > 1 && ["evening", "night", "day"].contains(last)
        if isTimed, !Lexicon.isTaskVerb(head[0]) { return true }
        // "dentist appointment Dr Lee", "flight BA117": a name follows.
        let capitals = Set(
            reading.title.split(whereSeparator: \.isWhitespace).filter {
                $0.first?.isUppercase == true && reading.title.contains(where: \.isLowercase)
            }.map { $0.lowercased() })
        let noun = head.last { !capitals.contains($0) && !$0.contains(where: \.isNumber) }
        return head.count > 1 && noun.map(Lexicon.isAppointment) == true
    }

    /// "buy bread": a chore and its object, with or without a time.
    var isNamedTask: Bool {
        title.count > 1 && Lexicon.has(.choreVerbs, title[0]) && isPlainRequest && isOrder
    }

    /// Whether the message is something to do, with its time.
    var isTask: Bool {
        guard let first = title.first, isPlainRequest, title.count <= 9, reading.end == nil
        else { return false }
        if title.count == 1 { return Lexicon.has(.aloneVerbs, first) && hasClock }
        if isVerbLast { return true }
        guard Lexicon.has(.choreVerbs, first),
            !["of", "to", "from", "by", "with", "me"].contains(title[1])
        else {
            return false
        }
        if [.secondly, .minutely].contains(reading.recurrence?.frequency) { return false }
        return isOrder
    }

    /// "Unterlagen hochladen": a German verb comes last, in lower case where nouns are not.
    private var isVerbLast: Bool {
        guard title.count > 1, let last = title.last else { return false }
        if Lexicon.german.has(.choreVerbs, last) { return true }
        let words = reading.title.split(whereSeparator: \.isWhitespace)
        if Lexicon.isSeparableVerb(last), words.last?.first?.isLowercase == true { return true }
        return context.locale.language == .german && last.count > 4
            && ["en", "ern", "eln"].contains(where: last.hasSuffix)
            && words.last?.first?.isLowercase == true
            && words.contains { $0.first?.isUppercase == true }
            && (words[0].first?.isUppercase == true || Lexicon.has(.articles, title[0])
                || Lexicon.has(.prepositions, title[0]))
    }

    var isPersonal: Bool {
        guard let first = title.first, let last = title.last,
            !title.contains(where: Lexicon.isTechnical)
        else { return false }
        return Lexicon.english.has(.personalVerbs, first)
            || Lexicon.english.has(.aloneVerbs, first) && title.count == 1
            || Lexicon.german.has(.personalVerbs, last)
    }

    /// Whether a word that is also a noun is the verb, because its object is marked: "water
    /// the plants", not "water temperature".
    var isOrder: Bool {
        guard Lexicon.has(.nounVerbs, title[0]) else { return true }
        if Lexicon.has(.articles, title[1]) || Lexicon.has(.objectMarkers, title[1]) { return true }
        let words = reading.title.split(whereSeparator: \.isWhitespace)
        guard words.count > 1, let letter = words[1].first else { return false }
        if letter.isUppercase || letter.isNumber || words[1].hasSuffix("'s") { return true }
        // "water plants every monday": a temperature would not repeat.
        return
            (reading.recurrence != nil
            || ["call", "ring", "text", "phone", "pay", "walk", "email"].contains(title[0]))
            && title.count == 2 && !Lexicon.has(.calledThings, title[1])
    }

    /// Whether the message is short and plain, with its time at an edge, no finite verb and
    /// nothing pasted.
    var isPlainRequest: Bool {
        guard let first = title.first, !MessageInterpreter.isQuestionWord(first),
            !MessageInterpreter.isClause(
                Lexicon.isTaskVerb(first) ? residue.dropFirst() : residue[...]),
            !title.contains(where: { Lexicon.has(.writings, $0) })
                || reading.lead == .weakTask
                || Lexicon.german.has(.choreVerbs, title.last ?? ""),
            standsAtAnEdge || isVerbLast || Lexicon.german.has(.choreVerbs, first)
        else { return false }
        return !isQuestion
            && !reading.title.contains(where: { ";?[]\"“”:".contains($0) })
            && (!reading.title.contains(",") || hasNote)
            || title.prefix(2) == ["1", "1"]
    }

    /// "interview, bring the portfolio": the event is named before the comma.
    private var hasNote: Bool {
        MessageInterpreter.words(String(reading.title.prefix { !",:".contains($0) }))
            .contains(where: Lexicon.isAppointment)
    }

    /// "opening night friday 7pm Globe Theatre": the words after the time, if they name a place.
    private var place: [String] {
        let end = stretches.map(\.range.upperBound).max() ?? 0
        let words = String(decoding: Array(text.utf8).dropFirst(end), as: UTF8.self)
            .split(separator: " ")
        return (2...3).contains(words.count)
            && words.allSatisfy { $0.first?.isUppercase == true && $0.last?.isLetter == true }
            ? MessageInterpreter.words(words.joined(separator: " ")) : []
    }

    /// The words that belong neither to a time nor to a lead-in, including those left out
    /// of the title ("my birthday *is* on 5 may").
    var residue: [String] {
        var bytes = Array(text.utf8)
        for span in reading.spans where span.part != .title && span.range.upperBound <= bytes.count
        {
            for index in span.range { bytes[index] = 0x20 }
        }
        return MessageInterpreter.words(String(decoding: bytes, as: UTF8.self))
    }

    /// "create a reminder model", "add a delete button to my to-do list app": asks to make
    /// something whose name begins like one of our requests.
    var isToBeBuilt: Bool {
        let bytes = Array(text.utf8)
        func words(_ bytes: ArraySlice<UInt8>) -> [String] {
            MessageInterpreter.words(String(decoding: bytes, as: UTF8.self))
        }
        return reading.spans.contains { span in
            guard span.part == .lead || span.part == .list, span.range.upperBound <= bytes.count,
                case let lead = words(bytes[span.range]),
                lead.last.map({ Lexicon.has(.connectors, $0) }) == false,
                lead.contains(where: { $0 != "remind" && Lexicon.namesItems($0) })
            else { return false }
            let head = words(bytes[span.range.upperBound...]).prefix {
                !Lexicon.has(.prepositions, $0) && !Lexicon.has(.conditions, $0)
                    && !MessageInterpreter.isQuestionWord($0) && $0 != "that"
            }
            guard let first = head.first, let last = head.last, Lexicon.isBuilt(last) else {
                return false
            }
            // "set a reminder update the website" is an order.
            return head.count == 1 || !Lexicon.isTaskVerb(first) || title.first != first || !isOrder
        }
    }

    /// "task: sort by 2 keys", "todo: the hero dies at 5pm in chapter 3": something to
    /// write or work out; its numbers are not alarm times.
    var isSubjectMatter: Bool {
        guard reading.lead == .task, let first = title.first,
            let lead = reading.spans.first(where: { $0.part == .lead }),
            Array(text.utf8)[lead.range].last == UInt8(ascii: ":")
        else { return false }
        let isForAssistant =
            Lexicon.has(.assistantVerbs, first)
            && (!Lexicon.isTaskVerb(first) || stretches.contains { $0.part == .duration })
        let isVerbLast = Lexicon.german.has(.taskVerbs, title.last ?? "")
        // "find 2 bugs in this loop"
        if Lexicon.has(.assistantVerbs, first),
            title.contains(where: { ["this", "these"].contains($0) || $0.hasPrefix("diese") })
        {
            return true
        }
        guard reading.start != nil else { return false }
        return isForAssistant || !standsAtAnEdge && !isVerbLast
            || !namesDay
                && (MessageInterpreter.isClause(residue)
                    || title.contains { Lexicon.has(.writings, $0) })
            // "… in chapter 3"
            || !namesDay
                && zip(title, title.dropFirst()).contains {
                    Lexicon.has(.numbered, $0) && Int($1) != nil
                }
    }

    /// Whether it is offered as an item where no model can be asked: a line that is neither a
    /// question, nor a remark, nor an order to an assistant.
    var isOffered: Bool {
        guard let first = title.first, let word = words.first, title.count <= 12,
            reading.hasOwnTitle, !isQuestion, !reading.doubts.contains(.past), !isToBeBuilt,
            !isDeictic, !MessageForm.isCode(text), !title.contains("vs"),
            !title.contains(where: { Lexicon.has(.reminderNouns, $0) })
        else { return false }
        if let lead = reading.lead, lead != .filler {
            return leadStandsWell || Lexicon.has(.clauseOpeners, word)
        }
        let isOrdered = isVerbLast || title.count > 1 && Lexicon.isTaskVerb(first)
        let isForAssistant =
            Lexicon.has(.assistantVerbs, first)
            && !(isOrdered
                && !["me", "us", "a", "an", "my", "some"].contains(title.dropFirst().first))
        let isChore = isOrdered && !Lexicon.has(.assistantVerbs, first)
        let said = Lexicon.isTaskVerb(first) ? residue.dropFirst() : residue[...]
        let isRemark =
            MessageInterpreter.isClause(said)
            && !(namesDay && (isExact || title.contains(where: Lexicon.namesAppointment)))
        return (title.count > 1 || namesDay || hasClock) && !isForAssistant && !isRemark
            && !MessageInterpreter.isQuestionWord(word) && !Lexicon.has(.courtesies, word)
            && !reading.title.contains(where: { (isVerbLast ? ";?" : ";?\"“”").contains($0) })
            && !title.contains {
                ["this", "that", "it", "these"].contains($0) && !hasClock
                    || (Lexicon.isTechnical($0) || Lexicon.has(.writings, $0)) && !isChore
            }
    }

    /// "squash sunday at 5pm": a few words about one thing, with a complete day and clock
    /// time at an edge, and nothing an assistant may be asked to do or write.
    var isTimed: Bool {
        guard let first = title.first, let last = title.last else { return false }
        guard [nil, .filler].contains(reading.lead) || isScheduled,
            namesDay || isLength && !Lexicon.isTaskVerb(first) || isEntry, isExact,
            title.count <= 6,
            isPlainRequest,
            standsAtAnEdge, reading.occasions.count == 1,
            first.contains(where: \.isLetter), !["a", "an"].contains(first),
            isTask || isEntry
                || !Lexicon.has(.assistantVerbs, first) && !Lexicon.has(.puttingVerbs, first)
                    && !Lexicon.german.has(.assistantVerbs, last)
        else { return false }
        if ["open", "close", "tv"].contains(last)
            || title.contains("from") && title.contains("to") || isWantedForThen
        {
            return false
        }
        // "block my calendar", "call me a taxi", "rent a van from 9 to 12", "shelve the eye test"
        let isRequest =
            title.count > 1 && Lexicon.has(.articles, title[1])
            && (reading.end != nil || !Lexicon.isTaskVerb(first))
            || title.contains {
                Lexicon.isTechnical($0) || Lexicon.has(.reminderNouns, $0)
                    || Lexicon.has(.calendarNames, $0) || Lexicon.has(.negations, $0)
                    || ["me", "us", "mir", "uns", "mich"].contains($0)
            }
        return !isRequest
    }

    /// "in 2 hours: check on the dough"
    private var isEntry: Bool {
        let start = reading.spans.first { $0.part == .title }?.range.lowerBound ?? 0
        return stretches.first?.range.lowerBound == 0
            && text.utf8.prefix(start).suffix(2).first == UInt8(ascii: ":")
    }

    /// "schedule the eye test", but not "book a table".
    private var isScheduled: Bool {
        reading.lead == .weakEvent && words.first.map { !Lexicon.has(.bookingVerbs, $0) } == true
    }

    /// "workout for tomorrow at 7", "Kritik vom Freitag": something wanted for a time, or
    /// dating from one.
    private var isWantedForThen: Bool {
        guard reading.end == nil, let start = stretches.map(\.range.lowerBound).min()
        else { return false }
        let words = MessageInterpreter.words(
            String(decoding: Array(text.utf8).prefix(start + 4), as: UTF8.self))
        return words.suffix(2).contains { ["for", "für", "vom", "von"].contains($0) }
    }

    /// Whether the time comes first or last; only a place or companions may follow it.
    var standsAtAnEdge: Bool {
        let times = reading.spans.filter { Self.times.contains($0.part) }.map(\.range)
        guard let title = reading.spans.first(where: { $0.part == .title })?.range,
            let start = times.map(\.lowerBound).min(), let end = times.map(\.upperBound).max(),
            title.lowerBound < start, title.upperBound > end
        else { return true }
        let after = String(decoding: Array(text.utf8).dropFirst(end), as: UTF8.self)
        let rest = MessageInterpreter.words(after)
        guard let next = rest.first else { return true }
        return rest.count <= 6 && !rest.contains { ["and", "und"].contains($0) }
            && ([
                "at", "in", "with", "w", "for", "@", "near", "by", "bei", "beim", "mit", "im",
                "für", "wegen",
            ]
            .contains(next) || Lexicon.has(.numbered, next) || after.first == "," && hasNote
                || !place.isEmpty)
    }

    /// "tea timer 4 min"
    var isRinging: Bool {
        title.count <= 3
            && ["alarm", "timer", "wecker", "eieruhr", "countdown"].contains {
                title.last?.hasSuffix($0) == true
            }
            && !MessageForm.isCode(text)
    }
}
