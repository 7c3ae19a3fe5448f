import Base

/// The sentences of an answer that are the model's own: without code, quotes and letters. Pure,
/// and linear in the length of the text.
struct ActClaimText {
    enum Token: Equatable {
        /// In lower case. An apostrophe begins a word of its own (`i`, `'ve`).
        case word(ActClaimWords.Word)
        /// A quotation, emphasised text or inline code, read as a name that claims nothing.
        case title
        /// A comma.
        case comma
        /// A dash, a colon, a semicolon or a bracket.
        case gap

        var word: ActClaimWords.Word? { if case .word(let word) = self { word } else { nil } }
    }

    struct Sentence {
        var tokens: [Token] = []
        var isQuestion = false
        var isFirstLine = false
        /// Whether it has a check mark or the like, as our own notices do.
        var hasCheckMark = false

        /// Its parts between dashes, colons and brackets.
        var clauses: [[Token]] { tokens.split(separator: .gap).map(Array.init) }
    }

    private(set) var sentences: [Sentence] = []
    /// Whether the answer shows a text: a block of code, a quotation, or a long text after a colon.
    private(set) var showsText = false
    private let words: ActClaimWords
    /// The tokens of short words seen before, at most 4,096.
    private var known: [String: [Token]] = [:]

    /// A letter, and what follows it, is left out.
    init(_ text: String, words: ActClaimWords) {
        self.words = words
        var fence: Character?
        var isFirst = true
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0 == " " || $0 == "\t" }
            let isFence = line.hasPrefix("```") || line.hasPrefix("~~~")
            if let open = fence {
                if isFence, line.first == open { fence = nil }
                continue
            }
            if isFence {
                fence = line.first
                showsText = true
                continue
            }
            guard let first = line.first else { continue }
            showsText = showsText || first == ">"
            if first == ">" { continue }
            if line.last == ",", line.count < 60,
                words.has(Self.words(line.prefix(40)).first ?? "", in: .salutations)
            {
                break
            }
            let count = sentences.count
            add(line)
            if isFirst {
                for index in count..<sentences.count { sentences[index].isFirstLine = true }
            }
            isFirst = isFirst && count == sentences.count
        }
    }

    /// The words of a line in lower case.
    static func words(_ line: some StringProtocol) -> [String] {
        var words: [String] = []
        var word = ""
        for character in line.lowercased() {
            if character.isPlainLetter {
                word.append(character)
                continue
            }
            let isApostrophe = character == "'" || character == "’"
            if character.isLetter || character.isNumber || character == "-" && !word.isEmpty {
                word.append(character)
                continue
            }
            if !word.isEmpty, !isApostrophe || !word.hasSuffix("n") { take(&word, into: &words) }
            if isApostrophe { word.append("'") }
        }
        take(&word, into: &words)
        return words
    }

    private static func take(_ word: inout String, into words: inout [String]) {
        defer { word = "" }
        while word.hasSuffix("-") || word.hasSuffix("'") { word.removeLast() }
        if !word.isEmpty { words.append(word) }
    }

    /// - Parameter text: a stretch between spaces, as it stands in the answer.
    private mutating func tokens(of text: String) -> [Token] {
        if let tokens = known[text] { return tokens }
        let isNoun = text.first { $0.isLetter }?.isUppercase ?? false
        let tokens = Self.words(text).map { Token.word(words.word($0, isNoun: isNoun)) }
        guard text.utf8.count <= 40 else { return tokens }
        if known.count >= 4_096 { known.removeAll(keepingCapacity: true) }
        known[text] = tokens
        return tokens
    }

    private mutating func add(_ line: Substring) {
        let line = Array(line)
        var sentence = Sentence()
        var index = 0
        var word = ""
        func isLetter(_ at: Int) -> Bool {
            at >= 0 && at < line.count && (line[at].isLetter || line[at].isNumber)
        }
        func endWord() {
            if word.isEmpty { return }
            let isFirst = sentence.tokens.last.map { $0.word == nil && $0 != .comma } ?? true
            sentence.tokens += tokens(of: isFirst ? word.lowercased() : word)
            word = ""
        }
        func end() {
            endWord()
            if sentence.tokens.isEmpty, !sentence.hasCheckMark { return }
            sentences.append(sentence)
            sentence = Sentence()
        }
        while index < line.count {
            let character = line[index]
            // Fast path for most of a line: skip the checks for other kinds of characters.
            if character.isPlainLetter || character == " " {
                if character == " " { endWord() } else { word.append(character) }
                index += 1
                continue
            }
            switch character {
            case "`", "*", "_":
                if character == "_", isLetter(index - 1), isLetter(index + 1) { break }
                endWord()
                var length = 1
                while index + length < line.count, line[index + length] == character { length += 1 }
                let start = index + length
                guard let close = line[start...].firstIndex(of: character), close > start else {
                    index = start
                    continue
                }
                let inner = Self.words(String(line[start..<close]))
                // A claim in bold is still a claim, and a bold "not" denies one.
                let isClaim =
                    character != "`" && (length > 1 || inner.count < 8)
                    && (inner.contains {
                        words.has($0, in: .not) || words.verb($0).map { $0 != .none } ?? false
                    }
                        || words.openers.contains { inner.starts(with: $0) })
                if isClaim {
                    index = start
                    continue
                }
                sentence.tokens.append(.title)
                index = close
                while index < line.count, line[index] == character { index += 1 }
                continue
            case "\"", "“", "„", "«", "»", "‚", "‘":
                if character == "‘", isLetter(index - 1) { break }
                endWord()
                let closing = Self.closing[character] ?? []
                let close = line[(index + 1)...].firstIndex { closing.contains($0) } ?? line.count
                if sentence.tokens.last == .gap, close > index + 20 { showsText = true }
                sentence.tokens.append(.title)
                index = close + 1
                continue
            case ".", "!", "?", "…":
                endWord()
                let next = index + 1
                if isLetter(next) || character == "." && isAbbreviation(sentence, line, next) {
                    break
                }
                if character == "?" { sentence.isQuestion = true }
                end()
                index += 1
                continue
            case ",":
                endWord()
                if !(isLetter(index - 1) && isLetter(index + 1)) { sentence.tokens.append(.comma) }
            case ";", ":", "—", "–", "·", "(", ")", "[", "]":
                endWord()
                if !(isLetter(index - 1) && isLetter(index + 1)) { sentence.tokens.append(.gap) }
            case "-" where !isLetter(index - 1):
                endWord()
                sentence.tokens.append(.gap)
            case "✓", "✔", "✅", "☑", "✔️", "☑️":
                endWord()
                sentence.hasCheckMark = true
            case _ where isLetter(index) || character == "-":
                word.append(character)
            case "'", "’":
                word.append("'")
            default:
                endWord()
                // A picture ends a sentence as a full stop does.
                if let scalar = character.unicodeScalars.first,
                    scalar.properties.generalCategory == .otherSymbol
                {
                    end()
                }
            }
            index += 1
        }
        end()
    }

    private static let closing: [Character: Set<Character>] = [
        "“": ["”", "\""], "„": ["“", "”", "\""], "«": ["»"], "»": ["«"], "‚": ["‘", "'"],
        "‘": ["’", "'"], "\"": ["\""],
    ]

    /// Whether the full stop before `next` ends no sentence: `a.m. and`, `3. November`.
    private func isAbbreviation(_ sentence: Sentence, _ line: [Character], _ next: Int) -> Bool {
        guard next + 1 < line.count, line[next] == " " else { return false }
        if line[next + 1].isLowercase { return true }
        return sentence.tokens.last?.word?.text.allSatisfy(\.isNumber) ?? false
    }
}

extension Character {
    /// Whether it is an ASCII letter or digit: that needs no Unicode table.
    fileprivate var isPlainLetter: Bool {
        asciiValue?.isASCIILetterOrDigit ?? false
    }
}
