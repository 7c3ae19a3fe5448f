import Base
import CWords

/// Finds the changes of a text that affect facts: figures and their units, dates, names and
/// negations. A writing tool may rephrase everything else. Pure.
///
/// "five" equals "5", and "1,200 km" equals "1200 kilometres". A proofread changes no fact
/// at all; a rewrite may move one, so there the facts of the whole text are compared.
package struct FactChanges: Sendable, Equatable {
    /// Their indexes in `TextDiff.changes`.
    package private(set) var changes: Set<Int> = []
    /// Each as shown in a sentence: `"12" → "21"`, `"not" is gone`.
    private(set) var words: [String] = []

    init() {}

    /// `Facts changed: "12" → "21".` Nil for none.
    package var sentence: String? {
        if words.isEmpty { return nil }
        let more = words.count > 4 ? ", and \(words.count - 4) more" : ""
        return "Facts changed: \(words.prefix(4).joined(separator: ", "))\(more)."
    }

    init(_ diff: TextDiff, isProofread: Bool) {
        if diff.isEmpty { return }
        let (old, new) = (FactScan(diff.old).facts, FactScan(diff.new).facts)
        var before = Cursor(old)
        var after = Cursor(new)
        var pairs: [(change: Int, old: [FactScan.Fact], new: [FactScan.Fact])] = []
        for piece in diff.pieces {
            switch piece {
            case .same(let text):
                before.place += text.utf8.count
                after.place += text.utf8.count
            case .change(let index):
                let change = diff.changes[index]
                pairs.append(
                    (index, before.take(change.old.utf8.count), after.take(change.new.utf8.count)))
            }
        }
        if isProofread {
            for pair in pairs { compare([pair], diff) }
        } else {
            compare(pairs, diff)
        }
    }

    private mutating func compare(
        _ pairs: [(change: Int, old: [FactScan.Fact], new: [FactScan.Fact])], _ diff: TextDiff
    ) {
        func rest(_ facts: [FactScan.Fact], without others: [FactScan.Fact]) -> [FactScan.Fact: Int]
        {
            var counts: [FactScan.Fact: Int] = [:]
            for fact in facts { counts[fact, default: 0] += 1 }
            for fact in others { counts[fact, default: 0] -= 1 }
            return counts
        }
        let (olds, news) = (pairs.flatMap(\.old), pairs.flatMap(\.new))
        var (lost, added) = (rest(olds, without: news), rest(news, without: olds))
        // A name that was only capitalised, or lost its capital at the start of a
        // sentence.
        let oldWords = Set(pairs.flatMap { FactScan.folded(diff.changes[$0.change].old) })
        let newWords = Set(pairs.flatMap { FactScan.folded(diff.changes[$0.change].new) })
        func isWritten(_ name: String, _ words: Set<String>) -> Bool {
            words.contains(name) || words.contains(name + "s")
                || name.hasSuffix("s") && words.contains(String(name.dropLast()))
        }
        func take(
            _ facts: [FactScan.Fact], _ counts: inout [FactScan.Fact: Int], _ others: Set<String>
        ) -> [String] {
            facts.filter { fact in
                guard counts[fact, default: 0] > 0,
                    fact.kind != .name || !isWritten(fact.key, others)
                else { return false }
                counts[fact, default: 0] -= 1
                return true
            }.map(\.text)
        }
        for pair in pairs {
            let gone = take(pair.old, &lost, newWords)
            let come = take(pair.new, &added, oldWords)
            if gone.isEmpty, come.isEmpty { continue }
            changes.insert(pair.change)
            let (from, to) = (gone.joined(separator: " "), come.joined(separator: " "))
            words.append(
                come.isEmpty
                    ? "\"\(from)\" is gone"
                    : gone.isEmpty ? "\"\(to)\" is new" : "\"\(from)\" → \"\(to)\"")
        }
    }

    /// The facts of a text, read in step with its changes.
    private struct Cursor {
        private var facts: ArraySlice<FactScan.Fact>
        var place = 0

        init(_ facts: [FactScan.Fact]) { self.facts = facts[...] }

        mutating func take(_ count: Int) -> [FactScan.Fact] {
            let range = place..<place + count
            place += count
            facts = facts.drop { $0.range.upperBound <= range.lowerBound }
            return Array(facts.prefix { $0.range.lowerBound < range.upperBound })
        }
    }
}

/// The facts of a text, in order.
struct FactScan {
    enum Kind: Sendable { case figure, unit, date, name, negation }

    struct Fact: Hashable, Sendable {
        var kind: Kind
        /// The form by which facts are compared, the same for every spelling of one.
        var key: String
        var text: String
        /// UTF-8 offsets.
        var range: Range<Int>

        static func == (one: Fact, other: Fact) -> Bool {
            one.kind == other.kind && one.key == other.key
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(key)
        }
    }

    private struct Word {
        var text: Substring
        var range: Range<Int>
        /// The text between it and the word before.
        var gap: Substring
        var key: String

        var isCapital: Bool { text.first?.isUppercase == true }
        var isNumber: Bool { text.first?.isNumber == true }
    }

    private(set) var facts: [Fact] = []
    private let isGerman: Bool
    /// The text after the last word.
    private var tail: Substring = ""

    init(_ text: String) {
        let words = Self.words(text)
        // If a sentence is too short for a guess, its small words decide.
        let language = LanguageGuess.language(of: text)
        isGerman =
            language == .german
            || language == nil && words.contains { Self.germanWords.contains($0.key) }
        tail = words.last.map { Substring(text.utf8.dropFirst($0.range.upperBound)) } ?? ""
        for index in words.indices { add(words, index) }
    }

    /// The words of a text without case, accents and possessive s.
    static func folded(_ text: String) -> [String] { words(text).map(\.key) }

    private static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        var (place, offset, gapStart) = (text.startIndex, 0, text.startIndex)
        while place < text.endIndex {
            guard text[place].isLetter || text[place].isNumber else {
                offset += text[place].utf8.count
                place = text.index(after: place)
                continue
            }
            let isNumber = text[place].isNumber
            var end = place
            while end < text.endIndex {
                let (sign, next) = (text[end], text.index(after: end))
                let goesOn = next < text.endIndex
                if isNumber {
                    guard
                        sign.isNumber
                            || ".,:'’/".contains(sign) && goesOn && text[next].isNumber
                    else { break }
                } else if !(sign.isLetter || "'’".contains(sign) && goesOn && text[next].isLetter) {
                    break
                }
                end = next
            }
            let word = text[place..<end]
            var key = SearchText.folded(String(word)).replacing("’", with: "'")
            if key.hasSuffix("'s") { key.removeLast(2) }
            words.append(
                Word(
                    text: word, range: offset..<offset + word.utf8.count,
                    gap: text[gapStart..<place], key: key))
            offset += word.utf8.count
            (place, gapStart) = (end, end)
        }
        return words
    }

    private mutating func add(_ words: [Word], _ index: Int) {
        let word = words[index]
        func add(_ kind: Kind, _ key: String, _ range: Range<Int>? = nil) {
            facts.append(
                Fact(
                    kind: kind, key: key, text: range == nil ? String(word.text) : key,
                    range: range ?? word.range))
        }
        if word.isNumber {
            // A sign before or after it: $5, 5 %.
            if let sign = word.gap.last, Self.signs.contains(sign) {
                let start = word.range.lowerBound
                add(.unit, String(sign), start - sign.utf8.count..<start)
            }
            add(.figure, Self.figure(word.text))
            let behind = index + 1 < words.count ? words[index + 1].gap : tail
            let space = behind.prefix { $0.isWhitespace }
            if let sign = behind.dropFirst(space.count).first, Self.signs.contains(sign) {
                let start = word.range.upperBound + space.utf8.count
                add(.unit, String(sign), start..<start + sign.utf8.count)
            }
            return
        }
        if let figure = Self.figures[word.key] { return add(.figure, figure) }
        if let unit = Self.units[word.key] {
            let isBehind =
                index > 0 && word.gap.count <= 1
                && (words[index - 1].isNumber || Self.figures[words[index - 1].key] != nil)
            if isBehind || Self.currencies.contains(word.key) { return add(.unit, unit) }
        }
        if let date = Self.dates[word.key], word.isCapital || !Self.verbs.contains(word.key) {
            return add(.date, date)
        }
        if word.key.hasSuffix("n't") || Self.negations.contains(word.key) {
            return add(.negation, "not")
        }
        if isName(words, index) { add(.name, word.key) }
    }

    /// Whether the word is a name. In German, where every noun is capitalised, that is only one of
    /// two capitals together, or a word after a title.
    private func isName(_ words: [Word], _ index: Int) -> Bool {
        let word = words[index]
        guard word.isCapital, word.text.count > 1, word.key != "i'm", !word.key.hasPrefix("i'")
        else { return false }
        func isBeside(_ one: Int, _ other: Int) -> Bool {
            words.indices.contains(one) && words.indices.contains(other) && words[other].gap == " "
        }
        let isTitled =
            index > 0 && Self.titles.contains(words[index - 1].key) && word.gap.count <= 2
        func isFirst(_ index: Int) -> Bool {
            index == 0
                || words[index].gap.contains { ".!?:…\"“”*#•".contains($0) || $0.isNewline }
        }
        func isNamed(_ index: Int) -> Bool {
            words[index].isCapital
                && (!isFirst(index) || Self.firstNames.contains(words[index].key))
        }
        if isTitled || !isGerman && !isFirst(index) { return true }
        let isPair =
            isBeside(index - 1, index) && isNamed(index - 1)
            || isBeside(index, index + 1) && words[index + 1].isCapital
        if isGerman { return isPair && isNamed(index) && !Self.titles.contains(word.key) }
        return !EnglishWords.shared.common.contains(word.key)
            && (Self.firstNames.contains(word.key) || isPair)
    }

    /// The figure without thousands separators.
    private static func figure(_ text: Substring) -> String {
        let groups = text.split(whereSeparator: { ",'’".contains($0) })
        guard groups.count > 1, groups.dropFirst().allSatisfy({ $0.prefix(3).count == 3 }) else {
            return String(text)
        }
        return groups.joined()
    }

    private static let signs: Set<Character> = ["$", "€", "£", "¥", "%", "°"]

    private static let figures = table(
        """
        0 zero null;2 two zwei;3 three drei;4 four vier;5 five funf;6 six sechs;7 seven sieben
        8 eight acht;9 nine neun;10 ten zehn;11 eleven elf;12 twelve zwolf;13 thirteen dreizehn
        14 fourteen vierzehn;15 fifteen funfzehn;16 sixteen sechzehn;17 seventeen siebzehn
        18 eighteen achtzehn;19 nineteen neunzehn;20 twenty zwanzig;30 thirty dreissig
        40 forty vierzig;50 fifty funfzig;60 sixty sechzig;70 seventy siebzig;80 eighty achtzig
        90 ninety neunzig;100 hundred hundert;1000 thousand tausend;dozen dutzend;half halb
        halbe halben;quarter viertel;twice doppelt;thrice;million millions millionen mio
        billion billions milliarden mrd;double doubled;triple tripled
        """)

    private static let units = table(
        """
        $ dollar dollars usd;€ euro euros eur;£ pound pounds gbp pfund;% percent prozent
        km kilometer kilometers kilometre kilometres kilometern;mi mile miles meile meilen
        m meter meters metre metres metern;cm centimeter centimeters centimetre centimetres
        mm millimeter millimeters millimetre millimetres;ft foot feet;in inch inches zoll
        kg kilo kilos kilogram kilograms kilogramm;g gram grams gramm;lb lbs;t ton tons tonne tonnes
        mg;l liter liters litre litres litern;ml;h hour hours hr hrs stunde stunden
        min minute minutes minuten;s second seconds sec sekunde sekunden;day days tag tage tagen
        week weeks woche wochen;month months monat monate monaten;year years jahr jahre jahren
        am;pm;gb;mb;kb;tb;w watt;kw;kwh;v volt;hz;mhz;ghz;c celsius;f fahrenheit;k
        """)

    private static let currencies: Set<String> = ["usd", "eur", "gbp", "euro", "euros", "dollars"]

    private static let dates = table(
        """
        monday montag mon;tuesday dienstag tue tues;wednesday mittwoch wed;thursday donnerstag thu
        friday freitag fri;saturday samstag sonnabend sat;sunday sonntag sun;january januar jan
        february februar feb;march marz;april;may mai;june juni;july juli;august aug
        september sep sept;october oktober oct;november nov;december dezember dec
        today heute;tomorrow;yesterday gestern;tonight
        """)
    /// Words that are dates only if capitalised.
    private static let verbs: Set<String> = [
        "march", "may", "mon", "wed", "sat", "sun", "jan", "nov",
    ]

    private static let negations: Set<String> = [
        "not", "never", "no", "none", "nobody", "nothing", "neither", "nor", "without", "cannot",
        "unable", "nowhere", "aint", "mustnt", "neednt", "shant", "dont", "doesnt", "didnt", "cant",
        "wont", "isnt", "arent", "wasnt",
        "werent", "hasnt", "havent", "hadnt", "wouldnt", "couldnt", "shouldnt", "nicht", "kein",
        "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "nichts", "niemand",
        "ohne", "weder",
    ]

    private static let germanWords: Set<String> = [
        "der", "das", "und", "ist", "nicht", "ein", "eine", "ich", "wir", "mit", "auf", "zu",
    ]

    private static let titles: Set<String> = [
        "mr", "mrs", "ms", "dr", "prof", "herr", "herrn", "frau", "miss", "sir",
    ]

    private static let firstNames = Set(LexiconFile(.redactionFirstNames).words("names"))

    /// The spellings of each fact, with the first one as its key.
    private static func table(_ text: String) -> [String: String] {
        var table: [String: String] = [:]
        for row in text.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
            let words = row.split(separator: " ").map(String.init)
            for word in words { table[word] = words[0] }
        }
        return table
    }
}
