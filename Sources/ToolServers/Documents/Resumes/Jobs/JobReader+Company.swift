import Base

/// Finds the company that offers the job.
extension JobReader {
    /// The line above the role, or the one below it if that has several words.
    func companyBeside(_ place: Int) -> String? {
        if place > 0 {
            let above = lines[place - 1].closed
            if Self.isProper(above), LabelledValue.label(of: above) == nil,
                !Self.isAnnouncement(above)
            {
                return Self.tidy(above)
            }
        }
        guard lines.indices.contains(place + 1) else { return nil }
        let below = lines[place + 1].closed
        let front = below.split { ",|·–".contains($0) }.first.map { $0.trimmingSpace() } ?? ""
        if Self.isCompany(front) { return Self.tidy(front) }
        let isPlain = Self.isProper(below) && below.contains(" ") && !AddressShape.isPlace(below)
        return isPlain && !Self.isAnnouncement(below) ? Self.tidy(below) : nil
    }

    /// "Stellenangebot", "Job advert", "Full Time": not the name of a company.
    static func isAnnouncement(_ text: String) -> Bool {
        let words: Set<String> = [
            "stellenangebot", "stellenausschreibung", "stellenanzeige", "job", "jobs", "advert",
            "vacancy", "vacancies", "career", "careers", "hiring", "offre", "emploi", "oferta",
            "empleo", "offerta", "lavoro", "vacature", "oferty", "pracy", "full", "part", "time",
            "remote", "hybrid", "about", "description", "opening", "opportunity", "vollzeit",
            "teilzeit", "now", "apply", "team", "the", "role", "overview", "posting", "position",
            "annons", "stilling", "ledig", "ilan", "ilani", "recrutement", "karriere",
        ]
        return text.split(separator: " ").contains {
            words.contains(ResumeWords.key($0))
        }
            || HeadingMatch.heading(text, style: .plain) != nil
    }

    static func isCompany(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        guard words.count <= 7, let last = words.last else { return false }
        let suffixes: Set<String> = [
            "gmbh", "ag", "kg", "inc", "llc", "ltd", "limited", "plc", "corp", "corporation",
            "group",
            "sa", "sas", "sarl", "sl", "spa", "srl", "bv", "nv", "oy", "oyj", "ab", "as", "aps",
            "kft",
            "zrt", "sro", "zoo", "se", "ev", "company", "bank", "university", "labs",
            "technologies",
            "solutions", "systems", "universitat", "hospital", "foundation", "pvtltd", "holding",
        ]
        return suffixes.contains(ResumeWords.key(last))
            || words.count >= 2
                && suffixes.contains(
                    ResumeWords.key(words.suffix(2).joined()))
    }

    static func isProper(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        return (1...4).contains(words.count) && words.allSatisfy { $0.first?.isUppercase == true }
            && !text.contains(where: \.isNumber)
    }

    /// The capitalised words at the start of a text.
    static func companyStart(_ text: String) -> String? {
        var words: [Substring] = []
        for word in text.split(separator: " ").prefix(6) {
            let isJoint = ["&", "and", "und", "of", "de", "for", "et", "y", "the"].contains(word)
            guard word.first.map({ $0.isUppercase || $0.isNumber }) == true || isJoint else {
                break
            }
            words.append(word)
            if let last = word.last, ",;:!?".contains(last) { break }
            if word.last == ".", !["Inc.", "Ltd.", "Co.", "Corp.", "St.", "Dr."].contains(word) {
                break
            }
        }
        while let last = words.last, last.first?.isLowercase == true || last == "&" {
            words.removeLast()
        }
        let name = tidy(words.joined(separator: " "))
        return name.isEmpty ? nil : name
    }

    func namedCompany() -> String? {
        let marks = ["about ", "über ", "à propos de ", "sobre ", "chi è ", "over "]
        for line in lines where line.style != .plain || line.words.count <= 5 {
            let closed = line.closed
            for mark in marks where closed.lowercased().hasPrefix(mark) {
                let name = Self.tidy(String(closed.dropFirst(mark.count)))
                if Self.isProper(name),
                    !["Us", "Me", "The", "Role", "You", "Uns", "Nous", "Ons"]
                        .contains(name.split(separator: " ").first.map(String.init) ?? ""),
                    !name.lowercased().hasPrefix("the ")
                {
                    return name
                }
            }
        }
        for line in lines {
            let words = line.closed.split(separator: " ").map(String.init)
            for end in words.indices where end > 0 {
                let last = String(words[end].trimming { ",.;:()!?".contains($0) })
                guard Self.isCompany("X " + last), last.first?.isUppercase == true else { continue }
                var start = end
                while start > 0, end - start < 5,
                    words[start - 1].first?.isUppercase == true || words[start - 1] == "&",
                    !",.;:!?".contains(words[start - 1].last ?? " ")
                {
                    start -= 1
                }
                while start < end,
                    ["The", "At", "Die", "Der", "Bei", "Join", "About", "We", "Wir"]
                        .contains(words[start])
                {
                    start += 1
                }
                if start < end {
                    return Self.tidy((words[start..<end] + [last]).joined(separator: " "))
                }
            }
        }
        // "Acme is looking for", "Die Acme sucht", "At Acme, we …"
        for line in lines {
            let words = line.closed.split(separator: " ").map(String.init)
            guard words.count > 2 else { continue }
            if ["At", "Bei", "Chez", "En", "Join", "Presso", "Bij", "Hos"].contains(words[0]),
                let name = Self.companyStart(words.dropFirst().joined(separator: " ")),
                !["Our", "The", "We", "Us", "Unser", "Nous"].contains(
                    name.split(separator: " ").first.map(String.init) ?? "")
            {
                return name
            }
            let verbs: Set<String> = [
                "is", "are", "sucht", "recherche", "recrute", "busca", "cerca", "ricerca", "zoekt",
                "soker", "soger", "seeks", "hires", "builds", "procura", "poszukuje",
            ]
            for index in words.indices.dropFirst().prefix(4)
            where verbs.contains(ResumeWords.folded(words[index])) {
                let name = words[..<index].drop {
                    ["The", "Die", "Das", "Der", "La", "Le"].contains($0)
                }
                let text = Self.tidy(name.joined(separator: " "))
                if Self.isProper(text), !Self.pronouns.contains(ResumeWords.folded(text)) {
                    return text
                }
            }
        }
        return nil
    }

    static let pronouns: Set<String> = [
        "we", "you", "this", "it", "there", "he", "she", "they", "who", "here", "what", "our team",
        "the team", "our company", "our client", "the role", "this role", "the position", "wir",
        "es", "das", "dies", "nous", "elle", "il", "wij", "vi", "your", "the ideal candidate",
        "this position", "responsibilities", "requirements", "remote", "salary", "english",
    ]
}
