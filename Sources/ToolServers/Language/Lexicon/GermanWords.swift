/// The German words of dates.
enum GermanWords {
    static let table = made()
    /// Those that cannot be mistaken for English ones.
    static let safe = table.without(
        """
        so do die mi fr di mo sa in an ab was mal des vor um den das dem der s h d t j minute mai
        ein bis von zu am im pro nach acht elf start m alle man ende mit fort september november
        april august null neun zehn drei eins rund morgen ca min
        """)
    static let signs = Set(
        words: """
            uhr am um im der die das den dem und mit mich mir jeden jede jedes heute morgen
            übermorgen montag dienstag mittwoch donnerstag freitag samstag sonntag sonnabend
            nächsten nächste nächster nächstes kommenden woche wochen tag tagen stunde stunden
            minuten monat monats jahr erinnere erinner an zu nach vor bis von ab alle halb viertel
            abend nachmittag mittags abends morgens januar februar märz juni juli oktober dezember
            zahnarzt anrufen bitte ich nicht vergessen für einer einem einen ein eine ende anfang
            mitte montags dienstags mittwochs donnerstags freitags samstags sonntags täglich
            wöchentlich monatlich jährlich werktags wochenende früh nacht mai zwei drei
            """)

    private static func made() -> WordTable {
        var table = WordTable(rows, corrected: corrected)
        addCompoundDays(to: &table)
        addNumbers(to: &table)
        return table
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

    private static let corrected = """
        montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar september
        oktober november dezember wochenende nachmittag vormittag stunden minuten werktags
        donnerstags wochen morgen monatlich
        """

    private static let rows = """
        weekdays 0: sonntag/so montag/mo dienstag/di mittwoch/mi donnerstag/do freitag/fr
        weekdays 6: samstag/sa/sonnabend
        weekdays 0 plural: sonntags montags dienstags mittwochs donnerstags freitags
        weekdays 6 plural: samstags/sonnabends
        role doubtful: so mo di mi do fr sa
        part lateMorning: vormittag; part noon: mittag; part afternoon: nachmittag
        part evening: abend; part night: nacht; part morning: früh frühmorgens
        part midnight: mitternacht; part endOfDay: feierabend; part lunch: mittagszeit
        part dawn: morgengrauen sonnenaufgang; part dusk: sonnenuntergang
        part morning habitual: morgens; part lateMorning habitual: vormittags
        part noon habitual: mittags; part afternoon habitual: nachmittags
        part evening habitual: abends; part night habitual: nachts
        months 1: januar/jan/jänner februar/feb/feber märz/maerz/mär/mrz april/apr mai juni/jun
        months 7: juli/jul august/aug september/sept/sep oktober/okt november/nov dezember/dez
        offsets -2: vorgestern gestern heute/heut morgen übermorgen/uebermorgen überübermorgen
        number 1: ein eine einen einem einer eines ne nem ner
        role article: ein eine einen einem einer eines ne nem ner
        number 5: fuenf; number 2: zwo beiden; number 12: zwoelf; number 30: dreissig
        number 3: paar einige mehreren; number 1.5: anderthalb eineinhalb; number 2.5: zweieinhalb
        number 3.5: dreieinhalb
        often 1: einmal; often 2: zweimal; often 3: dreimal
        unit second: sekunde sekunden sek s; unit minute: minute minuten min m
        unit hour: stunde stunden std h stündchen; unit minute 15: viertelstunde
        unit minute 45: dreiviertelstunde; unit day: tag tage tagen tages; unit week: woche wochen
        unit month: monat monate monaten monats; unit quarter: quartal quartale quartalen quartals
        unit month 6: halbjahr; unit year: jahr jahre jahren jahres
        every hour: stündlich stündliche; every day: täglich tägliche taeglich
        every week: wöchentlich wöchentliche woechentlich
        every week 2: zweiwöchentlich vierzehntägig zweiwöchig; every month: monatlich monatliche
        every month 3: vierteljährlich quartalsweise; every month 6: halbjährlich
        every year: jährlich alljährlich jaehrlich
        role workdays: werktag werktags werktage werktagen wochentags arbeitstag arbeitstags
        role plural: werktags wochentags arbeitstags wochenenden
        role weekend: wochenende wochenenden wochenendes; role at: um; role on: am an
        role about: gegen ca circa etwa ungefähr zirka so; role until: bis; role by: bis spätestens
        role before: vor; role after: nach; role from: von ab vom
        role starting: ab beginnend start; role of: des vom im; role into: im in innerhalb binnen
        role the: der die das dem den des; role every: jeden jede jedes jeder jedem alle
        role next: nächsten nächste nächster nächstes nächstem naechsten naechste
        role this: diesen diese dieser dieses diesem
        role last: letzten letzte letzter letztes letztem
        role coming: kommenden kommende kommender kommendes; role and: und; role halfBefore: halb
        role half: halbe halben halber halbes; role quarter: viertel
        role threeQuarters: dreiviertel; role oclock: uhr; role span: für lang
        role except: außer ausser ohne; role times: mal male; role early: anfang
        role middle: mitte; role late: ende; role start: anfang; role end: ende; role now: jetzt
        role later: später
        role owner: mein meine meinen meiner meinem unser unsere der die das den dem ein eine einen
        role owner: einem einer eines ne nem ner; role between: zwischen; role due: fällig frist
        role time: zeit; role other: anderen andere
        role function: und oder mit ohne wegen über für zu zum zur an auf bei beim von aus dass ob
        role function: wenn weil nach vor in im am um bis ich wir der die das den dem ein eine einen
        role measure: kg km euro prozent personen leute eier stück grad seiten
        """
}
