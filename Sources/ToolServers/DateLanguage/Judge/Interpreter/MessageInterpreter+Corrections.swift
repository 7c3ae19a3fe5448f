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
        /// "add another", "it ends", "it lasts", "repeat it", "with an alarm", "again", "place:".
        case more, end, length, rule, alarm, again, place
    }

    func correction() -> Understanding? {
        let words = utterance.words
        guard words.count <= 10 else { return nil }
        if PhraseGrammar.silent.whole(words) != nil {
            return result(.init(verb: .alarm(nil)), isOnline: true)
        }
        // "no friday", "not monday, tuesday"
        var start = words[0] == "no" ? 1 : 0
        var end = words.count
        if let index = words.firstIndex(where: { $0 != "no" && Lexicon.has(.negations, $0) }) {
            let second = words[index...].firstIndex { [",", "but", "sondern", "–"].contains($0) }
            guard index == 0 || second == nil,
                index > 0 || second != nil,
                time(utterance.text(index + 1..<(second ?? end))) != nil
            else { return nil }
            let rest = second.map { words[$0...].drop { [",", "but", "sondern"].contains($0) } }
            (start, end) = rest.map { ($0.startIndex, end) } ?? (0, index)
        }
        var isMarked = utterance.isCorrection || start > 0 || end < words.count
        // "I only finish school at 9, 7:20 is enough"
        if isMarked, let comma = words[..<end].lastIndex(of: ","), comma > start, comma + 1 < end,
            Self.isClause(words[start..<comma]), isTime(utterance.text(comma + 1..<end))
        {
            start = comma + 1
        }
        var lead = CorrectionLead.plain
        let first = start
        while lead == .plain, let found = Self.leads.match(words, from: start), found.end < end {
            (start, lead) = (found.end, found.meaning)
        }
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
            isMarked || [.time, .asks].contains(lead) || ["at", "um"].contains(words[start])
        return adjust(
            utterance.text(start..<end), lead, isPlaced: isPlaced, isAlone: start == 0,
            isOnline: isMarked)
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
        let following = Self.following.whole(words)
        if let following { return made(.shift(following), isOnline: true) }
        if lead == .length || isPlaced && lead != .time || words[0] == "for",
            let length = duration(spoken.text(from: words[0] == "for" ? 1 : 0))
        {
            return made(.lasts(length))
        }
        if let other = added(spoken, lead) { return made(other) }
        guard [.plain, .time, .asks].contains(lead) else { return nil }
        if let day = sameTime(spoken) {
            return made(.move(to: day), isOnline: isOnline)
        }
        // "7 tomorrow", "3"; or "am 13.", which has lost its full stop.
        let isHour =
            (isPlaced || isAlone) && Int(words[0]).map((0...24).contains) == true
            || isPlaced && words.count == 1 && Self.isNumber(words[0])
        let isDay =
            ["am", "der", "den"].contains(words[0]) && words.count == 2 && Int(words[1]) != nil
        // Checked before parsing: most messages are no correction.
        let isClock = isAlone && words.count <= 4 && words.contains(where: Self.isNumber)
        guard isPlaced || isHour || isDay || isClock else { return nil }
        let reading = time(text)
        let saysClock =
            reading?.spans.allSatisfy { $0.part == .time } ?? (isHour || isTime(text))
        guard isPlaced || isDay || saysClock || isHour && words.count == 1 else { return nil }
        let phrases =
            [text] + (isHour ? ["at " + text, "um " + text] : [])
            + (isDay ? ["am \(words[words.count - 1])."] : [])
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

    /// A rule, an end, an alarm, a place, or another day for the same item.
    private func added(_ spoken: MessageText, _ lead: CorrectionLead) -> Change.Verb? {
        let words = spoken.words
        let isPlain = lead == .plain || lead == .time
        let isEnd = Self.ends.match(words)
        if lead == .end || isPlain && isEnd != nil {
            let phrase = spoken.text(from: isEnd?.end ?? 0)
            if case .time? = time(phrase)?.start { return .end(at: phrase) }
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
            if let day = sameTime(MessageText.plain(phrase)) ?? (isTime(phrase) ? phrase : nil) {
                return .copy(to: day)
            }
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
        guard let length = length(0..<before, bare: nil) else { return nil }
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
    private static let again = PatternTable("once more") { _ in () }
    private static let ends = PatternTable("new ends") { _ in () }
    private static let following = PatternTable("following days") { key in
        let isBefore = key.hasPrefix("-")
        let length = DurationParser.duration(of: String(key.drop { $0 == "-" }), bare: nil)
        return (isBefore ? length.map { -$0 } : length) ?? CalendarDuration(days: 1)
    }
}
