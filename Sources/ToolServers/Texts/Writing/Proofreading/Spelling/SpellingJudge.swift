/// Decides which of hunspell's suggestions is certain. Pure.
///
/// Measured on the words of manuals that are in no dictionary: jargon ("refactor",
/// "executables", "linter") has suggestions too, so that one edit is not enough. Only
/// typing errors are certain: two letters swapped or one doubled too many or too few, and
/// in long words a letter missing, added or a wrong vowel inside; always towards a common
/// word, and only if no other suggestion is as close.
struct SpellingJudge: Sendable {
    let language: LanguageGuess.Language

    /// The kind of difference, the most certain last.
    private enum Slip: Int, Comparable {
        case other, inside, doubled, swapped

        static func < (one: Slip, two: Slip) -> Bool { one.rawValue < two.rawValue }
    }

    /// The certain correction, or nil.
    /// - Parameter word: lower case, letters only.
    func correction(of word: String, suggestions: [String]) -> String? {
        let letters = Array(word.utf8)
        guard letters.count >= 5, letters.allSatisfy({ $0 &- 0x61 < 26 || $0 >= 0x80 }),
            let best = suggestions.first, !isOtherSpelling(word, best)
        else { return nil }
        let slip = slip(letters, Array(best.utf8))
        guard slip == .swapped || slip > .other && letters.count >= 6,
            language == .english || slip > .inside
        else { return nil }
        if language == .english, !EnglishWords.shared.common.contains(best) { return nil }
        for other in suggestions.dropFirst()
        where self.slip(letters, Array(other.utf8)) >= slip { return nil }
        return best
    }

    /// Whether it is British English while only an American dictionary is installed.
    private func isOtherSpelling(_ word: String, _ suggestion: String) -> Bool {
        guard language == .english else { return false }
        let pairs = [
            ("our", "or"), ("is", "iz"), ("ys", "yz"), ("re", "er"), ("ll", "l"), ("ae", "e"),
            ("oe", "e"), ("ce", "se"), ("ogue", "og"), ("mme", "m"), ("ement", "ment"), ("t", "ed"),
            ("ey", "ay"), ("xion", "ction"), ("que", "k"), ("arte", "arti"), ("ant", "ent"),
        ]
        let (letters, other) = (Array(word.utf8), Array(suggestion.utf8))
        return pairs.contains { british, american in
            let (from, to) = (Array(british.utf8), Array(american.utf8))
            return letters.indices.contains { index in
                guard letters[index...].starts(with: from) else { return false }
                var changed = letters
                changed.replaceSubrange(index..<index + from.count, with: to)
                return changed == other
            }
        }
    }

    private func slip(_ word: [UInt8], _ other: [UInt8]) -> Slip {
        guard other.allSatisfy({ $0 &- 0x61 < 26 || $0 >= 0x80 }), word.first == other.first else {
            return .other
        }
        let common = zip(word, other).prefix { $0 == $1 }.count
        switch other.count - word.count {
        case 0:
            guard common < word.count else { return .other }
            let rest = word[(common + 1)...]
            if common + 1 < word.count, word[common] == other[common + 1],
                word[common + 1] == other[common], word[(common + 2)...] == other[(common + 2)...]
            {
                return .swapped
            }
            return word.count >= 7 && common >= 2 && rest == other[(common + 1)...]
                && isVowel(word[common]) && isVowel(other[common]) ? .inside : .other
        case 1, -1:
            let (long, short) = other.count > word.count ? (other, word) : (word, other)
            guard Array(long[..<common]) + long[(common + 1)...] == short else { return .other }
            // Also after the doubled letter: "occured" and "occurred" differ at the second
            // r.
            if common >= 2, long[common] == long[common - 1] { return .doubled }
            // At the end it is a form of the word: "executables".
            return word.count >= 8 && common >= 2 && common < long.count - 1 ? .inside : .other
        default: return .other
        }
    }

    private func isVowel(_ byte: UInt8) -> Bool {
        [
            UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"),
            UInt8(ascii: "u"),
        ].contains(byte)
    }
}
