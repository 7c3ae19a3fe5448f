/// The German words of dates.
enum GermanWords {
    static let table = make()
    /// Those that cannot be mistaken for English ones.
    static let safe = table.without([
        "so", "do", "die", "mi", "fr", "di", "mo", "sa", "in", "an", "ab", "was", "mal", "an",
        "des", "vor", "um", "den", "das", "dem", "der", "s", "h", "d", "t", "j", "minute", "mai",
        "ein", "bis", "von", "zu", "am", "im", "pro", "nach", "acht", "elf", "start", "m",
        "mai", "alle", "man", "ende", "mit", "fort", "september", "november", "april", "august",
        "null", "neun", "zehn", "drei", "eins", "rund", "morgen", "ca", "min", "std",
    ])
    static let signs: Set<String> = [
        "uhr", "am", "um", "im", "der", "die", "das", "den", "dem", "und", "mit", "mich", "mir",
        "jeden", "jede", "jedes", "heute", "morgen", "übermorgen", "montag", "dienstag",
        "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "sonnabend", "nächsten",
        "nächste", "nächster", "nächstes", "kommenden", "woche", "wochen", "tag", "tagen",
        "stunde", "stunden", "minuten", "monat", "monats", "jahr", "erinnere", "erinner", "an",
        "zu", "nach", "vor", "bis", "von", "ab", "alle", "halb", "viertel", "abend", "nachmittag",
        "mittags", "abends", "morgens", "januar", "februar", "märz", "juni", "juli", "oktober",
        "dezember", "zahnarzt", "anrufen", "bitte", "ich", "nicht", "vergessen", "für", "einer",
        "einem", "einen", "ein", "eine", "ende", "anfang", "mitte", "montags", "dienstags",
        "mittwochs", "donnerstags", "freitags", "samstags", "sonntags", "täglich", "wöchentlich",
        "monatlich", "jährlich", "werktags", "wochenende", "früh", "nacht", "mai", "zwei", "drei",
    ]

    private static func make() -> WordTable {
        var table = WordTable()
        days(&table)
        numbers(&table)
        units(&table)
        smallWords(&table)
        table.corrected = [
            "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
            "januar", "februar", "september", "oktober", "november", "dezember", "wochenende",
            "nachmittag", "vormittag", "stunden", "minuten", "werktags", "donnerstags",
            "wochen", "morgen", "monatlich",
        ]
        return table
    }

    private static let weekdays = [
        "sonntag", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag",
    ]

    private static func days(_ table: inout WordTable) {
        table.enumerate([
            "sonntag so", "montag mo", "dienstag di", "mittwoch mi", "donnerstag do", "freitag fr",
            "samstag sa sonnabend",
        ]) { $0.weekday = $1 }
        table.add("so mo di mi do fr sa", roles: .doubtful)
        table.enumerate(weekdays.map { $0 + "s" }) {
            $0.weekday = $1
            $0.roles.insert(.plural)
        }
        table.add("sonnabends") {
            $0.weekday = 6
            $0.roles.insert(.plural)
        }
        let parts: [(String, DayPart)] = [
            ("früh", .morning), ("morgen", .morning), ("vormittag", .lateMorning),
            ("mittag", .noon), ("nachmittag", .afternoon), ("abend", .evening), ("nacht", .night),
        ]
        for (index, weekday) in (weekdays + ["sonnabend"]).enumerated() {
            for (name, part) in parts {
                table.add(weekday + name) {
                    $0.weekday = index % 7 == 0 && index == 7 ? 6 : index
                    $0.part = part
                }
                table.add(weekday + name + "s") {
                    $0.weekday = index == 7 ? 6 : index
                    $0.part = part
                    $0.roles.insert(.plural)
                }
            }
        }
        for (name, part) in parts.dropFirst() {
            table.add(name, part: part)
            table.add(name + "s") {
                $0.part = part
                $0.roles.insert(.habitual)
            }
        }
        table.add("früh frühmorgens", part: .morning)
        table.add("mitternacht", part: .midnight)
        table.add("feierabend", part: .endOfDay)
        table.add("mittagszeit", part: .lunch)
        table.add("morgengrauen sonnenaufgang", part: .dawn)
        table.add("sonnenuntergang", part: .dusk)
        table.enumerate([
            "", "januar jan jänner", "februar feb feber", "märz maerz mär mrz", "april apr", "mai",
            "juni jun", "juli jul", "august aug", "september sept sep", "oktober okt",
            "november nov", "dezember dez",
        ]) { $0.month = $1 }
        table.add("heute heut") { $0.offset = 0 }
        table.add("morgen") { $0.offset = 1 }
        table.add("übermorgen uebermorgen") { $0.offset = 2 }
        table.add("überübermorgen") { $0.offset = 3 }
        table.add("gestern") { $0.offset = -1 }
        table.add("vorgestern") { $0.offset = -2 }
    }

    private static func numbers(_ table: inout WordTable) {
        let ones = [
            "null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun",
            "zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn",
            "achtzehn", "neunzehn",
        ]
        let tens = ["zwanzig", "dreißig", "vierzig", "fünfzig"]
        var cardinals = ones
        for ten in tens {
            for one in 0...9 {
                let prefix = one == 0 ? "" : (one == 1 ? "ein" : ones[one]) + "und"
                cardinals.append(prefix + ten)
            }
        }
        for (value, word) in cardinals.enumerated() {
            table.add(word) { $0.number = Double(value) }
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
                table.add(stem + ending) { $0.ordinal = value }
            }
        }
        table.add("ein eine einen einem einer eines ne nem ner") {
            $0.number = 1
            $0.roles.formUnion([.article, .owner])
        }
        table.add("fuenf") { $0.number = 5 }
        table.add("zwo beiden") { $0.number = 2 }
        table.add("zwoelf") { $0.number = 12 }
        table.add("dreissig") { $0.number = 30 }
        table.add("paar") { $0.number = 3 }
        table.add("einige ein-paar mehreren") { $0.number = 3 }
        table.add("anderthalb eineinhalb") { $0.number = 1.5 }
        table.add("zweieinhalb") { $0.number = 2.5 }
        table.add("dreieinhalb") { $0.number = 3.5 }
        table.add("einmal", times: 1)
        table.add("zweimal", times: 2)
        table.add("dreimal", times: 3)
    }

    private static func units(_ table: inout WordTable) {
        table.add("sekunde sekunden sek s", unit: .second)
        table.add("minute minuten min m", unit: .minute)
        table.add("stunde stunden std h stündchen", unit: .hour)
        table.add("viertelstunde", unit: .minute, scale: 15)
        table.add("dreiviertelstunde", unit: .minute, scale: 45)
        table.add("tag tage tagen tages", unit: .day)
        table.add("woche wochen", unit: .week)
        table.add("monat monate monaten monats", unit: .month)
        table.add("quartal quartale quartalen quartals", unit: .quarter)
        table.add("halbjahr", unit: .month, scale: 6)
        table.add("jahr jahre jahren jahres", unit: .year)
        table.add("stündlich stündliche", every: 1, .hour)
        table.add("täglich tägliche taeglich", every: 1, .day)
        table.add("wöchentlich wöchentliche woechentlich", every: 1, .week)
        table.add("zweiwöchentlich vierzehntägig zweiwöchig 14-tägig", every: 2, .week)
        table.add("monatlich monatliche", every: 1, .month)
        table.add("vierteljährlich quartalsweise", every: 3, .month)
        table.add("halbjährlich", every: 6, .month)
        table.add("jährlich alljährlich jaehrlich", every: 1, .year)
        table.add(
            "werktag werktags werktage werktagen wochentags arbeitstag arbeitstags",
            roles: .workdays)
        table.add("werktags wochentags arbeitstags wochenenden", roles: .plural)
        table.add("wochenende wochenenden wochenendes", roles: .weekend)
    }

    private static func smallWords(_ table: inout WordTable) {
        let roles: [(String, Lexeme.Roles)] = [
            ("um", .at), ("am an", .on), ("gegen ca circa etwa ungefähr zirka so", .about),
            ("bis", .until), ("bis spätestens", .by), ("vor", .before), ("nach", .after),
            ("von ab", .from), ("ab beginnend start", .starting), ("des vom", .of),
            ("im in", .into),
            ("im", .of), ("vom", .from),
            ("der die das dem den des", .the), ("innerhalb binnen", .into),
            ("jeden jede jedes jeder jedem alle", .every),
            ("nächsten nächste nächster nächstes nächstem naechsten naechste", .next),
            ("diesen diese dieser dieses diesem", .this),
            ("letzten letzte letzter letztes letztem", .last),
            ("kommenden kommende kommender kommendes", .coming), ("und", .and),
            ("halb", .halfBefore), ("halbe halben halber halbes", .half), ("viertel", .quarter),
            ("dreiviertel", .threeQuarters), ("uhr", .oclock), ("für lang", .span),
            ("außer ausser ohne", .except), ("mal male", .times), ("anfang", .early),
            ("mitte", .middle), ("ende", .late), ("anfang", .start), ("ende", .end),
            ("jetzt", .now), ("später", .later),
            ("mein meine meinen meiner meinem unser unsere", .owner),
            ("der die das den dem", .owner), ("zwischen", .between), ("fällig frist", .due),
            ("zeit", .time), ("anderen andere", .other),
            (
                "und oder mit ohne wegen über für zu zum zur an auf bei beim von aus dass ob wenn weil nach vor in im am um bis ich wir der die das den dem ein eine einen",
                .function
            ),
            ("kg km euro prozent personen leute eier stück grad seiten", .measure),
        ]
        for (words, role) in roles { table.add(words, roles: role) }
    }
}
