import Base

/// One spelling of personal data in the form of `SeenLetters`, with the rule by which it matches in
/// a text.
struct LeakNeedle: Sendable, Hashable {
    enum Rule: Sendable, Hashable {
        /// First name and surname, in one order or the other; `allWords` if each of them is
        /// also a word ("Mark Baker"), so that capitals are required. Also an employer of
        /// several words.
        case fullName(allWords: Bool)
        /// One word of a name, or an employer of one word; `isCommon` if it is also a word.
        case word(isCommon: Bool)
        /// Initial and surname, "J. Olsen", "jolsen"; `isCommon` if the surname is also a
        /// word.
        case initialled(isCommon: Bool)
        /// A string long enough to match inside words: addresses of mail and web pages.
        case run
        /// The text before the @, or at the end of a page's address.
        case handle
        /// The end of a telephone number.
        case digits
        case date
        /// Lines of an address.
        case line
        case number
    }

    var bytes: [UInt8]
    /// Indices of `bytes` at which its second and further words begin.
    var breaks: [Int]
    /// Number of letters, which are more than one byte in some scripts.
    var letters: Int
    var kind: PersonalData.Kind
    var rule: Rule
    /// Whether it counts within a longer word too, as a long surname does.
    var countsInside = false

    init(
        _ words: [[UInt8]], _ kind: PersonalData.Kind, _ rule: Rule
    ) {
        bytes = []
        breaks = []
        for word in words where !word.isEmpty {
            if !bytes.isEmpty { breaks.append(bytes.count) }
            bytes += word
        }
        letters = bytes.count { $0 & 0xC0 != 0x80 }
        self.kind = kind
        self.rule = rule
    }

    /// Whether it also counts within a word split at its capitals: `MyJanaOlsenFile`,
    /// `OlsenParser`.
    var countsInHumps: Bool {
        guard letters >= 6 else { return false }
        if case .word(let isCommon) = rule { return !isCommon }
        return !breaks.isEmpty
    }

    /// Chinese, Japanese and Korean are written without spaces between words.
    var isUnspaced: Bool { bytes.first.map { (0xE1...0xED).contains($0) } ?? false }

    // MARK: - All spellings of a person

    static func all(of person: PersonalData) -> [LeakNeedle] {
        var seen: Set<LeakNeedle> = []
        return person.entries.flatMap { entry -> [LeakNeedle] in
            switch entry.kind {
            case .name: NameSpellings.needles(entry.value)
            case .email: email(entry.value)
            case .phone: phone(entry.value)
            case .url: url(entry.value)
            case .address: address(entry.value)
            case .birthDate: DateSpellings.needles(entry.value)
            case .identifier: number(entry.value)
            case .employer: employer(entry.value)
            }
        }.filter { !$0.bytes.isEmpty && seen.insert($0).inserted }
    }

    /// The words of a text, folded.
    static func words(_ text: some StringProtocol) -> [[UInt8]] {
        let letters = SeenLetters(String(text))
        var words: [[UInt8]] = []
        for index in 0..<letters.count {
            if words.isEmpty || letters.gap(before: index) > .markup { words.append([]) }
            words[words.count - 1].append(letters.bytes[index])
        }
        return words
    }

    /// Whether it is also a word of some language. The redactor leaves most of those in place.
    static func isCommon(_ word: [UInt8]) -> Bool {
        let letters = String(decoding: word, as: UTF8.self).unicodeScalars.map(\.value)
        return [
            RedactionWords.nameWords, RedactionWords.nouns, RedactionWords.skills,
            RedactionWords.months, RedactionWords.determiners, RedactionWords.roles,
            RedactionWords.smallWords,
        ].contains { $0.contains(letters) }
    }

    private static func email(_ value: String) -> [LeakNeedle] {
        let parts = value.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, let local = parts.first, let domain = parts.last else {
            return handle(words(value), .email)
        }
        let (name, host) = (words(local), words(domain))
        let spelt = Array(
            host.reduce(into: [[UInt8]]()) { $0 += ($0.isEmpty ? [] : [Array("dot".utf8)]) + [$1] })
        let at = [Array("at".utf8)]
        var needles = [name + host, name + at + host, name + at + spelt, name + spelt]
            .map { LeakNeedle($0, .email, .run) }
        // Most mail servers ignore the text after a +.
        let plain = local.split(separator: "+").first.map { words($0) } ?? name
        if plain != name {
            needles.append(LeakNeedle(plain + host, .email, .run))
            needles += handle(plain, .email)
        }
        return needles + handle(name, .email)
    }

    private static func handle(_ words: [[UInt8]], _ kind: PersonalData.Kind) -> [LeakNeedle] {
        let needle = LeakNeedle(words, kind, .handle)
        guard needle.letters >= 4, !isCommon(needle.bytes),
            !needle.bytes.allSatisfy(SeenLetters.isDigit)
        else { return [] }
        return [needle]
    }

    /// The last seven digits, since the prefix can be written in several ways; eight or nine
    /// if those consist of only one or two different digits.
    private static func phone(_ value: String) -> [LeakNeedle] {
        // An extension is not part of the number.
        let number = value.prefix { !$0.isLetter || $0 == "o" || $0 == "O" }
        let digits = SeenLetters(String(number)).bytes.filter(SeenLetters.isDigit)
        for count in [7, 8, 9] where digits.count >= count {
            let tail = Array(digits.suffix(count))
            if Set(tail).count > 2 { return [LeakNeedle([tail], .phone, .digits)] }
        }
        return digits.count > 9 ? [LeakNeedle([digits], .phone, .digits)] : []
    }

    /// Parts of a web address that identify no one: the names of services with many pages, and
    /// ordinary words.
    private static let common: Set<String> = [
        "github", "gitlab", "linkedin", "xing", "twitter", "facebook", "instagram", "medium",
        "stackoverflow", "behance", "dribbble", "youtube", "bitbucket", "codeberg", "mastodon",
        "orcid", "researchgate", "scholar", "google", "notion", "wordpress", "blogspot", "tumblr",
        "substack", "netlify", "vercel", "pages", "sites", "index", "html", "portfolio", "resume",
        "profile", "about", "blog", "home", "projects", "users", "people", "public", "info",
        "social", "in", "pub", "u", "en", "com", "co", "http", "https", "bsky", "telegram",
        "threads", "reddit", "kaggle", "gmail",
    ]

    private static func url(_ value: String) -> [LeakNeedle] {
        var text = value[...]
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        if text.lowercased().hasPrefix("www.") { text = text.dropFirst(4) }
        if text.lowercased().hasPrefix("mailto:") { return email(String(text.dropFirst(7))) }
        let parts = text.split(whereSeparator: { "/?#".contains($0) })
        guard let host = parts.first else { return [] }
        var named = parts.dropFirst().map { String($0) }
        // The last label is only the country or a generic domain.
        named += host.split(separator: ".").dropLast().map { String($0) }
        let telling = named.map { words($0) }.filter {
            !common.contains(String(decoding: $0.joined(), as: UTF8.self))
        }
        let whole = LeakNeedle(words(text), .url, .run)
        return telling.flatMap { handle($0, .url) }
            + (telling.isEmpty || whole.letters < 8 ? [] : [whole])
    }

    private static func number(_ value: String) -> [LeakNeedle] {
        let needle = LeakNeedle([words(value).flatMap { $0 }], .identifier, .number)
        return needle.letters >= 6 ? [needle] : []
    }

    private static func employer(_ value: String) -> [LeakNeedle] {
        let words = words(value)
        if words.count > 1 { return [LeakNeedle(words, .employer, .fullName(allWords: true))] }
        guard let word = words.first, word.count >= 3 else { return [] }
        return [LeakNeedle([word], .employer, .word(isCommon: true))]
    }

    // MARK: - Addresses

    private static let streets: [(long: String, short: [String])] = [
        ("street", ["st", "str"]), ("road", ["rd"]), ("avenue", ["ave", "av"]), ("lane", ["ln"]),
        ("drive", ["dr"]), ("court", ["ct"]), ("boulevard", ["blvd", "bd"]), ("place", ["pl"]),
        ("square", ["sq"]), ("terrace", ["ter"]), ("parkway", ["pkwy"]), ("calle", ["c"]),
        ("rue", ["r"]), ("via", ["v"]), ("ulica", ["ul"]), ("avenida", ["av", "avda"]),
        ("apartment", ["apt"]), ("strasse", ["str"]),
    ]

    /// Needles for the lines of an address, and their parts, that have both a number and a
    /// name: many people share a town or a postal code.
    private static func address(_ value: String) -> [LeakNeedle] {
        var texts = value.split(whereSeparator: { $0.isNewline }).map { String($0) }
        texts += texts.flatMap {
            $0.split(whereSeparator: { ",;|".contains($0) }).map { String($0) }
        }
        texts.append(value)
        return texts.flatMap { text -> [LeakNeedle] in
            let words = words(text).flatMap(numbersApart)
            let needle = LeakNeedle(words, .address, .line)
            guard needle.letters >= 6, needle.bytes.contains(where: SeenLetters.isDigit),
                !needle.bytes.allSatisfy(SeenLetters.isDigit)
            else { return [] }
            return [needle] + otherStreets(words)
        }
    }

    /// Splits a word between digits and letters, since "17b" is also written "17 b".
    private static func numbersApart(_ word: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        for byte in word {
            if let last = parts.last?.last, SeenLetters.isDigit(last) == SeenLetters.isDigit(byte) {
                parts[parts.count - 1].append(byte)
            } else {
                parts.append([byte])
            }
        }
        return parts
    }

    private static func otherStreets(_ words: [[UInt8]]) -> [LeakNeedle] {
        var needles: [LeakNeedle] = []
        for (index, word) in words.enumerated() {
            let text = String(decoding: word, as: UTF8.self)
            func put(_ other: String) {
                var changed = words
                changed[index] = Array(other.utf8)
                needles.append(LeakNeedle(changed, .address, .line))
            }
            for (long, short) in streets {
                if text == long {
                    short.forEach(put)
                } else if short.contains(text) {
                    put(long)
                }
            }
            // "Hauptstraße" and "Hauptstr.", in one word or two.
            for (end, other) in [("strasse", "str"), ("str", "strasse")]
            where text.hasSuffix(end) && text.count > end.count {
                put(text.dropLast(end.count) + other)
            }
        }
        return needles.filter { $0.letters >= 6 }
    }
}
