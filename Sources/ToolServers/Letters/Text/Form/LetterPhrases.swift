import Base

/// Recognises the opening and closing phrases of letters in the languages people apply in.
/// Pure; folded as in `SearchText`.
enum LetterPhrases {
    static let preambles = [
        "here is", "here's", "here’s", "sure", "certainly", "of course", "absolutely", "below is",
        "okay", "i have written", "i've written", "hier ist", "gerne", "naturlich", "voici",
        "bien sur", "aqui tienes", "aqui esta", "por supuesto", "claro", "ecco", "certo", "oto",
        "oczywiscie", "hier is", "natuurlijk", "har ar", "cover letter", "anschreiben",
    ]

    static let remarks = [
        "let me know", "i hope this helps", "feel free to", "would you like me", "if you'd like",
        "if you would like me", "note:", "notes:", "word count", "words:", "please replace",
        "enclosure", "enclosures", "encl", "attachment",
        "attachments", "anlage", "anlagen", "pieces jointes", "p.j.", "bijlage", "bijlagen",
        "zalaczniki", "allegati", "wortzahl", "hinweis:", "sag mir",
    ]

    static let subjects: Set<String> = [
        "subject", "re", "regarding", "reference", "betreff", "betr", "betrifft", "objet",
        "asunto", "ref", "dotyczy", "temat", "oggetto", "betreft", "onderwerp", "assunto", "amne",
        "emne", "date", "datum", "to", "from", "address", "phone", "telephone", "tel", "email",
        "e-mail", "name", "linkedin",
    ]

    // MARK: - Salutations

    /// Phrases with which no sentence of a letter begins.
    private static let refusals = [
        "i'm sorry", "i am sorry", "sorry,", "i can't", "i cannot", "i'm unable", "i am unable",
        "i won't", "as an ai", "es tut mir leid", "tut mir leid", "ich kann nicht",
        "ich kann diese", "ich kann dabei", "leider kann ich", "desole", "je suis desole",
        "je ne peux pas", "lo siento", "no puedo", "mi dispiace", "non posso", "desculpe",
        "nao posso", "het spijt me", "ik kan niet", "przykro mi", "nie moge",
    ]

    /// Whether the answer is JSON, or a few sentences that decline.
    static func isNoLetter(_ answer: String) -> Bool {
        let text = answer.replacing("```json", with: "").replacing("```", with: "").trimmingSpace()
        if let first = text.first, "{[".contains(first),
            // The reason for a parse failure does not matter: then it is text.
            (try? JSONParser.parse(Array(text.utf8))) != nil
        {
            return true
        }
        let folded = SearchText.folded(text).replacing("’", with: "'")
        return LetterAnswer.words(text) < 100 && refusals.contains(where: folded.hasPrefix)
    }

    private static let greetings = [
        "dear", "hello", "hi", "greetings", "good morning", "good day", "to whom it may concern",
        "sehr geehrte", "sehr geehrter", "sehr geehrtes", "guten tag", "hallo", "moin", "madame",
        "monsieur", "mesdames", "messieurs", "bonjour", "cher", "chere", "estimado", "estimada",
        "estimados", "estimadas", "estimado/a", "a quien corresponda", "a quien pueda interesar",
        "hola", "muy senores mios", "szanowna", "szanowny", "szanowni", "dzien dobry", "gentile",
        "gentili", "gentilissima", "gentilissimo", "egregio", "egregia", "spettabile", "spett.le",
        "alla cortese attenzione", "buongiorno", "geachte", "exmo", "exma", "exmos", "exmo.",
        "exma.", "exmos.", "caro", "cara", "caros", "prezado", "prezada", "prezados", "hej",
        "kaere", "kære", "hei", "til rette vedkommende", "til den det angar",
    ]

    /// Greetings that count only alone on a line; sentences begin with them too.
    private static let alone = ["liebe", "lieber", "liebes", "beste", "basta", "bästa", "till"]

    static func isSalutation(_ line: String) -> Bool {
        let folded = SearchText.folded(line)
        guard begins(folded, with: greetings) || begins(folded, with: alone),
            let last = folded.last
        else { return false }
        let count = folded.split(separator: " ").count
        if ",:!".contains(last) { return count <= 12 }
        return count <= 8 && !".?;".contains(last) && begins(folded, with: greetings)
    }

    /// "Dear Ms Smith, I write to you" without the salutation.
    static func withoutSalutation(_ line: String) -> String {
        guard begins(SearchText.folded(line), with: greetings),
            let end = line.firstIndex(where: { ",:!".contains($0) }),
            line[..<end].split(separator: " ").count <= 8
        else { return line }
        // "Madame, Monsieur, je vous écris".
        let rest = line[line.index(after: end)...].trimmingSpace()
        if begins(SearchText.folded(rest), with: ["monsieur", "messieurs"]) {
            return withoutSalutation(rest)
        }
        guard let first = rest.first else { return "" }
        return first.uppercased() + rest.dropFirst()
    }

    private static func begins(_ folded: String, with words: [String]) -> Bool {
        words.contains { word in
            folded.hasPrefix(word)
                && folded.dropFirst(word.count).first.map { !$0.isLetter && $0 != "-" } ?? true
        }
    }

    // MARK: - Closing phrases

    private static let closings = [
        "sincerely", "sincerely yours", "yours sincerely", "yours faithfully", "yours truly",
        "yours", "best regards", "kind regards", "kindest regards", "warm regards",
        "warmest regards", "with best regards", "with kind regards", "with warm regards",
        "regards", "best wishes", "with best wishes", "best", "warmly", "respectfully",
        "respectfully yours", "with gratitude", "with appreciation", "all the best", "cheers",
        "thank you", "thanks", "many thanks", "cordially", "mit freundlichen grussen",
        "mit freundlichem gruss", "mit freundlichen grußen", "freundliche grusse",
        "mit besten grussen", "beste grusse", "viele grusse", "herzliche grusse",
        "liebe grusse", "mit herzlichen grussen", "hochachtungsvoll", "mfg", "cordialement",
        "bien cordialement", "sinceres salutations", "salutations distinguees",
        "respectueusement", "atentamente", "un cordial saludo", "cordiales saludos",
        "saludos cordiales", "un saludo", "saludos", "cordialmente", "reciba un cordial saludo",
        "le saluda atentamente", "z powazaniem", "z wyrazami szacunku", "pozdrawiam",
        "z serdecznymi pozdrowieniami",
        "lacze wyrazy szacunku", "cordiali saluti", "distinti saluti", "un cordiale saluto",
        "in fede", "con i migliori saluti", "met vriendelijke groet",
        "met vriendelijke groeten", "vriendelijke groet", "hoogachtend", "hartelijke groet",
        "com os melhores cumprimentos", "melhores cumprimentos", "cumprimentos",
        "atenciosamente", "med vanlig halsning", "med vanliga halsningar", "vanliga halsningar",
        "basta halsningar", "med venlig hilsen", "venlig hilsen", "med vennlig hilsen",
        "vennlig hilsen", "mvh",
    ]

    /// Whether the line is a closing: "Sincerely,", "Best regards, John Doe", or the final
    /// sentence of a French letter.
    static func isClosing(_ line: String) -> Bool {
        let folded = SearchText.folded(line)
        if isFormula(folded) { return true }
        for closing in closings where folded.hasPrefix(closing) {
            let rest = folded.dropFirst(closing.count)
            if rest.allSatisfy({ ",.!–—- ".contains($0) }) { return true }
            guard rest.first == ",", rest.split(separator: " ").count <= 5,
                !rest.hasSuffix(".")
            else { continue }
            return true
        }
        return false
    }

    /// « Je vous prie d'agréer … », « Veuillez agréer … ».
    private static func isFormula(_ folded: String) -> Bool {
        let begins = ["je vous prie d", "veuillez ", "nous vous prions"]
        return begins.contains(where: folded.hasPrefix)
            && (folded.contains("agreer") || folded.contains("croire")
                || folded.contains("recevoir"))
    }

    /// A last paragraph without the closing phrase at its end: "… from you. Sincerely, John
    /// Doe".
    static func withoutClosing(_ line: String) -> String {
        var index = line.endIndex
        // Try sentences from the last one; a signature is short.
        for _ in 0..<3 {
            guard
                let stop = line[..<index].lastIndex(where: { ".!?".contains($0) })
            else { return line }
            let tail = line[line.index(after: stop)...].trimmingSpace()
            if !tail.isEmpty, isClosing(tail) { return String(line[...stop]) }
            index = stop
        }
        return line
    }

    // MARK: - Dates

    /// "November 23, 2026", "le 23 novembre 2026", "23.11.2026".
    static func isDate(_ line: String) -> Bool {
        let words = SearchText.folded(line).split { !$0.isLetter && !$0.isNumber }
        guard (1...7).contains(words.count) else { return false }
        let hasYear = words.contains { $0.count == 4 && Int($0).map { 1990...2100 ~= $0 } == true }
        let hasMonth = words.contains { months.contains(String($0)) }
        let isNumeric = words.count >= 3 && words.allSatisfy { $0.allSatisfy(\.isNumber) }
        return hasYear && (hasMonth || isNumeric)
    }

    private static let months: Set<String> = Set(
        LetterForm.all.flatMap(\.months).map { SearchText.folded($0) })
}
