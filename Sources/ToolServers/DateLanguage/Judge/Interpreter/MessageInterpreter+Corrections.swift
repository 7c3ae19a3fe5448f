import Base
import ICalendar

/// Parses corrections of the last mentioned item that do not name it: "7 instead", "no,
/// friday", "an hour earlier", "the day after", "same time on saturday".
extension MessageInterpreter {
    func correction() -> Understanding? {
        let words = utterance.words
        guard !utterance.isQuestion, words.count <= 10,
            !Lexicon.has(.puttingVerbs, words[0])
        else { return nil }
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
        // "it's friday" corrects only after "no" or "actually", "it's at 8" always.
        while start < end, let found = Self.leads.match(words, from: start),
            found.end < end, isMarked || ["at", "um"].contains(words[found.end])
        {
            start = found.end
        }
        let last = end
        while end - 1 > start, Lexicon.has(.correctionEndings, words[end - 1]) {
            (end, isMarked) = (end - 1, true)
        }
        guard start < end else { return nil }
        // "make it 9:15 instead"
        if end < last, let changed = part(utterance.text(start..<end)).change() { return changed }
        let text = utterance.text(start..<end)
        // "tomorrow" alone could refer to anything, "at 5" to an item created without a
        // time.
        let isPlaced =
            isMarked || ["at", "um"].contains(words[start])
            || Self.sameTimes.match(words, from: start) != nil
        return adjust(text, isPlaced: isPlaced, isOnline: isMarked)
    }

    /// The new time of the last mentioned item, or the amount by which it changes.
    ///
    /// - Parameter isPlaced: whether a time alone is the new time; if false, it could refer
    ///   to anything.
    func adjust(
        _ text: String, isPlaced: Bool = true, isOnline: Bool = true
    ) -> Understanding? {
        let spoken = MessageText.plain(text)
        let length = Self.following.whole(spoken.words) ?? shift(spoken)
        let same = Self.sameTimes.match(spoken.words)
        // "7 tomorrow"; or "am 13.", which has lost its full stop.
        let isHour = spoken.words.count > 1 && Int(spoken.words[0]).map((0...24).contains) == true
        let isDay = spoken.words.first == "am" && spoken.words.last.flatMap { Int($0) } != nil
        // Checked before parsing: most messages are no correction.
        guard isPlaced || length != nil || same != nil || isHour || isDay else { return nil }
        if !isPlaced, time(text) != nil { return nil }
        if let length { return result(.init(verb: .shift(length)), isOnline: true) }
        if let same {
            let day = spoken.text(from: same.end)
            guard case .date? = time(day)?.start else { return nil }
            return result(.init(verb: .move(to: day)), isOnline: isOnline)
        }
        let phrases =
            (isPlaced ? [text] : []) + (isHour ? ["at " + text] : []) + (isDay ? [text + "."] : [])
        if let phrase = phrases.first(where: { time($0) != nil }) {
            return result(.init(verb: .move(to: phrase)), isOnline: isOnline)
        }
        guard isPlaced, let times = choice(text) else { return nil }
        return result(
            .init(verb: .move(to: times[0]), asksFirst: true, others: Array(times.dropFirst())),
            isOnline: false)
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

    /// "an hour later", "30 minutes earlier"
    private func shift(_ spoken: MessageText) -> CalendarDuration? {
        guard let isEarlier = spoken.words.last.flatMap(Self.isEarlier) else { return nil }
        return duration(spoken.text(0..<spoken.words.count - 1)).map { isEarlier ? -$0 : $0 }
    }

    private static let leads = PatternTable("correction leads") { _ in () }
    private static let sameTimes = PatternTable("same times") { _ in () }
    private static let following = PatternTable("following days") { key in
        let isBefore = key.hasPrefix("-")
        let length = DurationParser.duration(of: String(key.drop { $0 == "-" }), bare: nil)
        return (isBefore ? length.map { -$0 } : length) ?? CalendarDuration(days: 1)
    }
}
