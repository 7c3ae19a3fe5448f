import AgentCore

/// What else a phrase says: to be reminded, how urgent, tags, the list, the
/// alarm.
extension PhraseGrammar {
    mutating func readExtras() {
        readLeads()
        readTags()
        readPriority()
        readList()
        readAlarm()
    }

    mutating func take(_ value: Piece.Value, _ range: Range<Int>) {
        guard range.upperBound <= tokens.count, !range.isEmpty, !taken[range].contains(true) else {
            return
        }
        for index in range { taken[index] = true }
        found.append(Piece(value: value, tokens: range))
    }

    private mutating func readLeads() {
        var index = 0
        while index < tokens.count {
            if let lead = Lead.match(self, index) {
                take(.lead(lead.meaning), lead.tokens)
                if let tail = lead.tail { take(.noise, tail..<tail + 1) }
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
            var end = index + 2
            while let more = token(end), more.isGlued,
                more.kind != .sign
                    || ((more.text == "-" || more.text == "_" || more.text == "/")
                        && isGlued(end + 1))
            { end += 1 }
            take(.category(original(index + 1, end)), index..<end)
        }
    }

    private mutating func readPriority() {
        for index in tokens.indices where !taken[index] {
            // !, !!, !!! standing alone
            if isSign(index, "!"), !isGlued(index) || index == 0 {
                var end = index + 1
                while isSign(end, "!"), isGlued(end) { end += 1 }
                let count = end - index
                if isGlued(end), let word = token(end), count == 1 {
                    switch word.text {
                    case "high", "urgent", "hoch", "important", "wichtig":
                        take(.priority(1), index..<(end + 1))
                    case "medium", "med", "mittel", "normal": take(.priority(5), index..<(end + 1))
                    case "low", "niedrig": take(.priority(9), index..<(end + 1))
                    default: break
                    }
                    if isDigits(end), let value = word.value, (1...3).contains(value) {
                        take(.priority([1, 5, 9][value - 1]), index..<(end + 1))
                    }
                    continue
                }
                if token(end) == nil || !isGlued(end) {
                    take(.priority(count >= 3 ? 1 : count == 2 ? 5 : 9), index..<end)
                }
                continue
            }
            if isWord(index, "p"), let value = token(index + 1)?.value, isGlued(index + 1),
                (1...4).contains(value), !isGlued(index + 2),
                !isGlued(index) || isSign(index - 1, "!")
            {
                let start = isSign(index - 1, "!") && !taken[index - 1] ? index - 1 : index
                take(.priority([1, 5, 9, 9][value - 1]), start..<(index + 2))
                continue
            }
            if let level = Self.levels[tokens[index].text],
                isWord(index + 1, "priority", "prio", "importance", "priorität")
            {
                var start = index
                if isWord(start - 1, "with", "mit"), start > 0 { start -= 1 }
                take(.priority(level), start..<(index + 2))
                continue
            }
            if isWord(index, "priority", "prio", "priorität") {
                var next = index + 1
                if isSign(next, ":") || isSign(next, "=") { next += 1 }
                if let level = token(next).flatMap({ Self.levels[$0.text] }) {
                    take(.priority(level), index..<(next + 1))
                } else if let value = token(next)?.value, (1...9).contains(value) {
                    take(.priority(value <= 3 ? [1, 5, 9][value - 1] : value), index..<(next + 1))
                }
                continue
            }
            if isWord(index, "urgent", "urgently", "dringend", "asap"), isAside(index) {
                var end = index + 1
                if isSign(end, ":") || isSign(end, "!") || isSign(end, ",") { end += 1 }
                take(.priority(1), index..<end)
            }
        }
    }

    /// Standing apart: at the end, or before a colon.
    private func isAside(_ index: Int) -> Bool {
        if isSign(index + 1, ":") { return index == 0 || taken[index - 1] }
        if isSign(index - 1, "("), isSign(index + 1, ")") { return true }
        guard token(index + 1) == nil || (isSign(index + 1, "!") && token(index + 2) == nil) else {
            return false
        }
        // "is urgent" is said of something.
        return index > 0
            && !isWord(
                index - 1, "is", "are", "was", "very", "not", "the", "if", "something", "ist",
                "sehr")
    }

    private static let levels = [
        "high": 1, "highest": 1, "top": 1, "urgent": 1, "hohe": 1, "hoher": 1, "hoch": 1,
        "höchste": 1, "medium": 5, "normal": 5,
        "mittlere": 5, "mittlerer": 5, "mittel": 5, "low": 9, "lowest": 9, "niedrige": 9,
        "niedriger": 9, "niedrig": 9,
    ]

    func original(_ start: Int, _ end: Int) -> String {
        source.map {
            String(
                decoding: $0[tokens[start].range.lowerBound..<tokens[end - 1].range.upperBound],
                as: UTF8.self)
        } ?? ""
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
