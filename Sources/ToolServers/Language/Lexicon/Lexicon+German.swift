/// The German words of messages; the rows of dates are in `GermanWords`.
extension Lexicon {
    static let german = Lexicon(
        leads: PatternTable([
            (
                """
                erinnere|erinner|errinner|errinnere|erinnern mich|uns bitte|mal|noch? bitte? daran|dran|an? , dass
                erinnere|erinner|errinner|errinnere|erinnern mich|uns bitte|mal|noch? bitte? daran|dran ,?
                erinnere|erinner|errinner|errinnere|erinnern mich|uns bitte|mal|noch? bitte? an|ans?
                setz|setze|erstell|erstelle|mach|mache|leg|lege mir|uns? eine|'ne|ne? neue? erinnerung an|für|:?
                ich will|möchte|muss daran erinnert werden
                ich hätte gern|gerne eine erinnerung an|für?
                sag mir bescheid
                """, Lead.reminder
            ),
            (
                """
                weck|wecke mich|uns bitte? auf?
                stell|stelle|setz|setze mir|uns|bitte? einen|den|meinen|nen? wecker|alarm auf|für|um?
                wecker auf|für|um|:
                """, .alarm
            ),
            (
                """
                stell|stelle|setz|setze|starte|start mir|uns|bitte? einen|den|nen? timer|kurzzeitwecker auf|für|von?
                timer auf|für|von|:
                """, .timer
            ),
            (
                """
                aufgabe :
                neue aufgabe|erinnerung :?
                erinnerung an|:|für
                nicht vergessen :|,?
                vergiss nicht ,?
                vergiss|vergesst bitte? nicht ,?
                denk|denke bitte|mal? daran|dran ,?
                merke|merk dir? :
                """, .task
            ),
            (
                """
                neuer termin|kalendereintrag :?
                termin :
                trag|trage ein :
                neue verabredung :?
                """, .event
            ),
            (
                """
                ich|wir muss|müssen|soll|sollen|sollte|sollten|will|wollen|möchte noch?
                muss noch
                """, .weakTask
            ),
            ("plane|plan einen|eine|ein", .weakEvent),
            (
                """
                bitte
                hallo|hey
                kannst|könntest|würdest du bitte|mal?
                """, .filler
            ),
        ]),
        splitLeads: [
            SplitLead(
                head: WordPattern("mich|uns bitte?"), tail: ["erinnern"], lead: .reminder,
                isLast: true),
            SplitLead(
                head: WordPattern("mich|uns bitte?"), tail: ["wecken", "aufwecken"], lead: .alarm,
                isLast: true),
            SplitLead(
                head: WordPattern("mir|uns? einen|den|meinen|nen wecker auf|für?"),
                tail: ["stellen"], lead: .alarm, isLast: true),
            SplitLead(
                head: WordPattern("mir|uns? einen|den|nen timer auf|für?"),
                tail: ["stellen", "starten"], lead: .timer, isLast: true),
            SplitLead(
                head: WordPattern("kannst|könntest|würdest du mich|uns bitte?"),
                tail: ["erinnern", "erinnerst"], lead: .reminder, isLast: true),
            SplitLead(
                head: WordPattern("kannst|könntest|würdest du mich|uns bitte?"),
                tail: ["wecken", "aufwecken"], lead: .alarm, isLast: true),
            SplitLead(
                head: WordPattern("ich möchte|will"), tail: ["werden"], lead: .weakTask,
                isLast: true),
        ],
        courtesy: PatternTable([
            (
                """
                bitte|hallo|hey|ok|okay|und|also|so|ähm|äh|ach|ja|jetzt|nun|gut|dann|mal|hm
                ach ja|so|übrigens
                übrigens
                ach? egal|macht nichts?
                guten morgen|abend|tag
                """, Courtesy.filler
            ),
            (
                """
                kannst|könntest|würdest|kannste du? bitte|mal?
                kannst|könntest|würdest du bitte mal
                ich möchte|will , dass du
                sei|seien so nett|gut|lieb und?
                """, .request
            ),
            (
                """
                ich will|möchte|muss|würde
                lass uns
                """, .wish
            ),
            (
                """
                nein|nee|nö|doch|eigentlich|sorry
                doch lieber
                ich meine|meinte
                """, .correction
            ),
        ]),
        closings: patterns(
            """
            bitte|danke|dankeschön|ok
            vielen? dank
            danke schön|dir
            """),
        questions: PatternTable([
            (
                """
                was steht in? meinem? kalender?
                was habe|hab ich
                was haben wir
                was steht auf dem programm|plan
                was ist los|geplant
                was liegt
                zeig|zeige mir? meinen|den|meine kalender|agenda|termine
                mein kalender
                meine termine
                kalender
                habe|hab ich etwas|was|termine
                habe|hab ich irgendwas
                welche termine habe|hab ich
                wie sieht mein|meine tag|woche|kalender
                gibt es termine
                """, Question.agenda(isAddressed: true)
            ),
            ("was ist", .agenda(isAddressed: false)),
            (
                """
                bin|sind ich|wir frei|verfügbar?
                habe|hab|haben ich|wir zeit?
                wann habe|hab|haben ich|wir zeit
                wann bin|sind ich|wir frei?
                """, .free
            ),
            ("bin|sind ich|wir beschäftigt|belegt|verplant|ausgebucht", .busy),
            (
                """
                wann ist|sind|habe|hab ich? mein|meine|der|die|das|den|meinen?
                um wie viel uhr ist mein|meine|der|die|das?
                um wieviel uhr ist mein|meine|der|die|das?
                """, .when
            ),
            (
                """
                was ist|kommt als? nächstes
                mein|der nächster|nächste termin
                nächster termin
                was steht als nächstes
                wann ist mein|der nächster|nächste termin
                """, .next
            ),
            (
                """
                welche erinnerungen|aufgaben habe|hab ich noch|offen?
                zeig|zeige mir? alle? meine|die erinnerungen|aufgaben
                meine offenen? erinnerungen|aufgaben|todos
                erinnerungen|aufgaben
                irgendwelche erinnerungen|aufgaben
                liste meine erinnerungen|aufgaben auf?
                habe|hab ich noch? erinnerungen|aufgaben
                was steht auf meiner to|todo|aufgabenliste -? do? -? liste?
                """, .reminders
            ),
            (
                """
                was ist heute|morgen? fällig
                was muss|soll ich
                was habe|hab ich zu tun
                """, .due
            ),
            (
                """
                was ist überfällig
                überfällige erinnerungen|aufgaben
                """, .overdue
            ),
            (
                """
                zeig|zeige mir? meine|die
                was steht auf meiner|der
                """, .list
            ),
            ("erledigte erinnerungen|aufgaben", .completed),
            (
                """
                finde|suche|such meinen|den|die|das?
                suche|such nach
                """, .find
            ),
        ]),
        changes: PatternTable([
            ("erledigt|fertig :", Change(.done, isListVerb: true)),
            (
                "hake|hak|streiche|streich",
                Change(.done, isListVerb: true, closing: "ab|durch\nvon der|meiner liste")
            ),
            (
                "markiere|markier",
                Change(.done, isListVerb: true, closing: "als erledigt|fertig")
            ),
            ("ich habe|hab", Change(.done, closing: "erledigt|gemacht|fertig")),
            ("lösche|lösch|entferne|entfern", Change(.delete)),
            ("storniere|streiche|streich|cancle", Change(.cancel)),
            ("sage|sag", Change(.cancel, closing: "ab")),
            (
                "nimm",
                Change(.cancel, closing: "aus dem|meinem kalender\nvon der|meiner liste")
            ),
            ("verschiebe|verschieb|verlege|verleg", Change(.move, isListVerb: true)),
            ("zieh|ziehe", Change(.move, closing: "vor", isEarlier: true)),
            ("schlummern|schlummer|snooze", Change(.snooze, isListVerb: true)),
            ("erinnere|erinner mich nochmal|wieder|erneut", Change(.snooze, isListVerb: true)),
            ("benenne|benenn", Change(.rename, closing: "um")),
            ("mach|mache es|das daraus?", Change(.adjust)),
            ("beende|verlängere|verkürze", Change(.end)),
            ("schalte|schalt|stell|stelle", Change(.silence, closing: "aus|ab|an|ein")),
            ("deaktiviere|stoppe|pausiere", Change(.silence)),
        ]),
        undoing: PatternTable([
            ("rückgängig machen?\nmach|mache das|es rückgängig", false),
            ("wiederholen", true),
        ]),
        kinds: PatternTable([
            (
                """
                die|meine? erinnerung|aufgabe an|für|zu|:?
                den|meinen? wecker|timer für|auf|um?
                """, Understanding.Kind.reminder
            ),
            ("den|meinen|der|mein? termin mit|bei|beim|am|für|:?", .event),
        ]),
        kindNouns: [
            "erinnerung": .reminder, "aufgabe": .reminder, "wecker": .reminder,
            "termin": .event, "arzttermin": .event, "zahnarzttermin": .event,
            "friseurtermin": .event,
        ],
        doneEndings: patterns(
            """
            :? ist|sind? erledigt|fertig
            """),
        taskVerbs: words(
            """
            anrufen kaufen gießen putzen bezahlen abholen bringen holen mähen rufe kaufe ruf hol hole
            kauf bezahle zahle gieße füttere bring
            """),
        choreVerbs: words(
            """
            anrufen kaufen gießen putzen bezahlen abholen bringen holen mähen rufe kaufe ruf hol
            hole kauf bezahle zahle gieße füttere bring
            """),
        personalVerbs: words(
            """
            anrufen kaufen gießen putzen bezahlen zahlen abholen holen waschen füttern einkaufen
            rausbringen wegbringen mähen staubsaugen bügeln tanken abgeben
            """),
        aloneVerbs: words("einkaufen staubsaugen bügeln tanken putzen joggen schwimmen laufen"),
        pastVerbs: [:],
        puttingVerbs: words("setz setze pack packe schreib schreibe füge füg trag trage tu"),
        appointments: words(
            """
            zahnarzt zahnärztin arzt ärztin tierarzt hausarzt augenarzt hautarzt frauenarzt
            kinderarzt arzttermin zahnarzttermin friseurtermin termin treffen besprechung sitzung
            meeting mittagessen abendessen frühstück kaffee friseur frisör konzert kino theater oper
            feier geburtstag geburtstagsfeier hochzeit flug zug kurs unterricht vorlesung prüfung
            klausur elternabend schwimmen probe chorprobe chor besuch physiotherapie physio
            untersuchung massage telefonat vorstellungsgespräch stammtisch seminar werkstatt
            impfung blutabnahme yogakurs training fußballtraining tüv grillen sprechstunde
            vorsorge kinobesuch spieleabend konferenz urlaub
            """),
        appointmentEndings: [
            "kurs", "termin", "schicht", "konferenz", "feier", "treffen", "besprechung", "essen",
            "probe", "stunde", "prüfung", "training", "fest", "sitzung", "spiel", "arzt", "abend",
            "gespräch", "urlaub", "konzert",
        ],
        technical: words(
            """
            funktion datei dateien tabelle spalte datenbank ordner klasse methode skript test tests
            variable code branch zeile absatz titel satz
            """),
        leftovers: words(
            """
            bevor bis wenn falls oder wieder nochmal später gleich bald irgendwann demnächst nachher
            vielleicht eventuell evtl womöglich zweimal dreimal sobald heute übermorgen gestern außer jeden jede jedes dann vorher danach sonst immer
            """),
        unsureTimes: words(
            """
            später bald gleich sonnenaufgang sonnenuntergang feierabend paar einigen nachher oder
            """),
        vague: patterns(
            """
            nach|vor der|dem|den arbeit|schule|essen|mittag|frühstück|abendessen|feierabend
            in kürze
            um? dieselbe|dieselben|gleiche|selbe|gleichen zeit
            zur selben|gleichen zeit
            bei gelegenheit
            ein bisschen|wenig|weilchen
            bei sonnenuntergang|sonnenaufgang
            an? meinem|deinem geburtstag
            in ein|einer paar? weile|moment|tagen|wochen
            einmal|zweimal|dreimal pro|am|im|die|in tag|woche|monat|jahr|der?
            ab und zu
            """),
        assistantVerbs: words(
            """
            schreib schreibe erkläre erzähl übersetze fasse rechne nenne liste gib hilf mach sag zeig
            zeige erstelle lösche gestern letzten
            """),
        writings: words(
            """
            gedicht geschichte witz rezept wetter nachrichten ideen tipps bedeutung unterschied
            """),
        questionWords: words(
            """
            wann wie wo was warum wieso weshalb wer wen wem welche welcher welches ist sind ob kann
            habe hat bin soll muss darf gibt
            """),
        finiteVerbs: words(
            """
            ist sind war waren wird werden wurde wurden hat haben hatte hatten kann können konnte
            soll sollen sollte muss müssen musste wollen möchte darf bin bist seid geht ging
            kam sagte
            """),
        subjects: words(
            """
            ich du er wir ihr sich jemand niemand
            """),
        prepositions: words(
            """
            von vom für mit bei beim in im an am zu zum zur über unter zwischen aus nach vor auf
            """),
        pronouns: words("es das dies dieses ihn sie die den"),
        articles: words("der die das den dem ein eine einen mein meine meinen unser unsere"))
}
