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
    /// "and the alarm code"; or one more companion, after "with" if there are none yet.
    case joined(String, by: String, orWith: String?)
    /// `isOfTwo`: only one of several that are joined by "and".
    case without(String, isOfTwo: Bool)
    /// Another object of its verb: "make that envelopes".
    case object(String)

    /// The new title; nil if the old one has nothing of the kind, or several.
    package func title(from old: String) -> String? {
        var words = Self.words(old)
        switch self {
        case .replace(let part, let new):
            guard let range = Self.range(of: part, in: words) else { return nil }
            words.replaceSubrange(range, with: [new])
        case .without(let part, let isOfTwo):
            guard let range = Self.range(of: part, in: words), range != words.indices,
                !isOfTwo || words.contains(where: isJoint)
            else { return nil }
            let before = words[..<range.lowerBound].reversed().prefix {
                isJoint($0) || Lexicon.has(.prepositions, $0) || Lexicon.has(.articles, $0)
            }.count
            let after =
                before == 0 && words.count > range.upperBound && isJoint(words[range.upperBound])
            words.removeSubrange(
                range.lowerBound - before..<range.upperBound + (after ? 1 : 0))
            if words.isEmpty { return nil }
        case .joined(let more, let joint, let with):
            let isLast = Lexicon.german.has(.taskVerbs, words.last ?? "")
            let start = words.firstIndex { ["with", "mit", "w/"].contains($0) }
            let isTask = isLast || Lexicon.isTaskVerb(words.first?.lowercased() ?? "")
            guard start != nil || with != nil || isTask else { return nil }
            let end = start.flatMap { start in
                words[(start + 1)...].firstIndex { Lexicon.has(.prepositions, $0) }
            }
            let place = end ?? words.count - (isLast ? 1 : 0)
            words.insert(
                contentsOf: [start == nil ? with ?? joint : joint, more], at: place)
        case .object(let new):
            guard (2...3).contains(words.count) else { return nil }
            if Lexicon.english.has(.taskVerbs, words[0].lowercased()) {
                words = [words[0], new]
            } else if Lexicon.german.has(.taskVerbs, words[words.count - 1]) {
                words = [new, words[words.count - 1]]
            } else {
                return nil
            }
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
            guard let middle = words.lastIndex(where: isJoint),
                middle > 0, middle + 1 < words.count,
                let kept = [middle - 1, middle + 1].first(where: {
                    SearchText.folded(words[$0]) == name
                })
            else { return nil }
            words.removeSubrange(kept < middle ? middle...middle + 1 : middle - 1...middle)
        }
        return words.joined(separator: " ")
    }

    private func isJoint(_ word: String) -> Bool { ["and", "und", "&"].contains(word) }

    /// Where the words of `part` stand; nil if they do not, or twice.
    private static func range(of part: String, in words: [String]) -> Range<Int>? {
        let part = Self.words(part).map(SearchText.folded)
        let starts = words.indices.filter {
            words[$0...].prefix(part.count).map(SearchText.folded) == part
        }
        return part.isEmpty || starts.count != 1 ? nil : starts[0]..<starts[0] + part.count
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
