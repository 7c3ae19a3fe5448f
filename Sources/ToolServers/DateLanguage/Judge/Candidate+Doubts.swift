import Base
import ICalendar

/// What keeps a message from being understood whole.
extension Candidate {
    // MARK: - Words left over

    var leftovers: [String] {
        guard reading.hasOwnTitle else { return afterTheTime }
        if reading.isAlarm, title.count > 6 || MessageInterpreter.isDescription(title) {
            return [reading.title]
        }
        return (isQuoted ? [] : titleLeftovers) + afterTheTime
    }

    private var titleLeftovers: [String] {
        // "… and on friday to chase the invoice"
        let isPart = reading.lead == nil && reading.title.hasPrefix("to ")
        return Leftovers.words(
            in: isPart ? String(reading.title.dropFirst(3)) : reading.title,
            hasTime: reading.start != nil || reading.recurrence != nil,
            language: context.locale.language)
    }

    /// A title in quotes is what it is.
    private var isQuoted: Bool {
        guard let span = reading.spans.first(where: { $0.part == .title }) else { return false }
        let rest = Array(text.utf8).dropFirst(span.range.lowerBound)
        return ["\"", "“", "„"].contains { rest.starts(with: Array($0.utf8)) }
    }

    /// "… at 10 and prepare five questions": what is joined to a time is
    /// another request, not the title.
    private var afterTheTime: [String] {
        let ends =
            stretches.filter { $0.part != .alarm }.map(\.range.upperBound)
            + reading.spans.filter { $0.part == .list }.map(\.range.upperBound)
        guard let end = ends.max() else { return [] }
        let rest = String(decoding: Array(text.utf8).dropFirst(end), as: UTF8.self)
        let words = MessageInterpreter.words(rest)
        // "… to my living room list in Hue"
        let opensTitle = ["to", "an", "ans", "zu", "daran"].contains(words.first)
        if reading.list != nil, !words.isEmpty, !opensTitle {
            return [words.joined(separator: " ")]
        }
        guard let first = words.first, ["and", "und", "then", "also"].contains(first) else {
            return []
        }
        return [words.joined(separator: " ")]
    }

    // MARK: - Times that are not sure

    /// Times that are not exact: "after 5", "at sunset", "every few
    /// days", "later today".
    var unsureTimes: [String] {
        loose + stretches.filter(isUnsure).map(\.text) + contradictory
    }

    /// "later today"; "3 hours later" is exact.
    private var loose: [String] {
        words.indices.filter { index in
            ["later", "soon", "sometime", "später", "irgendwann"].contains(words[index])
                && !title.contains(words[index])
                && (index == 0
                    || Tokenizer.tokens(of: words[index - 1], language: .english)
                        .allSatisfy { $0.lexeme.unit == nil })
        }.map { words[$0] }
    }

    /// "sunday, 30 may" in a year in which it is not a sunday was read as two
    /// days; two days are joined by "and".
    private var contradictory: [String] {
        guard !reading.further.isEmpty, Set(words).isDisjoint(with: ["and", "und", "&"]) else {
            return []
        }
        let days = stretches.filter { $0.part == .date }
        let hasWeekday = days.contains { $0.tokens.contains { $0.lexeme.weekday != nil } }
        let hasMonth = days.contains { $0.tokens.contains { $0.lexeme.month != nil } }
        return hasWeekday && hasMonth ? days.map(\.text) : []
    }

    private func isUnsure(_ stretch: Stretch) -> Bool {
        let words = stretch.words
        if Lexicon.isUnsureTime(words) { return true }
        switch stretch.part {
        // Before what?
        case .alarm:
            let isExact = stretch.tokens.contains {
                [.second, .minute, .hour].contains($0.lexeme.unit)
            }
            return !hasClock && (reading.alarm != nil || reading.anchor == nil && isExact)
        case .recurrence: return isUnbounded
        default: return isWrongWeekday(stretch) || isBound(stretch) || isUncounted(stretch)
        }
    }

    /// "in 40": of what?
    private func isUncounted(_ stretch: Stretch) -> Bool {
        stretch.tokens.count == 2 && stretch.tokens[0].has(.into)
            && stretch.tokens[1].kind == .digits
    }

    /// "daily in the next ten days": a bound that was read as a start.
    private func isBound(_ stretch: Stretch) -> Bool {
        reading.recurrence?.bound == RecurrenceRule.Bound.none
            && stretch.tokens.contains { $0.has(.next) }
            && stretch.tokens.contains { $0.lexeme.unit != nil }
            && stretch.tokens.contains { $0.lexeme.number != nil || $0.kind == .digits }
    }

    /// "every day until last tuesday"
    private var isUnbounded: Bool {
        guard let rule = reading.recurrence, rule.bound == .none, reading.end == nil else {
            return false
        }
        let until: Set = ["until", "till", "til", "bis"]
        return !until.isDisjoint(with: words) && until.isDisjoint(with: title)
    }

    /// "friday 14 march" in a year in which that is a saturday.
    private func isWrongWeekday(_ stretch: Stretch) -> Bool {
        guard let start = reading.start, reading.recurrence == nil,
            let weekday = stretch.tokens.compactMap(\.lexeme.weekday).first,
            stretch.tokens.contains(where: {
                $0.lexeme.month != nil || $0.value.map { $0 > 31 } == true
            })
        else { return false }
        return start.date.weekday != weekday
            && !stretch.tokens.contains {
                $0.has(.before) || $0.has(.after) || $0.has(.from) || $0.lexeme.ordinal != nil
                    || $0.has(.last) || $0.has(.of)
            }
    }

    // MARK: - Whose words they are

    /// "remind me what we said", "remind me of the plot of Hamlet": an answer is wanted, unless
    /// it is to ring.
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
