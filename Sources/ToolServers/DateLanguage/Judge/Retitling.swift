import Base

/// A correction of part of a title: "Jo, no e", "oat milk, I mean", "with Jo, not Al". Pure.
package enum Retitling: Sendable, Equatable {
    case replace(String, with: String)
    /// In place of the word that it resembles or ends with.
    case spelled(String)
    /// "with Bea": companions, added or in place of those of the title.
    case with(String, isInstead: Bool)
    /// One of two that are joined by "and".
    case only(String)

    /// The new title; nil if the old one has nothing of the kind, or several.
    package func title(from old: String) -> String? {
        var words = Self.words(old)
        switch self {
        case .replace(let part, let new):
            let part = Self.words(part).map(SearchText.folded)
            let starts = words.indices.filter {
                words[$0...].prefix(part.count).map(SearchText.folded) == part
            }
            guard !part.isEmpty, starts.count == 1 else { return nil }
            words.replaceSubrange(starts[0]..<starts[0] + part.count, with: [new])
        case .spelled(let new):
            guard let last = Self.words(new).last.map(SearchText.folded) else { return nil }
            let isOne = !new.contains(" ")
            let found = words.indices.filter { index in
                let word = SearchText.folded(words[index])
                return isOne ? Self.resembles(last, word) : word == last
            }
            guard found.count == 1 else { return nil }
            words[found[0]] = new
        case .with(let new, let isInstead):
            let start = words.firstIndex { ["with", "mit", "w/"].contains($0) } ?? words.count
            let names = Self.words(new).map(SearchText.folded)
            guard isInstead || words[start...].map(SearchText.folded).allSatisfy(names.contains)
            else { return nil }
            words.replaceSubrange(start..., with: [new])
        case .only(let name):
            let name = SearchText.folded(name)
            guard let middle = words.lastIndex(where: { ["and", "und", "&"].contains($0) }),
                middle > 0, middle + 1 < words.count,
                let kept = [middle - 1, middle + 1].first(where: {
                    SearchText.folded(words[$0]) == name
                })
            else { return nil }
            words.removeSubrange(kept < middle ? middle...middle + 1 : middle - 1...middle)
        }
        return words.joined(separator: " ")
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }

    /// "98" and "89", "Jo" and "Joe", "Hafermilch" and "Milch".
    private static func resembles(_ new: String, _ old: String) -> Bool {
        if Int(new) != nil { return Int(old) != nil && new != old }
        let isCompound = old.count >= 4 && new.hasSuffix(old)
        let distance = EditDistance.between(Array(new.utf8), Array(old.utf8))
        return new != old && new.first?.isLetter == true
            && (isCompound
                || distance <= (new.first == old.first ? max(1, new.count * 2 / 5) : 1)
                    && new.count > 1)
    }
}
