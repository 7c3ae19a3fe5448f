import Base

/// The body of a letter from a model's answer, without unwanted parts: remarks, a header, a
/// date, a subject, a salutation, a closing phrase and a signature. Pure.
///
/// The removed parts are added locally (`LetterLayout`); the whole answer is saved with the
/// letter.
package struct LetterAnswer: Sendable, Equatable {
    /// Paragraphs between blank lines, with placeholders.
    package private(set) var text: String

    /// - Parameter answer: unchanged from the model.
    package init(_ answer: String) {
        var lines = answer.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { Self.plain($0) }
        Self.dropTalk(&lines)
        Self.dropHead(&lines)
        Self.dropEnd(&lines)
        text = Self.joined(lines)
    }

    package var isEmpty: Bool { text.isEmpty }

    /// Number of words with a letter or a digit; a placeholder counts as one.
    package var words: Int { Self.words(text) }

    package static func words(_ text: String) -> Int {
        text.split(whereSeparator: \.isWhitespace).reduce(0) { count, word in
            // Chinese and Japanese have no blanks between words, which are of two characters.
            let unspaced = word.unicodeScalars.count { (0x3040...0x9FFF).contains($0.value) }
            if unspaced > 0 { return count + (unspaced + 1) / 2 }
            return word.contains { $0.isLetter || $0.isNumber } ? count + 1 : count
        }
    }

    /// Signs at the end of a sentence.
    private static let stops = ".!?。！？।؟"

    /// The line without Markdown, which a letter does not use.
    private static func plain(_ line: Substring) -> String {
        var line = line.replacing("**", with: "").replacing("__", with: "").trimmingSpace()
        if line.hasPrefix("#") { line = line.drop { $0 == "#" }.trimmingSpace() }
        return line
    }

    /// Drops the model's remarks before and after the letter, and a code fence around it.
    private static func dropTalk(_ lines: inout [String]) {
        lines.removeAll { line in
            line.hasPrefix("```") || line == "---" || line == "***" || line == "___"
                || line == "<letter>" || line == "</letter>"
        }
        dropBlank(&lines)
        if let first = lines.first, isPreamble(first) { lines.removeFirst() }
        dropBlank(&lines)
        while let last = lines.last, isRemark(last) || last.isEmpty { lines.removeLast() }
    }

    private static func isPreamble(_ line: String) -> Bool {
        let folded = SearchText.folded(line)
        guard LetterPhrases.preambles.contains(where: folded.hasPrefix), let last = folded.last
        else { return false }
        if last == ":" { return words(line) <= 30 }
        return ".!".contains(last) && words(line) <= 20 && folded.contains("letter")
            && !folded.contains("i write") && !folded.contains("i am writing")
    }

    private static func isRemark(_ line: String) -> Bool {
        let folded = SearchText.folded(line).trimming { "(*[".contains($0) }
        return LetterPhrases.remarks.contains { folded.hasPrefix($0) }
    }

    // MARK: - Before the letter

    /// Maximum number of header lines if no salutation follows.
    private static let headLines = 30
    /// A longer line is not part of a header.
    private static let headLength = 120

    private static func dropHead(_ lines: inout [String]) {
        dropBlank(&lines)
        let head = lines.prefix(headLines)
        if let salutation = head.firstIndex(where: LetterPhrases.isSalutation),
            head[..<salutation].allSatisfy({ $0.count <= headLength })
        {
            lines.removeSubrange(...salutation)
            dropBlank(&lines)
            // A subject under it has a line of its own and no point.
            if let first = lines.first, let end = first.last, words(first) <= 16, !isItem(first),
                end.isLetter || end.isNumber || end == ")",
                lines.dropFirst().first?.isEmpty == true
            {
                lines.removeFirst()
            }
        } else {
            while let first = lines.first, first.isEmpty || isHead(first, before: lines.dropFirst())
            {
                lines.removeFirst()
            }
            if let first = lines.first { lines[0] = LetterPhrases.withoutSalutation(first) }
        }
        // A subject may also follow the salutation.
        dropBlank(&lines)
        while let first = lines.first, first.isEmpty || isSubject(first) { lines.removeFirst() }
    }

    /// Whether the line is a name, a street, a date, an e-mail address, "Subject: …".
    private static func isHead(_ line: String, before rest: ArraySlice<String>) -> Bool {
        if line.count > headLength { return false }
        if isSubject(line) || LetterPhrases.isDate(line) { return true }
        let left = withoutBrackets(line)
        if left.count < line.count, !left.contains(where: \.isLetter) { return true }
        let count = words(line)
        if line.contains("@"), count <= 4 { return true }
        if !line.contains(where: \.isLetter) { return true }
        // A short line that is not a sentence, unless it begins a hand-wrapped paragraph.
        let isSentence = line.last.map(stops.contains) ?? false
        guard count <= 7, line.count <= 60, !isSentence else { return false }
        let paragraph = [line] + rest.prefix { !$0.isEmpty }
        return paragraph.reduce(0) { $0 + words($1) } < 20
            || !(paragraph.last?.last.map(stops.contains) ?? false)
    }

    private static func isSubject(_ line: String) -> Bool {
        guard let colon = line.firstIndex(of: ":"), line.count <= headLength else { return false }
        return LetterPhrases.subjects.contains(
            SearchText.folded(String(line[..<colon])).trimmingSpace())
    }

    // MARK: - After the letter

    /// Maximum number of lines of a signature and the text after it.
    private static let endLines = 14

    private static func dropEnd(_ lines: inout [String]) {
        dropTrailing(&lines)
        let start = max(lines.startIndex, lines.endIndex - endLines)
        if let closing = lines[start...].indices.first(where: { index in
            LetterPhrases.isClosing(lines[index])
                && lines[index...].dropFirst().allSatisfy { $0.count <= headLength }
        }) {
            lines.removeSubrange(closing...)
        }
        dropTrailing(&lines)
        if let last = lines.indices.last {
            lines[last] = LetterPhrases.withoutClosing(lines[last])
            if lines[last].isEmpty { lines.removeLast() }
        }
        dropTrailing(&lines)
    }

    /// Drops names, placeholders and blank lines at the end of a letter without a closing
    /// phrase.
    private static func dropTrailing(_ lines: inout [String]) {
        while let last = lines.last, last.isEmpty || isSignature(last) { lines.removeLast() }
    }

    private static func isSignature(_ line: String) -> Bool {
        if isRemark(line) { return true }
        let left = withoutBrackets(line)
        if left.count < line.count, !left.contains(where: \.isLetter) { return true }
        let parts = line.split(separator: " ")
        guard (1...4).contains(parts.count), let last = line.last, !stops.contains(last),
            last != ":"
        else {
            return false
        }
        // A list in the letter is not a signature.
        if line.hasPrefix("-") || line.hasPrefix("•") { return false }
        return parts.allSatisfy { $0.first?.isUppercase == true || $0.first == "[" }
    }

    // MARK: - Pieces

    /// The line without `[…]`, `{{…}}` and `<…>`.
    private static func withoutBrackets(_ line: String) -> String {
        var depth = 0
        return line.filter { character in
            if "[{<".contains(character) { depth += 1 }
            defer { if "]}>".contains(character) { depth = max(0, depth - 1) } }
            return depth == 0
        }
    }

    private static func dropBlank(_ lines: inout [String]) {
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
    }

    /// The text with hand-wrapped lines joined; a list keeps its lines.
    private static func joined(_ lines: [String]) -> String {
        var paragraphs: [String] = []
        var isOpen = false
        for line in lines {
            if line.isEmpty {
                isOpen = false
            } else if isOpen, let last = paragraphs.indices.last {
                paragraphs[last] += isItem(line) ? "\n" + line : " " + line
            } else {
                paragraphs.append(line)
                isOpen = true
            }
        }
        return paragraphs.joined(separator: "\n\n")
    }

    private static func isItem(_ line: String) -> Bool {
        ["- ", "• ", "* ", "– "].contains { line.hasPrefix($0) }
    }
}
