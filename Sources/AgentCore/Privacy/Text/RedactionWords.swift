import Base
import CWords

/// The words listed in the files of `Words`: labels, names that are words, streets,
/// domains. Loaded when the first text is redacted.
enum RedactionWords {
    /// The meaning of a phrase that announces what follows it.
    enum Label: String, Sendable, CaseIterable {
        case phone, call, birth, name, address, identifier, handle
        case title
        case sureTitle = "sure title"
        /// Titles that count in lower case, too.
        case smallTitle = "small title"
        case greeting, closing
        /// Relatives and others that are nearly always followed by a name.
        case surePersonBefore = "sure person before"
        case nickname, role, people, plate, origin
        /// A label for someone who may be a company: "Client:".
        case party
        /// A verb, with the address behind a preposition: "lives", "bor".
        case residence
        /// Words before a former name. `otherName` counts only if the current name comes before it.
        case former
        case otherName = "other name"
    }

    static let labels: UnitTrie<Label> = {
        let file = LexiconFile(.redactionLabels)
        var trie = UnitTrie<Label>()
        for label in Label.allCases {
            for phrase in phrases(file, label.rawValue) { trie.insert(phrase, label) }
        }
        return trie
    }()

    static let particles = folded(LexiconFile(.redactionLabels), "particles")
    static let articles = folded(LexiconFile(.redactionLabels), "articles")
    static let beforePlaces = folded(LexiconFile(.redactionLabels), "places before")
    static let ands = folded(LexiconFile(.redactionLabels), "ands")
    static let beforeHomes = folded(LexiconFile(.redactionLabels), "before homes")
    static let digits = folded(LexiconFile(.redactionLabels), "digits")
    static let fillers = folded(LexiconFile(.redactionLabels), "fillers")
    static let organisations = folded(LexiconFile(.redactionLabels), "organisations")
    static let illnesses = folded(LexiconFile(.redactionLabels), "illnesses")
    static let titles = Set(phrases(LexiconFile(.redactionLabels), "title"))
    /// Word endings of the names of public services.
    static let works = LexiconFile(.redactionLabels).words("works")
    static let notGreeted = words(LexiconFile(.redactionLabels), "not greeted")
    static let knownOtherwise = words(LexiconFile(.redactionLabels), "known otherwise")
    static let humanVerbs = words(LexiconFile(.redactionLabels), "human verb")

    /// Month numbers by name.
    static let monthNumbers: [[UInt32]: Int] = {
        let file = LexiconFile(.redactionLabels)
        var numbers: [[UInt32]: Int] = [:]
        for month in 1...12 {
            for name in folded(file, "month \(month)") { numbers[name] = month }
        }
        return numbers
    }()

    // MARK: - Names that are words

    private static let nameFile = LexiconFile(.redactionNameWords)
    static func list(_ section: String) -> Set<String> { Set(nameFile.words(section)) }
    static let nameWords = folded(nameFile, "words")
    static let nouns = folded(nameFile, "nouns")
    static let skills = folded(nameFile, "skills")
    static let months = folded(nameFile, "months")
    static let smallWords = folded(nameFile, "small")
    static let determiners = folded(nameFile, "determiners")
    static let beforeMonths = folded(nameFile, "months before")
    static let beforeNouns = folded(nameFile, "nouns before")
    static let beforeNames = folded(nameFile, "names before")

    private static let firstNameFile = LexiconFile(.redactionFirstNames)
    static let firstNames = {
        let stories = LexiconFile(.storyFirstNames)
        return rareNames.union(folded(firstNameFile, "names"))
            .union(folded(firstNameFile, "more names"))
            .union(folded(stories, "male names")).union(folded(stories, "female names"))
    }()
    static let rareNames = folded(firstNameFile, "rare names")
    /// First names that may mean something else when alone.
    static let alsoThings = folded(firstNameFile, "also things")
    static let unsureNames =
        alsoThings
        .union(nameWords).union(nouns).union(skills).union(months).union(determiners)
    /// Common English words in lower case.
    static let commonWords = folded(LexiconFile(.commonWords), "words").subtracting(nameWords)
    static let legalForms = folded(LexiconFile(.redactionLabels), "legal forms")
    static let things = folded(LexiconFile(.redactionLabels), "things")

    // MARK: - Places

    private static let places = LexiconFile(.redactionPlaces)
    static let streetsBehind = folded(places, "behind")
    static let weakStreetsBehind = folded(places, "behind weak")
    /// The words that can begin an address, by the way it continues.
    enum StreetPhrase {
        /// "rue", "ul."; sure where nothing else is called so.
        case before(isSure: Bool)
        /// "Flat No.", "P.O. Box"
        case unit
    }
    static let streetPhrases = {
        var trie = UnitTrie<StreetPhrase>()
        let sure = Set(phrases(places, "before sure"))
        for phrase in phrases(places, "before") {
            trie.insert(phrase, .before(isSure: sure.contains(phrase)))
        }
        for phrase in phrases(places, "numbered units") { trie.insert(phrase, .unit) }
        return trie
    }()
    /// Endings of street names from their last letter; the value is whether a number after
    /// them is not enough.
    static let streetEndings = {
        var trie = UnitTrie<Bool>()
        for (section, isWeak) in [("endings", false), ("endings weak", true)] {
            for ending in places.words(section) {
                trie.insert(ScannedText.compact(ending).reversed(), isWeak)
            }
        }
        return trie
    }()
    static let directions = folded(places, "directions")
    static let townParticles = folded(places, "town particles")
    /// Long and short form.
    static let shortForms = {
        let words = phrases(places, "short forms")
        return stride(from: 1, to: words.count, by: 2).map { (words[$0 - 1], words[$0]) }
    }()
    static let frenchStreets = folded(places, "before french")
    static let streetParticles = folded(places, "particles")
    /// "via", "place": ordinary words if they are not capitalised.
    static let ordinaryStreets = folded(places, "before ordinary")
    static let noStreets = folded(places, "no street")
    static let houses = folded(places, "houses")
    static let buildingParts = Set(phrases(places, "unit"))
    static let americanStates = folded(places, "us states")
    static let australianStates = folded(places, "au states")
    static let countryCodes = folded(places, "country codes")
    static let cities = Set(phrases(places, "cities"))
    static let commonStreets = Set(phrases(places, "common streets"))

    // MARK: - Domains

    private static let domainFile = LexiconFile(.redactionDomains)
    static let domains = Set(domainFile.words("domains"))
    static let fileEndings = Set(domainFile.words("files"))
    static let brands = Set(domainFile.words("brands"))
    static let hosts = Set(domainFile.words("hosts"))
    static let foldedHosts = folded(domainFile, "hosts")
    static let foldedHostsWithCom = Set(hosts.map { ScannedText.compact($0 + ".com") })
    static let roles = folded(domainFile, "roles")

    // MARK: - Reading

    private static func words(_ file: LexiconFile, _ section: String) -> Set<[UInt32]> {
        Set(phrases(file, section))
    }

    private static func folded(_ file: LexiconFile, _ section: String) -> Set<[UInt32]> {
        Set(file.words(section).map { ScannedText.compact($0) })
    }

    private static func phrases(_ file: LexiconFile, _ section: String) -> [[UInt32]] {
        file.lines(section).flatMap { $0.split(separator: ",") }
            .map { ScannedText.compact(String($0)) }.filter { !$0.isEmpty }
    }
}

extension ScannedText {
    /// The labels that begin at a word, each with its end; the longest last.
    func labels(at start: Int) -> [(label: RedactionWords.Label, end: Int)] {
        var found: [(RedactionWords.Label, Int)] = []
        var node: Int32 = 0
        var index = start
        while let next = RedactionWords.labels.next(node, units[index]) {
            node = next
            if isWordEnd(index + 1) {
                for label in RedactionWords.labels.payloads(node) {
                    found.append((label, index + 1))
                }
            }
            guard let following = nextInLabel(index) else { break }
            index = following
        }
        return found
    }

    private func nextInLabel(_ index: Int) -> Int? {
        var next = index + 1
        while next < count, !isWord(next) {
            guard next - index <= 3,
                has(.space, next)
                    || [0x2E, 0x27, 0x2D, 0x2F, 0x26, 0x5F].contains(units[next])
            else { return nil }
            next += 1
        }
        return next < count ? next : nil
    }

    /// The endings of streets that a word has, each with the number of letters before it.
    func streetEndings(_ word: Word) -> [(isWeak: Bool, rest: Int)] {
        var found: [(Bool, Int)] = []
        var node: Int32 = 0
        for unit in (word.start..<word.end).reversed() {
            guard let next = RedactionWords.streetEndings.next(node, units[unit]) else { break }
            node = next
            for isWeak in RedactionWords.streetEndings.payloads(node) {
                found.append((isWeak, unit - word.start))
            }
        }
        return found
    }

    /// Whether it makes a phrase the name of a thing, also by its ending: "Wasserbetriebe".
    func isThing(_ word: Word) -> Bool {
        if RedactionWords.things.contains(folded(word)) { return true }
        let spelled = word.count > 4 ? text(word) : ""
        return RedactionWords.works.contains(where: spelled.hasSuffix)
    }

    /// Whether a digit, a capital after "'s", or a word that makes it the name of a thing follows:
    /// "Berg Clinic", "Berg & Sons", "Ida Berg, Inc.".
    func isFollowedByThing(_ end: Int, onlyCapitals: Bool = false) -> Bool {
        var next = skippingSpace(end)
        if ascii(end) == 0x27, ascii(end + 1) == 0x73 {
            next = skippingSpace(end + 2)
            return next > end + 2 && (has(.upper, next) || isDigit(next))
        }
        let hasComma = next == end && ascii(next) == 0x2C
        let hasAnd = ascii(next) == 0x26
        if hasComma || hasAnd { next = skippingSpace(next + 1) }
        guard next > end, next < end + 4, hasComma || hasAnd || next == end + 1 else {
            return false
        }
        if isDigit(next) { return next == end + 1 && !hasComma && !onlyCapitals }
        let index = self.word(from: next)
        guard index < words.count, case let word = words[index], word.start == next else {
            return false
        }
        if hasComma { return word.isCapital && RedactionWords.legalForms.contains(folded(word)) }
        return (word.isCapital || word.count > 3 && !onlyCapitals) && isThing(word)
    }

    func folded(_ word: Word) -> [UInt32] { Array(units[word.start..<word.end]) }
}
