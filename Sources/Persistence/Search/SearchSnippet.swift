import Base

/// The text around a match, on one line, with the matching words marked. Pure; untrusted text that
/// has not passed the allow-list.
package struct SearchSnippet: Sendable, Equatable {
    package struct Span: Sendable, Equatable {
        package var text: String
        package var isMatch: Bool
    }

    package var spans: [Span]

    package var text: String { spans.map(\.text).joined() }

    /// - Parameter limit: maximum number of characters, without "…".
    package init(_ text: String, finding query: SearchQuery, limit: Int = 120) {
        // A pasted file may have megabytes; words further on are not marked.
        let line = Self.singleLine(text.unicodeScalars.prefix(400_000))
        let words = Self.words(of: line)
        let wanted = query.phrases.map { phrase in
            (words: Self.words(of: Array(phrase.text)).map(\.folded), isPrefix: phrase.isPrefix)
        }
        var marked = [Bool](repeating: false, count: line.count)
        var places: [(start: Int, phrase: Int)] = []
        for (number, phrase) in wanted.enumerated() where !phrase.words.isEmpty {
            guard phrase.words.count <= words.count else { continue }
            for first in 0...(words.count - phrase.words.count) {
                let last = phrase.words.count - 1
                let isHere = phrase.words.indices.allSatisfy { index in
                    let word = words[first + index].folded
                    return index == last && phrase.isPrefix
                        ? word.hasPrefix(phrase.words[index]) : word == phrase.words[index]
                }
                guard isHere else { continue }
                let start = words[first].range.lowerBound
                places.append((start, number))
                for index in start..<words[first + last].range.upperBound { marked[index] = true }
            }
        }
        let start = Self.start(
            places, words: words.map(\.range.lowerBound), limit: limit, count: line.count)
        let end = min(line.count, start + limit)
        var spans: [Span] = []
        if start > 0 { spans.append(Span(text: "…", isMatch: false)) }
        for index in start..<max(start, end) {
            if spans.last?.isMatch == marked[index] {
                spans[spans.count - 1].text.append(line[index])
            } else {
                spans.append(Span(text: String(line[index]), isMatch: marked[index]))
            }
        }
        if end < line.count { spans.append(Span(text: "…", isMatch: false)) }
        self.spans = spans
    }

    /// Start of the window with the most different phrases, a few words before
    /// the first of them.
    private static func start(
        _ places: [(start: Int, phrase: Int)], words: [Int], limit: Int, count: Int
    ) -> Int {
        if count <= limit { return 0 }
        let sorted = places.sorted { $0.start < $1.start }
        var best = (count: 0, start: 0)
        var end = 0
        var counts: [Int: Int] = [:]
        for begin in sorted.indices {
            while end < sorted.count, sorted[end].start < sorted[begin].start + limit * 3 / 4 {
                counts[sorted[end].phrase, default: 0] += 1
                end += 1
            }
            if counts.count > best.count { best = (counts.count, sorted[begin].start) }
            let phrase = sorted[begin].phrase
            let left = (counts[phrase] ?? 1) - 1
            counts[phrase] = left == 0 ? nil : left
        }
        if best.start <= limit / 4 { return 0 }
        let earliest = min(best.start - limit / 5, count - limit)
        return words.first { $0 >= earliest } ?? best.start
    }

    private static func singleLine(_ scalars: Substring.UnicodeScalarView) -> [Character] {
        var line: [Character] = []
        var spaceIsDue = false
        for character in Substring(scalars) {
            if character.isWhitespace || character == "\0" {
                spaceIsDue = true
                continue
            }
            if spaceIsDue, !line.isEmpty { line.append(" ") }
            spaceIsDue = false
            line.append(character)
        }
        return line
    }

    private struct Word {
        var folded: String
        var range: Range<Int>
    }

    private static func words(of line: [Character]) -> [Word] {
        var words: [Word] = []
        var start: Int?
        func close(_ end: Int) {
            guard let first = start else { return }
            words.append(
                Word(folded: SearchText.folded(String(line[first..<end])), range: first..<end))
            start = nil
        }
        for (index, character) in line.enumerated() {
            let scalar = character.unicodeScalars.first
            if let scalar, SearchableText.isUnspaced(scalar) {
                close(index)
                words.append(Word(folded: String(character), range: index..<index + 1))
            } else if character.isLetter || character.isNumber {
                if start == nil { start = index }
            } else {
                close(index)
            }
        }
        close(line.count)
        return words
    }
}
