/// Spaces and marks: one space between words, none before a comma, one mark
/// where one is meant. Lines that are set in columns keep their spaces.
extension EnglishRules {
    // MARK: - Spaces

    /// Several spaces before an item.
    func spaces(_ index: Int, _ passage: Passage, _ style: Style) -> Correction? {
        guard index > 0 else { return nil }
        let previous = passage.items[index - 1]
        let item = passage.items[index]
        let gap = previous.range.upperBound..<item.range.lowerBound
        // More than a slip is a layout, and so are two gaps in a line.
        guard gap.count <= 3, !isInColumns(index, passage) else { return nil }
        // A line of a log, or of code.
        if passage.isMathematical(around: index) { return nil }
        if item.kind == .mark, isSpacedMark(item.text) { return nil }
        if [".", "!", "?", ":"].contains(where: previous.text.hasPrefix), previous.kind == .mark,
            style.keepsSentenceSpaces
        {
            return nil
        }
        // The two words of a list or of code are not ours to judge.
        let isPlain = { (item: Passage.Item) in
            item.kind == .word || item.kind == .number || item.kind == .mark
        }
        guard isPlain(previous), isPlain(item), !isMarker(index - 1, passage) else { return nil }
        return correction(gap, " ", .spacing)
    }

    private func isSpacedMark(_ text: String) -> Bool { text == "—" || text == "–" || text == "-" }

    /// "-  item": how far a list is set in.
    private func isMarker(_ index: Int, _ passage: Passage) -> Bool {
        passage.isFragment
            && passage.items[...index].allSatisfy { $0.kind != .word && $0.gap != .line }
    }

    /// More than one wide gap in this line: a table.
    private func isInColumns(_ index: Int, _ passage: Passage) -> Bool {
        var first = index
        while first > 0, passage.items[first].gap != .line, passage.items[first].gap != .other {
            first -= 1
        }
        var last = index + 1
        while last < passage.items.count, passage.items[last].gap != .line { last += 1 }
        let line = passage.items[first..<last]
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

    // MARK: - Marks

    func mark(_ index: Int, _ passage: Passage) -> Correction? {
        if passage.items[index].gap == .space || passage.items[index].gap == .spaces {
            return spaceBefore(index, passage)
        }
        return passage.items[index].gap == .none ? repeated(index, passage) : nil
    }

    /// "word ,"
    private func spaceBefore(_ index: Int, _ passage: Passage) -> Correction? {
        let item = passage.items[index]
        guard index > 0, [",", ".", "!", "?", ";"].contains(item.text) else { return nil }
        let previous = passage.items[index - 1]
        let next = index + 1 < passage.items.count ? passage.items[index + 1] : nil
        // Something stuck to it: ".5", "?x", ":)" and the like.
        if let next, next.gap == .none {
            guard next.kind == .mark, ["\"", "”", ")", "'", "’"].contains(next.text) else {
                return nil
            }
        }
        switch previous.kind {
        case .word, .number: break
        case .mark: guard [")", "”", "\""].contains(previous.text) else { return nil }
        case .technical, .opaque: return nil
        }
        let sentence = passage.sentence(around: index - 1)
        // "port = 80 ; the default", "Set x = y , then"
        if sentence.contains(where: { $0.text == "=" }) { return nil }
        switch item.text {
        case ";" where next?.gap == Passage.Gap.none:
            // ";)"
            return nil
        case ".":
            // "docker build .": a folder.
            let isEnd = next == nil || next?.isCapitalised == true || next?.gap == Passage.Gap.none
            guard isEnd, !commands.contains(previous.text),
                !sentence.contains(where: { $0.kind == .technical })
            else { return nil }
        case "?":
            // "a ? b : c"
            if sentence.contains(where: { $0.text == ":" }) { return nil }
        case "!":
            guard next == nil || next?.isCapitalised == true || next?.gap == Passage.Gap.none else {
                return nil
            }
        default: break
        }
        // A list of marks: "( , ; . )".
        guard sentence.contains(where: { $0.kind == .word }) else { return nil }
        return correction(
            previous.range.upperBound..<item.range.lowerBound, "", .punctuation)
    }

    /// Before a period with a space they mean this folder.
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

    /// ",,", "!!", "??", ".." – three points are an ellipsis.
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

    /// "rain,but": certain only where a function word follows the comma.
    func missingSpace(_ index: Int, _ passage: Passage) -> Correction? {
        let item = passage.items[index]
        let parts = item.text.utf8.split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count >= 2,
            parts.allSatisfy({ $0.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x27 } }),
            afterComma.contains(String(Substring(parts[1])))
        else { return nil }
        let place = item.range.lowerBound + parts[0].count + 1
        return correction(place..<place, " ", .spacing)
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
