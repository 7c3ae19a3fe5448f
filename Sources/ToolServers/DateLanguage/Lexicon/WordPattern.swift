import Base
import Synchronization

/// A sequence of words to match at the start of others: `|` separates alternatives, `?`
/// makes an element optional, `…` stands for the text between the start and the closing
/// words, and `$` for the end of the message: `mark|set … as? done|complete`. A hyphen may
/// stand between words.
///
/// Matching is greedy and may backtrack over optional elements; patterns are short, so this
/// is linear in practice.
struct WordPattern: Sendable {
    private struct Element: Sendable {
        var words: [String]
        var isOptional: Bool
    }

    private var elements: [Element]
    /// The words required after the `…`.
    private(set) var closing: [WordPattern] = []
    /// Whether the closing words must end the message.
    let isClosedAtEnd: Bool

    init(_ text: Substring) {
        let parts = text.cut(at: " ")
        isClosedAtEnd = parts.last == "$"
        let head = parts.prefix { $0 != "…" && $0 != "$" }
        elements = head.map(Self.element)
        let tail = parts.dropFirst(head.count + 1).filter { $0 != "$" }
        if !tail.isEmpty { closing = [WordPattern(tail.joined(separator: " ")[...])] }
    }

    private static func element(_ part: Substring) -> Element {
        let isOptional = part.utf8.last == UInt8(ascii: "?") && part.utf8.count > 1
        var words: [String] = []
        (isOptional ? Substring(part.utf8.dropLast()) : part).add(to: &words, cutAt: "|")
        return Element(words: words, isOptional: isOptional)
    }

    /// The words that the pattern in `line` can begin with, for an index.
    static func firstWords(of line: Substring) -> [String] {
        var words: [String] = []
        var rest = line.utf8.drop { $0 == UInt8(ascii: " ") }
        while !rest.isEmpty {
            let part = Substring(rest.prefix { $0 != UInt8(ascii: " ") })
            rest = rest.dropFirst(part.utf8.count).drop { $0 == UInt8(ascii: " ") }
            if part == "…" || part == "$" { break }
            let element = element(part)
            words += element.words.filter { !words.contains($0) }
            if !element.isOptional { break }
        }
        return words
    }

    /// The index after the last matched word; nil if there is no match.
    func end(in words: [String], from start: Int = 0) -> Int? {
        let end = end(in: words, from: start, element: 0)
        guard isClosedAtEnd, closing.isEmpty else { return end }
        // "… erinnern!"
        return end.flatMap { end in
            words[end...].allSatisfy { !$0.contains(where: \.isLetter) } ? end : nil
        }
    }

    private func end(in words: [String], from index: Int, element: Int) -> Int? {
        guard element < elements.count else { return index }
        let next = elements[element]
        let place = element > 0 && index < words.count && words[index] == "-" ? index + 1 : index
        for start in place == index ? [index] : [index, place] {
            if start < words.count, next.words.contains(words[start]),
                let end = end(in: words, from: start + 1, element: element + 1)
            {
                return end
            }
        }
        return next.isOptional ? end(in: words, from: index, element: element + 1) : nil
    }

    /// The start of the closing words that end the sentence.
    func closingStart(in words: [String], from start: Int) -> Int? {
        guard let closing = closing.first else { return words.count }
        return words.indices.first { index in
            index > start && index >= words.count - 5
                && closing.end(in: words, from: index) == words.count
        }
    }
}

/// Patterns with their meanings, indexed by first word.
///
/// A message contains few of these words, so a pattern is parsed on its first lookup.
package final class PatternTable<Meaning: Sendable>: Sendable {
    typealias Entry = (pattern: WordPattern, meaning: Meaning)

    private let byFirstWord: [String: [(line: Substring, meaning: Meaning)]]
    private let parsed = Mutex<[String: [Entry]]>([:])

    init(_ rows: [(lines: [Substring], meaning: Meaning)]) {
        var byFirstWord: [String: [(line: Substring, meaning: Meaning)]] = [:]
        for row in rows {
            for line in row.lines {
                for word in WordPattern.firstWords(of: line) {
                    byFirstWord[word, default: []].append((line, row.meaning))
                }
            }
        }
        self.byFirstWord = byFirstWord
    }

    private func entries(_ word: String) -> [Entry] {
        guard let lines = byFirstWord[word] else { return [] }
        return parsed.withLock { parsed in
            if let entries = parsed[word] { return entries }
            let entries = lines.map { (WordPattern($0.line), $0.meaning) }
            parsed[word] = entries
            return entries
        }
    }

    /// A table of a section's rows in both languages.
    convenience init(_ section: String, _ meaning: (String) -> Meaning?) {
        self.init(
            Lexicon.all.flatMap { $0.file.rows(section) }.compactMap { row in
                meaning(row.key).map { (row.lines, $0) }
            })
    }

    /// The longest match at `start` among patterns without closing words.
    func match(_ words: [String], from start: Int = 0) -> (meaning: Meaning, end: Int)? {
        var best: (meaning: Meaning, end: Int)?
        for found in matches(words, from: start)
        where found.entry.pattern.closing.isEmpty && found.end > best?.end ?? start {
            best = (found.entry.meaning, found.end)
        }
        return best
    }

    /// Every pattern whose beginning matches at `start`.
    func matches(_ words: [String], from start: Int = 0) -> [(entry: Entry, end: Int)] {
        guard start < words.count else { return [] }
        return entries(words[start]).compactMap { entry in
            entry.pattern.end(in: words, from: start).flatMap { $0 > start ? (entry, $0) : nil }
        }
    }

    /// The longest match that includes its closing words, and the range between: "streich …
    /// ab" before "streich …".
    func closed(_ words: [String]) -> (meaning: Meaning, end: Int, rest: Range<Int>)? {
        matches(words).compactMap { found in
            found.entry.pattern.closingStart(in: words, from: found.end).map {
                (found.entry.meaning, found.end, found.end..<$0)
            }
        }.max { ($0.end, -$0.rest.upperBound) < ($1.end, -$1.rest.upperBound) }
    }

    /// The meaning of the pattern that matches all of the words; nil without one.
    package func whole(_ words: [String]) -> Meaning? {
        matches(words).first { $0.end == words.count }?.entry.meaning
    }
}

extension LexiconFile {
    /// The sections whose name begins with `kind`, by the meaning of the rest of the name,
    /// in order of the names.
    func table<Meaning>(
        _ kind: String, _ meaning: ([String]) -> Meaning?
    ) -> PatternTable<Meaning> {
        PatternTable(
            names.filter { $0.hasPrefix(kind + " ") }.sorted().compactMap { name in
                meaning(name.cut(at: " ").dropFirst().map(String.init)).map { (lines(name), $0) }
            })
    }
}
