import Base
import ICalendar

/// Checks for messages that only look like requests: questions, references, quotations.
extension Candidate {
    /// "remind me what we said", "remind me of the plot of Hamlet": the user wants an
    /// answer, unless it is an alarm.
    var asksToBeTold: Bool {
        guard let first = title.first else { return false }
        // "wake me at midnight – write the back cover"
        if reading.isAlarm {
            return Lexicon.has(.assistantVerbs, first) || MessageInterpreter.isQuestionWord(first)
        }
        let isQuestion =
            MessageInterpreter.isQuestionWord(first)
            && !["have", "do", "will", "may", "can", "is", "are"].contains(first)
        if isQuestion {
            let times = stretches.map(\.range.lowerBound)
            let title = reading.spans.first { $0.part == .title }?.range.lowerBound ?? 0
            return !hasExactClock || !standsAtAnEdge
                || !namesDay && self.title.dropFirst().first != "to"
                    && !times.contains { $0 < title }
        }
        let isOf = words.prefix(3) == ["remind", "me", "of"]
        guard !hasClock, reading.recurrence == nil, reading.lead == .reminder else { return false }
        return isOf && reading.start == nil || namesKnowledge
    }

    /// "the difference between …", "die Handlung von …"
    private var namesKnowledge: Bool {
        let start = words.firstIndex { Lexicon.has(.openings, $0) }.map { $0 + 1 } ?? 0
        let phrase = words[start...].drop {
            Lexicon.has(.articles, $0) || Lexicon.has(.recalledAdjectives, $0)
        }
        return phrase.first.map { Lexicon.has(.recalledThings, $0) } == true
            && phrase.dropFirst().first.map { Lexicon.has(.afterRecalled, $0) } == true
    }

    /// "that thing we discussed": refers to something named elsewhere.
    var isDeictic: Bool {
        guard let first = title.first else { return false }
        if title.count > 1, ["das", "dies", "was"].contains(first),
            ["von", "da", "hier", "mit", "was"].contains(title[1])
        {
            return true
        }
        if title.count > 1, first == "self" { return true }
        return title.count > 1 && ["that", "this", "the"].contains(first)
            && ["thing", "stuff", "one", "matter"].contains(title[1])
    }

    /// Whether "remind me" opens or closes the message, or follows a time; in the middle of
    /// a sentence it is a quotation.
    var leadStandsWell: Bool {
        let leads = reading.spans.filter { $0.part == .lead }
        guard let lead = leads.first, let title = reading.spans.first(where: { $0.part == .title })
        else { return true }
        if lead.range.lowerBound < title.range.lowerBound || reading.isAlarm { return true }
        // "transcribe to IPA: remind me at noon"
        let before = String(
            decoding: Array(text.utf8)[
                title.range.lowerBound..<max(title.range.lowerBound, lead.range.lowerBound)],
            as: UTF8.self)
        if before.contains(":")
            || self.title.first.map({ Lexicon.has(.assistantVerbs, $0) }) != false
        {
            return false
        }
        // After the title: only times may follow, and the title must be an item by itself.
        guard self.title.count <= 9 else { return false }
        return title.range.upperBound > leads[leads.count - 1].range.lowerBound
            ? reading.lead == .event
            : !MessageInterpreter.isClause(self.title)
                && !self.title.contains(where: MessageInterpreter.isQuestionWord)
    }
}
