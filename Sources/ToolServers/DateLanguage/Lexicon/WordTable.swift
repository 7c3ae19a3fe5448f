import Base

/// Date words of one language, parsed from text rows.
///
/// A row is the meaning, a colon, and the words: `unit week 2: fortnight`, `every month 3:
/// quarterly`, `part evening plural: evenings`, `role at: at`; `;` or a new line ends it.
/// Rows for a series count up from their number: `weekdays 0: sunday/sun monday/mon`. For
/// ordinals, a language may give the `stems` common to all endings.
struct WordTable: Sendable {
    var words: [String: Lexeme] = [:]
    /// Long words among which typos are corrected; and words of commands, of which slips are.
    var corrected: [String] = []
    let commands: [String]

    init(_ rows: String, corrected: String = "", commands: [String] = []) {
        self.corrected = Self.list(corrected)
        self.commands = commands
        words.reserveCapacity(2_048)
        var (keys, spellings): ([String], [String]) = ([], [])
        for row in rows.cut(at: "\n").flatMap({ $0.cut(at: ";") }) {
            let sides = row.cut(at: ":")
            keys.removeAll(keepingCapacity: true)
            sides[0].add(to: &keys, cutAt: " ")
            for (index, words) in sides[1].cut(at: " ").enumerated() {
                spellings.removeAll(keepingCapacity: true)
                words.add(to: &spellings, cutAt: "/")
                for word in spellings {
                    guard keys[0] == "stems" else {
                        Self.add(keys, index, to: &self.words[word, default: Lexeme()])
                        continue
                    }
                    for ending in ["e", "en", "er", "es", "em"] {
                        Self.add(keys, index, to: &self.words[word + ending, default: Lexeme()])
                    }
                }
            }
        }
    }

    private static func add(_ keys: [String], _ index: Int, to lexeme: inout Lexeme) {
        let (value, last) = (keys[1], keys.count > 2 ? keys[2] : "")
        let counted = Int(value).map { $0 + index }
        switch keys[0] {
        case "weekdays": lexeme.weekday = counted
        case "months": lexeme.month = counted
        case "offsets": lexeme.offset = counted
        case "offset": lexeme.offset = Int(value)
        case "numbers": lexeme.number = counted.map(Double.init)
        case "number": lexeme.number = Double(value)
        case "ordinals", "stems": lexeme.ordinal = counted
        case "ordinal": lexeme.ordinal = Int(value)
        case "part": lexeme.part = DayPart(rawValue: value)
        case "often":
            lexeme.number = Double(value)
            lexeme.roles.insert(.often)
        case "unit":
            lexeme.unit = TimeUnit(rawValue: value)
            lexeme.scale = Double(last) ?? 1
        case "every": lexeme.adverb = TimeUnit(rawValue: value).map { ($0, Int(last) ?? 1) }
        default: if let role = Role.byName[value] { lexeme.roles.insert(role) }
        }
        if let role = Role.byName[last] { lexeme.roles.insert(role) }
        if let part = DayPart(rawValue: last) { lexeme.part = part }
    }

    /// "freitagmorgen", "montagabends": a weekday and its part in one word.
    mutating func compound(_ weekdays: [String], _ parts: [String]) {
        for weekday in weekdays {
            for part in parts {
                var lexeme = Lexeme()
                lexeme.weekday = words[weekday]?.weekday
                lexeme.part = words[part]?.part ?? .morning
                words[weekday + part] = lexeme
                lexeme.roles.insert(.plural)
                words[weekday + part + "s"] = lexeme
            }
        }
    }

    static func list(_ text: String) -> [String] {
        var words: [String] = []
        for line in text.cut(at: "\n") { line.add(to: &words, cutAt: " ") }
        return words
    }

    func without(_ text: String) -> WordTable {
        let unsafe = Set(words: text)
        var table = self
        table.words = words.filter { !unsafe.contains($0.key) }
        table.corrected = corrected.filter { !unsafe.contains($0) }
        return table
    }
}

extension Set<String> {
    /// Words separated by white space.
    init(words text: String) { self = Set(WordTable.list(text)) }
}
