/// Parses the other parts of a phrase: the wish to be reminded, priority, tags, the list,
/// the alarm.
extension PhraseGrammar {
    mutating func readExtras() {
        readLeads()
        readTags()
        readPriority()
        readList()
        readSilence()
        readAlarm()
    }

    mutating func take(_ value: Piece.Value, _ range: Range<Int>) {
        guard range.upperBound <= tokens.count, !range.isEmpty, !taken[range].contains(true) else {
            return
        }
        for index in range { taken[index] = true }
        found.append(Piece(value, range))
    }

    private mutating func readLeads() {
        var index = 0
        while index < tokens.count {
            if let lead = lead(index) ?? tail(index) {
                take(.lead(lead.meaning), lead.tokens)
                if let tail = lead.tail { take(.noise, tail) }
                // "put toner on my list"
                if index > 0, isOne(index, of: .listMarkers) { takePutting() }
                index = lead.tokens.upperBound
            } else {
                index += 1
            }
        }
    }

    private mutating func readTags() {
        for index in tokens.indices
        where isSign(index, "#")
            && !(isGlued(index) && index > 0 && tokens[index - 1].kind != .sign)
        {
            guard let tag = token(index + 1), tag.isGlued, tag.kind == .word else { continue }
            let end = nameEnd(index + 2, joints: ["-", "_", "/"])
            take(.category(original(index + 1, end)), index..<end)
        }
    }

    // MARK: Priorities

    private typealias Priority = (level: Int, tokens: Range<Int>)

    private mutating func readPriority() {
        for index in tokens.indices where !taken[index] {
            guard
                let priority = exclamation(index) ?? shortPriority(index) ?? levelBefore(index)
                    ?? levelAfter(index) ?? urgent(index)
            else { continue }
            take(.priority(priority.level), priority.tokens)
        }
    }

    private static let levels = PatternTable("date levels") { Int($0) }

    private func level(_ index: Int) -> Int? { match(Self.levels, index)?.value }

    /// Maps 1, 2 and 3 to the three levels.
    private func numbered(_ index: Int, _ range: ClosedRange<Int>) -> Int? {
        guard let value = token(index)?.value, range.contains(value) else { return nil }
        return value <= 3 ? [1, 5, 9][value - 1] : range.upperBound == 4 ? 9 : value
    }

    /// "!", "!!", "!!!" standing alone, "!high", "!1"
    private func exclamation(_ index: Int) -> Priority? {
        guard isSign(index, "!"), !isGlued(index) || index == 0 else { return nil }
        var end = index + 1
        while isSign(end, "!"), isGlued(end) { end += 1 }
        let count = end - index
        guard isGlued(end) else { return ([9, 5, 1][min(count, 3) - 1], index..<end) }
        guard count == 1, let level = level(end) ?? numbered(end, 1...3) else { return nil }
        return (level, index..<(end + 1))
    }

    /// "p1", "!p2"
    private func shortPriority(_ index: Int) -> Priority? {
        let isMarked = isSign(index - 1, "!")
        guard isWord(index, "p"), isGlued(index + 1), let level = numbered(index + 1, 1...4),
            !isGlued(index + 2), !isGlued(index) || isMarked
        else { return nil }
        return (level, (isMarked && !taken[index - 1] ? index - 1 : index)..<(index + 2))
    }

    /// "high priority", "with low importance"
    private func levelBefore(_ index: Int) -> Priority? {
        guard let level = level(index),
            isWord(index + 1, "priority", "prio", "importance", "priorität")
        else { return nil }
        return (level, (isWord(index - 1, "with", "mit") ? index - 1 : index)..<(index + 2))
    }

    /// "priority: high", "prio 2"
    private func levelAfter(_ index: Int) -> Priority? {
        guard isWord(index, "priority", "prio", "priorität") else { return nil }
        let next = skipSign("=", from: skipSign(":", from: index + 1))
        return (level(next) ?? numbered(next, 1...9)).map { ($0, index..<(next + 1)) }
    }

    /// "urgent: …", "… asap"; but "is urgent" describes something.
    private func urgent(_ index: Int) -> Priority? {
        guard isWord(index, "urgent", "urgently", "dringend", "asap") else { return nil }
        let next = index + 1
        let isLast = token(next) == nil || (isSign(next, "!") && token(next + 1) == nil)
        let isApart =
            isSign(next, ":")
            ? index == 0 || taken[index - 1]
            : isSign(index - 1, "(") && isSign(next, ")")
                || isLast && index > 0
                    && !isWord(
                        index - 1, "is", "are", "was", "very", "not", "the", "if", "something",
                        "ist", "sehr")
        let hasSign = isSign(next, ":") || isSign(next, "!") || isSign(next, ",")
        return isApart ? (1, index..<(hasSign ? next + 1 : next)) : nil
    }

    /// The index after a name without spaces.
    func nameEnd(_ start: Int, joints: [String]) -> Int {
        var end = start
        while let more = token(end), more.isGlued,
            more.kind != .sign || (joints.contains(more.text) && isGlued(end + 1))
        { end += 1 }
        return end
    }

    func original(_ start: Int, _ end: Int) -> String {
        let range = tokens[start].range.lowerBound..<tokens[end - 1].range.upperBound
        return String(decoding: source[range], as: UTF8.self)
    }
}
