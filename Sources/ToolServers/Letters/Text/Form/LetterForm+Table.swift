import Base

/// The built-in letter forms. The first row of a language is used if the country is
/// unknown.
extension LetterForm {
    static let all: [LetterForm] = [
        american, british, indian, german, austrian, swiss, french, spanish, polish, italian,
        dutch, portuguese, brazilian, swedish, danish, norwegian,
    ]

    /// Common names of a language, folded as in `SearchText`.
    static let names: [String: Set<String>] = [
        "en-US": ["english", "american english", "us english", "american"],
        "en-GB": ["british english", "british", "uk english"],
        "en-IN": ["indian english"],
        "de": ["german", "deutsch"], "fr": ["french", "francais"],
        "es": ["spanish", "espanol", "castellano"], "pl": ["polish", "polski"],
        "it": ["italian", "italiano"], "nl": ["dutch", "nederlands"],
        "pt": ["portuguese", "portugues"], "pt-BR": ["brazilian portuguese", "brasileiro"],
        "sv": ["swedish", "svenska"], "da": ["danish", "dansk"],
        "nb": ["norwegian", "norsk", "no", "bokmal"],
    ]

    /// Countries that use another country's form.
    static let regions: [String: Set<String>] = [
        "en-US": ["CA", "PH"],
        "en-GB": ["IE", "AU", "NZ", "ZA", "SG", "HK", "MT", "NG", "KE"],
        "en-IN": ["PK", "BD", "LK"], "de-CH": ["LI"], "fr": ["BE", "LU", "CH", "CA"],
    ]

    private static let american = LetterForm(
        tag: "en-US", language: "American English",
        order: [.sender, .date, .recipient, .subject, .salutation],
        months: CivilDate.longMonthNames,
        date: "{month} {d}, {y}", subject: "Re: Application for the position of {role}",
        subjectAlone: "Re: Application", toHer: "Dear {title}{surname},",
        toHim: "Dear {title}{surname},", toName: "Dear {name},", toNobody: "Dear Hiring Manager,",
        closing: "Sincerely,", friendlyClosing: "Best regards,", her: "Ms.", him: "Mr.",
        doctor: "Dr.", titleStandsAlone: true)

    static let british = LetterForm(
        tag: "en-GB", language: "British English",
        order: [.sender, .date, .recipient, .salutation, .subject],
        months: CivilDate.longMonthNames,
        date: "{d} {month} {y}", subject: "Application for the position of {role}",
        subjectAlone: "Application", toHer: "Dear {title}{surname},",
        toHim: "Dear {title}{surname},", toName: "Dear {name},", toNobody: "Dear Sir or Madam,",
        closing: "Yours sincerely,", closingToNobody: "Yours faithfully,",
        friendlyClosing: "Kind regards,", her: "Ms", him: "Mr",
        doctor: "Dr", titleStandsAlone: true)

    private static let indian: LetterForm = {
        var form = british
        form.tag = "en-IN"
        form.language = "Indian English"
        form.order = [.sender, .date, .recipient, .subject, .salutation]
        form.subject = "Subject: Application for the position of {role}"
        form.subjectAlone = "Subject: Application"
        return form
    }()

    private static let german = LetterForm(
        tag: "de", language: "German", order: [.sender, .recipient, .date, .subject, .salutation],
        months: [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
            "Oktober", "November", "Dezember",
        ], date: "{d}. {month} {y}", dateline: "{place}, {date}", subject: "Bewerbung als {role}",
        subjectAlone: "Bewerbung", reference: "Kennziffer", toHer: "Sehr geehrte {title}{surname},",
        toHim: "Sehr geehrter {title}{surname},", toName: "Guten Tag {name},",
        toNobody: "Sehr geehrte Damen und Herren,", closing: "Mit freundlichen Grüßen",
        friendlyClosing: "Viele Grüße",
        her: "Frau", him: "Herr", doctor: "Dr.", goesOnInLowerCase: true)

    private static let austrian: LetterForm = {
        var form = german
        form.tag = "de-AT"
        form.months[0] = "Jänner"
        return form
    }()

    private static let swiss: LetterForm = {
        var form = german
        form.tag = "de-CH"
        form.language = "Swiss German standard spelling (ss, no ß)"
        form.toHer = "Sehr geehrte {title}{surname}"
        form.toHim = "Sehr geehrter {title}{surname}"
        form.toName = "Guten Tag {name}"
        form.toNobody = "Sehr geehrte Damen und Herren"
        form.closing = "Freundliche Grüsse"
        form.friendlyClosing = "Herzliche Grüsse"
        // There is no comma, so a new sentence begins.
        form.goesOnInLowerCase = false
        return form
    }()

    private static let french = LetterForm(
        tag: "fr", language: "French", order: [.sender, .recipient, .date, .subject, .salutation],
        months: [
            "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
            "octobre", "novembre", "décembre",
        ], date: "{d} {month} {y}", first: "1er", dateline: "{place}, le {date}",
        subject: "Objet : Candidature au poste de {role}", subjectAlone: "Objet : Candidature",
        reference: "réf.",
        toHer: "Madame {surname},", toHim: "Monsieur {surname},", toName: "Bonjour {name},",
        toNobody: "Madame, Monsieur,",
        closing: "Je vous prie d’agréer, {address}, l’expression de mes salutations distinguées.",
        friendlyClosing: "Bien cordialement,",
        her: "Madame", him: "Monsieur")

    private static let spanish = LetterForm(
        tag: "es", language: "Spanish", order: [.sender, .recipient, .date, .subject, .salutation],
        months: [
            "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto",
            "septiembre", "octubre", "noviembre", "diciembre",
        ], date: "{d} de {month} de {y}", dateline: "{place}, {date}",
        subject: "Asunto: Candidatura al puesto de {role}", subjectAlone: "Asunto: Candidatura",
        toHer: "Estimada {title}{surname}:", toHim: "Estimado {title}{surname}:",
        toName: "Estimado/a {name}:", toNobody: "Estimados señores:", closing: "Atentamente,",
        friendlyClosing: "Un cordial saludo,",
        her: "Sra.", him: "Sr.", hasTwoSurnames: true)

    private static let polish = LetterForm(
        tag: "pl", language: "Polish", order: [.sender, .date, .recipient, .subject, .salutation],
        months: [
            "stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca", "lipca", "sierpnia",
            "września", "października", "listopada", "grudnia",
        ], date: "{d} {month} {y} r.", dateline: "{place}, {date}",
        subject: "Dotyczy: aplikacji na stanowisko {role}", subjectAlone: "Dotyczy: aplikacji",
        reference: "nr ref.",
        toHer: "Szanowna Pani,", toHim: "Szanowny Panie,", toName: "Szanowni Państwo,",
        toNobody: "Szanowni Państwo,", closing: "Z poważaniem",
        friendlyClosing: "Z serdecznymi pozdrowieniami", her: "Pani", him: "Pan",
        goesOnInLowerCase: true)

    private static let italian = LetterForm(
        tag: "it", language: "Italian", order: [.sender, .recipient, .date, .subject, .salutation],
        months: [
            "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto",
            "settembre", "ottobre", "novembre", "dicembre",
        ], date: "{d} {month} {y}", first: "1º", dateline: "{place}, {date}",
        subject: "Oggetto: Candidatura per la posizione di {role}",
        subjectAlone: "Oggetto: Candidatura", reference: "Rif.", toHer: "Gentile {title}{surname},",
        toHim: "Gentile {title}{surname},", toName: "Gentile {name},",
        toNobody: "Gentili Signore e Signori,", closing: "Cordiali saluti,",
        friendlyClosing: "Un cordiale saluto,", her: "Sig.ra",
        him: "Sig.", doctor: "Dott.", titleStandsAlone: true, goesOnInLowerCase: true)

    private static let dutch = LetterForm(
        tag: "nl", language: "Dutch", order: [.sender, .recipient, .date, .subject, .salutation],
        months: [
            "januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus",
            "september", "oktober", "november", "december",
        ], date: "{d} {month} {y}", dateline: "{place}, {date}",
        subject: "Betreft: sollicitatie naar de functie van {role}",
        subjectAlone: "Betreft: sollicitatie", toHer: "Geachte {title}{surname},",
        toHim: "Geachte {title}{surname},", toName: "Geachte {name},",
        toNobody: "Geachte heer, mevrouw,", closing: "Met vriendelijke groet,",
        friendlyClosing: "Hartelijke groet,", her: "mevrouw",
        him: "heer")

    private static let portuguese = LetterForm(
        tag: "pt", language: "European Portuguese",
        order: [.sender, .recipient, .date, .subject, .salutation],
        months: [
            "janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto",
            "setembro", "outubro", "novembro", "dezembro",
        ], date: "{d} de {month} de {y}", dateline: "{place}, {date}",
        subject: "Assunto: Candidatura à vaga de {role}", subjectAlone: "Assunto: Candidatura",
        toHer: "Exma. {title}{surname},", toHim: "Exmo. {title}{surname},",
        toName: "Caro(a) {name},", toNobody: "Exmos. Senhores,",
        closing: "Com os melhores cumprimentos,",
        friendlyClosing: "Cordialmente,", her: "Sra.", him: "Sr.")

    private static let brazilian: LetterForm = {
        var form = portuguese
        form.tag = "pt-BR"
        form.language = "Brazilian Portuguese"
        form.toHer = "Prezada {title}{surname},"
        form.toHim = "Prezado {title}{surname},"
        form.toName = "Prezado(a) {name},"
        form.toNobody = "Prezados Senhores,"
        form.closing = "Atenciosamente,"
        return form
    }()

    private static let swedish = LetterForm(
        tag: "sv", language: "Swedish", order: [.sender, .recipient, .date, .subject, .salutation],
        months: [
            "januari", "februari", "mars", "april", "maj", "juni", "juli", "augusti",
            "september", "oktober", "november", "december",
        ], date: "{d} {month} {y}", dateline: "{place} den {date}",
        subject: "Ansökan till tjänsten som {role}", subjectAlone: "Ansökan", reference: "ref.",
        toHer: "Hej {name},", toHim: "Hej {name},", toName: "Hej {name},", toNobody: "Hej,",
        closing: "Med vänliga hälsningar",
        friendlyClosing: "Vänliga hälsningar", her: "", him: "")

    private static let danish: LetterForm = {
        var form = swedish
        form.tag = "da"
        form.language = "Danish"
        form.months = [
            "januar", "februar", "marts", "april", "maj", "juni", "juli", "august", "september",
            "oktober", "november", "december",
        ]
        form.date = "{d}. {month} {y}"
        form.dateline = "{place}, den {date}"
        form.subject = "Ansøgning til stillingen som {role}"
        form.subjectAlone = "Ansøgning"
        (form.toHer, form.toHim, form.toName) = ("Kære {name},", "Kære {name},", "Kære {name},")
        form.toNobody = "Til rette vedkommende,"
        form.closing = "Med venlig hilsen"
        form.friendlyClosing = "Venlig hilsen"
        return form
    }()

    private static let norwegian: LetterForm = {
        var form = danish
        form.tag = "nb"
        form.language = "Norwegian (Bokmål)"
        form.months[2] = "mars"
        form.months[4] = "mai"
        form.months[11] = "desember"
        form.dateline = "{place}, {date}"
        form.subject = "Søknad på stillingen som {role}"
        form.subjectAlone = "Søknad"
        (form.toHer, form.toHim, form.toName) = ("Hei {name},", "Hei {name},", "Hei {name},")
        form.toNobody = "Til rette vedkommende,"
        form.closing = "Med vennlig hilsen"
        form.friendlyClosing = "Vennlig hilsen"
        return form
    }()
}
