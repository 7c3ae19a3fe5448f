import Base
import CWords

/// The content of `claims.txt`: skills, organisations and places with their other names,
/// capitalised words that name nothing, number words and units in the languages of letters.
/// Loaded when the first letter is checked.
struct ClaimWords: Sendable {
    static let shared = ClaimWords()

    /// A name of one thing, in words.
    struct Alias: Sendable {
        var words: [String]
        /// Index of the thing; the same for all its names.
        var thing: Int
        /// Whether it is also a common word, and is meant only if capitalised.
        var needsCapital: Bool
        /// Whether the evidence needs the capital too: an apple is not Apple.
        var needsCapitalAlways: Bool
    }

    /// Names by their first word; the longest names come first.
    let aliases: [String: [Alias]]
    /// The names of each thing.
    let names: [[[String]]]
    /// Things with names that are also common words, so that a lower-case word is no
    /// evidence for them: organisations, `^apple`.
    let commonOrganisations: Set<String>
    /// Countries and their people, each of which is evidence for the other.
    let peoples: [String: [String]]
    let generic: Set<String>
    let commonNouns: Set<String>
    let rhetorical: Set<String>
    let months: [String: Int]
    let present: Set<String>
    let since: Set<String>
    let until: Set<String>
    let education: Set<String>
    let years: Set<String>
    let unitMonths: Set<String>
    let decades: Set<String>
    let percent: Set<String>
    let currency: Set<String>
    let scales: [String: Double]
    let multiples: [String: Double]
    let halves: Set<String>
    /// Words for "half" in "half a million".
    let half: Set<String>
    /// "third" is 33.3 percent.
    let shares: [String: Double]
    /// "dozens" is at least 24.
    let several: [String: Double]
    let atLeast: Set<String>
    let nearly: Set<String>
    private let numbers: [String: [String: Double]]
    private let function: [String: Set<String>]

    private init() {
        let file = LexiconFile(.letterClaims)
        func keys(_ section: String) -> Set<String> {
            Set(file.words(section).map(ClaimText.key))
        }
        func table(_ section: String) -> [String: Double] {
            var table: [String: Double] = [:]
            for row in file.rows(section) {
                guard let value = Double(row.key) else { continue }
                for word in row.lines.flatMap({ $0.cut(at: " ") }) {
                    table[ClaimText.key(String(word))] = value
                }
            }
            return table
        }
        var aliases: [String: [Alias]] = [:]
        var names: [[[String]]] = []
        var common: Set<String> = []
        for section in ["skills", "organisations", "places"] {
            for line in file.lines(section) {
                let thing = names.count
                names.append([])
                for name in line.split(separator: ",") {
                    let name = String(name).trimmingSpace()
                    let needsCapital = name.hasPrefix("^")
                    let words = name.drop { $0 == "^" }.split(separator: " ").map {
                        ClaimText.key(String($0))
                    }
                    guard let first = words.first else { continue }
                    names[thing].append(words)
                    aliases[first, default: []].append(
                        Alias(
                            words: words, thing: thing, needsCapital: needsCapital,
                            needsCapitalAlways: needsCapital && section == "organisations"))
                    if needsCapital, section == "organisations" { common.insert(first) }
                }
            }
        }
        self.aliases = aliases.mapValues { $0.sorted { $0.words.count > $1.words.count } }
        self.names = names
        commonOrganisations = common
        var peoples: [String: [String]] = [:]
        for line in file.lines("peoples") {
            let row = line.cut(at: " ").map { ClaimText.key(String($0)) }
            for word in row { peoples[word] = row }
        }
        self.peoples = peoples
        generic = keys("generic")
        commonNouns = keys("common nouns")
        rhetorical = keys("rhetorical")
        months = table("months").mapValues { Int($0) }
        present = keys("present")
        since = keys("since")
        until = keys("until")
        education = keys("education")
        years = keys("unit years")
        unitMonths = keys("unit months")
        decades = keys("unit decades")
        percent = keys("unit percent")
        currency = keys("currency")
        scales = table("scale")
        multiples = table("multiples")
        halves = keys("halves")
        half = keys("half")
        shares = table("shares")
        several = table("several")
        atLeast = keys("at least")
        nearly = keys("nearly")
        var numbers: [String: [String: Double]] = [:]
        var function: [String: Set<String>] = [:]
        for language in Self.languages {
            function[language] = keys("function \(language)")
            var table = table("numbers \(language)")
            if language == "de" { table.merge(Self.germanCompounds(table)) { old, _ in old } }
            numbers[language] = table
        }
        self.numbers = numbers
        self.function = function
    }

    private static let languages = ["en", "de", "fr", "es", "it", "pt", "pl", "nl", "sv"]

    /// Compounds of the German number words, such as `fünfundzwanzig`.
    private static func germanCompounds(_ table: [String: Double]) -> [String: Double] {
        var compounds: [String: Double] = [:]
        for (ten, tens) in table where tens >= 20 && tens.truncatingRemainder(dividingBy: 10) == 0 {
            for (unit, units) in table where units < 10 {
                compounds[unit + "und" + ten] = tens + units
            }
            compounds["einund" + ten] = tens + 1
        }
        return compounds
    }

    /// The value of a number word in one language; in any if nil.
    func number(_ key: String, in language: String?) -> Double? {
        if let language { return numbers[language]?[key] }
        for language in Self.languages {
            if let value = numbers[language]?[key] { return value }
        }
        return nil
    }

    /// The language with most of the text's small words; English if there are none.
    func language(of text: ClaimText) -> String {
        var counts = [Int](repeating: 0, count: Self.languages.count)
        for token in text.sentences.lazy.flatMap(\.tokens) where token.kind == .word {
            for (index, language) in Self.languages.enumerated()
            where function[language]?.contains(token.key) ?? false {
                counts[index] += 1
            }
        }
        guard let most = counts.max(), most > 0, let index = counts.firstIndex(of: most) else {
            return "en"
        }
        return Self.languages[index]
    }

    /// The thing named from that word on, and the number of words in the name.
    /// - Parameter inEvidence: whether capitals are ignored, as in a list of skills.
    func thing(
        in tokens: [ClaimText.Token], at index: Int, inEvidence: Bool
    ) -> (thing: Int, count: Int)? {
        let token = tokens[index]
        for key in token.key == token.stem ? [token.key] : [token.key, token.stem] {
            for alias in aliases[key] ?? [] {
                guard index + alias.words.count <= tokens.count,
                    tokens[index..<(index + alias.words.count)].dropFirst().map(\.stem)
                        .elementsEqual(alias.words.dropFirst())
                else { continue }
                if inEvidence {
                    if alias.needsCapitalAlways, !token.isCapital { continue }
                } else if alias.needsCapital, !token.isCapital || token.isFirst {
                    continue
                }
                return (alias.thing, alias.words.count)
            }
        }
        return nil
    }
}
