import Base

/// Finds the numbered choice that an answer names. Pure.
enum ChoiceMatcher {
    /// The index of the choice whose number was typed, or the only one with all typed
    /// words: "2", "the second one", "friday" for "call mom · Fri 6 Mar".
    static func choice(_ line: String, of labels: [String]) -> Int? {
        let all = words(of: line)
        guard !all.isEmpty, !line.contains("\n") else { return nil }
        let some = all.filter { !fillers.contains($0) }
        let words = some.isEmpty ? all : some
        if words.count == 1, let number = number(words[0], of: labels.count) {
            return labels.indices.contains(number &- 1) ? number - 1 : nil
        }
        let named = labels.indices.filter { index in
            let label = Self.words(of: labels[index])
            return words.allSatisfy { word in label.contains { isSame(word, $0) } }
        }
        // "call mom" means exactly that choice, even beside "call mom's dentist".
        let whole = named.filter { index in
            Self.words(of: String(labels[index].prefix { $0 != "·" })) == words
        }
        return whole.count == 1 ? whole[0] : named.count == 1 ? named[0] : nil
    }

    private static let fillers: Set = [
        "the", "one", "number", "option", "please", "der", "die", "das", "den", "nummer", "bitte",
    ]

    /// The last of each begins the German ones: "ersten", "erstes".
    private static let numbers = [
        ["one", "first", "eins", "erste"], ["two", "second", "zwei", "zweite"],
        ["three", "third", "drei", "dritte"], ["four", "fourth", "vier", "vierte"],
        ["five", "fifth", "funf", "funfte"], ["six", "sixth", "sechs", "sechste"],
        ["seven", "seventh", "sieben", "siebte"], ["eight", "eighth", "acht", "achte"],
        ["nine", "ninth", "neun", "neunte"],
    ]

    private static func number(_ word: String, of count: Int) -> Int? {
        if word == "last" || word.hasPrefix("letzte") { return count }
        return Int(word)
            ?? numbers.firstIndex { $0.contains(word) || word.hasPrefix($0[3]) }.map { $0 + 1 }
    }

    private static func words(of text: String) -> [String] {
        let marks: Set<Character> = [".", ":", ";", "!", "?", "(", ")", "#", "\"", "'", "·", "…"]
        return SearchText.folded(text).split { $0 == " " || $0 == "," }.compactMap { word in
            guard let first = word.firstIndex(where: { !marks.contains($0) }),
                let last = word.lastIndex(where: { !marks.contains($0) })
            else { return nil }
            return String(word[first...last])
        }
    }

    /// Whether the words are equal, or one abbreviates the other: "friday" and "Fri".
    private static func isSame(_ word: String, _ other: String) -> Bool {
        word == other
            || min(word.count, other.count) >= 3 && (word + other).allSatisfy(\.isLetter)
                && (word.hasPrefix(other) || other.hasPrefix(word))
    }
}
