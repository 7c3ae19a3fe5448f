import Base

/// A part of a name as it occurs in texts. Pure.
struct NamePart: Sendable, Hashable {
    enum Class: Sendable, Hashable {
        /// Only a name, in any context.
        case plain
        /// Short, or a word in lower case: counts only with a capital.
        case capital
        /// Also a word, or two letters: counts only where it cannot be the word.
        case word
        /// A noun that German always writes with a capital: strong in a German text,
        /// a word in others.
        case noun
        /// A word for a skill: counts only beside a title or another part.
        case strong
    }

    enum Endings: Sendable, Hashable {
        case none
        /// The s of the genitive.
        case genitive
        /// The endings of Polish and its neighbours.
        case slavic
    }

    var name: [UInt32]
    var kind: Class
    var endings: Endings
    var isFirst: Bool
    /// Whether its last vowel is left off in the trie, so that one of the endings must
    /// follow.
    var isStem = false
    /// The initials of the name's other parts.
    var initials: [UInt32]

    /// The index after the part and its ending; nil if that is not there.
    func end(_ text: ScannedText, _ range: Range<Int>) -> Int? {
        let end = range.upperBound
        let isNamely = kind == .plain || kind == .capital
        let isEnd =
            text.isWordEnd(end) || isNamely && (text.isDigit(end) || text.isHump(end))
        if isEnd, !isStem { return end }
        guard endings != .none, kind != .strong, kind != .noun,
            text.has(.upper, range.lowerBound)
        else {
            return nil
        }
        if isEnd { return nil }
        var last = end
        while text.isLetter(last), last - end < 5 { last += 1 }
        guard !text.isWord(last) else { return nil }
        let ending = text.text(end..<last)
        let list = endings == .slavic ? Self.slavic : Self.genitive
        return list.contains(ending) ? last : nil
    }

    /// Whether it counts in the middle of a word: `class BergParser` contains the name, but
    /// MacDonald is another.
    func countsInHumps(_ text: ScannedText, _ start: Int) -> Bool {
        guard kind == .plain && name.count >= 4 || kind == .capital && name.count >= 5,
            text.isHump(start)
        else { return false }
        var first = start
        while text.isLetter(first - 1), start - first < 5 { first -= 1 }
        return !["mc", "mac", "fitz", "de", "le", "la", "di"].contains(text.text(first..<start))
    }

    private static let genitive: Set<String> = ["s"]
    /// The endings of names in Slavic languages, folded, in Latin and in Cyrillic letters.
    private static let slavic = RedactionWords.list("endings of names")
}

/// The spellings of one name: its parts, and the full name in one piece. Pure.
///
/// Adjacent parts in a text are combined by `NameContext`, so every order, every comma and
/// every initial is covered.
struct NameLiteral: Sendable {
    private(set) var spellings: [(phrase: [UInt32], rule: PersonalLiterals.Rule)] = []
    /// The first letters of its parts.
    private(set) var firstLetters: [UInt32] = []

    static let particles = RedactionWords.list("particles of a known name")
    static let suffixes = RedactionWords.list("degrees")
    static let abbreviations = RedactionWords.list("abbreviations")

    init(_ value: String, of person: PersonalData) {
        let text = ScannedText(value)
        let parts = Self.parts(text)
        let isSlavic = Self.isSlavic(value, parts.map(\.letters), person)
        let letters = parts.flatMap(\.letters)
        guard !letters.isEmpty else { return }
        let whole = text.units.indices.filter { text.isWord($0) }.map { text.units[$0] }
        let isUnspaced = text.words.contains { text.has(.unspaced, $0.start) }
        let named = parts.filter { !$0.isParticle }
        // "in May; grant writing" is not May Grant.
        let isWords = named.allSatisfy { Self.kind($0.letters) != .plain }
        if parts.count > 1 || isUnspaced {
            for spelling in [whole] + Self.transcribed(whole, value) {
                add(
                    spelling,
                    isWords && !isUnspaced
                        ? .spelled
                        : isUnspaced && whole.count >= 2 || whole.count >= 6 ? .anywhere : .phrase)
            }
        }
        firstLetters = named.compactMap { $0.letters.first }
        if named.count > 1, let first = named.first, let last = named.last {
            for pair in [first.letters + last.letters, last.letters + first.letters] {
                add(pair, isWords ? .spelled : pair.count >= 6 ? .anywhere : .phrase)
                // With umlauts transcribed, as mail addresses have them.
                for other in Self.transcribed(pair, value) { add(other, .phrase) }
            }
        }
        // Van der Berg, but not "von Berg zu Tal".
        if let last = parts.last, !last.isParticle {
            let particles = parts.dropLast().reversed().prefix(while: \.isParticle).reversed()
            if particles.count > 1 || !particles.isEmpty && Self.kind(last.letters) == .plain {
                add(particles.flatMap(\.letters) + last.letters, .phrase)
            }
        }
        // Everything after the first name: "de la Fuente y Vega".
        for start in parts.indices.dropFirst() {
            let surname = parts[start...]
            let letters = surname.flatMap(\.letters)
            guard surname.count(where: { !$0.isParticle }) > 1, letters.count >= 8 else { break }
            let areWords = surname.allSatisfy { $0.isParticle || Self.kind($0.letters) != .plain }
            add(letters, areWords ? .capital : .phrase)
        }
        for (index, part) in named.enumerated() {
            let isFirst = index == 0 && named.count > 1
            for spelling in [part.letters] + Self.transcribed(part.letters, value)
                + LookAlikes.withCyrillicVe(part.letters, [0x432])
            {
                addPart(spelling, isFirst: isFirst, isSlavic: isSlavic, initials: firstLetters)
            }
        }
    }

    /// Minimum length; shorter names are parts of other words: Berger is one of
    /// Heidelberger.
    static let longInside = 8

    private mutating func add(_ phrase: [UInt32], _ rule: PersonalLiterals.Rule) {
        spellings.append((phrase, rule))
    }

    private mutating func addPart(
        _ letters: [UInt32], isFirst: Bool, isSlavic: Bool, initials: [UInt32]
    ) {
        if letters.count < 2 { return }
        let isUnspaced = Self.isUnspaced(letters)
        let kind = Self.kind(letters)
        var part = NamePart(
            name: letters, kind: kind, endings: .none, isFirst: isFirst, initials: initials)
        if kind == .plain || kind == .capital || isSlavic && kind == .word, letters.count >= 3,
            !isUnspaced
        {
            part.endings = isSlavic ? .slavic : letters.count >= 4 ? .genitive : .none
        }
        add(letters, .part(part))
        if kind == .plain, !isFirst, letters.count >= Self.longInside, letters[0] < 0x590 {
            add(letters, .inside)
        }
        // Anna, Anny: the ending replaces the vowel.
        if isSlavic, kind == .plain, letters.count >= 4, let last = letters.last,
            "aioeyаяоейь".unicodeScalars.contains(where: { $0.value == last })
        {
            part.isStem = true
            add(Array(letters.dropLast()), .part(part))
            // Marek, Marka.
        } else if isSlavic, kind == .plain, letters.count >= 5,
            letters.suffix(2) == Array("ek".unicodeScalars.map(\.value))[...]
        {
            part.isStem = true
            add(letters.dropLast(2) + [0x6B], .part(part))
        }
    }

    /// Half of a name in a script without spaces is also half of other words.
    private static func isUnspaced(_ letters: [UInt32]) -> Bool {
        letters[0] >= 0xE00 && letters[0] < 0xE80 || letters[0] >= 0x1100
    }

    private static func kind(_ letters: [UInt32]) -> NamePart.Class {
        let isUnspaced = isUnspaced(letters)
        return
            if RedactionWords.skills.contains(letters)
        {
            .strong
        } else if RedactionWords.nouns.contains(letters) {
            .noun
        } else if RedactionWords.nameWords.contains(letters)
            || RedactionWords.months.contains(letters)
            || RedactionWords.determiners.contains(letters)
            || RedactionWords.roles.contains(letters) || letters.count == 2 && !isUnspaced
        {
            .word
        } else if letters.count == 3 && !isUnspaced || RedactionWords.smallWords.contains(letters) {
            .capital
        } else {
            .plain
        }
    }

    // MARK: - Parts

    private struct Part {
        var letters: [UInt32]
        var isParticle: Bool
    }

    /// The parts without titles before and degrees after. Apostrophes do not separate
    /// parts.
    private static func parts(_ text: ScannedText) -> [Part] {
        var parts: [Part] = []
        var last: Int?
        for word in text.words {
            let letters = text.folded(word)
            let spelled = text.text(word)
            if let end = last, text.ascii(end) == 0x27, end + 1 == word.start, !parts.isEmpty {
                parts[parts.count - 1].letters += letters
                parts[parts.count - 1].isParticle = false
                last = word.end
                continue
            }
            last = word.end
            let isLower = !word.isCapital && word.count <= 4
            if parts.isEmpty, RedactionWords.titles.contains(letters), text.words.count > 1 {
                continue
            }
            if parts.count > 1, suffixes.contains(spelled), word.count < 5 { continue }
            let isParticle =
                particles.contains(spelled) && (isLower || !parts.isEmpty && word.count <= 3)
            parts.append(Part(letters: letters, isParticle: isParticle))
        }
        if parts.allSatisfy(\.isParticle) {
            for index in parts.indices { parts[index].isParticle = false }
        }
        return parts
    }

    /// Müller as Mueller, Søren as Soeren.
    private static func transcribed(_ letters: [UInt32], _ value: String) -> [[UInt32]] {
        let accented: [Character: String] = ["ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"]
        let composed = value.lowercased()
        guard composed.contains(where: { accented[$0] != nil }) else { return [] }
        var long = ""
        for letter in composed { long += accented[letter] ?? String(letter) }
        // Finds the words that the letters come from.
        let short = ScannedText(composed)
        let other = ScannedText(long)
        guard short.words.count == other.words.count else { return [] }
        var result = letters
        for (one, two) in zip(short.words, other.words) where one.count != two.count {
            let old = short.folded(one)
            guard let at = result.firstRange(of: old) else { continue }
            result.replaceSubrange(at, with: other.folded(two))
        }
        return result == letters ? [] : [result]
    }

    private static func isSlavic(
        _ value: String, _ parts: [[UInt32]], _ person: PersonalData
    ) -> Bool {
        let letters = "łśżźńęąćěřůčščžабвгдеёжзийклмнопрстуфхцчшщъыьэюя"
        if value.lowercased().contains(where: { letters.contains($0) }) { return true }
        let endings = [
            "ski", "ska", "cki", "cka", "dzki", "dzka", "wicz", "czyk", "czak", "ova", "ovic",
        ]
        return parts.contains { part in
            let text = String(String.UnicodeScalarView(part.compactMap { Unicode.Scalar($0) }))
            return endings.contains(where: text.hasSuffix)
        } || person.values(of: .phone).contains { $0.hasPrefix("+48") || $0.hasPrefix("+420") }
    }
}
