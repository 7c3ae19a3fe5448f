import Base
import CWords

/// The words by which an answer claims an act, in English and German. Loaded for the first
/// answer that is checked.
///
/// The list of verbs is open: any word with the form of a participle is a verb. The file lists
/// those whose form does not show it, those that change nothing, and those that only some tools do.
struct ActClaimWords: Sendable {
    static let shared = ActClaimWords(LexiconFile(.actClaims))

    /// The tools that can have done it: any tool for `other`; `look` and `none` change nothing.
    enum Verb: String, Sendable, CaseIterable {
        case add, move, remove, send, make, look, none, other
    }

    /// The kind of thing that a noun names or a tool works on.
    enum Subject: String, Sendable, CaseIterable {
        case reminder, calendar, library, memory, other
    }

    /// A section of the file, as `has` takes it (fewer than 64): `placeBefore` is `[place before]`.
    enum Section: Int, CaseIterable {
        case adverbs, afterPredicate, already, and, articles, askedToDo, be, bookable, conditions
        case doneBefore, fiction, have, infinitive, keep, languages, lookUp, lookUpFor, me, modal
        case named, not, notVerbs, orderEnds, orderLeads, orders, others, outside, own
        case placeBefore, places, predicates, promising, questions, received, salutations
        case shownWhenMade, small, sources, texts, thanks, things, translate, units, write

        var name: String {
            "\(self)".reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)" }
        }

        var bit: UInt64 { 1 << UInt64(rawValue) }
    }

    /// A word of an answer with the facts about it, looked up once. Compared by its letters.
    struct Word: Equatable, ExpressibleByStringLiteral {
        let text: String
        fileprivate(set) var sections: UInt64 = 0
        /// The kind of act, if the word has the form of a participle or a past tense.
        fileprivate(set) var verb: Verb?
        fileprivate(set) var isGerman = false
        fileprivate(set) var subject: Subject?

        init(stringLiteral text: String) { self.text = text }

        static func == (left: Word, right: Word) -> Bool { left.text == right.text }

        func has(_ section: Section) -> Bool { sections & section.bit != 0 }

        var isAuxiliary: Bool {
            sections & (Section.have.bit | Section.be.bit | Section.modal.bit) != 0
        }

        var isNegation: Bool { has(.not) || text.hasSuffix("n't") }

        /// Whether the word is in no section and is not a verb, as most names are.
        var isUnknown: Bool { sections == 0 && verb == nil }

        var isSubject: Bool {
            sections
                & (Section.me.bit | Section.others.bit | Section.things.bit | Section.articles.bit)
                != 0
        }
    }

    private let sections: [String: UInt64]
    private let prefixes: [String]
    private let verbs: [String: Verb]
    private let subjects: [String: Subject]
    let openers: Set<[String]>

    init(_ file: LexiconFile) {
        var sections: [String: UInt64] = [:]
        for section in Section.allCases {
            for word in file.words(section.name) { sections[word, default: 0] |= section.bit }
        }
        self.sections = sections
        prefixes = file.words("prefixes")
        var verbs: [String: Verb] = [:]
        for verb in Verb.allCases { for word in file.words("verbs \(verb)") { verbs[word] = verb } }
        self.verbs = verbs
        var subjects: [String: Subject] = [:]
        for subject in Subject.allCases {
            for word in file.words("ours \(subject.rawValue)") { subjects[word] = subject }
        }
        self.subjects = subjects
        openers = Set(file.lines("done").flatMap { $0.cut(at: ",") }.map(ActClaimText.words))
    }

    /// Looks up the word in the file and classifies it by its form.
    ///
    /// - Parameter isNoun: whether it is written with a capital.
    func word(_ text: String, isNoun: Bool) -> Word {
        var word = Word(stringLiteral: text)
        word.sections = sections[text] ?? 0
        word.subject = subjects[text]
        word.verb = verb(text, isNoun: isNoun)
        word.isGerman = word.verb != nil && !text.hasSuffix("ed") && isGermanParticiple(text)
        return word
    }

    func has(_ word: String, in section: Section) -> Bool {
        (sections[word] ?? 0) & section.bit != 0
    }

    /// Whether `word` is a function word, which says nothing about the topic of a message.
    func isSmall(_ word: String) -> Bool { (sections[word] ?? 0) & Self.smallSections != 0 }

    private static let smallSections: UInt64 = [
        Section.small, .articles, .and, .own, .others, .things, .me, .be, .have, .modal, .not,
        .conditions, .placeBefore, .questions, .adverbs, .units,
    ].reduce(0) { $0 | $1.bit }

    /// The kind of act of a participle or past tense: "moved", "verschoben", "zurückverschoben",
    /// "gstrichen".
    func verb(_ word: String, isNoun: Bool = false) -> Verb? {
        if let verb = verbs[word] { return verb }
        if has(word, in: .notVerbs) || word.count < 4 { return nil }
        if word.hasSuffix("ed"), word.count > 4, !word.hasSuffix("eed") {
            return .other
        }
        return isNoun || !isGermanParticiple(word) ? nil : .other
    }

    /// Whether it names a reminder, an event or the like.
    func namesPlan(_ word: String) -> Bool {
        [.reminder, .calendar].contains(subjects[word]) && !word.hasPrefix("list")
    }

    /// The word, with and without German prefixes.
    func stems(of word: String) -> [String] {
        [word] + prefixes.filter(word.hasPrefix).map { String(word.dropFirst($0.count)) }
    }

    /// Whether it has the form of a German participle: `ge…t`, `angelegt`, `verschickt`,
    /// `notiert`, `gmacht`.
    private func isGermanParticiple(_ word: String) -> Bool {
        if has(word, in: .notVerbs) || verbs[word] != nil && word.hasSuffix("ed") { return false }
        if word.hasSuffix("iert") { return true }
        guard let end = word.last, "tned".contains(end), word.allSatisfy(\.isLetter) else {
            return false
        }
        return stems(of: word).contains { stem in
            if verbs[stem] != nil, stem.hasPrefix("ge") || stem.hasSuffix("en") { return true }
            if stem.count < 5 || has(stem, in: .notVerbs) { return false }
            if stem.hasPrefix("ge") { return stem.hasSuffix("t") || stem.hasSuffix("en") }
            if stem.hasPrefix("g"),
                "smbdfkpwtzäöü".contains(stem[stem.index(after: stem.startIndex)])
            {
                return true
            }
            return stem.hasSuffix("t") && stem.count > 5
                && ["be", "ver", "er", "ent", "zer", "über", "unter"].contains(
                    where: stem.hasPrefix)
        }
    }
}
