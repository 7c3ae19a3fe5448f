import Base
import ICalendar

/// Whose words they are.
extension Candidate {
    /// "remind me what we said"
    var asksToBeTold: Bool {
        if reading.start == nil, reading.recurrence == nil,
            words.prefix(3) == ["remind", "me", "of"]
        {
            return true
        }
        guard let first = title.first else { return false }
        // "wake me at midnight – write the back cover"
        if reading.isAlarm, Lexicon.has(.assistantVerbs, first) { return true }
        return MessageInterpreter.isQuestionWord(first)
            && (reading.isAlarm
                || !["have", "do", "will", "may", "can", "is", "are"].contains(first))
    }

    /// "that thing we discussed": named elsewhere.
    var isDeictic: Bool {
        guard let first = title.first else { return false }
        if title.count > 1, ["das", "dies", "was"].contains(first),
            ["von", "da", "hier", "mit", "was"].contains(title[1])
        {
            return true
        }
        if title.count > 1, first == "self" { return true }
        if ["this", "that", "these", "those", "it", "them"].contains(first), title.count <= 2 {
            return true
        }
        return title.count > 1 && ["that", "this", "the"].contains(first)
            && ["thing", "stuff", "one", "matter"].contains(title[1])
    }

    /// "remind me" opens or closes a message, or follows a time; in the middle
    /// of a sentence it is a quotation.
    var leadStandsWell: Bool {
        let leads = reading.spans.filter { $0.part == .lead }
        guard let lead = leads.first, let title = reading.spans.first(where: { $0.part == .title })
        else { return true }
        if lead.range.lowerBound < title.range.lowerBound { return true }
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
        // After the title: nothing but times may follow, and the title has to
        // be a thing of its own.
        guard self.title.count <= 9 else { return false }
        return title.range.upperBound > leads[leads.count - 1].range.lowerBound
            ? reading.lead == .event
            : !MessageInterpreter.isClause(self.title)
                && !self.title.contains(where: MessageInterpreter.isQuestionWord)
    }
}
