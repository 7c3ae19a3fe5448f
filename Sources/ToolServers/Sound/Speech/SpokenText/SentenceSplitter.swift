import Base

/// Divides arriving text into sentences short enough for one breath; the sentences do not
/// depend on how the text is cut into pieces. Pure.
///
///     "Dr. Who met J. R. at 3.15. He"  →  "Dr. Who met J. R. at 3.15."
///
/// White space becomes one space, a blank line ends a paragraph, and control and invisible
/// characters are dropped, so that the result is safe for an engine. Text without a letter
/// or a digit is dropped. It does not know Markdown, and holds at most a sentence.
package struct SentenceSplitter: Sendable {
    package struct Sentence: Sendable, Equatable {
        package enum End: Sendable, Equatable {
            case sentence, paragraph
            /// The sentence is too long and continues in the next.
            case cut
        }

        package var text: String
        package var end: End

        package init(_ text: String, _ end: End = .sentence) {
            self.text = text
            self.end = end
        }
    }

    /// Maximum characters, about twenty seconds: the loss when reading resumes at a
    /// sentence.
    package static let limit = 300

    private enum Space { case none, space, line, paragraph }
    private enum Verdict { case ends, goesOn, unknown }

    private static let paragraphMark: Unicode.Scalar = "\u{2029}"

    private let limit: Int
    /// Pending text, from `start` on.
    private var pending: [Unicode.Scalar] = []
    private var start = 0
    /// Index before which no sentence ends.
    private var scanned = 0
    /// White space seen since the last visible character.
    private var space = Space.none
    private var isFinished = false
    private var isPausing = false

    package init(limit: Int = Self.limit) {
        // Room for a word and for the text that shows whether a sentence ends after it.
        self.limit = max(limit, 40)
    }

    /// The sentences of a whole text.
    package static func sentences(of text: String, limit: Int = Self.limit) -> [Sentence] {
        var splitter = SentenceSplitter(limit: limit)
        return splitter.feed(text) + splitter.finish()
    }

    package mutating func feed(_ text: String) -> [Sentence] {
        for scalar in text.unicodeScalars { take(scalar) }
        return takeSentences()
    }

    /// Ends the text; the splitter can be fed again.
    package mutating func finish() -> [Sentence] {
        isFinished = true
        var sentences = takeSentences()
        append(start..<pending.count, .paragraph, to: &sentences)
        self = SentenceSplitter(limit: limit)
        return sentences
    }

    /// Called when the text pauses: returns the sentences that end there by their own
    /// punctuation.
    package mutating func pause() -> [Sentence] {
        isPausing = true
        defer { isPausing = false }
        return takeSentences()
    }

    // MARK: - In

    private mutating func take(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        if scalar == "\n" || scalar == "\u{2028}" {
            space = space == .line || space == .paragraph ? .paragraph : .line
        } else if scalar == Self.paragraphMark || scalar == "\u{0C}" {
            space = .paragraph
        } else if properties.isWhitespace {
            if space == .none { space = .space }
        } else if scalar.value < 0x7F && scalar.value > 0x20 || SpokenCharacters.mayPass(scalar) {
            if start < pending.count {
                switch space {
                case .none: break
                case .space, .line: pending.append(" ")
                case .paragraph: pending.append(Self.paragraphMark)
                }
            }
            space = .none
            pending.append(scalar)
        }
    }

    // MARK: - Out

    private mutating func takeSentences() -> [Sentence] {
        var sentences: [Sentence] = []
        while let (end, kind) = nextEnd() {
            append(start..<end, kind, to: &sentences)
            start = end
            while start < pending.count, isSpace(pending[start]) { start += 1 }
            scanned = start
        }
        pending.removeFirst(start)
        scanned -= start
        start = 0
        return sentences
    }

    private func append(
        _ range: Range<Int>, _ end: Sentence.End, to sentences: inout [Sentence]
    ) {
        var range = range
        while let last = range.last, isSpace(pending[last]) { range.removeLast() }
        guard pending[range].contains(where: SpokenCharacters.isSpoken) else { return }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: pending[range])
        sentences.append(Sentence(String(text), end))
    }

    private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == Self.paragraphMark
    }

    /// End of the next sentence; nil if it depends on more text.
    private mutating func nextEnd() -> (Int, Sentence.End)? {
        var index = scanned
        while index < pending.count {
            let scalar = pending[index]
            if scalar == Self.paragraphMark { return (index, .paragraph) }
            if index - start >= limit { return (cut(), .cut) }
            guard SpokenCharacters.isTerminator(scalar) else {
                index += 1
                continue
            }
            var end = index + 1
            while end < pending.count, end - start <= limit,
                SpokenCharacters.isTerminator(pending[end])
                    || SpokenCharacters.isCloser(pending[end])
            {
                end += 1
            }
            if end - start > limit { return (cut(), .cut) }
            scanned = index
            switch verdict(index, end) {
            case .ends:
                let isLast = end == pending.count || pending[end] == Self.paragraphMark
                return (end, isLast ? .paragraph : .sentence)
            case .goesOn: index = end
            case .unknown: return nil
            }
        }
        scanned = index
        return nil
    }

    /// Whether the marks at `index..<end` end a sentence.
    private func verdict(_ index: Int, _ end: Int) -> Verdict {
        // The end so far is not meaningful until it is known to be the end of the text.
        guard end < pending.count else {
            if isFinished { return .ends }
            return isPausing ? pauseVerdict(index, end) : .unknown
        }
        if SpokenCharacters.isWide(pending[index]) { return .ends }
        guard isSpace(pending[end]) else { return .goesOn }
        if pending[end] == Self.paragraphMark { return .ends }
        // A space is kept only if text follows it.
        let next = pending[end + 1]
        if next.properties.isLowercase { return .goesOn }
        guard pending[index] == ".", end == index + 1 else { return .ends }
        return wordVerdict(before: index, after: end + 1)
    }

    /// The verdict if nothing follows the marks yet: wait for a word that may continue.
    private func pauseVerdict(_ index: Int, _ end: Int) -> Verdict {
        guard pending[index] == ".", end == index + 1 else { return .ends }
        var first = index
        while first > start, pending[first - 1] != " " { first -= 1 }
        let word = SpokenCharacters.word(pending[first..<index])
        return Abbreviation.mayContinue(word) ? .unknown : .ends
    }

    /// Judges a period after a word that is followed by a capital or a digit.
    private func wordVerdict(before index: Int, after next: Int) -> Verdict {
        var first = index
        while first > start, pending[first - 1] != " " { first -= 1 }
        let word = SpokenCharacters.word(pending[first..<index])
        // Looking further would hold more than a sentence.
        var last = next
        while last < pending.count, last - next < 12, pending[last].properties.isAlphabetic {
            last += 1
        }
        if last == pending.count, !isFinished { return .unknown }
        let following = SpokenCharacters.word(pending[next..<last])
        let startsWithDigit = pending[next].properties.numericType != nil
        var previous = ""
        if first > start {
            var begin = first - 1
            while begin > start, pending[begin - 1] != " " { begin -= 1 }
            previous = SpokenCharacters.word(pending[begin..<(first - 1)])
        }
        return Abbreviation.continues(
            word, previous: previous, following: following, digitFollows: startsWithDigit,
            isFirst: first == start) ? .goesOn : .ends
    }

    /// A position for a breath in the first `limit` characters.
    private func cut() -> Int {
        let end = start + limit
        var space: Int?
        var index = end - 1
        while index > start {
            let isBreak =
                SpokenCharacters.isWideComma(pending[index])
                || SpokenCharacters.isComma(pending[index]) && pending[index + 1] == " "
            // A comma, unless the piece before it would be too short.
            if isBreak, index - start >= limit / 3 { return index + 1 }
            if space == nil, pending[index] == " " { space = index }
            index -= 1
        }
        if let space { return space }
        // Within a word, but not within a character.
        var middle = end
        while middle > end - 16, SpokenCharacters.joins(pending[middle]) { middle -= 1 }
        return middle
    }
}
