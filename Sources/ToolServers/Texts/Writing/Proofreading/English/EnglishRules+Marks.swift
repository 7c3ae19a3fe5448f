/// Corrects spaces and punctuation: one space between words, none before a
/// comma, no repeated marks. Lines set in columns keep their spaces.
extension EnglishRules {
    // MARK: - Spaces

    /// Several spaces before an item.
    func spaces(_ index: Int, _ passage: Passage, _ style: Style) -> Correction? {
        guard index > 0 else { return nil }
        let previous = passage.items[index - 1]
        let item = passage.items[index]
        let gap = previous.range.upperBound..<item.range.lowerBound
        // Wider gaps are layout, and so are two gaps in a line.
        guard gap.count <= 3, !isInColumns(index, passage) else { return nil }
        if item.kind == .mark, isSpacedMark(item.text) { return nil }
        if [".", "!", "?", ":"].contains(where: previous.text.hasPrefix), previous.kind == .mark,
            style.keepsSentenceSpaces
        {
            return nil
        }
        // Words of a list or of code are not judged.
        let isPlain = { (item: Passage.Item) in
            item.kind == .word || item.kind == .number || item.kind == .mark
        }
        guard isPlain(previous), isPlain(item), !isMarker(index - 1, passage),
            !line(around: index, passage).contains(where: { $0.kind == .technical })
        else { return nil }
        return correction(gap, " ", .spacing)
    }

    private func isSpacedMark(_ text: String) -> Bool { text == "—" || text == "–" || text == "-" }

    /// "-  item": a list's indentation.
    private func isMarker(_ index: Int, _ passage: Passage) -> Bool {
        passage.isFragment
            && passage.items[...index].allSatisfy { $0.kind != .word && $0.gap != .line }
    }

    /// Whether the line has more than one wide gap, as a table does.
    private func isInColumns(_ index: Int, _ passage: Passage) -> Bool {
        let line = line(around: index, passage)
        let first = line.startIndex
        let wide = line.indices.filter {
            $0 > first && passage.items[$0].gap == .spaces
                && ![".", "!", "?"].contains(passage.items[$0 - 1].text)
        }
        if line.first?.gap == .other || line.contains(where: { $0.gap == .other }) { return true }
        guard wide.count > 1 else { return false }
        // Two slips in a sentence are possible; two gaps in a short line are columns.
        return wide.count * 3 >= line.count(where: { $0.kind != .mark }) - 1
            || !line.contains { $0.kind == .word && words.isIn("function", $0.text) }
    }

    private func line(around index: Int, _ passage: Passage) -> ArraySlice<Passage.Item> {
        var first = index
        while first > 0, passage.items[first].gap != .line, passage.items[first].gap != .other {
            first -= 1
        }
        var last = index + 1
        while last < passage.items.count, passage.items[last].gap != .line { last += 1 }
        return passage.items[first..<last]
    }

    // MARK: - Marks

    func mark(_ index: Int, _ passage: Passage) -> Correction? {
        if passage.items[index].gap == .space || passage.items[index].gap == .spaces {
            return spaceBefore(index, passage) ?? spacedParenthesis(index, passage)
        }
        return passage.items[index].gap == .none ? repeated(index, passage) : nil
    }

    /// "word ,"
    private func spaceBefore(_ index: Int, _ passage: Passage) -> Correction? {
        let item = passage.items[index]
        guard index > 0, [",", ".", "!", "?", ";"].contains(item.text) else { return nil }
        let previous = passage.items[index - 1]
        let next = index + 1 < passage.items.count ? passage.items[index + 1] : nil
        // Something attached to it: ".5", "?x", ":)" and the like.
        if let next, next.gap == .none {
            // ";)" is a smiley.
            guard next.kind == .mark, ["\"", "”", "'", "’"].contains(next.text) else { return nil }
        }
        switch previous.kind {
        case .word, .number: break
        case .mark: guard [")", "”", "\""].contains(previous.text) else { return nil }
        case .technical, .opaque: return nil
        }
        let sentence = passage.sentence(around: index - 1)
        // "port = 8080   ; a comment"
        if item.gap == .spaces || item.text == ";", passage.isTechnical(around: index - 1) {
            return nil
        }
        switch item.text {
        case ".":
            // "docker build .": a folder.
            let isEnd = next == nil || next?.isCapitalised == true || next?.gap == Passage.Gap.none
            guard isEnd, !commands.contains(previous.text), !passage.isTechnical(around: index - 1)
            else { return nil }
        case "?":
            // "a ? b : c"
            if sentence.contains(where: { $0.text == ":" }) { return nil }
        case "!":
            guard next == nil || next?.isCapitalised == true || next?.gap == Passage.Gap.none else {
                return nil
            }
        default:
            // "x , y" in a formula.
            if previous.text.utf8.count == 1, passage.isTechnical(around: index - 1) { return nil }
        }
        // A list of punctuation marks: "( , ; . )".
        guard sentence.contains(where: { $0.kind == .word }) else { return nil }
        return correction(
            previous.range.upperBound..<item.range.lowerBound, "", .punctuation)
    }

    /// Commands for which a period after a space means the current folder.
    private var commands: Set<String> {
        [
            "add", "build", "ls", "cd", "find", "install", "grep", "code", "du", "tree", "dir",
            "pip",
            "run", "lint", "test", "open", "check", "format", "commit", "init", "mount", "chmod",
            "chown", "rsync", "scp", "tar", "copy", "move", "vet", "cp", "mv", "source", "emacs",
            "vim",
            "edit", "make", "start", "explorer", "ruff", "black", "mypy", "eslint", "restore", "rm",
            "in", "from", "to", "with",
        ]
    }

    /// ",,", "!!", "??", ".." – three dots are an ellipsis.
    private func repeated(_ index: Int, _ passage: Passage) -> Correction? {
        let item = passage.items[index]
        guard index > 0, item.text.utf8.count >= 2, let sign = item.text.first,
            passage.items[index - 1].kind == .word
                || passage.items[index - 1].kind == .number
        else { return nil }
        let next = index + 1 < passage.items.count ? passage.items[index + 1] : nil
        if let next, next.gap == .none {
            guard next.kind == .mark, ["\"", "”", ")"].contains(next.text) else { return nil }
        }
        switch sign {
        case ",", "!", "?": break
        case ";", ":":
            guard item.text.utf8.count == 2, passage.wordAfter(index) != nil,
                !passage.isTechnical(around: index - 1)
            else { return nil }
        case ".":
            guard item.text == "..", next == nil || next?.isCapitalised == true,
                !passage.isTechnical(around: index - 1),
                !commands.contains(passage.items[index - 1].text)
            else { return nil }
        default: return nil
        }
        return correction(item.range, String(sign), .punctuation)
    }

    // MARK: - A space that is missing

    /// "rain,but", "bread,cheese and wine", "home.The": only certain if a
    /// function word follows, or a list continues.
    func missingSpace(_ index: Int, _ passage: Passage) -> Correction? {
        let item = passage.items[index]
        if let period = missingSpaceBehindPeriod(index, passage) { return period }
        let parts = item.text.utf8.split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count >= 2,
            parts.allSatisfy({ $0.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x27 } }),
            afterComma.contains(String(Substring(parts[1])))
                || isList(index, passage) && parts.allSatisfy({ $0.count >= 3 })
        else { return nil }
        let place = item.range.lowerBound + parts[0].count + 1
        return correction(place..<place, " ", .spacing)
    }

    /// "and" follows, and nothing around it is technical.
    private func isList(_ index: Int, _ passage: Passage) -> Bool {
        guard let next = passage.wordAfter(index), next.text == "and" || next.text == "or" else {
            return false
        }
        return isOnlyTechnical(index, passage)
    }

    private func isOnlyTechnical(_ index: Int, _ passage: Passage) -> Bool {
        passage.sentence(around: index).count {
            $0.kind == .technical || $0.kind == .opaque
        } == 1
    }

    private func missingSpaceBehindPeriod(_ index: Int, _ passage: Passage) -> Correction? {
        let item = passage.items[index]
        let parts = item.text.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count >= 2,
            parts[0].allSatisfy({ $0 &- 0x61 < 26 }),
            afterPeriod.contains(String(Substring(parts[1]))), isOnlyTechnical(index, passage),
            passage.wordAfter(index) != nil, passage.wordBefore(index) != nil
        else { return nil }
        let place = item.range.lowerBound + parts[0].count + 1
        return correction(place..<place, " ", .spacing)
    }

    private var afterPeriod: Set<String> {
        [
            "The", "They", "We", "He", "She", "It", "There", "This", "Then", "But", "However",
            "When",
            "My", "Our", "His", "Her", "I", "You",
        ]
    }

    // MARK: - Parentheses

    /// "( quietly )": spaces inside a pair around plain words.
    private func spacedParenthesis(_ index: Int, _ passage: Passage) -> Correction? {
        let items = passage.items
        switch items[index].text {
        case "(":
            guard index + 1 < items.count, items[index + 1].gap == .space,
                let close = items[index...].prefix(12).firstIndex(where: { $0.text == ")" }),
                isPlain(index + 1..<close, passage)
            else { return nil }
            return correction(
                items[index].range.upperBound..<items[index + 1].range.lowerBound, "", .spacing)
        case ")":
            guard index > 0,
                let open = items[..<index].suffix(12).lastIndex(where: { $0.text == "(" }),
                isPlain(open + 1..<index, passage)
            else { return nil }
            return correction(
                items[index - 1].range.upperBound..<items[index].range.lowerBound, "", .spacing)
        default: return nil
        }
    }

    private func isPlain(_ range: Range<Int>, _ passage: Passage) -> Bool {
        !range.isEmpty && !passage.isTechnical(around: range.lowerBound)
            && passage.items[range].contains { $0.kind == .word && $0.text.utf8.count > 1 }
            && passage.items[range].allSatisfy { $0.kind == .word || $0.text == "," }
    }

    private var afterComma: Set<String> {
        [
            "and", "but", "or", "so", "which", "because", "I", "we", "you", "he", "she", "they",
            "it",
            "the", "this", "that", "there", "then", "not", "who", "when", "while", "if", "my",
            "our",
            "their", "his", "her", "I'm", "it's", "we're", "they're", "please", "too",
        ]
    }
}
