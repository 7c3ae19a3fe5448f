import AgentCore

/// The feast days that people set dates by.
enum Holiday: Sendable, Equatable {
    case fixed(month: Int, day: Int)
    /// Days after Easter Sunday.
    case easter(Int)
    /// The nth (or last, -1) weekday of a month.
    case nth(Int, weekday: Int, month: Int, plus: Int)

    func date(in year: Int) -> CivilDate? {
        switch self {
        case .fixed(let month, let day): return CivilDate(year: year, month: month, day: day)
        case .easter(let days): return Self.easterSunday(of: year)?.adding(days: days)
        case .nth(let ordinal, let weekday, let month, let plus):
            return DateArithmetic.nth(ordinal, weekday: weekday, month: month, year: year)?
                .adding(days: plus)
        }
    }

    /// The Gregorian computus (Meeus, Jones, Butcher).
    static func easterSunday(of year: Int) -> CivilDate? {
        let (a, b, c) = (year % 19, year / 100, year % 100)
        let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
        let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
        let m = (a + 11 * h + 22 * l) / 451
        let sum = h + l - 7 * m + 114
        return CivilDate(year: year, month: sum / 31, day: sum % 31 + 1)
    }

    /// The feast whose name begins at `index`, and where the name ends.
    static func named(
        _ tokens: [Token], at index: Int, isAmerican: Bool
    ) -> (value: Holiday, end: Int)? {
        guard let match = names.match(tokens, at: index) else { return nil }
        // Mothering Sunday, the fourth of Lent.
        let isMothers = match.value == .nth(2, weekday: 0, month: 5, plus: 0)
        return isMothers && !isAmerican && tokens[index].text != "muttertag"
            ? (.easter(-21), match.end) : match
    }

    private static let names = PhraseTable<Holiday>([
        ("christmas eve|xmas eve|heiligabend|heilig abend", .fixed(month: 12, day: 24)),
        (
            "christmas day|xmas day|christmas|xmas|x-mas|weihnachten|weihnachtstag",
            .fixed(month: 12, day: 25)
        ),
        ("boxing day|second christmas day|st stephen day", .fixed(month: 12, day: 26)),
        (
            "new year eve|new years eve|nye|silvester|hogmanay|sylvester",
            .fixed(month: 12, day: 31)
        ),
        (
            "new year day|new years day|new year|new years|neujahr|neujahrstag",
            .fixed(month: 1, day: 1)
        ),
        (
            "epiphany|dreikönigstag|three kings day|twelfth night|heilige drei könige",
            .fixed(month: 1, day: 6)
        ),
        ("burns night", .fixed(month: 1, day: 25)),
        ("groundhog day", .fixed(month: 2, day: 2)),
        (
            "valentine day|valentines day|valentine|valentines|valentinstag",
            .fixed(month: 2, day: 14)
        ),
        (
            "st patrick day|st . patrick day|saint patrick day|st patricks day|paddy day|st paddy day",
            .fixed(month: 3, day: 17)
        ),
        ("april fools day|april fools|april fool day|april fool", .fixed(month: 4, day: 1)),
        ("earth day", .fixed(month: 4, day: 22)),
        ("st george day", .fixed(month: 4, day: 23)),
        ("walpurgisnacht", .fixed(month: 4, day: 30)),
        ("tag der arbeit|may day|maifeiertag", .fixed(month: 5, day: 1)),
        ("star wars day", .fixed(month: 5, day: 4)),
        ("juneteenth", .fixed(month: 6, day: 19)),
        ("canada day", .fixed(month: 7, day: 1)),
        ("independence day|fourth of july|4 th of july|4 of july", .fixed(month: 7, day: 4)),
        ("bastille day", .fixed(month: 7, day: 14)),
        ("tag der deutschen einheit|german unity day|einheitstag", .fixed(month: 10, day: 3)),
        ("reformationstag|reformation day", .fixed(month: 10, day: 31)),
        ("halloween", .fixed(month: 10, day: 31)),
        ("all saints day|all saint day|allerheiligen", .fixed(month: 11, day: 1)),
        ("all souls day|allerseelen", .fixed(month: 11, day: 2)),
        ("bonfire night|guy fawkes night|guy fawkes day|guy fawkes", .fixed(month: 11, day: 5)),
        (
            "veterans day|veteran day|remembrance day|armistice day|martinstag|st martin",
            .fixed(month: 11, day: 11)
        ),
        ("st nicholas day|nikolaus|nikolaustag|saint nicholas day", .fixed(month: 12, day: 6)),
        (
            "shrove tuesday|pancake day|mardi gras|fat tuesday|faschingsdienstag|pancake tuesday",
            .easter(-47)
        ),
        ("rosenmontag", .easter(-48)), ("weiberfastnacht", .easter(-52)),
        ("ash wednesday|aschermittwoch", .easter(-46)),
        ("palm sunday|palmsonntag", .easter(-7)),
        ("maundy thursday|gründonnerstag|holy thursday", .easter(-3)),
        ("good friday|karfreitag", .easter(-2)),
        ("holy saturday|easter saturday|karsamstag|ostersamstag|easter eve", .easter(-1)),
        ("easter sunday|easter day|easter|ostersonntag|ostern", .easter(0)),
        ("easter monday|ostermontag", .easter(1)),
        ("ascension day|ascension|christi himmelfahrt|himmelfahrt|vatertag", .easter(39)),
        ("whit sunday|pentecost sunday|pentecost|whitsun|pfingsten|pfingstsonntag", .easter(49)),
        ("whit monday|pentecost monday|pfingstmontag", .easter(50)),
        ("corpus christi|fronleichnam", .easter(60)),
        ("mothering sunday", .easter(-21)),
        ("mother day|mothers day|muttertag", .nth(2, weekday: 0, month: 5, plus: 0)),
        ("father day|fathers day", .nth(3, weekday: 0, month: 6, plus: 0)),
        ("memorial day", .nth(-1, weekday: 1, month: 5, plus: 0)),
        ("labor day|labour day", .nth(1, weekday: 1, month: 9, plus: 0)),
        ("columbus day|indigenous peoples day", .nth(2, weekday: 1, month: 10, plus: 0)),
        ("martin luther king day|mlk day", .nth(3, weekday: 1, month: 1, plus: 0)),
        ("presidents day|president day", .nth(3, weekday: 1, month: 2, plus: 0)),
        ("thanksgiving day|thanksgiving", .nth(4, weekday: 4, month: 11, plus: 0)),
        ("black friday", .nth(4, weekday: 4, month: 11, plus: 1)),
        ("cyber monday", .nth(4, weekday: 4, month: 11, plus: 4)),
    ])
}
