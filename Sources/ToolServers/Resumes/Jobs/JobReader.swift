import AgentCore

/// Finds company, role, recipient and number in the lines of a job advert. Pure.
struct JobReader {
    let lines: [ResumeLine]
    var advert: JobAdvert

    init(_ lines: [ResumeLine]) {
        self.lines = lines
        advert = JobAdvert(text: BodyText.text(lines))
    }

    mutating func read() -> JobAdvert {
        for line in lines {
            takeContacts(line)
            takeLabels(line)
        }
        takeTitle()
        if advert.role == nil { advert.role = markedRole() }
        if advert.role == nil { advert.role = soughtRole() }
        if advert.company == nil { advert.company = namedCompany() }
        if advert.reference == nil { advert.reference = namedReference() }
        takePeople()
        advert.language = TextLanguage.guess(advert.text)
        return advert
    }

    private mutating func takeContacts(_ line: ResumeLine) {
        for match in ContactScanner.matches(in: line.text) where match.kind != .url {
            advert.person.add(match.kind, match.value)
        }
    }

    // MARK: - Labels

    private mutating func takeLabels(_ line: ResumeLine) {
        for part in LabelledValue.parts(line.text) {
            guard let (label, value) = Self.labelled(part), !value.isEmpty else { continue }
            switch label {
            case .company:
                if advert.company == nil, value.count <= 80 {
                    let first = value.replacing(" - ", with: "|").replacing(" – ", with: "|")
                        .split { "|,".contains($0) }.first
                    advert.company = Self.tidy(String(first ?? ""))
                }
            case .role:
                if advert.role == nil, value.count <= 100 { advert.role = Self.role(value) }
            case .reference:
                if advert.reference == nil, value.count <= 40, value.contains(where: \.isNumber) {
                    advert.reference = Self.tidy(value)
                }
            case .recipient:
                takeRecipient(value, needsTitle: false)
            }
        }
    }

    /// "Ref.: 2024-17", "Kennziffer 4711", "Job title - Engineer".
    private static func labelled(_ part: String) -> (JobWords.Label, String)? {
        for sign in [":", "：", " – ", " - ", "#"] {
            guard let range = part.firstRange(of: sign), range.lowerBound != part.startIndex else {
                continue
            }
            let key = ResumeWords.letters(ResumeWords.folded(part[..<range.lowerBound]))
            if let label = JobWords.shared.labels[key] {
                return (label, part[range.upperBound...].trimmingSpace())
            }
        }
        let words = part.split(separator: " ")
        guard (2...4).contains(words.count), let last = words.last,
            last.contains(where: \.isNumber)
        else { return nil }
        let key = ResumeWords.letters(ResumeWords.folded(words.dropLast().joined(separator: " ")))
        guard JobWords.shared.labels[key] == .reference else { return nil }
        return (.reference, String(last))
    }

    static func tidy(_ value: String) -> String {
        let plain = String(value.trimming { " .,;:|-–—\"“”„()[]".contains($0) })
        // The full stop of "S.L." and "Inc." is theirs.
        guard let last = plain.split(separator: " ").last,
            last.contains(".") || ["Inc", "Ltd", "Co", "Corp", "Bros"].contains(last),
            value.contains(plain + ".")
        else { return plain }
        return plain + "."
    }

    // MARK: - The role

    /// Without "(m/w/d)", a place or a number behind it.
    private static func role(_ value: String) -> String? {
        var text = value
        while let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") {
            let inner = text[text.index(after: open)..<close]
            // "(m/w/d)" "(all genders)" "(80 %)" "(H/F)": nothing of the job itself.
            let isSex =
                inner.contains("/") && inner.count <= 9
                || inner.lowercased().contains("gender") || inner.contains("%")
                || inner.lowercased().contains("remote")
            guard isSex else { break }
            text.removeSubrange(open...close)
        }
        for sex in [
            " m/w/d", " w/m/d", " m/f/d", " f/m/d", " h/f", " H/F", " m/v", " m/f", " M/F", " m/k",
            " k/m",
        ] {
            text = text.replacing(sex, with: "")
        }
        var words = text.split(separator: " ").map(String.init)
        while words.count > 1, let last = words.last,
            ["position", "role", "vacancy", "post", "(100", "%)"].contains(last.lowercased())
        {
            words.removeLast()
        }
        let plain = tidy(words.joined(separator: " "))
        return plain.isEmpty || plain.count > 90 ? nil : plain
    }

    /// "Senior Engineer at Acme", "Acme – Senior Engineer", "Acme is hiring: …".
    private mutating func takeTitle() {
        for (place, line) in lines.prefix(6).enumerated() {
            let text = line.style == .spaced ? HeadingMatch.plain(line.text, .spaced) : line.closed
            guard line.words.count <= 14, !Self.isSentence(text), !line.isBullet,
                Self.labelled(text) == nil, text.contains(where: \.isLetter),
                !ContactScanner.matches(in: text).contains(where: { $0.kind != .phone })
            else { continue }
            let parts = text.replacing(" – ", with: "|").replacing(" — ", with: "|")
                .replacing(" - ", with: "|").replacing(" · ", with: "|")
                .split(separator: "|").map { $0.trimmingSpace() }
            guard let index = parts.firstIndex(where: Self.isRole) else {
                let pieces = parts.flatMap { $0.split(separator: ",").map { $0.trimmingSpace() } }
                if advert.company == nil, let named = pieces.first(where: Self.isCompany) {
                    advert.company = Self.tidy(named)
                }
                continue
            }
            // "We're hiring! Product Designer"
            var role = parts[index]
            if let sign = role.lastIndex(where: { $0 == "!" || $0 == "?" }),
                Self.isRole(String(role[role.index(after: sign)...]))
            {
                role = role[role.index(after: sign)...].trimmingSpace()
            }
            // "Softwareentwickler (m/w/d), Beispiel GmbH"
            if let comma = role.lastIndex(of: ","), Self.isRole(String(role[..<comma])),
                Self.isCompany(role[role.index(after: comma)...].trimmingSpace())
            {
                if advert.company == nil {
                    advert.company = Self.tidy(String(role[role.index(after: comma)...]))
                }
                role = String(role[..<comma])
            }
            if let (front, back) = Self.cutAtJoint(role) {
                role = front
                if advert.company == nil { advert.company = Self.companyStart(back) }
            } else if let colon = role.firstIndex(of: ":") {
                role = role[role.index(after: colon)...].trimmingSpace()
            }
            if advert.role == nil { advert.role = Self.role(role) }
            if advert.company == nil {
                advert.company = parts.indices.filter { $0 != index }.map { parts[$0] }
                    .first { Self.isCompany($0) || parts.count == 2 && Self.isProper($0) }
                    .map(Self.tidy)
            }
            if advert.company == nil { advert.company = companyBeside(place) }
            return
        }
    }

    /// "S.L." and "z o.o." end no sentence.
    private static func isSentence(_ text: String) -> Bool {
        text.last == "." && text.split(separator: " ").last?.dropLast().contains(".") != true
            && !["Inc.", "Ltd.", "Co.", "Corp."].contains { text.hasSuffix($0) }
    }

    /// The line above the role, or one of several words below it.
    private func companyBeside(_ place: Int) -> String? {
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

    /// "Stellenangebot", "Job advert", "Full Time": what no company is called.
    private static func isAnnouncement(_ text: String) -> Bool {
        let words: Set<String> = [
            "stellenangebot", "stellenausschreibung", "stellenanzeige", "job", "jobs", "advert",
            "vacancy", "vacancies", "career", "careers", "hiring", "offre", "emploi", "oferta",
            "empleo", "offerta", "lavoro", "vacature", "oferty", "pracy", "full", "part", "time",
            "remote", "hybrid", "about", "description", "opening", "opportunity", "vollzeit",
            "teilzeit", "now", "apply", "team", "the", "role", "overview", "posting", "position",
            "annons", "stilling", "ledig", "ilan", "ilani", "recrutement", "karriere",
        ]
        return text.split(separator: " ").contains {
            words.contains(ResumeWords.letters(ResumeWords.folded($0)))
        }
            || HeadingMatch.heading(text, style: .plain) != nil
    }

    /// "Buchhalter*in (m/w/d)", "Comptable H/F": a line with the sexes is the job.
    private func markedRole() -> String? {
        let marks = [
            "(m/w/d", "(w/m/d", "(m/f/d", "(f/m/d", "(m/w/x", "(f/m/x", "(d/m/w", "(h/f", " h/f",
            "(f/h", "(m/k", "(k/m", "(m/v", "(v/m", "(m/f", "(f/m", "(all gender", "(gn)", "(w/d/m",
            "(m/ž", "(ž/m",
        ]
        for line in lines where line.words.count <= 14 && line.text.last != "." {
            let lowered = line.closed.lowercased()
            if marks.contains(where: lowered.contains) {
                let front = line.closed.split { "|–".contains($0) }.first { part in
                    marks.contains { part.lowercased().contains($0) }
                }
                if let role = Self.role(String(front ?? "").trimmingSpace()) { return role }
            }
        }
        return nil
    }

    /// "unter Angabe der Kennziffer BH-12"
    private func namedReference() -> String? {
        for line in lines {
            let words = line.words.map { String($0.trimming { ",.;:()!?".contains($0) }) }
            for (index, word) in words.enumerated().dropLast() where word.count >= 3 {
                let key = ResumeWords.letters(ResumeWords.folded(word))
                guard JobWords.shared.labels[key] == .reference else { continue }
                let next =
                    words[index + 1] == "no" || words[index + 1] == "number"
                        || words[index + 1] == "Nr"
                    ? words.dropFirst(index + 2).first ?? "" : words[index + 1]
                if next.count >= 3, next.count <= 24, next.contains(where: \.isNumber) {
                    return next
                }
            }
        }
        return nil
    }

    /// A word of it is a job.
    static func isRole(_ text: String) -> Bool {
        guard !text.isEmpty, text.count <= 110 else { return false }
        return text.split { " ()/,:-".contains($0) }.contains { word in
            guard word.first?.isUppercase == true || word == word.uppercased() else { return false }
            let folded = ResumeWords.folded(word)
            return jobs.contains(folded) || jobs.contains { $0.count >= 6 && folded.hasSuffix($0) }
                || ["erin", "eurin", "entin"].contains { folded.hasSuffix($0) && folded.count > 8 }
        }
    }

    /// Those of the words of jobs that name one.
    private static let jobs: Set<String> = {
        let others: Set<String> = [
            "senior", "junior", "principal", "full", "stack", "front", "end", "back", "web", "data",
            "cloud", "human", "resources", "social", "media", "content", "success", "account",
            "office", "supply", "chain", "page", "updated", "resume", "cv", "profile", "portfolio",
            "contact", "details", "personal", "information", "address", "phone", "email", "and",
            "or", "of", "for", "with", "the", "und", "et", "en", "in", "at", "on", "years", "jahre",
            "experience", "summary", "education", "skills", "objective", "remote", "available",
            "open", "source", "confidential", "digital", "technology", "it", "business", "product",
            "project", "program", "programme", "quality", "security", "network", "systems",
            "system", "customer", "service", "support", "software", "hardware", "mobile", "machine",
            "learning", "degree", "diploma", "certified", "professional", "curriculum", "vitae",
            "linkedin", "github", "candidate", "experienced", "creative", "passionate", "partner",
            "projet", "proyecto", "proyectos", "progetto", "gestion", "logiciel", "master",
        ]
        return ResumeWords.shared.jobWords.subtracting(others).filter { $0.count >= 3 }
    }()

    private static func isCompany(_ text: String) -> Bool {
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
        return suffixes.contains(ResumeWords.letters(ResumeWords.folded(last)))
            || words.count >= 2
                && suffixes.contains(
                    ResumeWords.letters(ResumeWords.folded(words.suffix(2).joined())))
    }

    private static func isProper(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        return (1...4).contains(words.count) && words.allSatisfy { $0.first?.isUppercase == true }
            && !text.contains(where: \.isNumber)
    }

    /// "Engineer" and "Acme" of "Engineer at Acme".
    private static func cutAtJoint(_ text: String) -> (String, String)? {
        let words = text.split(separator: " ")
        for (index, word) in words.enumerated().dropFirst() where index + 1 < words.count {
            if word == "@"
                || JobWords.shared.joints.contains(ResumeWords.folded(word))
                    && word.first?.isLowercase == true
                    && words[index + 1].first.map({ $0.isUppercase || $0.isNumber }) == true
            {
                let front = words[..<index].joined(separator: " ")
                if isRole(front) { return (front, words[(index + 1)...].joined(separator: " ")) }
            }
        }
        return nil
    }

    /// The capitalised words that a text begins with.
    private static func companyStart(_ text: String) -> String? {
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

    /// "We are looking for a Senior Engineer to join us".
    private func soughtRole() -> String? {
        for line in lines {
            let words = WordRun(line.closed)
            for phrase in JobWords.shared.seeking {
                guard let start = words.start(of: phrase) else { continue }
                let rest = words.text(from: start + phrase.split(separator: " ").count)
                // "einen*n", "un/e", "eine(n)": the rest of an article.
                if let role = Self.roleStart(rest.drop { !$0.isLetter && !$0.isNumber }) {
                    return role
                }
            }
        }
        return nil
    }

    /// The words up to the one that goes on with the sentence.
    private static func roleStart(_ text: Substring) -> String? {
        var words: [Substring] = []
        var isDone = false
        let articles: Set<String> = [
            "a", "an", "un", "una", "une", "un/a", "un/una", "una/un", "un/une", "eine", "einen",
            "ein", "eine/n", "einen/eine", "eine*n", "eine(n)", "einen*eine", "een", "uno", "um",
            "uma",
            "the", "en", "et", "o", "r", "n",
        ]
        let rest = text.split(separator: " ").drop { articles.contains(ResumeWords.folded($0)) }
        for word in rest.prefix(9) where !isDone {
            let folded = ResumeWords.folded(word)
            if !words.isEmpty, stops.contains(folded) { break }
            words.append(word)
            if let last = word.last, ",.;:!".contains(last) { isDone = true }
        }
        let text = words.joined(separator: " ")
        guard let plain = role(text),
            plain.split(separator: " ").contains(where: { word in
                jobs.contains(ResumeWords.folded(word.trimming { ",.;:!()".contains($0) }))
                    || isRole(String(word.prefix(1).uppercased() + word.dropFirst()))
            })
        else { return nil }
        return plain
    }

    private static let stops: Set<String> = [
        "to", "who", "with", "for", "in", "at", "that", "on", "based", "and", "you", "mit", "der",
        "die", "das", "fur", "zur", "zum", "am", "im", "bei", "als", "und", "pour", "qui", "avec",
        "a", "au", "afin", "dans", "para", "con", "que", "en", "per", "che", "da", "di", "com",
        "voor", "met", "die", "om", "bij", "do", "z", "w", "till", "som", "med", "til", "for",
        "joka", "pro", "se", "icin", "pentru", "care", "cu", "joining", "our", "unser", "unserem",
        "unsere", "our", "este", "join", "reporting",
    ]

    // MARK: - The company

    private func namedCompany() -> String? {
        let marks = [
            "about ", "über ", "join ", "at ", "bei der ", "bei ", "chez ", "à propos de ",
            "sobre ",
            "chi è ", "over ", "die ", "the ",
        ]
        for line in lines where line.style != .plain || line.words.count <= 5 {
            let closed = line.closed
            for mark in marks.prefix(2) + marks[7...10] {
                guard closed.lowercased().hasPrefix(mark) else { continue }
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
        if let institute = institute() { return institute }
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

    /// "the Institute of Physics at the University of Bern": from its head on.
    private func institute() -> String? {
        let heads: Set<String> = [
            "university", "institute", "universitat", "hochschule", "klinikum", "krankenhaus",
            "hospital", "universite", "universidad", "universita", "universidade", "college",
            "academy", "ministry", "council", "department", "stadt", "city", "gemeente", "museum",
            "school", "foundation", "stiftung", "institut", "instituto", "istituto", "politecnico",
        ]
        let joints: Set<String> = [
            "of", "the", "de", "di", "für", "for", "and", "und", "&", "der", "des", "del", "van",
        ]
        for line in lines {
            let words = line.closed.split(separator: " ").map(String.init)
            for (index, word) in words.enumerated() {
                guard word.first?.isUppercase == true,
                    heads.contains(ResumeWords.letters(ResumeWords.folded(word)))
                else { continue }
                var name = [word]
                for next in words[(index + 1)...].prefix(6) {
                    guard next.first?.isUppercase == true || joints.contains(next) else { break }
                    name.append(next)
                    if next.last.map({ ",.;:!?)".contains($0) }) == true { break }
                }
                while let last = name.last, joints.contains(last) { name.removeLast() }
                if name.count >= 2 { return Self.tidy(name.joined(separator: " ")) }
            }
        }
        return nil
    }

    private static let pronouns: Set<String> = [
        "we", "you", "this", "it", "there", "he", "she", "they", "who", "here", "what", "our team",
        "the team", "our company", "our client", "the role", "this role", "the position", "wir",
        "es", "das", "dies", "nous", "elle", "il", "wij", "vi", "your", "the ideal candidate",
        "this position", "responsibilities", "requirements", "remote", "salary", "english",
    ]
}
