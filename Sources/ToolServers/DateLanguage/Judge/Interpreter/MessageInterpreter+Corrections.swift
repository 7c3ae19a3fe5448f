import Base
import ICalendar

/// Parses corrections and additions to the last mentioned item that do not name it: "7
/// instead", "no, friday", "an hour earlier", "same time on saturday", "till 3", "every
/// friday", "with an alarm 30 min before".
extension MessageInterpreter {
    /// The effect of the words before a correction on the rest of it.
    enum CorrectionLead: String {
        /// "it's": tells nothing about the rest.
        case plain
        /// "make it": a new time. "how about": one to ask about.
        case time, asks
        /// "add another", "it only starts", "it ends", "it lasts", "repeat it", "with an alarm",
        /// "again", "place:".
        case more, start, end, length, rule, alarm, again, place
    }

    func correction() -> Understanding? {
        (Self.picks.match(utterance.words) == nil ? nil : aimed())
            ?? wholeSentence() ?? bareCorrection() ?? inClauses() ?? unsure()
    }

    func bareCorrection(isMarked isExpected: Bool = false) -> Understanding? {
        let words = utterance.words
        guard words.count <= 10, Self.picks.whole(words) == nil else { return nil }
        // "wrong week, the one after", "just tonight"
        let said = MessageText.plain(message).words.filter { $0 != "," }
        if let (length, _) = Self.following.whole(said) { return tentative(.shift(length)) }
        let isOnly = said.contains { Lexicon.has(.onlyWords, $0) }
        if PhraseGrammar.silent.whole(words) != nil {
            return result(.init(verb: .alarm(nil)), isOnline: true)
        }
        if let retitling = retitling() { return tentative(.retitle(retitling)) }
        // "Kit instead of Bo"
        if let index = words.firstIndex(where: { ["instead", "statt"].contains($0) }), index > 0,
            case let next = index + (words[index] == "statt" ? 1 : 2), next < words.count
        {
            let (old, new) = (utterance.text(from: next), utterance.text(0..<index))
            return time(old) == nil ? replaced(old, by: new) : adjust(new)
        }
        // "no friday", "not monday, tuesday"
        var start = words[0] == "no" ? 1 : 0
        var end = words.count
        if let index = words.firstIndex(where: { $0 != "no" && Lexicon.has(.negations, $0) }) {
            let second = words[index...].firstIndex { [",", "but", "sondern", "–"].contains($0) }
            guard index == 0 || second == nil, index > 0 || second != nil else { return nil }
            let denied = utterance.text(index + 1..<(second ?? end))
            let rest = second.map { words[$0...].drop { [",", "but", "sondern"].contains($0) } }
            (start, end) = rest.map { ($0.startIndex, end) } ?? (0, index)
            if time(denied) == nil, parse(denied).recurrence == nil, time("3:00 " + denied) == nil {
                guard ["not", "nicht"].contains(words[index]) else { return nil }
                return replaced(denied, by: utterance.text(start..<end))
            }
        }
        var isMarked = isExpected || utterance.isCorrection || start > 0 || end < words.count
        // "I only finish school at 9, 7:20 is enough"
        if isMarked, let comma = words[..<end].lastIndex(of: ","), comma > start, comma + 1 < end,
            Self.isClause(words[start..<comma]), isTime(utterance.text(comma + 1..<end))
        {
            start = comma + 1
        }
        var lead = CorrectionLead.plain
        let first = start
        // "the agent says 12:45"
        for subject in 1...2
        where start + subject < end && Lexicon.has(.sayingVerbs, words[start + subject]) {
            start += subject
        }
        while lead == .plain, let found = Self.leads.match(words, from: start), found.end < end {
            (start, lead) = (found.end, found.meaning)
        }
        // "it's at 8"
        if lead == .place, isTime("at " + utterance.text(start..<end)) { lead = .time }
        let last = end
        while end - 1 > start, Lexicon.has(.correctionEndings, words[end - 1]) {
            (end, isMarked) = (end - 1, true)
        }
        guard start < end, !utterance.isQuestion || lead == .asks,
            start > first || !Lexicon.has(.puttingVerbs, words[0])
        else { return nil }
        // "make it 9:15 instead"
        if end < last, let changed = part(utterance.text(first..<end)).change() { return changed }
        // "tomorrow" alone could refer to anything, "at 5" to an item created without a
        // time.
        let isPlaced =
            isMarked || [.time, .asks].contains(lead)
            || ["at", "um", "by", "bis", "due"].contains(words[start])
        let text = utterance.text(start..<end)
        // "just tonight"
        if isOnly, namesDay(text) { return tentative(.once(text)) }
        if let adjusted = adjust(
            text, lead, isPlaced: isPlaced, isAlone: start == 0, isOnline: isMarked)
        {
            return adjusted
        }
        if [.plain, .time, .asks].contains(lead),
            let among = timeAmongWords(first..<end) ?? timeAmongWords(start..<end)
        {
            return among
        }
        if let retitling = appended() { return tentative(.retitle(retitling)) }
        guard isMarked || start > first || isOnly, lead == .plain || isOnly, end - start <= 3,
            isPlainTitle(text), words[0] != "no",
            !Self.isPronoun(words[start]), !Lexicon.isTaskVerb(words[start]),
            !words[start..<end].contains(where: {
                Lexicon.isDirection($0) || Lexicon.has(.timeLeads, $0) || Self.isNumber($0)
            })
        else { return nil }
        return tentative(.retitle(isOnly ? .only(text) : .spelled(text)))
    }

    /// A change of what was changed just now, asked about if that is not sure.
    func tentative(_ verb: Change.Verb, isSure: Bool = true) -> Understanding {
        result(.init(verb: verb, asksFirst: true, actsIfExact: isSure), isOnline: false)
    }

    /// The change of the last mentioned item.
    ///
    /// - Parameters:
    ///   - isPlaced: whether a time alone is the new time; if false, it could refer to
    ///     anything.
    ///   - isAlone: whether the text is the whole message.
    func adjust(
        _ text: String, _ lead: CorrectionLead = .plain, isPlaced: Bool = true,
        isAlone: Bool = false, isOnline: Bool = true
    ) -> Understanding? {
        func made(_ verb: Change.Verb, isOnline: Bool = false) -> Understanding {
            // A clock time alone may refer to anything, but right after an act.
            let isBare = isAlone && !isPlaced && verb.isMove
            return result(
                .init(verb: verb, asksFirst: lead == .asks || isBare, actsIfExact: isBare),
                isOnline: isOnline)
        }
        let spoken = MessageText.plain(text)
        let words = spoken.words
        guard !words.isEmpty else { return nil }
        if let shift = shift(spoken, isMore: lead == .more) { return made(shift, isOnline: true) }
        if let following = following(spoken, lead) {
            return made(following, isOnline: lead != .alarm)
        }
        if lead == .length || isPlaced && lead != .time || words[0] == "for",
            let length = duration(spoken.text(from: words[0] == "for" ? 1 : 0))
        {
            return made(.lasts(length))
        }
        if let other = added(spoken, lead) { return made(other) }
        if ["with", "mit"].contains(words[0]), lead != .rule, words.count <= 6,
            isPlainTitle(spoken.text(from: 1))
        {
            return made(.retitle(.with(text, isInstead: isPlaced)))
        }
        guard [.plain, .time, .asks].contains(lead) else { return nil }
        if let day = sameTime(spoken) {
            return made(.move(to: day), isOnline: isOnline)
        }
        if words.count <= 4, isPlaced || !isAlone || ["am", "pm"].contains(text),
            !words.contains(where: Self.isNumber),
            let half = time("3:00 " + text),
            half.zone != nil || half.spans.allSatisfy({ $0.part == .time })
        {
            return made(.retime(text))
        }
        // "7 tomorrow", "3"; or "am 13.", which has lost its full stop.
        let isHour =
            (isPlaced || isAlone) && Int(words[0]).map((0...24).contains) == true
            || isPlaced && words.count == 1 && Self.isNumber(words[0])
        let isDay =
            ["am", "der", "den", "zum"].contains(words[0]) && words.count > 1
            && Int(words[1]) != nil
        // Checked before parsing: most messages are no correction.
        let isClock =
            isAlone && words.count <= 6
            && words.contains { Self.isNumber($0) || Lexicon.isDate($0) { _ in true } }
        // "30", of a timer
        if isAlone, !isPlaced, Int(text).map({ (25...120).contains($0) }) == true {
            return made(.move(to: text))
        }
        guard isPlaced || isHour || isDay || isClock else { return nil }
        let phrases =
            [text] + (isHour ? ["at " + text, "um " + text] : [])
            + (isDay ? ["am " + spoken.text(from: 1) + (words.count == 2 ? "." : "")] : [])
        if let phrase = phrases.first(where: isTime) {
            return made(.move(to: phrase), isOnline: isOnline)
        }
        guard isPlaced else { return nil }
        // "actually 25", of a timer.
        if Int(text) != nil { return made(.move(to: text)) }
        guard let times = choice(text) else { return nil }
        return result(
            .init(verb: .move(to: times[0]), asksFirst: true, others: Array(times.dropFirst())),
            isOnline: false)
    }

    /// "tomorrow", "tonight": a day without a clock time.
    private func namesDay(_ text: String) -> Bool {
        let words = Self.words(text)
        return !words.contains(where: Self.isNumber)
            && words.contains { Lexicon.isDate($0) { ($0.weekday ?? $0.offset) != nil } }
            && time(text) != nil
    }

    /// "Jo, not Al", "not Al but Jo"
    private func replaced(_ old: String, by new: String) -> Understanding? {
        let sides = [old, new].map { text in
            let words = MessageText.plain(text)
            // "it's Paula"
            if let found = Self.leads.match(words.words), found.meaning == .plain,
                found.end < words.words.count
            {
                return words.text(from: found.end)
            }
            let isPlace = words.words.count > 1 && Lexicon.has(.prepositions, words.words[0])
            return words.text(from: isPlace && words.words[0] != "to" ? 1 : 0)
        }
        guard
            sides.allSatisfy({
                let words = Self.words($0)
                return isPlainTitle($0, limit: 3) && words[0] != "to"
                    && Lexicon.first { $0.leads.match(words) } == nil
            })
        else { return nil }
        return tentative(.retitle(.replace(sides[0], with: sides[1])))
    }

    /// "the day after", "the night before at 9"; "remind me that morning at 9".
    private func following(_ spoken: MessageText, _ lead: CorrectionLead) -> Change.Verb? {
        guard let (found, end) = Self.following.match(spoken.words) else { return nil }
        let rest = spoken.words[end...].prefix { !Lexicon.has(.correctionEndings, $0) }
        let phrase = spoken.text(end..<rest.endIndex)
        if phrase.isEmpty, found.part.isEmpty, lead != .alarm { return .shift(found.length) }
        guard let time = [phrase + found.part, phrase].first(where: { time($0) != nil })
        else { return nil }
        return lead == .alarm ? .ring(found.length, at: time) : .shift(found.length, at: time)
    }

    /// A rule, an end, an alarm, a place, or another day for the same item.
    private func added(_ spoken: MessageText, _ lead: CorrectionLead) -> Change.Verb? {
        let words = spoken.words
        let isPlain = lead == .plain || lead == .time
        let isEnd = Self.ends.match(words)
        if lead == .start || lead == .end || isPlain && isEnd != nil {
            // "fängt erst um 10 an"
            let last = lead == .start && ["an", "los"].contains(words.last) ? 1 : 0
            let phrase = spoken.text(min(isEnd?.end ?? 0, words.count - 1)..<words.count - last)
            if case .time? = time(Self.time(phrase, context))?.start {
                return lead == .start ? .begin(at: phrase) : .end(at: phrase)
            }
            // "bis Freitag"
            if isEnd != nil, time(phrase) != nil { return .move(to: phrase) }
        }
        if lead == .alarm,
            let end = words.firstIndex(where: { Lexicon.has(.beforeWords, $0) }),
            words[(end + 1)...].allSatisfy({ Self.isPronoun($0) || $0 == "starts" }),
            let length = duration(spoken.text(0..<end))
        {
            return .alarm(-length)
        }
        if lead == .place || isPlain && ["at", "in", "im", "bei", "beim"].contains(words[0]) {
            let place = spoken.text(from: lead == .place ? 0 : 1)
            let isName = place.first.map { $0.isUppercase } == true || place.last?.isNumber == true
            if words.count <= 6, lead == .place || isName, parse(spoken.text).start == nil,
                isPlainTitle(place)
            {
                return .place(place)
            }
        }
        if lead == .rule || isPlain && words.contains(where: Self.isRepeating),
            !words.contains(where: { Lexicon.kind(of: $0) != nil })
        {
            let phrases = [spoken.text, "every " + spoken.text]
            let phrase = phrases.first { text in
                let reading = parse(text)
                return reading.recurrence != nil && reading.lead == nil && !reading.hasOwnTitle
                    && reading.isActedOn
            }
            if let phrase { return .repeats(phrase) }
        }
        let tail = words.indices.dropFirst().first { Self.again.whole(Array(words[$0...])) != nil }
        if lead == .again || isPlain && tail != nil {
            let phrase = spoken.text(0..<(tail ?? words.count))
            // "and 6.10 just in case" is no date.
            let times = [words[0].first?.isNumber == true ? "at " + phrase : phrase, phrase]
            let day = sameTime(MessageText.plain(phrase)) ?? times.first(where: isTime)
            if let day { return .copy(to: day) }
        }
        return nil
    }

    /// The day in "same time tomorrow", "thursday, same time".
    private func sameTime(_ spoken: MessageText) -> String? {
        let words = spoken.words
        var day = Self.sameTimes.match(words).map { spoken.text(from: $0.end) }
        if day == nil,
            let end = words.indices.first(where: {
                Self.sameTimes.whole(Array(words[$0...])) != nil
            })
        {
            let last = words[..<end].lastIndex {
                $0 != "," && !Lexicon.has(.correctionEndings, $0)
            }
            day = spoken.text(0..<(last ?? -1) + 1)
        }
        guard let day, case .date? = time(day)?.start else { return nil }
        return day
    }

    /// "3 or 4", "around 5": times that the user is asked about.
    func choice(_ text: String) -> [String]? {
        let spoken = MessageText.plain(text)
        let ends = spoken.words.indices.filter { ["or", "oder"].contains(spoken.words[$0]) }
        let starts = [0] + ends.map { $0 + 1 }
        let times = zip(starts, ends + [spoken.words.count]).map { start, end in
            let isUnsure = start + 1 < end && Lexicon.isAbout(spoken.words[start])
            return spoken.text((isUnsure ? start + 1 : start)..<max(start + 1, end))
        }
        return times.allSatisfy { time($0) != nil } ? times : nil
    }

    /// "an hour later", "back a week", "two days earlier, at noon", "10 minutes longer".
    private func shift(_ spoken: MessageText, isMore: Bool) -> Change.Verb? {
        let words = spoken.words
        func length(_ range: Range<Int>, bare: TimeUnit?) -> CalendarDuration? {
            let start =
                range.first { !["by", "um", "noch"].contains(words[$0]) } ?? range.upperBound
            return DurationParser.duration(of: spoken.text(start..<range.upperBound), bare: bare)
        }
        guard let index = words.firstIndex(where: Lexicon.isDirection),
            !isMore || Lexicon.has(.longerWords, words[index])
        else {
            return isMore ? length(0..<words.count, bare: .minute).map { .extend($0) } : nil
        }
        let isLonger = Lexicon.has(.longerWords, words[index])
        if isLonger || Lexicon.has(.shorterWords, words[index]) {
            guard index == words.count - 1 else { return nil }
            return length(0..<index, bare: .minute).map { .extend(isLonger ? $0 : -$0) }
        }
        let isEarlier = Lexicon.has(.earlierWords, words[index])
        // "eine Woche nach hinten"
        let before = index - (index > 0 && ["nach", "a"].contains(words[index - 1]) ? 1 : 0)
        if before == 0 {
            return length(index + 1..<words.count, bare: nil).map { .shift(isEarlier ? -$0 : $0) }
        }
        // "week later"
        let isOne =
            words.count == 2 && ["later", "earlier", "später", "früher"].contains(words[1])
        guard
            let length = length(0..<before, bare: nil)
                ?? (isOne ? duration("a " + words[0]) : nil)
        else { return nil }
        let rest = words[(index + 1)...].drop { [",", "and", "und"].contains($0) }
        let phrase = spoken.text(from: rest.startIndex)
        guard phrase.isEmpty || isTime(phrase) else { return nil }
        return .shift(isEarlier ? -length : length, at: phrase.isEmpty ? nil : phrase)
    }

    /// Whether the text is a time, or minutes that need the item's hour: "half past".
    func isTime(_ text: String) -> Bool {
        time(text) != nil || DateFieldParser.lacksHour(text) && time(text + " 5") != nil
    }

    private static func isRepeating(_ word: String) -> Bool {
        Lexicon.isDate(word) {
            $0.adverb != nil || $0.has(.every) || $0.has(.workdays)
                || $0.weekday != nil && $0.has(.plural)
        }
    }

    private static func isNumber(_ word: String) -> Bool {
        word.first?.isNumber == true
            || Lexicon.isDate(word) {
                $0.number != nil || $0.has(.half) || $0.has(.halfBefore) || $0.has(.quarter)
            }
    }

    private static let leads = PatternTable("correction leads") {
        $0.isEmpty ? CorrectionLead.plain : CorrectionLead(rawValue: $0)
    }
    private static let sameTimes = PatternTable("same times") { _ in () }
    static let again = PatternTable("once more") { _ in () }
    private static let ends = PatternTable("new ends") { _ in () }
    /// How much later, and the half of the day that a clock time is in.
    private static let following = PatternTable("following days") { key in
        let days = Int(key.prefix { $0 != " " }) ?? 1
        return (length: CalendarDuration(days: days), part: String(key.drop { $0 != " " }))
    }
}
