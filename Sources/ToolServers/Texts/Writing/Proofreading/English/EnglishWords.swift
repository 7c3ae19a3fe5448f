import Base
import CWords

/// The contents of `proofreading.txt`: patterns of errors by their first word,
/// and classes of words. Read when the first English text is proofread.
struct EnglishWords: Sendable {
    static let shared = EnglishWords()

    /// The patterns by the first of the replaced words.
    let patterns: [String: [EnglishPattern]]
    /// The intended words of unmistakable misspellings.
    let common: Set<String>
    /// Misspellings and missing apostrophes that occur in no other language.
    let mistakes: Set<String>
    private let classes: [String: WordClass]
    private let abbreviations: Set<String>

    private init() {
        let file = LexiconFile(.proofreading)
        var classes: [String: WordClass] = [:]
        for name in Self.classNames { classes[name] = WordClass(file.words("class \(name)")) }
        var patterns: [String: [EnglishPattern]] = [:]
        for (section, rule) in [
            ("misspellings", Rule.spelling), ("contractions", Rule.contraction),
        ] {
            for row in file.rows(section) {
                for wrong in row.lines.flatMap({ $0.cut(at: " ") }).map(String.init) {
                    patterns[wrong, default: []].append(
                        EnglishPattern(wrong: wrong, right: row.key, rule: rule))
                }
            }
        }
        for (section, rule) in [
            ("patterns contraction", Rule.contraction), ("patterns confusion", .confusion),
            ("patterns capital", .capital),
        ] {
            for line in file.lines(section) {
                guard let pattern = EnglishPattern(line, rule: rule, classes: classes) else {
                    preconditionFailure("proofreading.txt: \(line)")
                }
                for first in pattern.firstWords { patterns[first, default: []].append(pattern) }
            }
        }
        mistakes = Set(
            (file.rows("misspellings") + file.rows("contractions")).flatMap { row in
                row.lines.flatMap { $0.cut(at: " ") }.map(String.init)
            })
        self.patterns = patterns
        self.classes = classes
        abbreviations = Set(file.words("abbreviations"))
        common = Set(LexiconFile(.commonWords).words("words"))
    }

    private static let classNames = [
        "participle", "base", "notnext", "comparative", "thing", "belonging", "noti", "iverb",
        "adjective", "opener", "ing", "double", "never double", "subject", "determiner",
        "label", "function",
    ]

    func isIn(_ name: String, _ word: String) -> Bool { classes[name]?.contains(word) ?? false }

    /// A period after it need not end a sentence.
    func isAbbreviation(_ word: String) -> Bool { abbreviations.contains(word) }

    /// The name of a kind of correction.
    enum Rule: String, Sendable {
        case spelling, contraction, confusion, capital, doubled, article, spacing, punctuation
    }
}

/// Listed words, and words with one of several endings (`@ing`).
struct WordClass: Sendable {
    private let words: Set<String>
    private let endings: [String]

    init(_ words: [String]) {
        self.words = Set(words.filter { !$0.hasPrefix("@") })
        endings = words.filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
    }

    func contains(_ word: String) -> Bool {
        words.contains(word)
            || endings.contains { word.utf8.count >= $0.utf8.count + 3 && word.hasSuffix($0) }
    }
}
