/// Proofreads one block of English text: patterns of words, doubled words, a and an, capitals,
/// spaces and punctuation. Pure; uncertain cases are not changed.
///
/// The only misspellings it knows are those in `proofreading.txt`.
struct EnglishRules: Sendable {
    /// Decisions for a whole text, so that its blocks agree.
    struct Style: Sendable {
        /// The apostrophe the text uses.
        var apostrophe = "'"
        /// Whether the author puts two spaces after every sentence.
        var keepsSentenceSpaces = false
        /// Whether the block may begin a sentence: nothing before it was left open.
        var mayBeginSentence = true
    }

    let words = EnglishWords.shared
    var ownWords = OwnWords()

    /// The corrections, ascending and not overlapping. Applying them may reveal more: see
    /// `ProofreadingRun`.
    func corrections(in passage: Passage, style: Style) -> [Correction] {
        var found: [Correction] = []
        for (index, item) in passage.items.enumerated() {
            switch item.kind {
            case .word:
                if ownWords.contains(item.text) { continue }
                if let patterns = words.patterns[item.text],
                    let correction = patterns.lazy.compactMap({
                        $0.correction(at: index, in: passage, apostrophe: style.apostrophe)
                    }).first
                {
                    found.append(correction)
                } else if let correction = doubled(index, passage)
                    ?? article(index, passage) ?? capital(index, passage, style)
                {
                    found.append(correction)
                }
            case .mark:
                if let correction = mark(index, passage) { found.append(correction) }
            case .technical:
                if let correction = missingSpace(index, passage) { found.append(correction) }
            case .number, .opaque: break
            }
            if item.gap == .spaces, let correction = spaces(index, passage, style) {
                found.append(correction)
            }
        }
        return Self.apart(found)
    }

    /// Drops corrections that overlap an earlier one: they are found again if
    /// they still apply.
    private static func apart(_ found: [Correction]) -> [Correction] {
        var end = -1
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }.filter { correction in
            guard correction.range.lowerBound >= end else { return false }
            end = max(end, correction.range.upperBound)
            return true
        }
    }

    func correction(
        _ range: Range<Int>, _ text: String, _ rule: EnglishWords.Rule
    ) -> Correction {
        Correction(range: range, replacement: text, rule: rule.rawValue)
    }

    // MARK: - Capitals

    /// Capitalises a sentence that begins with a lower-case letter.
    private func capital(_ index: Int, _ passage: Passage, _ style: Style) -> Correction? {
        let item = passage.items[index]
        guard item.start == .likely, words.isIn("opener", item.text) else { return nil }
        if passage.items[..<index].allSatisfy({ $0.kind == .mark }) {
            // The first of its paragraph: it must be a sentence, not the rest
            // of one.
            guard style.mayBeginSentence, !passage.isFragment, !continuing.contains(item.text),
                endsWithSentence(passage),
                passage.items.count(where: { $0.kind == .word }) >= 3
            else { return nil }
        } else if passage.wordAfter(index) == nil {
            // "… and so on. or" – a fragment.
            return nil
        }
        guard let first = item.text.utf8.first else { return nil }
        let place = item.range.lowerBound
        return correction(
            place..<place + 1, String(decoding: [first & ~0x20], as: UTF8.self), .capital)
    }

    private let continuing: Set<String> = [
        "and", "or", "but", "where", "which", "who", "so", "then", "to", "of", "than", "as", "with",
        "for", "because", "by", "from", "also",
    ]

    private func endsWithSentence(_ passage: Passage) -> Bool {
        for item in passage.items.reversed() {
            guard item.kind == .mark else { return false }
            if [".", "!", "?"].contains(item.text) { return true }
            if item.text.allSatisfy({ $0 == "." || $0 == "!" || $0 == "?" }) { return true }
        }
        return false
    }
}
