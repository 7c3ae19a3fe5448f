import Base
import ICalendar

/// Parses new items: reminders, alarms, appointments.
///
/// If a model is available, an item is stored only if the message is addressed to us and
/// every word is accounted for; otherwise the user is asked about likely items.
extension MessageInterpreter {
    private enum Form { case addressed, task, appointment }

    func creation() -> Understanding? {
        guard !utterance.isQuestion || hasSureLead else { return nil }
        if let several = several() { return several }
        let candidate = self.candidate(0..<utterance.words.count)
        let reading = candidate.reading
        let isSureLead = reading.lead.map(Self.isAddressed) ?? false
        if isSureLead {
            guard candidate.leadStandsWell,
                reading.lead != .task
                    || !MessageForm.isCode(utterance.text) && !reading.title.contains(":")
            else { return nil }
        } else if MessageForm.isCode(utterance.text) {
            return nil
        }
        if candidate.isToBeBuilt { return nil }
        let form = form(of: candidate)
        guard candidate.isNamed, !Self.isPronoun(reading.title), !candidate.isDeictic,
            reading.lead != nil || !candidate.title.allSatisfy({ Lexicon.has(.aroundTimes, $0) })
        else {
            return isSureLead || form == .task ? unnamed(reading) : nil
        }
        guard let form else { return nil }
        let kind: Understanding.Kind = form == .appointment ? .event : .reminder
        let unused = candidate.unused
        let isWhole =
            unused.isEmpty && candidate.isCertain
            && !(isSureLead
                && (candidate.asksToBeTold || candidate.isSubjectMatter
                    || !candidate.leadStandsWell))
        let isOffline = isWhole && isStoredOffline(form, candidate)
        let isOnline = isWhole && isStoredOnline(form, candidate)
        // Whether such an event exists is checked when the act is carried out.
        let isLookedUp = isOffline && reading.anchor != nil
        return Understanding(
            act: isOffline ? .store(reading.occasions, kind) : .ask(reading, kind),
            online: isLookedUp ? .ask : isOnline ? .store : .model,
            offline: isOffline && !isLookedUp ? .store : .ask, unused: unused,
            fallbackMessage: fallback(unused, kind),
            tools: [kind == .event ? "create_event" : "create_reminder"],
            reasoning: kind == .event ? "names an event" : "asks for a reminder")
    }

    /// Part of the message, parsed by itself.
    func candidate(_ range: Range<Int>) -> Candidate {
        let text = utterance.text(range)
        return Candidate(
            text, words: Array(utterance.words[range]), isQuestion: utterance.isQuestion,
            reading: parse(text), context: context)
    }

    /// The message as an item, for where no model can be asked: nothing else claims it.
    func offered(_ unclaimed: Understanding) -> Understanding {
        let candidate = self.candidate(0..<utterance.words.count)
        guard unclaimed.isUnclaimed, candidate.isOffered else { return unclaimed }
        var reading = candidate.reading
        reading.doubts.append(.unclaimed)
        var understanding = unclaimed
        let kind: Understanding.Kind = reading.kind == .event ? .event : .reminder
        (understanding.act, understanding.offline) = (.ask(reading, kind), .ask)
        understanding.unused = candidate.unused
        if reading.start != nil {
            understanding.tools = [kind == .event ? "create_event" : "create_reminder"]
        }
        return understanding
    }

    // MARK: - Form

    static func isAddressed(_ lead: Lexicon.Lead) -> Bool {
        switch lead {
        case .reminder, .alarm, .timer, .task, .event: true
        case .weakTask, .weakEvent, .filler: false
        }
    }

    private var hasSureLead: Bool {
        Lexicon.first { $0.leads.match(utterance.words) }.map { Self.isAddressed($0.meaning) }
            ?? false
    }

    /// The form of the request; nil if the message is not a request.
    private func form(of candidate: Candidate) -> Form? {
        let reading = candidate.reading
        switch reading.lead {
        case .reminder, .alarm, .timer, .task: return .addressed
        case .event: return .appointment
        case .weakTask where utterance.words[0] == "todo" && candidate.isNamedTask: return .task
        case .weakTask, .weakEvent, .filler, nil: break
        }
        if reading.list != nil {
            let edges = [utterance.words.first, utterance.words.last].compactMap { $0 }
            if edges.contains(where: { Lexicon.has(.puttingVerbs, $0) }) { return .addressed }
            // "milk on the shopping list", "shopping list: milk, eggs"
            let isFirst = reading.spans.first?.part == .list
            if isFirst
                ? !Self.isClause(candidate.title)
                : candidate.title.count <= 6 && candidate.isPlainRequest
            {
                return .task
            }
        }
        guard
            reading.start != nil || reading.recurrence != nil || !reading.unused.isEmpty
                || reading.lead == .weakTask, reading.hasOwnTitle
        else { return nil }
        if candidate.isAppointment { return .appointment }
        if candidate.isTask || candidate.isRinging { return .task }
        guard candidate.isTimed else { return nil }
        return reading.kind == .event ? .appointment : .task
    }

    // MARK: - Storing at once

    private func isStoredOnline(_ form: Form, _ candidate: Candidate) -> Bool {
        let reading = candidate.reading
        if reading.lead == .timer { return candidate.isLength }
        if reading.lead == .alarm { return candidate.hasExactClock }
        // "alarm 7am tomorrow", "5 minute timer"
        if candidate.isRinging {
            return candidate.title.count == 1 && candidate.hasExactClock
                && (candidate.isLength || !["timer"].contains(candidate.title[0]))
        }
        switch form {
        case .addressed:
            return reading.lead != .task || reading.start != nil || reading.recurrence != nil
        case .appointment:
            if reading.lead == .event { return reading.start != nil }
            return reading.lead == nil && candidate.namesDay && candidate.hasExactClock
                && candidate.isAppointment
        case .task:
            return reading.lead == nil && candidate.namesDay && candidate.hasExactClock
                && candidate.isPersonal && candidate.isTask
        }
    }

    private func isStoredOffline(_ form: Form, _ candidate: Candidate) -> Bool {
        let reading = candidate.reading
        if reading.lead == .timer { return candidate.isLength }
        if reading.lead == .alarm || candidate.isRinging { return candidate.hasExactClock }
        if candidate.isTimed { return true }
        switch form {
        case .addressed:
            // "todo: rewrite this function, keep its signature"
            return reading.lead != .task || reading.start != nil || isPlainTitle(reading.title)
        case .appointment:
            return reading.lead == .event && reading.start != nil
                || candidate.isAppointment
                    && (candidate.hasClock || reading.end != nil || reading.lead == nil)
        case .task:
            let isListed =
                reading.list != nil
                && candidate.title.first.map { Lexicon.has(.assistantVerbs, $0) } == false
            return isListed || reading.lead == .weakTask && candidate.isNamedTask
                || candidate.isTask && !utterance.isRequest
                    && (candidate.isPersonal || candidate.namesDay || utterance.words[0] == "in"
                        || reading.lead != nil)
        }
    }

    /// "no, the other one" after a change of the wrong item.
    func instead(of done: Change) -> Understanding? {
        var change = done
        (change.title, change.kind, change.isInstead) = (nil, nil, true)
        (change.occasion, change.asksFirst) = (.any, false)
        let words = utterance.words
        if Self.picks.whole(words) == .other {
            change.occasion.pick = .other
        } else if let comma = words.lastIndex(of: ","), ["not", "nicht"].contains(words[0]),
            Lexicon.has(.articles, words[1]),
            let target = named(utterance.text(from: comma + 1)), target.title != nil
        {
            // "not the dentist, the haircut", "not the dentist, call Bo"
            change.title = target.title
        } else if utterance.isCorrection, words.count <= 4, Lexicon.has(.articles, words[0]),
            let target = named(utterance.text), target.title != nil, time(utterance.text) == nil
        {
            // "I meant the haircut"
            (change.title, change.kind) = (target.title, target.kind)
        } else {
            return nil
        }
        return result(change, isOnline: false)
    }

    /// "the monday one" in reply to "Which one do you mean?".
    func answer(to asked: Change) -> Understanding? {
        let words = utterance.words.filter { !["one", "den", "am"].contains($0) }
        let phrase = withoutArticle(words.joined(separator: " "))
        guard asked.title != nil, let reading = time(phrase), let start = reading.start else {
            return nil
        }
        var change = asked
        change.asksFirst = false
        let namesDay = reading.spans.contains { $0.part == .date }
        if case .time(let clock) = start { change.occasion.clock = clock }
        change.occasion.day = namesDay ? start.date : nil
        return result(change, isOnline: true)
    }

    /// "7:30" in reply to "When?" after "set an alarm".
    func answer(to asked: ParsedPhrase) -> Understanding? {
        guard let start = time(utterance.text)?.start else { return nil }
        if asked.isAlarm, case .date = start { return nil }
        var reading = asked
        reading.start = start
        return Understanding(
            act: .store([reading], .reminder), offline: .store, tools: ["create_reminder"],
            reasoning: "says when")
    }

    // MARK: - Messages if it is not stored

    private func unnamed(_ reading: ParsedPhrase) -> Understanding {
        Understanding(
            unused: reading.unused,
            fallbackMessage: reading.start == nil && reading.unused.isEmpty
                ? "Not stored: it does not say what to be reminded of."
                : "Not stored: it says when, but not what to be reminded of.",
            tools: ["create_reminder"], reasoning: "asks for a reminder")
    }

    private func fallback(_ unused: [String], _ kind: Understanding.Kind) -> String {
        let reason =
            unused.isEmpty
            ? "it is not certain when" : "not understood: \(unused.joined(separator: ", "))"
        let command = kind == .event ? "calendar add TITLE --start" : "reminders add TITLE --due"
        return """
            Not stored: \(reason.oneLine). \
            Say it with a date: chat \(command) \(context.example)
            """
    }
}

extension ParsedPhrase {
    /// Whether the item is an alarm or timer, which needs a time.
    package var isAlarm: Bool { lead == .alarm || lead == .timer }
}
