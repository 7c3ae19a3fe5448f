import Base

/// Words with the shape of a person's name, without titles and degrees. Pure. It uses no list of
/// names, only lists of words that are not names.
struct NameShape: Sendable, Equatable {
    /// The name as printed in a letter: "Max van der Muster".
    var text: String
    /// The words without particles, folded, letters only.
    var keys: [String]
    /// Whether it contains a word that is also a job: "Cook", "Page".
    var isDoubtful = false

    /// - Parameter allowsOne: whether a single word may be a name.
    init?(_ segment: String, allowsOne: Bool = false, allowsLowercase: Bool = false) {
        let commaParts = segment.split(separator: ",").map { $0.trimmingSpace() }
        guard let front = commaParts.first else { return nil }
        var words = front.split(separator: " ").map(String.init)
        let rest = commaParts.dropFirst().filter { part in
            !part.split(separator: " ").allSatisfy { Self.isPostnominal(String($0)) }
        }
        if rest.count == 1, let given = rest.first {
            // "Muster, Max"
            let others = given.split(separator: " ").map(String.init)
            guard words.count <= 3, others.count <= 3 else { return nil }
            // "Springfield, IL"
            if others.count == 1, others[0].count <= 2 { return nil }
            // "Pearl D'Mello, MDS": a degree has no vowel.
            if others.count == 1, others[0].count <= 4, !others[0].contains("."),
                others[0].allSatisfy({ "BCDFGHJKLMNPQRSTVWXZ".contains($0) })
            {
                guard
                    let shape = NameShape(
                        String(front), allowsOne: allowsOne, allowsLowercase: allowsLowercase)
                else { return nil }
                self = shape
                return
            }
            if AddressShape.isPlace(segment) { return nil }
            words = others + words
        } else if !rest.isEmpty {
            return nil
        }
        while words.count > 1, Self.isHonorific(words[0]) { words.removeFirst() }
        while words.count > 1, let last = words.last, Self.isPostnominal(last),
            words.count > 2 || last.contains(".") || last == last.uppercased()
        {
            words.removeLast()
        }
        words = words.map { String($0.trimming { "\"“”„«»()[]:;*|".contains($0) }) }
            .filter { !$0.isEmpty }
        let isWhole = words.count == 1 && Self.isChinese(words[0])
        guard (allowsOne || isWhole ? 1 : 2)...6 ~= words.count else { return nil }
        let known = ResumeWords.shared
        var keys: [String] = []
        var hasWord = false
        let isCapitals = words.allSatisfy { $0 == $0.uppercased() }
        for (index, word) in words.enumerated() {
            guard Self.isMadeOfLetters(word), let first = word.first else { return nil }
            let folded = ResumeWords.folded(word)
            let key = ResumeWords.letters(folded)
            if known.particles.contains(folded), index < words.count - 1,
                first.isLowercase || isCapitals || index > 0
            {
                continue
            }
            guard
                allowsLowercase || !first.isLowercase || known.particles.contains(folded)
                    || folded.hasPrefix("d'") || folded.hasPrefix("al-") || folded.hasPrefix("el-")
            else { return nil }
            if known.organisations.contains(key), key.count > 2 { return nil }
            if known.jobWords.contains(key) || known.jobWords.contains(folded)
                || word.contains("-")
                    && folded.split(separator: "-").contains(where: {
                        known.jobWords.contains(String($0))
                    })
            {
                guard Self.surnames.contains(key), index == words.count - 1, index > 0 else {
                    return nil
                }
                isDoubtful = true
            }
            if known.streets.contains(folded), key.count > 1, key != "st",
                !Self.surnames.contains(key) || index == 0 || index < words.count - 1
            {
                return nil
            }
            if key.count >= 2 { hasWord = true }
            keys.append(key)
        }
        guard hasWord, keys.count >= (allowsOne || isWhole ? 1 : 2) else { return nil }
        let whole = ResumeWords.key(words.joined())
        guard known.countries[whole] == nil, known.headings[whole] == nil,
            !known.titles.contains(whole), known.labels[whole] == nil
        else { return nil }
        self.keys = keys
        let isTurkish = isCapitals && words.joined().contains { "ŞĞİ".contains($0) }
        text = words.enumerated().map { index, word in
            // "Éloïse D'HAUTEVILLE"
            let isCapitals =
                isCapitals
                || word == word.uppercased() && word.count(where: \.isLetter) >= 4 && index > 0
            // Keep the applicant's own "Van der Berg".
            let isSmall = allowsLowercase && word == word.lowercased()
            return Self.titled(
                word, isFirst: index == 0, isCapitals || isSmall, isTurkish: isTurkish)
        }.joined(separator: " ")
    }

    /// Jobs and other common words that are also surnames.
    private static let surnames: Set<String> = [
        "cook", "page", "judge", "driver", "carpenter", "chef", "pilot", "fellow", "buyer", "head",
        "clerk", "dean", "sales", "staff", "principal", "artist", "chief", "partner", "master",
        "calle", "camino", "cuesta", "plaza", "bachelor", "stack", "lead", "leader", "maestro",
        "test", "proctor", "back", "architekt",
    ]

    /// Whether two to four Chinese or Korean characters form a full name.
    private static func isChinese(_ word: String) -> Bool {
        (2...4).contains(word.unicodeScalars.count)
            && word.unicodeScalars.allSatisfy {
                (0x4E00...0x9FFF).contains($0.value) || (0xAC00...0xD7A3).contains($0.value)
            }
    }

    private static func isMadeOfLetters(_ word: String) -> Bool {
        var letters = 0
        for scalar in word.unicodeScalars {
            if scalar.properties.isAlphabetic
                || scalar.properties.generalCategory == .nonspacingMark
                || scalar.properties.generalCategory == .spacingMark
            {
                letters += 1
            } else if !"'’ʼ`´.-‐‑".unicodeScalars.contains(scalar) {
                return false
            }
        }
        if letters == 0 || letters > 40 { return false }
        // "J.", "St." and "M.-C." are parts of names, "Node.js" is not.
        if let dot = word.firstIndex(of: ".") {
            let after = word[word.index(after: dot)...]
            return after.isEmpty && letters <= 3
                || after.allSatisfy { $0.isUppercase || $0 == "." || $0 == "-" }
        }
        // "PostgreSQL", "iOS": capitals inside a word are not a name, except as in McKay.
        if word != word.uppercased() {
            var previous: Character = "-"
            var inner = 0
            for character in word {
                if character.isUppercase, previous.isLowercase { inner += 1 }
                previous = character
            }
            if inner > 1
                || inner == 1
                    && ![
                        "Mc", "Ma", "De", "Di", "La", "Le", "Va", "Du", "Fi", "Da", "Lo", "O’", "Ó",
                    ]
                    .contains(where: word.hasPrefix)
            {
                return false
            }
        }
        return true
    }

    private static let honorificsWithoutDot: Set<String> = [
        "mr", "mrs", "ms", "mx", "miss", "dr", "prof", "professor", "herr", "frau", "mme", "mlle",
        "monsieur", "madame", "mademoiselle", "senor", "senora", "sr", "sra", "srta", "sig",
        "sigra", "signor", "signora", "dott", "dottssa", "dottor", "dottoressa", "shri", "smt",
        "pani", "mgr", "inz", "drs", "mevrouw", "bay", "bayan", "sayin", "sir", "dame", "ing",
        "avv", "dipling", "κ", "κος", "κα", "κυρια", "κυριος", "dl", "dna",
    ]

    static func isHonorific(_ word: String) -> Bool {
        let key = ResumeWords.key(word)
        if word.hasSuffix(".") || word.contains(".-") {
            return ResumeWords.shared.honorifics.contains(key)
                || ResumeWords.shared.postnominals.contains(key) && key.count > 1
        }
        return honorificsWithoutDot.contains(key)
    }

    private static func isPostnominal(_ word: String) -> Bool {
        let plain = word.trimming { ",;()[]".contains($0) }
        return ResumeWords.shared.postnominals.contains(
            ResumeWords.key(plain))
    }

    private static let lowParticles: Set<String> = [
        "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "das", "do", "du",
        "zu", "la", "af", "av", "ter", "ten", "vom", "zur", "y", "e", "ap",
    ]

    private static func titled(
        _ word: String, isFirst: Bool, _ changes: Bool, isTurkish: Bool
    ) -> String {
        guard changes else { return word }
        // The Turkish dotless I, if other letters indicate the language.
        let turkish = isTurkish ? word.replacing("I", with: "ı") : word
        let lowered = turkish.lowercased()
        if !isFirst, lowParticles.contains(lowered) { return lowered }
        var isStart = true
        return String(
            lowered.flatMap { character -> String in
                defer { isStart = "-'’.".contains(character) }
                return isStart ? character.uppercased() : String(character)
            })
    }

    // MARK: - Evidence

    /// Whether the local part of an e-mail address or the last part of a profile address is
    /// formed from the name: "max.muster", "mmuster", "muster-max-1a2b".
    func isMeant(by handle: String) -> Bool {
        let parts = ResumeWords.folded(handle).split { !$0.isLetter }.map(String.init)
        let joined = parts.joined()
        let spellings = Set(keys + text.split(separator: " ").map { Self.wide(String($0)) })
        let long = spellings.filter { $0.count >= 3 }
        if parts.contains(where: { $0.count >= 3 && long.contains($0) }) { return true }
        if long.contains(where: { $0.count >= 4 && joined.contains($0) }) { return true }
        guard keys.count >= 2, let first = keys.first, let last = keys.last, joined.count >= 3
        else {
            return false
        }
        let initial = String(first.prefix(1))
        return [initial + last, last + initial, first + String(last.prefix(1)), first + last]
            .contains { $0.count >= 3 && joined == $0 }
    }

    /// Whether an e-mail address contains two words of the name, or an initial and the surname:
    /// more than one name in common.
    func isMadeOf(_ handle: String) -> Bool {
        let joined = ResumeWords.key(handle).filter { !$0.isNumber }
        let found = keys.count { $0.count >= 2 && joined.contains($0) }
        guard found < 2, let first = keys.first, let last = keys.last, last.count >= 3 else {
            return found >= 2
        }
        return joined == String(first.prefix(1)) + last || joined == last + String(first.prefix(1))
    }

    /// Whether an address contains every word of the name.
    func isWholly(in handle: String) -> Bool {
        let joined = ResumeWords.key(handle)
        return keys.allSatisfy(joined.contains)
    }

    /// "Müller" as spelled without umlauts: "mueller".
    private static func wide(_ word: String) -> String {
        let lowered = word.lowercased()
        guard lowered.contains(where: { "äöüåøæ".contains($0) }) else {
            return ResumeWords.key(word)
        }
        let wide = lowered.flatMap { character -> String in
            switch character {
            case "ä", "æ": "ae"
            case "ö", "ø": "oe"
            case "ü": "ue"
            case "å": "aa"
            default: String(character)
            }
        }
        return ResumeWords.key(String(wide))
    }
}
