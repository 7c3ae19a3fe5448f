/// The sentences of a letter without a model, in one language. None of them makes a claim
/// about the applicant that the résumé would have to support.
struct LetterTemplatePhrases: Sendable {
    /// The first sentence if role and company are known, with `{role}` and `{company}`.
    var roleAndCompany: String
    var role: String
    var company: String
    var neither: String
    /// The sentence before lines of the résumé, with `{keywords}` that it shares with the advert.
    var keywords: String
    /// The sentence with `{keywords}` if no lines follow.
    var keywordsAlone: String
    /// The sentence before lines if no words are shared.
    var lines: String
    var more: String
    var resume: String
    var and: String
    var openings: [LetterSettings.Tone: String]
    var closings: [LetterSettings.Tone: String]

    static let english = LetterTemplatePhrases(
        roleAndCompany: "I am applying for the position of {role} at {company}.",
        role: "I am applying for the position of {role}.",
        company: "I am applying for the position that you advertise at {company}.",
        neither: "I am applying for the position that you advertise.",
        keywords: "Your advert asks for {keywords}. These lines of my résumé show what I have "
            + "done with it:",
        keywordsAlone: "Your advert asks for {keywords}; my résumé shows what I have done with it.",
        lines: "These lines of my résumé speak to your advert:",
        more: "Further lines that may matter for this position:",
        resume: "My résumé shows what I have done so far and what I bring to this position.",
        and: "and",
        openings: [
            .professional: "Please find below what my résumé says to the points you name.",
            .friendly: "I read your advert with pleasure, and I would like to tell you why.",
            .warm: "Your advert spoke to me, and I would be truly glad to be part of this work.",
            .confident: "I know what this position asks for, and I am ready to take it on.",
            .plain: "",
        ],
        closings: [
            .professional: "I would welcome the opportunity to discuss my application with you in "
                + "person. Thank you for your time and consideration.",
            .friendly: "I would love to talk with you about it. Thank you for reading!",
            .warm: "It would mean a lot to me to get to know you and your team. Thank you very "
                + "much for taking the time to read this.",
            .confident: "Let us talk: I look forward to showing you in person what I can do for "
                + "you.",
            .plain: "I look forward to hearing from you.",
        ])

    static let german = LetterTemplatePhrases(
        roleAndCompany: "Ich bewerbe mich bei {company} auf die Stelle {role}.",
        role: "Ich bewerbe mich auf die Stelle {role}.",
        company: "Ich bewerbe mich auf die Stelle, die Sie bei {company} ausschreiben.",
        neither: "Ich bewerbe mich auf die ausgeschriebene Stelle.",
        keywords: "In Ihrer Anzeige nennen Sie {keywords}. Diese Zeilen meines Lebenslaufs "
            + "zeigen, was ich damit gemacht habe:",
        keywordsAlone: "In Ihrer Anzeige nennen Sie {keywords}; mein Lebenslauf zeigt, was ich "
            + "damit gemacht habe.",
        lines: "Diese Zeilen meines Lebenslaufs passen zu Ihrer Anzeige:",
        more: "Weitere Zeilen, die für die Stelle von Bedeutung sein können:",
        resume: "Mein Lebenslauf zeigt, was ich bisher gemacht habe und für die Stelle mitbringe.",
        and: "und",
        openings: [
            .professional: "Im Folgenden finden Sie, was mein Lebenslauf zu den genannten Punkten "
                + "sagt.",
            .friendly: "Ihre Anzeige habe ich gern gelesen, und ich möchte Ihnen sagen, warum.",
            .warm: "Ihre Anzeige hat mich angesprochen, und ich würde mich sehr freuen, an dieser "
                + "Aufgabe mitzuarbeiten.",
            .confident: "Ich weiß, was die Stelle verlangt, und bin bereit dafür.",
            .plain: "",
        ],
        closings: [
            .professional: "Über die Gelegenheit zu einem persönlichen Gespräch freue ich mich. "
                + "Vielen Dank für Ihre Zeit.",
            .friendly: "Sehr gern erzähle ich Ihnen mehr in einem Gespräch. Danke fürs Lesen!",
            .warm: "Es würde mich sehr freuen, Sie und Ihr Team kennenzulernen. Herzlichen Dank, "
                + "dass Sie sich die Zeit nehmen.",
            .confident: "Lassen Sie uns sprechen: Gern zeige ich Ihnen persönlich, was ich für Sie "
                + "tun kann.",
            .plain: "Ich freue mich auf Ihre Antwort.",
        ])

    /// Folded words that are in every advert, and so say nothing about a job.
    static let vague: Set<String> = [
        "about", "also", "and", "application", "apply", "back", "benefits", "best", "both",
        "candidate", "candidates", "career", "colleagues", "company", "competitive", "contact",
        "culture", "customers", "daily", "description", "diverse", "each", "environment", "equal",
        "every", "excellent", "experience", "experienced", "fluent", "from", "full", "full-time",
        "good", "great", "have", "hello", "help", "high", "ideal", "ideally", "including", "into",
        "join", "keep", "knowledge", "least", "like", "looking", "made", "make", "manager", "more",
        "most", "must", "need", "nice", "office", "offer", "opportunity", "other", "over", "part",
        "people", "please", "plus", "position", "preferred", "previous", "proven", "provide",
        "remote", "required", "requirements", "responsibilities", "responsible", "role", "salary",
        "send", "senior", "several", "skills", "solid", "some", "strong", "such", "team", "teams",
        "that", "their", "them", "they", "this", "time", "together", "understanding", "using",
        "very", "want", "well", "what", "when", "where", "which", "while", "will", "with",
        "within", "work", "working", "would", "years", "year", "your", "yourself", "ability",
        "able", "across", "area", "areas", "based", "being", "between", "does", "during", "first",
        "hiring", "home", "international", "job", "join", "large", "lead", "level", "located",
        "location", "month", "months", "qualifications", "seek", "seeking", "should",
        "start", "support", "than", "then", "there", "these", "those", "through", "under", "used",
        "week", "weeks", "were", "world", "ours", "three", "four", "five", "seven", "eight",
        "nine", "twelve", "hundred", "thousand", "million",
        "aber", "alle", "allem", "allen", "aller", "auch", "aufgaben", "ausbildung", "bereich",
        "bereits", "beruf", "berufserfahrung", "bewerben", "bewerbung", "bieten",
        "damit", "dein", "deine", "deinen", "deiner", "dich", "diese", "diesem", "diesen",
        "dieser", "durch", "eine", "einem", "einen", "einer", "eines", "entwickeln", "erfahrung",
        "erfahrungen", "erste", "ersten", "euro", "flexible", "freuen", "gehalt", "gern", "gerne",
        "gute", "guten", "gutes", "haben", "hast", "idealerweise", "ihnen", "ihre", "ihrem",
        "ihren", "ihrer", "jahre", "jahren", "jahr", "jede", "jeden", "jeder", "kannst",
        "kenntnisse",
        "kolleginnen", "kollegen", "können", "konnen", "kunden", "mehr", "mehrere", "mitarbeiter",
        "mitarbeitende", "mitbringen", "nach", "nicht", "noch", "oder", "ohne", "profil", "sehr",
        "sein", "seit", "selbst", "sich", "sichere", "sicherer", "sind", "sowie", "stelle",
        "stellen", "suchen", "sucht", "tage", "tagen", "team", "uber", "umgang", "unser", "unsere",
        "unserem", "unseren", "unserer", "unternehmen", "unterstutzen", "unter", "verfugung",
        "viel", "viele", "vollzeit", "wenn", "werden", "wird", "wunschen", "wünschen", "woche",
        "zeit", "drei", "vier", "funf", "sechs", "sieben", "acht", "neun", "zehn", "zusammen",
        "zusammenarbeit", "zwischen",
    ]
}
