/// The state of proofreading one text: its blocks, the language of each, the
/// corrections so far and hunspell's answers. Pure; `Proofreader` calls hunspell.
struct ProofreadingRun {
    private struct Part {
        let block: TextBlocks.Block
        let language: LanguageGuess.Language
        private(set) var text: EditedBytes
        /// The current text, split once for all its readers.
        private(set) var passage: Passage
        /// Whether the rules find nothing more in it.
        var isSettled = false

        init(
            _ block: TextBlocks.Block, _ language: LanguageGuess.Language, _ passage: Passage,
            isProtected: [Bool]
        ) {
            self.block = block
            self.language = language
            self.passage = passage
            text = EditedBytes(
                passage.bytes, isProtected: isProtected, at: block.range.lowerBound)
        }

        /// - Returns: the number applied.
        mutating func apply(_ corrections: [Correction]) -> Int {
            let count = text.apply(corrections)
            if count > 0 {
                passage = Passage(
                    text.bytes, isProtected: text.isProtected, isFragment: block.isFragment)
            }
            return count
        }
    }

    /// The main language of the text.
    let language: LanguageGuess.Language?
    private var parts: [Part] = []
    private var answers: [LanguageGuess.Language: [String: SpellingAnswer]] = [:]
    private let ownWords: OwnWords
    private var style = EnglishRules.Style()
    private let rules: EnglishRules

    /// Maximum number of rounds. Two rules that undid each other would never end; none do, and if
    /// they did, a text would be left as it is after these.
    static let roundLimit = 12

    /// - Parameter language: given by the user; nil guesses.
    init(_ text: String, language given: String?, ownWords: OwnWords) {
        self.ownWords = ownWords
        rules = EnglishRules(ownWords: ownWords)
        let bytes = Array(text.utf8)
        var isProtected = [Bool](repeating: false, count: bytes.count)
        for span in ProtectedText(text).spans {
            for index in span.range { isProtected[index] = true }
        }
        let blocks = TextBlocks.blocks(of: bytes, isProtected: isProtected)
        let named = given.map {
            LanguageGuess.Language(rawValue: String($0.lowercased().prefix(2)))
        }
        // In a language other than English and German there is nothing to check.
        let passages =
            named == .some(nil)
            ? []
            : blocks.map {
                Passage(
                    Array(bytes[$0.range]), isProtected: Array(isProtected[$0.range]),
                    isFragment: $0.isFragment)
            }
        var whole = LanguageGuess()
        var guesses: [LanguageGuess] = []
        if named == nil {
            for passage in passages {
                var guess = LanguageGuess()
                guess.add(passage)
                whole.add(guess)
                guesses.append(guess)
            }
        }
        language = named ?? whole.language
        for (index, (block, passage)) in zip(blocks, passages).enumerated() {
            let own = named ?? guesses[index].language(within: whole.language)
            guard let own else { continue }
            parts.append(Part(block, own, passage, isProtected: Array(isProtected[block.range])))
        }
        style.apostrophe = Self.apostrophe(of: bytes)
        style.keepsSentenceSpaces = Self.keepsSentenceSpaces(bytes)
    }

    /// The text's usual apostrophe.
    private static func apostrophe(of bytes: [UInt8]) -> String {
        let curly = Array("’".utf8)
        var straight = 0
        var curled = 0
        for index in bytes.indices {
            if bytes[index] == 0x27 {
                straight += 1
            } else if bytes[index] == curly[0], bytes[index...].starts(with: curly) {
                curled += 1
            }
        }
        return curled > straight ? "’" : "'"
    }

    /// Whether every sentence followed by another on its line, at least two,
    /// has two spaces after it.
    private static func keepsSentenceSpaces(_ bytes: [UInt8]) -> Bool {
        var single = 0
        var double = 0
        for index in bytes.indices.dropLast(3)
        where bytes[index] == UInt8(ascii: ".") && bytes[index + 1] == 0x20 {
            if bytes[index + 2] &- 0x41 < 26 { single += 1 }
            if bytes[index + 2] == 0x20, bytes[index + 3] &- 0x41 < 26 { double += 1 }
        }
        return double >= 2 && single == 0
    }

    // MARK: - Rules

    /// Applies the rules until nothing is left to correct.
    /// - Throws: `CancellationError`.
    mutating func applyRules() throws(CancellationError) {
        for index in parts.indices where !parts[index].isSettled {
            if Task.isCancelled { throw CancellationError() }
            parts[index].isSettled = true
            guard parts[index].language == .english else { continue }
            var style = style
            style.mayBeginSentence = parts[index].block.mayBeginSentence
            for _ in 0..<Self.roundLimit {
                let found = rules.corrections(in: parts[index].passage, style: style)
                if found.isEmpty || parts[index].apply(found) == 0 { break }
            }
        }
    }

    // MARK: - Spelling

    /// The words of a language that hunspell has not checked yet.
    func wordsToSpell(_ language: LanguageGuess.Language) -> [String] {
        var seen: Set<String> = []
        var words: [String] = []
        for part in parts where part.language == language {
            for item in part.passage.items {
                guard let word = spelled(item), answers[language]?[word] == nil,
                    seen.insert(word).inserted
                else { continue }
                words.append(word)
            }
        }
        return words
    }

    mutating func add(_ new: [String: SpellingAnswer], _ language: LanguageGuess.Language) {
        answers[language, default: [:]].merge(new) { $1 }
    }

    /// A plain lower-case word; names, words in capitals and identifiers are
    /// not misspellings.
    private func spelled(_ item: Passage.Item) -> String? {
        guard item.kind == .word, !item.isCapitalised, !item.isAllCapitals,
            item.text.utf8.count >= 3, !item.text.utf8.contains(0x2D)
        else { return nil }
        let word = item.text.hasSuffix("'s") ? String(item.text.dropLast(2)) : item.text
        guard !ownWords.contains(word), !ownWords.contains(item.text) else { return nil }
        return word
    }

    /// A word that occurs more often is the author's own.
    private static let slips = 2

    /// Makes the certain corrections among hunspell's suggestions.
    /// - Returns: whether anything was corrected.
    mutating func applySpelling(_ language: LanguageGuess.Language) -> Bool {
        guard let answers = answers[language] else { return false }
        let judge = SpellingJudge(language: language)
        var isCorrected = false
        let counts = counts(language)
        for index in parts.indices where parts[index].language == language {
            var found: [Correction] = []
            for item in parts[index].passage.items {
                guard let word = spelled(item), word == item.text,
                    case .unknown(let suggestions) = answers[word],
                    counts[word, default: 0] <= Self.slips,
                    let right = judge.correction(of: word, suggestions: suggestions)
                else { continue }
                found.append(
                    Correction(
                        range: item.range, replacement: right,
                        rule: EnglishWords.Rule.spelling.rawValue))
            }
            if !found.isEmpty, parts[index].apply(found) > 0 {
                parts[index].isSettled = false
                isCorrected = true
            }
        }
        return isCorrected
    }

    private func counts(_ language: LanguageGuess.Language) -> [String: Int] {
        var counts: [String: Int] = [:]
        let unknown = answers[language, default: [:]].filter { $0.value != .known }
        guard !unknown.isEmpty else { return [:] }
        for part in parts where part.language == language {
            for item in part.passage.items {
                if let word = spelled(item), unknown[word] != nil { counts[word, default: 0] += 1 }
            }
        }
        return counts
    }

    // MARK: - Results

    var corrections: [Correction] { parts.flatMap(\.text.corrections) }

    /// Each unknown word once, ascending.
    var remarks: [ProofreadingRemark] {
        var found: [ProofreadingRemark] = []
        var seen: Set<String> = []
        for part in parts {
            found += UnmatchedSigns.remarks(in: part.passage).map { remark in
                var remark = remark
                remark.range = part.text.original(remark.range)
                return remark
            }
            for item in part.passage.items {
                guard let word = spelled(item),
                    case .unknown(let suggestions) = answers[part.language]?[word],
                    seen.insert(word).inserted
                else { continue }
                found.append(
                    ProofreadingRemark(
                        kind: .unknownWord(suggestions: Array(suggestions.prefix(3))),
                        range: part.text.original(item.range), text: word))
            }
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
}

/// Finds brackets and quotation marks without their counterpart. They are
/// reported and never corrected: only the author knows where the missing one
/// belongs. Pure.
enum UnmatchedSigns {
    private static let pairs: [String: String] = ["(": ")", "[": "]", "“": "”"]

    /// The remarks about one block of prose; ranges are relative to its bytes.
    static func remarks(in passage: Passage) -> [ProofreadingRemark] {
        // "a) one b) two" and smileys: a list item is too irregular to be judged.
        guard !passage.isFragment else { return [] }
        var open: [(sign: String, range: Range<Int>)] = []
        var lone: [(sign: String, range: Range<Int>)] = []
        var quotes: [Range<Int>] = []
        for (index, item) in passage.items.enumerated() where item.kind == .mark {
            if pairs[item.text] != nil {
                open.append((item.text, item.range))
            } else if let place = open.lastIndex(where: { pairs[$0.sign] == item.text }) {
                open.removeSubrange(place...)
            } else if pairs.values.contains(item.text) {
                // ":)" and "1)"
                let before = index > 0 ? passage.items[index - 1] : nil
                let isSmiley = before?.kind == .mark && item.gap == .none
                let isNumbering = before.map { $0.kind == .number || $0.text.utf8.count == 1 }
                if !isSmiley, isNumbering != true { lone.append((item.text, item.range)) }
            } else if item.text == "\"" {
                quotes.append(item.range)
            }
        }
        lone += open
        // A quotation of several paragraphs opens each and closes the last.
        lone.removeAll { $0.sign == "“" }
        if quotes.count % 2 == 1, quotes.count > 1, let last = quotes.last {
            lone.append(("\"", last))
        }
        return lone.sorted { $0.range.lowerBound < $1.range.lowerBound }.map {
            ProofreadingRemark(kind: .unmatched, range: $0.range, text: $0.sign)
        }
    }
}
