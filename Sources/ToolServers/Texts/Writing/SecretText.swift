import Base
import Glibc

/// Detects secrets that must not be given to a writing tool: a key, a password,
/// an opaque token. Pure.
///
/// It matches more than `KeyShape`, which must not mistake placeholders for
/// keys: here a false positive costs a message, a false negative may cost a
/// key.
enum SecretText {
    static func isFound(in text: String) -> Bool {
        KeyShape.isFound(in: text) || words(in: text).contains(where: isMarked)
            || hasPassword(text) || hasOpaqueToken(text)
    }

    // MARK: - Marks of vendors

    private static let marks: [(prefix: String, least: Int)] = [
        ("sk-ant-", 4), ("sk-proj-", 8), ("sk_live_", 8), ("sk_test_", 8), ("AKIA", 12),
        ("ASIA", 12), ("ghp_", 8), ("gho_", 8), ("ghu_", 8), ("ghs_", 8), ("ghr_", 8),
        ("github_pat_", 8), ("xoxb-", 8), ("xoxa-", 8), ("xoxp-", 8), ("AIza", 20), ("sk-", 10),
    ]

    private static func words(in text: String) -> [Substring] {
        text.split { $0.isWhitespace || "\"'`<>()[]{},;=|".contains($0) }
    }

    private static func isMarked(_ word: Substring) -> Bool {
        marks.contains { mark in
            guard word.hasPrefix(mark.prefix) else { return false }
            let rest = word.dropFirst(mark.prefix.count)
            // "sk-learn-contrib" is a name.
            let isNamed = mark.prefix == "sk-" && !rest.contains { $0.isNumber || $0.isUppercase }
            return rest.count >= mark.least && !isNamed
        }
    }

    // MARK: - Passwords

    private static let names = [
        "password", "passwd", "passphrase", "passwort", "kennwort", "pwd", "secret",
    ]

    /// `password: hunter2`, `Passwort = …`; "Password: at least 8 characters" is
    /// not one.
    private static func hasPassword(_ text: String) -> Bool {
        for line in text.split(whereSeparator: \.isNewline) {
            let folded = line.lowercased()
            guard names.contains(where: folded.contains) else { continue }
            let words = line.split(whereSeparator: \.isWhitespace)
            for (index, word) in words.enumerated() {
                guard let value = value(behind: word, words[(index + 1)...]) else { continue }
                if isPassword(value.word, isLast: value.isLast) { return true }
            }
        }
        return false
    }

    /// The value after a name with a colon or an equals sign.
    private static func value(
        behind word: Substring, _ rest: ArraySlice<Substring>
    ) -> (word: Substring, isLast: Bool)? {
        let parts = word.split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0 == ":" || $0 == "="
        }
        let name = parts[0].lowercased().filter { $0.isLetter }
        guard names.contains(where: name.hasSuffix) else { return nil }
        if parts.count == 2 {
            if !parts[1].isEmpty { return (parts[1], rest.isEmpty) }
            return rest.first.map { ($0, rest.count == 1) }
        }
        guard let sign = rest.first, let value = rest.dropFirst().first else { return nil }
        // "The secret is patience" also ends in a word.
        if sign == "is" || sign == "ist" { return (value, false) }
        return sign == "=" || sign == ":" ? (value, rest.count == 2) : nil
    }

    private static func isPassword(_ word: Substring, isLast: Bool) -> Bool {
        let core = word.trimming { "\"'`.,;!?)(<>*".contains($0) }
        if core.count < 4 || core.hasPrefix("{{") || core.hasPrefix("${") { return false }
        let isPlain = core.allSatisfy { $0.isLetter }
        return !isPlain || isLast && core.count >= 6
    }

    // MARK: - Opaque tokens

    private static let leastToken = 32
    /// Minimum entropy in bits per character.
    private static let leastEntropy = 4.0

    /// A long mix of letters and digits in random order. Links do not count, nor names made of
    /// words: `a-long-name-of-a-file`.
    private static func hasOpaqueToken(_ text: String) -> Bool {
        for word in ProtectedText(text).prose.split(whereSeparator: { !isTokenPart($0) }) {
            guard word.count >= leastToken, word.contains(where: \.isNumber),
                word.contains(where: \.isLetter), entropy(word) > leastEntropy
            else { continue }
            let longest = word.split { "-_/.".contains($0) }.map(\.count).max() ?? 0
            if longest >= 16 { return true }
        }
        return false
    }

    private static func isTokenPart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
            || "+/=_-.".contains(character)
    }

    /// Shannon's, from the frequencies of its characters.
    static func entropy(_ word: Substring) -> Double {
        var counts: [Character: Int] = [:]
        for character in word { counts[character, default: 0] += 1 }
        let total = Double(word.count)
        return counts.values.reduce(0) { sum, count in
            let share = Double(count) / total
            return sum - share * log2(share)
        }
    }
}
