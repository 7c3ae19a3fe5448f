/// The English words of dates.
enum EnglishWords {
    static let table = make()
    /// Those that cannot be mistaken for German ones.
    static let safe = table.without([
        "am", "in", "so", "die", "an", "man", "was", "mi", "do", "di", "mo", "fr", "sa", "a",
        "um", "will", "end", "mark", "fast", "sun", "mar", "april", "august", "september",
        "november", "mal", "rest", "m", "h", "s", "d", "w", "y", "minute",
    ])
    static let signs: Set<String> = [
        "the", "to", "at", "on", "every", "and", "tomorrow", "today", "tonight", "remind", "me",
        "of", "next", "my", "with", "for", "from", "by", "call", "monday", "tuesday", "wednesday",
        "thursday", "friday", "saturday", "sunday", "week", "month", "hours", "minutes", "days",
        "hour", "morning", "evening", "afternoon", "each", "until", "after", "before", "o'clock",
        "pm", "night", "week", "weeks", "year", "half", "quarter", "weekday", "weekend", "due",
        "alarm", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        "ten",
        "eleven", "twelve", "timer", "wake",
        "noon", "midnight", "weekly", "monthly", "daily", "yearly", "buy", "is", "are", "this",
        "can", "you", "set", "alarm", "timer", "add", "reminder", "please", "i",
    ]

    private static func make() -> WordTable {
        var table = WordTable()
        days(&table)
        numbers(&table)
        units(&table)
        smallWords(&table)
        table.corrected = [
            "tomorrow", "tonight", "yesterday", "monday", "tuesday", "wednesday", "thursday",
            "friday", "saturday", "sunday", "january", "february", "march", "april", "august",
            "september", "october", "november", "december", "morning", "afternoon", "evening",
            "weekend", "weekday", "minutes", "midnight", "mondays", "tuesdays", "wednesdays",
            "thursdays", "fridays", "saturdays", "sundays", "fortnight", "every", "weekdays",
            "monthly", "yearly", "biweekly", "quarterly", "fortnightly",
        ]
        return table
    }

    private static func days(_ table: inout WordTable) {
        table.enumerate([
            "sunday sun sund", "monday mon mond", "tuesday tue tues", "wednesday wed weds wednes",
            "thursday thu thur thurs", "friday fri frid", "saturday sat satur",
        ]) { $0.weekday = $1 }
        table.enumerate([
            "sundays suns", "mondays mons", "tuesdays tues.", "wednesdays", "thursdays",
            "fridays fris", "saturdays sats",
        ]) {
            $0.weekday = $1
            $0.roles.insert(.plural)
        }
        table.add("sun sat wed", roles: .doubtful)
        table.enumerate([
            "", "january jan", "february feb febr", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sept sep", "october oct", "november nov",
            "december dec decem",
        ]) { $0.month = $1 }
        table.add("may march mar jan june august april", roles: .doubtful)
        table.add("today tday 2day todays") { $0.offset = 0 }
        table.add(
            "tomorrow tmrw tmr tmw tmo tom tomo tomoz tomorow tommorow tommorrow tomorro tmmrw tmrrw 2moro 2morrow 2mrw 2mro morrow tomoro tomorra tmoro tommorw tmorrow"
        ) { $0.offset = 1 }
        table.add("tom", roles: .doubtful)
        table.add("overmorrow") { $0.offset = 2 }
        table.add("yesterday yday") { $0.offset = -1 }
        table.add("tonight tonite 2nite 2night tnight tonigt") {
            $0.offset = 0
            $0.part = .night
        }
        table.add("morning mornin morn", part: .morning)
        table.add("noon midday noontime", part: .noon)
        table.add("afternoon arvo aft", part: .afternoon)
        table.add("evening eve evng", part: .evening)
        table.add("night nite nighttime", part: .night)
        table.add("midnight", part: .midnight)
        table.add("lunchtime", part: .lunch)
        table.add("dinnertime suppertime teatime", part: .dinner)
        table.add("bedtime", part: .bedtime)
        table.add("dawn sunrise daybreak sunup", part: .dawn)
        table.add("dusk sunset nightfall sundown", part: .dusk)
        table.add("eod cob", part: .endOfDay)
        table.add("midmorning", part: .lateMorning)
        table.add("midafternoon", part: .afternoon)
        table.add("mornings") {
            $0.part = .morning
            $0.roles.insert(.plural)
        }
        table.add("afternoons") {
            $0.part = .afternoon
            $0.roles.insert(.plural)
        }
        table.add("evenings") {
            $0.part = .evening
            $0.roles.insert(.plural)
        }
        table.add("nights nites") {
            $0.part = .night
            $0.roles.insert(.plural)
        }
    }

    private static func numbers(_ table: inout WordTable) {
        table.enumerate([
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
            "eighteen", "nineteen", "twenty",
        ]) { $0.number = Double($1) }
        for (word, value) in [
            ("thirty", 30.0), ("forty", 40), ("fourty", 40), ("fifty", 50), ("sixty", 60),
            ("seventy", 70), ("eighty", 80), ("ninety", 90), ("hundred", 100), ("couple", 2),
            ("few", 3), ("dozen", 12), ("several", 3),
        ] { table.add(word) { $0.number = value } }
        table.enumerate([
            "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
            "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth",
            "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
        ]) { $0.ordinal = $1 }
        table.add("thirtieth") { $0.ordinal = 30 }
        table.add("once", times: 1)
        table.add("twice", times: 2)
        table.add("thrice", times: 3)
    }

    private static func units(_ table: inout WordTable) {
        table.add("second seconds sec secs s", unit: .second)
        table.add("minute minutes min mins m mintues minuets minits minute's", unit: .minute)
        table.add("hour hours hr hrs h hour's", unit: .hour)
        table.add("day days d day's", unit: .day)
        table.add("week weeks wk wks w week's", unit: .week)
        table.add("fortnight fortnights", unit: .week, scale: 2)
        table.add("month months mo mos mth mths month's", unit: .month)
        table.add("quarter quarters qtr", unit: .quarter)
        table.add("year years yr yrs y year's", unit: .year)
        table.add("decade decades", unit: .year, scale: 10)
        table.add("hourly", every: 1, .hour)
        table.add("daily everyday", every: 1, .day)
        table.add("weekly", every: 1, .week)
        table.add("biweekly fortnightly", every: 2, .week)
        table.add("monthly", every: 1, .month)
        table.add("bimonthly", every: 2, .month)
        table.add("quarterly", every: 3, .month)
        table.add("semiannually biannually semiannual", every: 6, .month)
        table.add("yearly annually annual", every: 1, .year)
        table.add("biennially", every: 2, .year)
        table.add("nightly") {
            $0.adverb = (.day, 1)
            $0.part = .night
        }
        table.add("weekday weekdays workday workdays workweek", roles: .workdays)
        table.add("weekend weekends", roles: .weekend)
        table.add("weekdays workdays weekends", roles: .plural)
    }

    private static func smallWords(_ table: inout WordTable) {
        let roles: [(String, Lexeme.Roles)] = [
            ("at @ @at", .at), ("on", .on), ("by", .by), ("before", .before), ("after", .after),
            ("from", .from), ("until till til untill thru through 'til", .until), ("of", .of),
            ("the th teh", .the), ("in within", .into), ("every each evry evey evrey ea", .every),
            ("other alternate alternating", .other), ("next nxt nex", .next), ("this", .this),
            ("last final", .last), ("coming upcoming following", .coming), ("and & plus n", .and),
            ("half", .half), ("quarter quarters quater qtr", .quarter), ("past", .past),
            ("to til", .to),
            ("am", .am), ("pm", .pm), ("o'clock oclock clock hrs hundred", .oclock),
            ("a an", .article), ("for", .span),
            ("around about approx approximately roughly circa ca ~ exactly precisely like", .about),
            ("starting beginning start begin starts begins commencing effective", .starting),
            ("except excluding excl exc not but skipping skip without", .except),
            ("times x time occurrences sessions occasions repetitions", .times),
            ("early beginning start", .early), ("mid middle", .middle), ("late end", .late),
            ("beginning start", .start), ("end ending close", .end),
            ("now", .now), ("later hence", .later),
            ("my our your his her their its the a an some", .owner),
            ("time", .time), ("between", .between),
            ("due deadline", .due),
            (
                "about with to for and or re regarding because so if when while that which who per via at on in into from by before after until unless but as than over near behind under between without then & + = | i we you he she it they is are was will",
                .function
            ),
            (
                "kg km g lb lbs mg ml l liters litres percent % degrees euro euros eur usd dollars bucks pounds people persons guests eggs pages items pieces boxes bottles miles meters metres cups slices chapters copies tickets sets reps laps points players servings portions kids friends options € $ £ °",
                .measure
            ),
        ]
        for (words, role) in roles { table.add(words, roles: role) }
    }
}
