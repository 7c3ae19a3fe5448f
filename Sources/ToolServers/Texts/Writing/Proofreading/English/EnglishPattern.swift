import Base

/// One line of `proofreading.txt`: words in their context, and their
/// replacement. The top of that file describes the syntax.
struct EnglishPattern: Sendable {
    struct Element: Sendable {
        var isNegated = false
        var words: Set<String> = []
        var classes: [WordClass] = []
        var isStart = false
        var isEnd = false
        var isNumber = false
        var isAny = false
    }

    private let before: [Element]
    private let after: [Element]
    /// The possible forms of each word to be replaced.
    private let wrong: [Set<String>]
    private let right: String
    let rule: EnglishWords.Rule
    private let isForPlainSentences: Bool
    /// "if it is larger then the …" is right.
    private let isForUnconditionalSentences: Bool

    var firstWords: Set<String> { wrong[0] }

    init(wrong: String, right: String, rule: EnglishWords.Rule) {
        before = []
        after = []
        self.wrong = [[wrong]]
        self.right = right
        self.rule = rule
        isForPlainSentences = false
        isForUnconditionalSentences = false
    }

    init?(_ line: Substring, rule: EnglishWords.Rule, classes: [String: WordClass]) {
        guard let open = line.firstIndex(of: "{"), let close = line.firstIndex(of: "}"),
            open < close
        else { return nil }
        let sides = line[line.index(after: open)..<close].cut(at: ">")
        guard sides.count == 2 else { return nil }
        wrong = sides[0].cut(at: " ").map { Set($0.cut(at: "|").map(String.init)) }
        right = String(sides[1])
        var lead = line[..<open].cut(at: " ")
        isForPlainSentences = lead.first == "~"
        isForUnconditionalSentences = lead.first == "%"
        if isForPlainSentences || isForUnconditionalSentences { lead.removeFirst() }
        var before: [Element] = []
        var after: [Element] = []
        for word in lead {
            guard let element = Element(word, classes) else { return nil }
            before.append(element)
        }
        for word in line[line.index(after: close)...].cut(at: " ") {
            guard let element = Element(word, classes) else { return nil }
            after.append(element)
        }
        self.before = before
        self.after = after
        self.rule = rule
    }

    /// The correction if the pattern begins at this word.
    func correction(at index: Int, in passage: Passage, apostrophe: String) -> Correction? {
        let items = passage.items
        guard index + wrong.count <= items.count else { return nil }
        for offset in wrong.indices.dropFirst() {
            let item = items[index + offset]
            guard item.kind == .word, item.gap.joins, wrong[offset].contains(item.text) else {
                return nil
            }
        }
        let first = items[index]
        // A name, or all capitals.
        if first.isAllCapitals || first.isCapitalised && first.start == .no && right != "I" {
            return nil
        }
        guard matchesBefore(index, passage), matchesAfter(index + wrong.count - 1, passage) else {
            return nil
        }
        if right == "I", !isPronoun(index, passage) { return nil }
        if isForPlainSentences, passage.isTechnical(around: index) { return nil }
        if isForUnconditionalSentences,
            passage.sentenceBefore(index).contains(where: {
                Self.conditions.contains($0.text)
            })
        {
            return nil
        }
        let range = first.range.lowerBound..<items[index + wrong.count - 1].range.upperBound
        var text = right
        if first.isCapitalised, let letter = text.first {
            text = letter.uppercased() + text.dropFirst()
        }
        if apostrophe != "'" {
            text = String(text.flatMap { $0 == "'" ? Array(apostrophe) : [$0] })
        }
        // "I" is folded to "i" like any other word.
        if passage.bytes[range].elementsEqual(text.utf8) { return nil }
        return Correction(range: range, replacement: text, rule: rule.rawValue)
    }

    /// "while i < n" and "i, j and k" are about a variable.
    private func isPronoun(_ index: Int, _ passage: Passage) -> Bool {
        if passage.wordAfter(index) != nil { return true }
        return passage.endsClause(index)
            && !(index + 2 < passage.items.count && passage.items[index + 2].text.utf8.count == 1)
    }

    private static let conditions: Set<String> = [
        "if", "when", "once", "after", "until", "since", "while", "whenever",
    ]

    private func matchesBefore(_ index: Int, _ passage: Passage) -> Bool {
        var place = index
        for element in before.reversed() {
            // Not consumed: it is outermost.
            if element.isStart, passage.items[place].start != .no { return true }
            let word = passage.wordBefore(place)
            if element.isNegated {
                if let word, element.matches(word) { return false }
            } else {
                guard let word, element.matches(word) else { return false }
            }
            place -= 1
        }
        return true
    }

    private func matchesAfter(_ index: Int, _ passage: Passage) -> Bool {
        var place = index
        for element in after {
            if element.isEnd, passage.endsClause(place) { return true }
            if element.isNegated {
                if let word = passage.wordAfter(place), element.matches(word) { return false }
            } else {
                guard place + 1 < passage.items.count, passage.items[place + 1].gap.joins,
                    element.matches(passage.items[place + 1])
                else { return false }
            }
            place += 1
        }
        return true
    }
}

extension EnglishPattern.Element {
    fileprivate init?(_ word: Substring, _ known: [String: WordClass]) {
        var word = word
        if word.utf8.first == UInt8(ascii: "!") {
            isNegated = true
            word = word.dropFirst()
        }
        for part in word.cut(at: "|").map(String.init) {
            switch part {
            case "^": isStart = true
            case "$": isEnd = true
            case "#": isNumber = true
            case "@any": isAny = true
            default:
                if part.hasPrefix("@") {
                    guard let named = known[String(part.dropFirst())] else { return nil }
                    classes.append(named)
                } else {
                    words.insert(part)
                }
            }
        }
    }

    fileprivate func matches(_ item: Passage.Item) -> Bool {
        if item.kind == .number { return isNumber }
        guard item.kind == .word else { return false }
        // "Vitamin A", "Plan A": a single capital is a name.
        if item.isCapitalised, item.start == .no, item.text.utf8.count == 1, item.text != "i" {
            return false
        }
        return isAny || words.contains(item.text) || classes.contains { $0.contains(item.text) }
    }
}
