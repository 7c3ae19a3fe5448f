import Base

/// Parses a chapter heading: "CHAPTER I.", "Chapter the First", "Erstes Kapitel",
/// "PROLOGUE", "IV". Pure.
struct ChapterHeading: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// A number with its keyword: "chapter".
        case word(String)
        /// A number alone, or before a title: "IV", "4. The Fall". Such headings only count
        /// in a row.
        case number
    }

    var kind: Kind
    /// The number; nil for a prologue.
    var number: Int?
    /// Whether words follow the number on its line.
    var hasTitle: Bool

    /// - Parameter line: without surrounding white space.
    init?(_ line: Substring) {
        guard line.utf8.count <= 120, let last = line.last, last != ",", last != ";" else {
            return nil
        }
        let line = Self.dashesApart(line)
        // The first words are enough to tell, and a line may have many.
        let words = line.split(maxSplits: 6, whereSeparator: { $0 == " " || $0 == "\t" })
            .map(Self.bare)
        guard let first = words.first else { return nil }
        if Self.single.contains(first), words.count == 1 || line.utf8.count <= 60 && Self.cuts(line)
        {
            self.init(kind: .word(first), number: nil, hasTitle: words.count > 1)
            return
        }
        if Self.words.contains(first), words.count > 1 {
            // "Chapter the First".
            let skipped = words.count > 2 && Self.articles.contains(words[1]) ? 2 : 1
            if let number = Self.number(words[skipped]) {
                let rest = words.dropFirst(skipped + 1)
                // "Part one of the crew" is a sentence; "Part One: The Crew" is not.
                guard rest.isEmpty || Self.isTitled(line, after: skipped) else { return nil }
                self.init(kind: .word(first), number: number, hasTitle: !rest.isEmpty)
                return
            }
        }
        if words.count > 1, Self.words.contains(words[1]), let number = Self.number(first) {
            guard words.count == 2 || Self.isTitled(line, after: 1) else { return nil }
            self.init(kind: .word(words[1]), number: number, hasTitle: words.count > 2)
            return
        }
        guard let number = Self.numeral(first) else { return nil }
        if words.count > 1 {
            // "IV. THE FALL", "4. The Fall"
            guard let sign = line.prefix(while: { $0 != " " }).last, ".:—–-)".contains(sign),
                line.utf8.count <= 70, !".!?\"”’".contains(last) || Self.isUpper(line),
                words[1].first != nil,
                line.split(separator: " ")[1].first(where: \.isLetter)?.isUppercase == true
            else { return nil }
        }
        self.init(kind: .number, number: number, hasTitle: words.count > 1)
    }

    private init(kind: Kind, number: Int?, hasTitle: Bool) {
        self.kind = kind
        self.number = number
        self.hasTitle = hasTitle
    }

    // MARK: - Words

    private static func bare(_ word: Substring) -> String {
        word.trimming { ".,:;—–-_*#()[]\"“”".contains($0) }.lowercased()
    }

    /// "VOLUME I—FANTINE", "Book the First--Recalled to Life".
    private static func dashesApart(_ line: Substring) -> Substring {
        guard line.contains(where: { $0 == "—" || $0 == "–" }) || line.contains("--") else {
            return line
        }
        var apart = ""
        var isDash = false
        for character in line {
            let isPart = "—–-".contains(character)
            if character == "—" || character == "–" || isPart && isDash {
                if apart.last == "-" { apart.removeLast() }
                apart += " — "
                isDash = false
            } else {
                apart.append(character)
                isDash = isPart
            }
        }
        return apart.trimming { $0 == " " }
    }

    private static func cuts(_ line: Substring) -> Bool {
        line.contains { ".:—–-".contains($0) } || isUpper(line)
    }

    static func isUpper(_ line: some StringProtocol) -> Bool {
        line.contains(where: \.isUppercase) && !line.contains(where: \.isLowercase)
    }

    /// Whether the text after the number is set apart, or begins with a capital.
    private static func isTitled(_ line: Substring, after index: Int) -> Bool {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard index + 1 < words.count else { return true }
        if let sign = words[index].last, ".:—–-".contains(sign) { return true }
        if ["—", "–", "-", ":"].contains(String(words[index + 1])) { return true }
        // There is no mark: accept a capitalised title that is not a sentence.
        guard let letter = words[index + 1].first(where: \.isLetter) else { return false }
        return letter.isUppercase && !".!?".contains(line.last ?? ".") && line.utf8.count <= 80
            && !words[(index + 1)...].dropFirst().contains { word in
                word.count > 4 && word.first?.isLowercase == true
            }
    }

    private static let words: Set<String> = [
        "chapter", "chap", "book", "part", "volume", "vol", "stave", "canto", "act", "scene",
        "letter", "section", "adventure", "tale", "story", "fable", "episode", "kapitel", "buch",
        "teil", "akt", "szene", "band", "brief", "chapitre", "livre", "partie", "tome", "acte",
        "scène", "lettre", "capítulo", "capitulo", "libro", "parte", "acto", "escena", "tomo",
        "capitolo", "atto", "scena", "livro", "ato", "cena", "hoofdstuk", "deel", "boek",
        "kapittel", "kapitola", "rozdział", "część", "księga", "fejezet", "rész", "luku", "osa",
        "capitolul", "partea", "глава", "часть", "книга", "том", "розділ", "частина", "κεφάλαιο",
        "μέρος", "bölüm",
    ]
    private static let single: Set<String> = [
        "prologue", "epilogue", "preface", "foreword", "afterword", "introduction", "interlude",
        "conclusion", "prolog", "epilog", "vorwort", "nachwort", "einleitung", "préface",
        "épilogue", "introducción", "prólogo", "epílogo", "prefazione", "prologo", "epilogo",
        "voorwoord", "пролог", "эпилог",
    ]
    private static let articles: Set<String> = ["the", "le", "la", "the:", "das", "der"]

    // MARK: - Numbers

    /// The value of digits, a Roman numeral, or a word up to thirty.
    private static func number(_ word: String) -> Int? {
        numeral(word) ?? ordinals[word]
    }

    private static func numeral(_ word: String) -> Int? {
        if let number = Int(word) { return (1...999).contains(number) ? number : nil }
        return roman(word)
    }

    static func roman(_ word: String) -> Int? {
        let values: [Character: Int] = [
            "i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1_000,
        ]
        var total = 0
        var previous = 0
        guard !word.isEmpty, word.count <= 9 else { return nil }
        for letter in word.reversed() {
            guard let value = values[letter] else { return nil }
            total += value < previous ? -value : value
            previous = max(previous, value)
        }
        // "mix", "did" and "civil" are words; each numeral has only one spelling.
        return total > 0 && total < 400 && written(total) == word ? total : nil
    }

    private static func written(_ number: Int) -> String {
        let signs = [
            (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"),
            (4, "iv"), (1, "i"),
        ]
        var rest = number
        var text = ""
        for (value, sign) in signs {
            while rest >= value {
                text += sign
                rest -= value
            }
        }
        return text
    }

    private static let ordinals: [String: Int] = {
        let lists = [
            """
            one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
            fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three \
            twenty-four twenty-five twenty-six twenty-seven twenty-eight twenty-nine thirty
            """,
            """
            first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth \
            thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
            """,
            """
            eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn \
            fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig
            """,
            """
            erstes zweites drittes viertes fünftes sechstes siebentes achtes neuntes zehntes \
            elftes zwölftes dreizehntes vierzehntes fünfzehntes sechzehntes siebzehntes
            """,
            "erster zweiter dritter vierter fünfter sechster siebter achter neunter zehnter",
            """
            premier deuxième troisième quatrième cinquième sixième septième huitième neuvième \
            dixième
            """,
            "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo",
            "primo secondo terzo quarto quinto sesto settimo ottavo nono decimo",
            "première seconde", "primera segunda tercera cuarta", "prima seconda terza quarta",
            "первая вторая третья четвёртая пятая шестая седьмая восьмая девятая десятая",
        ]
        var numbers: [String: Int] = [:]
        for list in lists {
            for (index, word) in list.split(separator: " ").enumerated() {
                numbers[String(word)] = numbers[String(word)] ?? index + 1
            }
        }
        return numbers
    }()
}
