/// Classes of words that tell how a message speaks, in English and German:
/// what is finite, who acts, what joins clauses, what is asked to be told.
/// Closed classes are whole; open ones hold what is common.
enum VoiceWords {
    private static func set(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Verbs that make a sentence of what they stand in.
    static let finite = set(
        """
        is are was were be been being am isn't aren't has have had having does did will would can
        could should might must shall cannot went got came said says told met left felt saw made
        took gave thought knew hurt happened called asked moved started ended crashed needs wants
        sounds seems looks means works fails starts begins ends opens closes leaves arrives lands
        eat eats drink boils dies happens meets hates loves likes invited compared
        ist sind war waren wird werden wurde wurden hat haben hatte hatten kann können konnte soll
        sollen sollte muss müssen musste will wollen möchte darf bin bist seid geht ging kam sagte
        """)

    static let subjects = set(
        """
        i me you he him she we us they them it this these those there who whom whose somebody
        someone anybody anyone nobody everybody everyone people
        ich mir mich du dir dich er ihm sie ihnen wir uns ihr euch es jemand niemand alle man
        """)

    static let joining = set(
        """
        that which because although though while whereas whether if unless but so or nor than vs
        what when where why how not never always usually please
        dass weil obwohl während ob wenn aber oder nicht nie immer was wann warum wieso
        """)

    static let questions = set(
        """
        what when where who whom whose why how which whether if is are was were do does did can
        could should would will shall may might have has am
        wann wie wo was warum wieso wer wen wem welche welcher welches ist sind ob kann
        """)

    /// What an assistant is asked to do, at the head of a message.
    static let verbs = set(
        """
        write tell explain describe summarize summarise translate draft compose give show list
        find search look suggest recommend help think imagine rewrite rephrase shorten correct
        proofread compare make create generate invent continue pretend act brainstorm outline
        define calculate compute convert count figure check spell pronounce analyse analyze debug
        refactor optimize optimise plan design teach quiz solve prove predict guess rank
        sort extract format parse classify let let's tldr delete remove cancel move reschedule
        postpone push shift delay done snooze undo redo rename reopen complete finish start stop
        add insert replace append merge rebase commit deploy compile build execute
        play sing read say talk discuss respond answer evaluate estimate simulate implement
        mark tick bring put drop keep use try order book
        schreib schreibe erkläre erzähl erzähle übersetze fasse rechne nenne liste gib hilf mach
        mache zeig zeige such suche finde vergleiche plane sage sag lies erstelle
        and thanks thank hi hello hey dear see happy good yesterday gestern last letzten
        """)

    /// Nouns of what is told or written, not attended.
    static let told = set(
        """
        poem poems song haiku limerick story stories joke jokes essay article letter script
        dialogue speech summary outline list lists table ideas idea tips advice facts fact
        questions question answer answers lyrics plot meaning definition synonym synonyms history
        difference differences time times news weather forecast price prices rate rates results
        result score winner sunset sunrise hours opening restaurants hotels flights tickets
        recipe recipes menu famous best top worst days weeks months years number numbers guess
        example examples translation quotes quote code function format paragraph sentence word
        words text error errors exit version build host server log logs trope
        gedicht geschichte witz rezept wetter nachrichten ideen tipps bedeutung unterschied
        """)

    /// Nouns of what is attended.
    static let events = set(
        """
        dentist doctor doctor's gp vet optician physio physiotherapist physiotherapy therapy
        therapist checkup check-up surgery haircut hairdresser barber massage meeting meetup call
        sync standup stand-up retro retrospective review interview appointment 1:1 kickoff demo
        presentation webinar workshop seminar lecture class lesson course exam conference talk
        lunch dinner breakfast brunch supper coffee drinks tea picnic barbecue bbq party birthday
        wedding funeral anniversary reception concert gig recital rehearsal movie cinema theatre
        theater opera show exhibition museum match game gym yoga pilates training practice swim
        swimming tennis football soccer golf climbing dance dancing choir band flight train bus
        ferry trip holiday vacation visit tour viewing inspection delivery session club date
        evening night ceremony graduation festival fair market offsite retreat camp camping hike
        zahnarzt zahnärztin arzt ärztin tierarzt termin treffen besprechung sitzung meeting
        mittagessen abendessen frühstück essen kaffee friseur frisör konzert kino theater feier
        geburtstag hochzeit flug zug urlaub kurs unterricht vorlesung prüfung klausur elternabend
        sport schwimmen probe chor besuch physiotherapie untersuchung massage anruf telefonat
        """)

    static let prepositions = set(
        """
        of for from to with at in on about by between into onto over under after before near via
        von vom für mit bei beim in im an am zu zum zur über unter zwischen aus nach vor
        """)

    /// Prepositions that make a noun the topic of another.
    static let belonging: Set<String> = ["of", "about", "between", "over", "über", "zwischen"]

    /// What may follow the time: where, and with whom.
    static let places: Set<String> = [
        "at", "in", "with", "for", "@", "near", "by", "bei", "beim", "mit", "im", "für",
    ]

    /// A verb that these follow is a noun: "call of duty".
    static let nounMakers: Set<String> = [
        "of", "to", "for", "from", "with", "about", "at", "by", "von", "mit", "zu",
    ]

    static let days = set(
        """
        today tonight tomorrow monday tuesday wednesday thursday friday saturday sunday noon
        midnight morning afternoon evening week weekend month mon tue tues wed thu thur thurs fri
        sat sun every daily weekly monthly
        heute morgen montag dienstag mittwoch donnerstag freitag samstag sonntag woche abend
        """)

    static let abbreviations = set(
        """
        dr mr mrs ms prof st no nr vs ca am pm approx jan feb mar apr jun jul aug sep sept oct nov
        dec mon tue wed thu fri sat sun str inc etc z.b bzw min hr hrs std
        """)

    static let reminderLeads = [
        "remind me ", "remind me, ", "remind us ", "reminder: ", "reminder:", "reminder to ",
        "reminder for ", "todo: ", "todo:", "to-do: ", "to-do:", "to do: ", "to do:", "task: ",
        "task:", "todo ", "task ", "add a task", "add task", "add a reminder", "add reminder",
        "add a todo", "add a to-do", "create a reminder", "create reminder", "create a task",
        "create a todo", "set a reminder", "set reminder", "set me a reminder", "make a reminder",
        "new reminder", "new task", "new todo", "don't let me forget ", "dont let me forget ",
        "don’t let me forget ", "don't forget ", "dont forget ", "don’t forget ",
        "i need to be reminded ", "note to self: ", "set an alarm for ", "set an alarm at ",
        "set an alarm in ", "set alarm for ", "set a timer for ", "set timer for ", "wake me at ",
        "wake me up at ", "erinnere mich ", "erinner mich ", "erinnerung: ", "erinnerung:",
        "erinnerung an ", "aufgabe: ", "aufgabe:", "neue aufgabe", "neue erinnerung", "merke: ",
        "vergiss nicht ",
    ]
}
