import Base
import ICalendar

/// Changes of when something is: snoozed, moved, ended at another time.
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
            let phrase = utterance.text(start..<rest.upperBound)
            let isLength = ["for", "für", "by"].contains(utterance.words[index])
            guard isLater(phrase, isLength: isLength, isBare: start == index) else { continue }
            if index == rest.lowerBound { return made(nil, phrase) }
            guard namesItem else { return nil }
            guard let target = named(utterance.text(rest.lowerBound..<index)),
                target.title.map({ isPlainTitle($0) }) ?? true
            else { return nil }
            return made(target.title, phrase)
        }
        guard namesItem, let target = named(utterance.text(rest)),
            target.title.map({ isPlainTitle($0) }) ?? true
        else { return nil }
        return made(target.title, nil)
    }

    private func isLater(_ phrase: String, isLength: Bool, isBare: Bool) -> Bool {
        if duration(phrase) != nil { return true }
        // "snooze it for 10", "snooze 20": ten of what?
        if isLength || isBare, Int(phrase) != nil { return false }
        return time(phrase) != nil || time("in \(phrase)") != nil
    }

    // MARK: - Moved

    func adjust(_ text: String) -> Understanding? {
        if let (length, isEarlier) = shiftLength(text) {
            return result(.init(verb: .shift(isEarlier ? -length : length)), isOnline: true)
        }
        guard time(text) != nil else { return nil }
        return result(.init(verb: .move(to: text)), isOnline: true)
    }

    /// "an hour later", "30 minutes earlier"
    private func shiftLength(_ text: String) -> (CalendarDuration, Bool)? {
        var words = text.split(separator: " ").map(String.init)
        guard let last = words.last, let isEarlier = Self.isEarlier(last.lowercased()) else {
            return nil
        }
        words.removeLast()
        return duration(words.joined(separator: " ")).map { ($0, isEarlier) }
    }

    /// nil for a word that is not a direction.
    private static func isEarlier(_ word: String) -> Bool? {
        Lexicon.has(.earlierWords, word) ? true : Lexicon.has(.laterWords, word) ? false : nil
    }

    func move(_ rest: Range<Int>, _ frame: Lexicon.Change) -> Understanding? {
        let words = utterance.words
        func made(_ end: Int, _ verb: Change.Verb) -> Understanding? {
            // "from tuesday to wednesday": the day it is on now.
            var body = rest.lowerBound..<end
            var day: CivilDate?
            if let from = body.last(where: { words[$0] == "from" || words[$0] == "von" }),
                from > body.lowerBound, let when = time(utterance.text(from + 1..<end))
            {
                day = when.start?.date
                body = body.lowerBound..<from
            }
            guard let target = named(utterance.text(body)),
                target.title.map({ isPlainTitle($0, limit: 6) }) ?? true
            else { return nil }
            return result(
                .init(
                    verb: verb, title: target.title, day: day, kind: target.kind,
                    asksFirst: frame.asksFirst && target.kind == nil && target.title != nil),
                isOnline: frame.isListVerb || target.kind != nil && target.isSure
                    || target.title == nil)
        }
        // By how much: the longest amount at the end.
        for index in rest.dropFirst() {
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
            } else if ["back", "up", "out"].contains(words[index]), start + 1 < end {
                isEarlier = words[index] == "up" || isEarlier
                start += words[index + 1] == "by" ? 2 : 1
            } else {
                continue
            }
            guard start < end, let length = duration(utterance.text(start..<end)) else { continue }
            if let shifted = made(index, .shift(isEarlier ? -length : length)) { return shifted }
        }
        // To when: the first place from where on all is a time.
        for index in rest.dropFirst() where Lexicon.has(.timeLeads, words[index]) {
            let phrase = utterance.text(index + 1..<rest.upperBound)
            guard time(phrase) != nil else { continue }
            if let moved = made(index, .move(to: phrase)) { return moved }
        }
        return nil
    }

    /// "end the dentist at 4:30"
    func ending(_ rest: Range<Int>) -> Understanding? {
        for index in rest.dropFirst()
        where ["at", "to", "until", "till", "um", "bis"].contains(utterance.words[index]) {
            let phrase = utterance.text(index + 1..<rest.upperBound)
            guard let reading = time(phrase), case .time? = reading.start,
                let target = named(utterance.text(rest.lowerBound..<index)), target.title != nil
            else { continue }
            if utterance.words[0] == "start" || utterance.words[0] == "begin" { return nil }
            return result(
                .init(verb: .end(at: phrase), title: target.title, kind: .event), isOnline: false)
        }
        return nil
    }
}
