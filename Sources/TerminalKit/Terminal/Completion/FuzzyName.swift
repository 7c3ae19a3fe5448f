import Base

/// A name prepared for fuzzy search: scores how well a query matches it, beginnings of
/// words first. Pure; case and accents do not count.
///
/// ```
/// rem     reminders            its beginning
/// cl      calendar list        beginnings of words: "c", "l"
/// mdl     model                its first letter, and others of that word in order
/// inder   reminders            a part of it
/// dl      model                not found: no word begins with "d"
/// ms      my notes             not found: no word after "my" begins with "s"
/// ```
package struct FuzzyName: Sendable {
    private var letters: [Unicode.Scalar] = []
    /// Whether a word begins with each letter.
    private var starts: [Bool] = []

    /// Number of letters searched.
    private static let limit = 200

    package init(_ text: String) {
        var previous: Character?
        for character in text {
            if letters.count >= Self.limit { break }
            let isStart = Self.beginsWord(character, after: previous)
            for (index, scalar) in Self.folded(character).enumerated() {
                letters.append(scalar)
                starts.append(isStart && index == 0)
            }
            previous = character
        }
    }

    /// The letters of a query in the form used for comparing names.
    package static func query(_ text: String) -> [Unicode.Scalar] {
        Array(text.flatMap(folded).prefix(limit))
    }

    private static func folded(_ character: Character) -> [Unicode.Scalar] {
        if let byte = character.asciiValue {
            let isUpper = byte &- UInt8(ascii: "A") < 26
            return [Unicode.Scalar(isUpper ? byte | 0x20 : byte)]
        }
        return Array(SearchText.folded(String(character)).unicodeScalars)
    }

    private static func beginsWord(_ character: Character, after previous: Character?) -> Bool {
        guard let previous else { return true }
        guard character.isLetter || character.isNumber else { return false }
        if !previous.isLetter, !previous.isNumber { return true }
        if character.isUppercase { return previous.isLowercase }
        return character.isNumber && previous.isLetter
    }

    package func begins(with query: [Unicode.Scalar]) -> Bool { letters.starts(with: query) }

    // MARK: - The score

    /// Score for each matching letter, and bonuses for its position.
    private static let (letter, firstBonus, startBonus, nextBonus) = (16, 24, 20, 18)
    /// Bonus for the next letter of a piece from the middle of a word.
    private static let pieceBonus = 6
    /// Maximum deduction for skipped and remaining letters.
    private static let mostSkipped = 12

    /// The score of the query: more is better, nil is no match.
    package func score(_ query: [Unicode.Scalar]) -> Int? {
        guard let first = query.first else { return 0 }
        guard query.count <= letters.count else { return nil }
        var best: Int?
        for at in letters.indices where letters[at] == first {
            if let score = score(query, from: at), score > best ?? .min { best = score }
        }
        return best.map { $0 - min(Self.mostSkipped, letters.count - query.count) }
    }

    /// The score if the first letter matches at this position: the rest in order if a word begins
    /// here, otherwise only as one piece.
    private func score(_ query: [Unicode.Scalar], from start: Int) -> Int? {
        if !starts[start] {
            guard letters[start...].starts(with: query) else { return nil }
            return Self.letter * query.count + Self.pieceBonus * (query.count - 1)
                - min(Self.mostSkipped, start)
        }
        // Row by row: the best score with the query's letter at each position.
        var row = [Int?](repeating: nil, count: letters.count)
        row[start] = Self.letter + (start == 0 ? Self.firstBonus : Self.startBonus)
        for wanted in query.dropFirst() {
            var found = [Int?](repeating: nil, count: letters.count)
            // The best score so far, less the letters skipped since: at any distance for a letter
            // that begins a word, within the same word for any other.
            var (reach, near): (Int?, Int?)
            for at in (start + 1)..<max(start + 1, letters.count) {
                let last = row[at - 1]
                if let last {
                    reach = max(last, reach ?? .min)
                    near = max(last, near ?? .min)
                }
                if starts[at] { near = nil }
                if letters[at] == wanted {
                    let next = last.map { $0 + Self.nextBonus }
                    let far = starts[at] ? reach.map { $0 + Self.startBonus } : near
                    found[at] = [next, far].compactMap { $0 }.max().map { $0 + Self.letter }
                }
                (reach, near) = (reach.map { $0 - 1 }, near.map { $0 - 1 })
            }
            row = found
        }
        return row.compactMap { $0 }.max()
    }
}

extension Sequence {
    /// The matches, the best first; equal ones keep their order.
    package func ranked(
        by query: [Unicode.Scalar], _ name: (Element) -> FuzzyName
    ) -> [(element: Element, score: Int)] {
        enumerated().compactMap { index, element in
            name(element).score(query).map { (index, element, $0) }
        }.sorted { ($0.2, $1.0) > ($1.2, $0.0) }.map { ($0.1, $0.2) }
    }
}
