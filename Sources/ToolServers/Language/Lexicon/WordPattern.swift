/// A sequence of words to look for at the start of others: `|` separates
/// alternatives, `?` makes an element optional, as in
/// `remind me|us to|about?`.
///
/// Matching is greedy and may go back over optional elements; patterns are
/// short, so this stays linear in practice.
struct WordPattern: Sendable {
    private struct Element: Sendable {
        var words: [String]
        var isOptional: Bool
    }

    private let elements: [Element]

    init(_ text: String) {
        elements = text.split(separator: " ").map { part in
            let isOptional = part.hasSuffix("?") && part.count > 1
            return Element(
                words: (isOptional ? part.dropLast() : part).split(separator: "|").map(String.init),
                isOptional: isOptional)
        }
    }

    /// The words it can begin with, for an index.
    var firstWords: Set<String> {
        var words: Set<String> = []
        for element in elements {
            words.formUnion(element.words)
            if !element.isOptional { break }
        }
        return words
    }

    /// The index past the last word matched; nil where it does not match.
    func end(in words: [String], from start: Int = 0) -> Int? {
        end(in: words, from: start, element: 0)
    }

    private func end(in words: [String], from index: Int, element: Int) -> Int? {
        guard element < elements.count else { return index }
        let next = elements[element]
        if index < words.count, next.words.contains(words[index]),
            let end = end(in: words, from: index + 1, element: element + 1)
        {
            return end
        }
        return next.isOptional ? end(in: words, from: index, element: element + 1) : nil
    }
}

/// Patterns with what each of them means, found by the word they begin with.
struct PatternTable<Meaning: Sendable>: Sendable {
    private var byFirstWord: [String: [(pattern: WordPattern, meaning: Meaning)]] = [:]

    init(_ entries: [(String, Meaning)]) {
        for (text, meaning) in entries {
            for line in text.split(separator: "\n") {
                let pattern = WordPattern(String(line))
                for word in pattern.firstWords {
                    byFirstWord[word, default: []].append((pattern, meaning))
                }
            }
        }
    }

    /// The longest match at `start`.
    func match(_ words: [String], from start: Int = 0) -> (meaning: Meaning, end: Int)? {
        guard start < words.count, let entries = byFirstWord[words[start]] else { return nil }
        var best: (meaning: Meaning, end: Int)?
        for entry in entries {
            if let end = entry.pattern.end(in: words, from: start), end > best?.end ?? start {
                best = (entry.meaning, end)
            }
        }
        return best
    }

    /// Every pattern that matches at the start.
    func matches(_ words: [String]) -> [(meaning: Meaning, end: Int)] {
        guard let first = words.first, let entries = byFirstWord[first] else { return [] }
        return entries.compactMap { entry in
            entry.pattern.end(in: words).flatMap { $0 > 0 ? (entry.meaning, $0) : nil }
        }
    }

    /// What the words mean where one pattern matches all of them.
    func whole(_ words: [String]) -> Meaning? {
        guard let first = words.first, let entries = byFirstWord[first] else { return nil }
        return entries.first { $0.pattern.end(in: words) == words.count }?.meaning
    }
}
