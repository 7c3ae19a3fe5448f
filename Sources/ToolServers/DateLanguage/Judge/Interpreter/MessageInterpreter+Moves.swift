import Base
import ICalendar

/// Parses changes of time: snoozed, moved, ending at another time.
extension MessageInterpreter {
    // MARK: - Later

    func snooze(_ rest: Range<Int>, namesItem: Bool) -> Understanding? {
        func made(_ title: String?, _ phrase: String?) -> Understanding {
            result(.init(verb: .snooze(phrase), title: title, kind: .reminder), isOnline: true)
        }
        if rest.isEmpty { return namesItem ? made(nil, nil) : nil }
        for index in rest {
            var start = index
            if Lexicon.has(.snoozeLeads, utterance.words[index]) { start += 1 }
            var phrase = utterance.text(start..<rest.upperBound)
            let lead = utterance.words[index]
            let isLength = ["for", "für", "by"].contains(lead)
            // "snooze it till 12"
            if start > index, !isLength, lead != "in", Int(phrase) != nil {
                phrase = (Lexicon.german.has(.snoozeLeads, lead) ? "um " : "at ") + phrase
            }
            guard isLater(phrase, isLength: isLength, isBare: start == index) else { continue }
            if index == rest.lowerBound { return made(nil, phrase) }
            guard namesItem else { return nil }
            guard let target = named(utterance.text(rest.lowerBound..<index)),
                target.title.map({ isPlainTitle($0) }) ?? (target.occasion == .any)
            else { return nil }
            return made(target.title, phrase)
        }
        guard namesItem, let target = named(utterance.text(rest)),
            target.title.map({ isPlainTitle($0) }) ?? (target.occasion == .any)
        else { return nil }
        return made(target.title, nil)
    }

    private func isLater(_ phrase: String, isLength: Bool, isBare: Bool) -> Bool {
        if duration(phrase) != nil { return true }
        // "snooze it for 10", "snooze 20": the unit is missing.
        if isLength || isBare, Int(phrase) != nil { return false }
        return time(phrase) != nil || time("in \(phrase)") != nil
    }

    // MARK: - Moved

    /// Whether the word means earlier; nil if it is not a direction.
    static func isEarlier(_ word: String) -> Bool? {
        Lexicon.has(.earlierWords, word) ? true : Lexicon.has(.laterWords, word) ? false : nil
    }

    func move(_ rest: Range<Int>, _ frame: Lexicon.Change) -> Understanding? {
        let words = utterance.words
        func made(_ end: Int, _ verb: Change.Verb, or others: [String]? = nil) -> Understanding? {
            // "from tuesday to wednesday": the first is the current day.
            var body = rest.lowerBound..<end
            var day: CivilDate?
            if let from = body.last(where: { words[$0] == "from" || words[$0] == "von" }),
                from > body.lowerBound, let when = time(utterance.text(from + 1..<end))
            {
                day = when.start?.date
                body = body.lowerBound..<from
            }
            guard var target = body.isEmpty ? Target() : timed(utterance.text(body)),
                target.occasion.isOnlyName
                    || target.title.map({ isPlainTitle($0, limit: 6) }) ?? true
            else { return nil }
            target.occasion.day = day ?? target.occasion.day
            return result(
                .init(
                    verb: verb, title: target.title, occasion: target.occasion, kind: target.kind,
                    asksFirst: frame.asksFirst && target.kind == nil && target.title != nil
                        && !target.isListed || others != nil, actsIfExact: others == nil,
                    others: others ?? []),
                isOnline: others == nil
                    && (frame.isListVerb || target.kind != nil && target.isSure
                        || target.title == nil)
            )
        }
        // By an amount: the longest one at the end.
        for index in rest {
            var (start, end, isEarlier) = (index, rest.upperBound, frame.isEarlier)
            if let direction = Self.isEarlier(words[end - 1]), end - 1 > start {
                isEarlier = direction
                end -= 1
            } else if let direction = Self.isEarlier(words[start]), start + 1 < end {
                isEarlier = direction
                start += 1
                if words[start] == "by" { start += 1 }
            } else if words[index] == "by" || words[index] == "um" {
                start += 1
            } else if frame.isListVerb || index == rest.lowerBound {
                continue
            }
            guard start < end, let length = duration(utterance.text(start..<end)) else { continue }
            if let shifted = made(index, .shift(isEarlier ? -length : length)) { return shifted }
        }
        // To a time: the first index from which everything is a time.
        for index in rest
        where Lexicon.has(.timeLeads, words[index]) || Lexicon.isAbout(words[index]) {
            let start = Lexicon.isAbout(words[index]) ? index : index + 1
            let phrase = utterance.text(start..<rest.upperBound)
            let isSure = isTime(phrase)
            guard let times = isSure ? [phrase] : choice(phrase) else { continue }
            // "bring it forward to 9"
            let hasDirection =
                index > rest.lowerBound && Self.isEarlier(words[index - 1]) != nil
            let name = hasDirection ? index - 1 : index
            let others = isSure ? nil : Array(times.dropFirst())
            if let moved = made(name, .move(to: times[0]), or: others) { return moved }
        }
        return nil
    }

    /// "dentist to 11am", "das auf 8": the name of an existing item, and its new time.
    func retimed() -> Understanding? {
        let words = utterance.words
        if let aimed = aimed() { return aimed }
        guard !utterance.isQuestion,
            let index = words.indices.dropFirst().last(where: { ["to", "auf"].contains(words[$0]) }
            ),
            index <= 4, !Lexicon.has(.assistantVerbs, words[0]) || Lexicon.isTaskVerb(words[0])
        else { return nil }
        let end = words[..<index].lastIndex { !Lexicon.has(.closings, $0) }.map { $0 + 1 } ?? index
        let (name, phrase) = (utterance.text(0..<end), utterance.text(from: index + 1))
        // "trip 3 to 6 april" is a range of days.
        guard isTime(phrase), let target = timed(name),
            target.occasion.isOnlyName || parse(name).start == nil,
            parse(utterance.text).end == nil,
            target.title.map({ isPlainTitle($0, limit: 4) }) ?? true,
            !words[..<index].contains(where: Lexicon.isTechnical)
        else { return nil }
        return result(
            .init(
                verb: .move(to: phrase), title: target.title, occasion: target.occasion,
                kind: target.kind),
            isOnline: target.title == nil || Lexicon.isAppointment(words[end - 1]))
    }

    /// "end the dentist at 4:30", "extend the dentist by 15 minutes", "add an hour to it"
    func ending(_ rest: Range<Int>, _ frame: Lexicon.Change) -> Understanding? {
        let words = utterance.words
        func made(_ verb: Change.Verb, _ name: Range<Int>, isOnline: Bool) -> Understanding? {
            guard let target = timed(utterance.text(name)), isOnline || target.title != nil,
                target.title.map({ isPlainTitle($0) }) ?? true
            else { return nil }
            // A length may also be added to a reminder.
            return result(
                .init(
                    verb: verb, title: target.title, occasion: target.occasion,
                    kind: isOnline ? target.kind : .event),
                isOnline: isOnline)
        }
        let isShorter = Lexicon.has(.shorteningVerbs, words[0])
        for index in rest.dropFirst() where index + 1 < rest.upperBound {
            let (before, after) = (rest.lowerBound..<index, index + 1..<rest.upperBound)
            if frame.asksFirst {
                guard ["to", "onto", "an"].contains(words[index]),
                    let length = duration(utterance.text(before)),
                    parse(withoutArticle(utterance.text(after))).hasOwnTitle
                else { continue }
                return made(.extend(length), after, isOnline: true)
            }
            guard ["at", "to", "until", "till", "by", "um", "bis"].contains(words[index]) else {
                continue
            }
            let phrase = utterance.text(after)
            if ["by", "um"].contains(words[index]), let length = duration(phrase) {
                return made(.extend(isShorter ? -length : length), before, isOnline: true)
            }
            if let reading = time(phrase), case .time? = reading.start, words[index] != "by",
                words[0] != "start", words[0] != "begin"
            {
                return made(.end(at: phrase), before, isOnline: false)
            }
        }
        return nil
    }
}
