import Base

/// Cuts a letter or a résumé into sentences, and these into words, numbers and marks, for
/// the claim check. Pure and independent of language.
///
/// Line ends within a paragraph are white space; a bullet or an empty line begins a new
/// sentence.
struct ClaimText: Sendable {
    struct Token: Sendable, Equatable {
        enum Kind: Sendable { case word, number, mark }

        var kind: Kind
        /// The token as written.
        var text: String
        /// The token for comparison: folded, without periods, with straight apostrophes.
        var key: String
        /// Whether it begins a sentence, a bullet or the text after a colon, so that its
        /// capital means nothing.
        var isFirst = false
        /// Whether white space precedes it.
        var isApart = true

        /// The key without the English genitive: `google's` is `google`.
        var stem: String {
            if key.hasSuffix("'s") { return String(key.dropLast(2)) }
            return key.hasSuffix("'") ? String(key.dropLast()) : key
        }

        var isCapital: Bool { text.unicodeScalars.first?.properties.isUppercase ?? false }

        /// Whether the word has inner capitals, or only capitals: `PostgreSQL`, `AWS`.
        var hasNameShape: Bool {
            text.unicodeScalars.dropFirst().contains { $0.properties.isUppercase }
        }
    }

    struct Sentence: Sendable, Equatable {
        var text: Substring
        var tokens: [Token]
    }

    var sentences: [Sentence] = []

    init(_ text: String) {
        for range in Self.sentences(of: text) {
            let tokens = Self.tokens(of: text[range])
            if !tokens.isEmpty { sentences.append(Sentence(text: text[range], tokens: tokens)) }
        }
    }

    static func key(_ text: String) -> String {
        SearchText.folded(text).filter { $0 != "." }.replacing("’", with: "'")
    }

    // MARK: - Sentences

    /// Abbreviations after which a capital does not begin a sentence.
    private static let abbreviations: Set<String> = [
        "dr", "mr", "mrs", "ms", "prof", "st", "vs", "eg", "ie", "etc", "inc", "ltd", "co", "corp",
        "no", "nr", "ca", "bzw", "zb", "b", "z", "usw", "inkl", "approx", "dipl", "ing", "art",
        "av",
        "mio", "mrd", "tsd", "sr", "sra", "jr", "m", "mme", "ul", "pl", "vol", "fig",
    ]

    /// The sentences, without white space at their ends.
    private static func sentences(of text: String) -> [Range<String.Index>] {
        var ranges: [Range<String.Index>] = []
        var start = text.startIndex
        func close(at end: String.Index) {
            let part = text[start..<end].trimming { $0.isWhitespace }
            if !part.isEmpty { ranges.append(part.startIndex..<part.endIndex) }
            start = end
        }
        var index = start
        while index < text.endIndex {
            let next = text.index(after: index)
            let character = text[index]
            if character.isNewline {
                let line = text[next...].drop { $0 == " " || $0 == "\t" }
                let isBullet = line.first.map { "-*•–·▪".contains($0) } ?? false
                if line.first?.isNewline ?? true || isBullet { close(at: next) }
            } else if ".!?…".contains(character), next < text.endIndex,
                ends(text, at: index, next: next, from: start)
            {
                var end = next
                while end < text.endIndex, "\"'”’»)]".contains(text[end]) {
                    end = text.index(after: end)
                }
                close(at: end)
                index = end
                continue
            }
            index = next
        }
        close(at: text.endIndex)
        return ranges
    }

    private static func ends(
        _ text: String, at index: String.Index, next: String.Index, from start: String.Index
    ) -> Bool {
        let rest = text[next...].drop { "\"'”’»)]".contains($0) }
        guard let behind = rest.first else { return true }
        guard behind.isWhitespace else { return false }
        if text[index] != "." { return true }
        let word = text[start..<index].reversed().prefix {
            $0.isLetter || $0.isNumber || $0 == "."
        }
        let last = String(word.reversed())
        // "3. Platz", "J. Smith" and "B.Sc. in" do not end a sentence.
        if last.count <= 3, last.allSatisfy(\.isNumber), !last.isEmpty {
            return !(rest.drop(while: \.isWhitespace).first?.isLetter ?? false)
                || last.count > 2
        }
        if last.count == 1, last.first?.isUppercase ?? false { return false }
        if abbreviations.contains(key(last)) { return false }
        return rest.first { !$0.isWhitespace }?.isLowercase != true
    }

    // MARK: - Words

    private static func tokens(of text: Substring) -> [Token] {
        var tokens: [Token] = []
        var isFirst = true
        var isApart = true
        var rest = placeholdersBlanked(text)[...]
        while let character = rest.first {
            if character.isWhitespace {
                isApart = true
                rest = rest.dropFirst()
                continue
            }
            let kind: Token.Kind
            let length: Int
            if let found = word(rest) {
                (kind, length) = (.word, found)
            } else if character.isASCII, character.isNumber {
                (kind, length) = number(rest)
            } else {
                (kind, length) = (.mark, 1)
            }
            let piece = String(rest.prefix(length))
            var token = Token(kind: kind, text: piece, key: key(piece))
            token.isApart = isApart
            token.isFirst = isFirst && kind != .mark
            if kind == .mark {
                token.key = piece
                if ":;•*-–".contains(character), isFirst || character == ":" { isFirst = true }
            } else {
                isFirst = false
            }
            tokens.append(token)
            isApart = false
            rest = rest.dropFirst(length)
        }
        return tokens
    }

    /// The text without `[NAME_2]` and `⟦3⟧`, which claim nothing.
    private static func placeholdersBlanked(_ text: Substring) -> String {
        var output = ""
        var rest = text
        while let open = rest.firstIndex(where: { $0 == "[" || $0 == "⟦" }) {
            output += rest[..<open]
            let inner = rest[rest.index(after: open)...]
            let close: Character = rest[open] == "[" ? "]" : "⟧"
            if let end = inner.prefix(40).firstIndex(of: close),
                inner[..<end].allSatisfy({ $0.isUppercase || $0.isNumber || $0 == "_" })
            {
                output += "_"
                rest = inner[inner.index(after: end)...]
            } else {
                output += " "
                rest = inner
            }
        }
        return output + rest
    }

    /// Length of the word at the start of the text: letters and digits beginning with a
    /// letter, with joining marks between and `+`, `#` after; `.NET`.
    private static func word(_ text: Substring) -> Int? {
        guard let first = text.first else { return nil }
        var length = 0
        var rest = text
        if first == ".", text.dropFirst().first?.isUppercase ?? false {
            length = 1
            rest = rest.dropFirst()
        }
        guard rest.first?.isLetter ?? false else { return nil }
        while let character = rest.first {
            if character.isLetter || character.isNumber {
                length += 1
            } else if "-'’./&@_‑".contains(character),
                rest.dropFirst().first.map({ $0.isLetter || $0.isNumber }) ?? false
            {
                length += 1
            } else if character == "+" || character == "#" {
                length += 1
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        return length
    }

    /// Digits with separators between them. If letters that are not a unit follow directly
    /// ("3D"), it is a word.
    private static func number(_ text: Substring) -> (Token.Kind, Int) {
        var length = 0
        var rest = text
        var groups = [0]
        while let character = rest.first {
            if character.isASCII, character.isNumber {
                groups[groups.count - 1] += 1
            } else if ".,'’\u{A0}\u{202F}\u{2009} ".contains(character) {
                let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }.count
                // A space only joins groups of three: "500 000".
                let isSpace = character.isWhitespace
                guard digits > 0,
                    !isSpace
                        || digits == 3 && groups[0] <= 3
                            && groups.dropFirst().allSatisfy({ $0 == 3 })
                else { break }
                groups.append(0)
            } else {
                break
            }
            length += 1
            rest = rest.dropFirst()
        }
        let letters = rest.prefix { $0.isLetter || $0.isNumber }
        let suffixes: Set<String> = [
            "", "k", "m", "mn", "mm", "mio", "mln", "bn", "b", "x", "st", "nd", "rd", "th", "mrd",
            "yrs", "yr", "y", "s",
        ]
        if suffixes.contains(letters.lowercased()) { return (.number, length) }
        return (.word, length + letters.count)
    }
}
