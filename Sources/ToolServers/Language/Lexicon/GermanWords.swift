/// The German words of dates that are made of others: "freitagmorgen",
/// "einundzwanzig".
enum GermanWords {
    static func add(to table: inout WordTable) {
        addCompoundDays(to: &table)
        addNumbers(to: &table)
    }

    /// "freitagmorgen", "montagabends"
    private static func addCompoundDays(to table: inout WordTable) {
        let weekdays = "sonntag montag dienstag mittwoch donnerstag freitag samstag sonnabend"
        let parts = "früh morgen vormittag mittag nachmittag abend nacht"
        for (index, weekday) in WordTable.list(weekdays).enumerated() {
            for part in WordTable.list(parts) {
                var lexeme = Lexeme()
                lexeme.weekday = min(index, 6)
                lexeme.part = table.words[part == "morgen" ? "früh" : part]?.part
                table.words[weekday + part] = lexeme
                lexeme.roles.insert(.plural)
                table.words[weekday + part + "s"] = lexeme
            }
        }
    }

    private static func addNumbers(to table: inout WordTable) {
        let ones = WordTable.list(
            """
            null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn
            fünfzehn sechzehn siebzehn achtzehn neunzehn
            """)
        var cardinals = ones
        for ten in ["zwanzig", "dreißig", "vierzig", "fünfzig"] {
            cardinals += (0...9).map { one in
                (one == 0 ? "" : (one == 1 ? "ein" : ones[one]) + "und") + ten
            }
        }
        for (value, word) in cardinals.enumerated() {
            table.words[word, default: Lexeme()].number = Double(value)
            guard value > 0, value <= 31 else { continue }
            let stem =
                switch value {
                case 1: "erst"
                case 3: "dritt"
                case 7: "siebt"
                case 8: "acht"
                case 1..<20: word + "t"
                default: word + "st"
                }
            for ending in ["e", "en", "er", "es", "em"] {
                table.words[stem + ending, default: Lexeme()].ordinal = value
            }
        }
    }
}
