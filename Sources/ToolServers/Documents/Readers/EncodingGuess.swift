import Base

/// Guesses the encoding of an old text that is neither UTF-8 nor in a Latin alphabet, by
/// the letters that are frequent in its language: Cyrillic, Greek, Japanese, Chinese,
/// Korean. Pure, except for the C library's tables.
enum EncodingGuess {
    private struct Candidate: Sendable {
        /// The name used by iconv.
        var encoding: String
        /// The frequent letters of the language.
        var isFrequent: @Sendable (Unicode.Scalar) -> Bool
        /// The minimum share of frequent letters among those outside of ASCII.
        var least: Double
    }

    private static func among(_ letters: String) -> @Sendable (Unicode.Scalar) -> Bool {
        let letters = Set(letters.unicodeScalars)
        return { letters.contains($0) }
    }

    private static let candidates: [Candidate] = {
        let cyrillic = among("оеаинтсрвлкмдпуяыьгзбчйхжшю")
        let kana: @Sendable (Unicode.Scalar) -> Bool = { ("\u{3041}"..."\u{30FC}").contains($0) }
        let chinese = among("的一是不了人我在有他這这中大來来上國国個个到說说們们為为子和你地出道也時时年得就那要下以生會会自着著去之過过家學学")
        let hangul: @Sendable (Unicode.Scalar) -> Bool = { ("\u{AC00}"..."\u{D7A3}").contains($0) }
        return ["WINDOWS-1251", "KOI8-R", "IBM866", "ISO-8859-5"].map {
            Candidate(encoding: $0, isFrequent: cyrillic, least: 0.7)
        } + ["CP932", "EUC-JP"].map { Candidate(encoding: $0, isFrequent: kana, least: 0.25) }
            + ["GB18030", "BIG5-HKSCS"].map {
                Candidate(encoding: $0, isFrequent: chinese, least: 0.12)
            } + [
                Candidate(encoding: "CP949", isFrequent: hangul, least: 0.7),
                Candidate(
                    encoding: "WINDOWS-1253", isFrequent: among("αοιετσνηυρπκμλωςάέήίόύώ"),
                    least: 0.7),
            ]
    }()

    private static let sampled = 32 << 10

    /// The decoded text; nil if it resembles none of these, or has few non-ASCII letters, as in a
    /// Latin alphabet.
    static func text(_ bytes: some Collection<UInt8>) -> String? {
        var sample = Array(bytes.prefix(sampled))
        // Do not cut in the middle of a character.
        if sample.count == sampled, let end = sample.lastIndex(of: 0x0A) {
            sample.removeSubrange(end...)
        }
        let letters = sample.count { (0x41...0x5A).contains($0 & 0xDF) }
        guard sample.count(where: { $0 >= 0x80 }) > letters else { return nil }
        let best = candidates.map { ($0.encoding, share($0, sample)) }.max { $0.1 < $1.1 }
        guard let best, best.1 > 0 else { return nil }
        return PageDecoding.converted(Array(bytes)[...], best.0)
    }

    /// The share of frequent letters; 0 if the bytes cannot be in that encoding.
    private static func share(_ candidate: Candidate, _ sample: [UInt8]) -> Double {
        let text = PageDecoding.converted(sample[...], candidate.encoding).unicodeScalars
        var (letters, frequent) = (0, 0)
        for scalar in text where !scalar.isASCII {
            if scalar == "\u{FFFD}" { return 0 }
            // Quotation marks and dashes say nothing; a box-drawing character does.
            switch scalar.properties.generalCategory {
            case .initialPunctuation, .finalPunctuation, .openPunctuation, .closePunctuation,
                .dashPunctuation, .otherPunctuation:
                continue
            default: break
            }
            letters += 1
            if candidate.isFrequent(scalar) { frequent += 1 }
        }
        let share = Double(frequent) / Double(max(1, letters))
        return share < candidate.least ? 0 : share / candidate.least
    }
}
