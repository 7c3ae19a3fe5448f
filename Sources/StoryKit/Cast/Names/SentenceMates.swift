/// Counts how often two name forms occur in one sentence of the narration.
struct SentenceMates {
    private var counts: [UInt64: Int32] = [:]
    private var apposed: Set<UInt64> = []

    init(_ text: StoryText, _ mentions: [NameMention]) {
        findAppositions(text, mentions)
        var sentence: [Int] = []
        var token = 0
        for mention in mentions where !mention.isSpoken {
            var isNew = false
            while token <= mention.tokens.lowerBound {
                if text.tokens[token].flags.contains(.startsSentence) { isNew = true }
                token += 1
            }
            if isNew { sentence.removeAll(keepingCapacity: true) }
            for other in sentence where other != mention.form {
                counts[Self.key(other, mention.form), default: 0] += 1
            }
            if !sentence.contains(mention.form) { sentence.append(mention.form) }
        }
    }

    /// "the landlord, Mr. Snell," and "the landlord Snell", but not "the cook, Bob and I".
    private mutating func findAppositions(_ text: StoryText, _ mentions: [NameMention]) {
        let (comma, and) = (text.vocabulary.id(of: ","), text.vocabulary.id(of: "and"))
        for (one, other) in zip(mentions, mentions.dropFirst())
        where !one.isSpoken && !other.isSpoken && !one.isPossessive && !other.isPossessive
            && one.tokens.upperBound <= other.tokens.lowerBound
        {
            let gap = one.tokens.upperBound..<other.tokens.lowerBound
            let after = other.tokens.upperBound
            guard after + 1 < text.tokens.count, !gap.isEmpty || !text.tokens[after].isWord,
                gap.isEmpty
                    || gap.count == 1 && text.tokens[gap.lowerBound].word == comma
                        && text.tokens[after].word == comma && text.tokens[after + 1].word != and
                        && text.tokens[
                            one.tokens.lowerBound - 1 < 0 ? 0 : one.tokens.lowerBound - 1
                        ]
                        .word != comma
            else { continue }
            apposed.insert(Self.key(one.form, other.form))
        }
    }

    func areApposed(_ one: Int, _ other: Int) -> Bool { apposed.contains(Self.key(one, other)) }

    private static func key(_ one: Int, _ other: Int) -> UInt64 {
        UInt64(min(one, other)) << 32 | UInt64(max(one, other))
    }

    func count(_ one: Int, _ other: Int) -> Int { Int(counts[Self.key(one, other)] ?? 0) }
}
