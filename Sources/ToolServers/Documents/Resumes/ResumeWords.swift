import Base
import CWords

/// The words that structure a résumé: headings, labels, titles. Loaded from `headings.txt`
/// and `resume-words.txt` with the first résumé.
struct ResumeWords: Sendable {
    static let shared = ResumeWords()

    struct Heading: Sendable, Equatable {
        var kind: ResumeSection.Kind
        /// Codes of the languages that use the heading: "de".
        var languages: [String]
    }

    /// The kind of a value according to its label.
    enum Label: String, Sendable, CaseIterable {
        case name, given, family, relative, birth, personal, identifier
        case email, phone, address, url, referee
    }

    /// Headings by their letters alone: "workexperience".
    let headings: [String: Heading]
    let qualifiers: Set<String>
    /// Titles of a whole résumé, by their letters.
    let titles: Set<String>
    let labels: [String: Label]
    let naming: [String]
    let titleOf: [String]
    let honorifics: Set<String>
    let postnominals: Set<String>
    let particles: Set<String>
    let organisations: Set<String>
    let jobWords: Set<String>
    let declarations: [String]
    let streets: Set<String>
    /// Country names with their codes.
    let countries: [String: String]
    /// Common words with the languages that use them.
    let common: [String: [String]]

    private init() {
        let file = LexiconFile(.resumeHeadings)
        var headings: [String: Heading] = [:]
        for kind in ResumeSection.Kind.allCases {
            for row in file.rows(kind.rawValue) {
                for text in row.lines {
                    for key in Self.spellings(text) {
                        var heading = headings[key] ?? Heading(kind: kind, languages: [])
                        // The first kind in the file's order wins: "profil" is a summary.
                        if !heading.languages.contains(row.key) {
                            heading.languages.append(row.key)
                        }
                        headings[key] = heading
                    }
                }
            }
        }
        self.headings = headings
        qualifiers = Set(file.rows("qualifiers").flatMap { $0.lines.flatMap(Self.spellings) })
        titles = Set(file.rows("title").flatMap { $0.lines.flatMap(Self.spellings) })

        let words = LexiconFile(.resumeWords)
        func list(_ section: String) -> [String] {
            words.lines(section).flatMap { $0.split(separator: ",") }.map(Self.folded)
        }
        var labels: [String: Label] = [:]
        for label in Label.allCases {
            for text in words.lines("label \(label.rawValue)").flatMap({ $0.split(separator: ",") })
            {
                for key in Self.spellings(text) where labels[key] == nil { labels[key] = label }
            }
        }
        self.labels = labels
        naming = list("naming").sorted { $0.utf8.count > $1.utf8.count }
        titleOf = list("title of").sorted { $0.utf8.count > $1.utf8.count }
        honorifics = Set(list("honorifics").map(Self.letters))
        postnominals = Set(list("postnominals").map(Self.letters))
        particles = Set(list("particles"))
        organisations = Set(list("organisation").map(Self.letters))
        jobWords = Set(list("job words"))
        declarations = list("declaration starts")
        streets = Set(list("streets"))
        var countries: [String: String] = [:]
        for row in words.rows("countries") {
            for name in row.lines { countries[Self.letters(Self.folded(name))] = row.key }
        }
        self.countries = countries
        var common: [String: [String]] = [:]
        for language in Self.languages {
            for word in words.words("common \(language)") {
                common[Self.folded(word), default: []].append(language)
            }
        }
        self.common = common
    }

    /// Languages with word lists.
    static let languages = [
        "en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "no", "da", "fi", "cs", "sk", "tr",
        "el", "ro", "hu", "hr", "ru", "uk", "ca",
    ]

    /// The form in which words are compared: that of `SearchText`, with a single kind of
    /// apostrophe, and the Turkish dotless i treated as i.
    static func folded(_ text: some StringProtocol) -> String {
        var folded = ""
        for scalar in SearchText.folded(String(text)).unicodeScalars {
            switch scalar {
            case "ı": folded.unicodeScalars.append("i")
            case "’", "‘", "ʼ", "´", "`": folded.unicodeScalars.append("'")
            case "‐", "‑", "–", "—", "−": folded.unicodeScalars.append("-")
            case "đ": folded.unicodeScalars.append("d")
            default: folded.unicodeScalars.append(scalar)
            }
        }
        return folded
    }

    /// The folded letters and digits of a text, by which words are found.
    static func key(_ text: some StringProtocol) -> String { letters(folded(text)) }

    /// The letters and digits only, so that spaced and hyphenated spellings match.
    static func letters(_ text: some StringProtocol) -> String {
        var letters = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isKept =
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9": true
                case "\u{00}"..."\u{7F}": false
                default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                }
            if isKept { letters.append(scalar) }
        }
        return String(letters)
    }

    /// The key of a text, and that with "ae" for "ä".
    private static func spellings(_ text: Substring) -> [String] {
        let key = letters(folded(text))
        guard text.utf8.contains(where: { $0 > 0x7F }),
            text.contains(where: { "äöüÄÖÜ".contains($0) })
        else {
            return key.isEmpty ? [] : [key]
        }
        let wide = text.replacing("ä", with: "ae").replacing("ö", with: "oe")
            .replacing("ü", with: "ue")
        return [key, letters(folded(wide))]
    }
}
