import Base

/// Finds the title of the job, anywhere in an advert.
extension JobReader {
    /// The role without "(m/w/d)", a place or a number after it.
    static func role(_ value: String) -> String? {
        var text = value
        while let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") {
            let inner = text[text.index(after: open)..<close]
            // "(m/w/d)" "(all genders)" "(80 %)" "(H/F)": not part of the title.
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
        // "Baker, 12 Mill Lane, York": a street is not part of the title.
        let pieces = text.split(separator: ",").map { $0.trimmingSpace() }
        text = pieces.prefix { !AddressShape.isAddress($0) && !AddressShape.isHouse($0) }
            .joined(separator: ", ")
        var words = text.split(separator: " ").map(String.init)
        while words.count > 1, let last = words.last,
            ["position", "role", "vacancy", "post", "(100", "%)"].contains(last.lowercased())
        {
            words.removeLast()
        }
        let plain = tidy(words.joined(separator: " "))
        return plain.isEmpty || plain.count > 90 ? nil : plain
    }

    /// "Buchhalter*in (m/w/d)", "Comptable H/F": a line with a gender mark names the job.
    func markedRole() -> String? {
        for line in lines where line.words.count <= 14 && line.text.last != "." {
            if Self.isMarked(line.closed) {
                let front = line.closed.split { "|–".contains($0) }.first {
                    Self.isMarked(String($0))
                }
                if let role = Self.role(String(front ?? "").trimmingSpace()) { return role }
            }
        }
        return nil
    }

    /// Whether the text ends in "(m/w/d)" or similar.
    static func isMarked(_ text: String) -> Bool {
        let lowered = text.lowercased()
        return marks.contains(where: lowered.contains)
    }

    private static let marks = [
        "(m/w/d", "(w/m/d", "(m/f/d", "(f/m/d", "(m/w/x", "(f/m/x", "(d/m/w", "(h/f", " h/f",
        "(f/h", "(m/k", "(k/m", "(m/v", "(v/m", "(m/f", "(f/m", "(all gender", "(gn)", "(w/d/m",
        "(m/ž", "(ž/m",
    ]

    /// Whether a word of the text is an occupation.
    static func isRole(_ text: String) -> Bool {
        guard !text.isEmpty, text.count <= 110 else { return false }
        return text.split { " ()/,:-".contains($0) }.contains { word in
            guard word.first?.isUppercase == true || word == word.uppercased() else { return false }
            let folded = ResumeWords.folded(word)
            return jobs.contains(folded) || jobs.contains { $0.count >= 6 && folded.hasSuffix($0) }
                || ["erin", "eurin", "entin"].contains { folded.hasSuffix($0) && folded.count > 8 }
        }
    }

    /// The words for occupations that name a job by themselves.
    static let jobs: Set<String> = {
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

    /// "We are looking for a Senior Engineer to join us".
    func soughtRole() -> String? {
        for line in lines {
            let words = WordRun(line.closed)
            for phrase in JobWords.shared.seeking {
                guard let start = words.start(of: phrase) else { continue }
                let rest = words.text(from: start + phrase.split(separator: " ").count)
                // "einen*n", "un/e", "eine(n)": skip the rest of an article.
                if let role = Self.roleStart(rest.drop { !$0.isLetter && !$0.isNumber }) {
                    return role
                }
            }
        }
        return nil
    }

    /// The words up to the one that continues the sentence.
    static func roleStart(_ text: Substring) -> String? {
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
        if isMarked(text) { return role(text) }
        guard let plain = role(text),
            plain.split(separator: " ").contains(where: { word in
                jobs.contains(ResumeWords.folded(word.trimming { ",.;:!()".contains($0) }))
                    || isRole(String(word.prefix(1).uppercased() + word.dropFirst()))
            })
        else { return nil }
        return plain
    }

    static let stops: Set<String> = [
        "to", "who", "with", "for", "in", "at", "that", "on", "based", "and", "you", "mit", "der",
        "die", "das", "fur", "zur", "zum", "am", "im", "bei", "als", "und", "pour", "qui", "avec",
        "a", "au", "afin", "dans", "para", "con", "que", "en", "per", "che", "da", "di", "com",
        "voor", "met", "die", "om", "bij", "do", "z", "w", "till", "som", "med", "til", "for",
        "joka", "pro", "se", "icin", "pentru", "care", "cu", "joining", "our", "unser", "unserem",
        "unsere", "our", "este", "join", "reporting",
    ]
}
