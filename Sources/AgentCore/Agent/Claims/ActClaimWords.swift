import Base
import CWords

/// The words by which an answer claims an act, in English and German. Loaded for the first
/// answer that is checked.
struct ActClaimWords: Sendable {
    static let shared = ActClaimWords(LexiconFile(.actClaims))

    /// The kind of act that a verb names.
    enum Act: Sendable {
        case change, make, store, send, remove
    }

    /// The kind of thing that a noun names, or a tool works on.
    enum Subject: String, Sendable, CaseIterable {
        case reminder, calendar, library, memory, other
    }

    /// A section that `has` asks for, fewer than 64: `placeBefore` is `[place before]`.
    enum Section: Int, CaseIterable {
        case abbreviations, actsAsInfinitive, adds, adverbs, all, already, and, articles, askedToDo,
            asks
        case be, by, closings, conditions, did, doneBefore, englishHave, failedBefore, fiction
        case germanBe, have, infinitives, instructions, instructionsWith, keep, kept, last
        case lookUp, lookUpFor, looks, me, meant, modal, months, named, not, noting, now, one
        case others, own, past, pastOf, placeBefore, places, progress, questions, regards, relative
        case salutations, shown, shownWhenMade, small, texts, thanks, things, translate, units
        case weak, went, wording, write

        var name: String {
            "\(self)".reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)" }
        }

        var bit: UInt64 { 1 << UInt64(rawValue) }
    }

    /// A word of an answer with the facts about it, looked up once; equal by its letters.
    struct Word: Equatable, ExpressibleByStringLiteral {
        let text: String
        fileprivate var sections: UInt64 = 0
        fileprivate(set) var act: Act?
        fileprivate(set) var subject: Subject?
        /// Whether a promise begins with it.
        fileprivate(set) var mayPromise = false

        init(stringLiteral text: String) { self.text = text }

        static func == (left: Word, right: Word) -> Bool { left.text == right.text }
    }

    private let sections: [String: UInt64]
    private let again: [String]
    private let acts: [String: Act]
    private let subjects: [String: Subject]
    /// For a verb that is an act only with another word, those words: "taken" with "off" or
    /// "down".
    let particles: [String: Set<String>]
    let openers: [[String]]
    let promises: [[String]]

    init(_ file: LexiconFile) {
        var sections: [String: UInt64] = [:]
        for section in Section.allCases {
            for word in file.words(section.name) { sections[word, default: 0] |= section.bit }
        }
        self.sections = sections
        again = file.words("again")
        var acts: [String: Act] = [:]
        let kinds: [(String, Act)] = [
            ("acts", .change), ("acts as infinitive", .change), ("acts made", .make),
            ("acts stored", .store), ("acts sent", .send), ("acts removed", .remove),
        ]
        for (name, act) in kinds { for word in file.words(name) { acts[word] = act } }
        self.acts = acts
        var subjects: [String: Subject] = [:]
        for subject in Subject.allCases {
            for word in file.words("ours \(subject.rawValue)") { subjects[word] = subject }
        }
        self.subjects = subjects
        var particles: [String: Set<String>] = [:]
        for line in file.lines("acts with") {
            let sides = line.cut(at: ":")
            particles[String(sides[0]), default: []].formUnion(
                sides[1].cut(at: ",").map(String.init))
        }
        self.particles = particles
        openers = file.lines("done").map(ActClaimText.words)
        promises = file.lines("promises").map(ActClaimText.words)
    }

    /// The word with all that the file says of it.
    func word(_ text: String) -> Word {
        var word = Word(stringLiteral: text)
        word.sections = sections[text] ?? 0
        (word.act, word.subject) = (act(text), subject(text))
        word.mayPromise = promises.contains { $0.first == text }
        return word
    }

    /// Whether `word` is in that section of the file.
    func has(_ word: Word, in section: Section) -> Bool { word.sections & section.bit != 0 }

    func has(_ word: String, in section: Section) -> Bool {
        (sections[word] ?? 0) & section.bit != 0
    }

    /// Whether `word` is a function word, which says nothing about the topic of a message.
    func isSmall(_ word: String) -> Bool {
        (sections[word] ?? 0) & Self.smallSections != 0
    }

    private static let smallSections: UInt64 = [
        Section.small, .articles, .and, .own, .others, .things, .me, .be, .have, .modal, .not,
        .conditions, .placeBefore, .questions, .now, .adverbs, .units, .by, .asks,
    ].reduce(0) { $0 | $1.bit }

    /// The act that a verb names, also with a prefix: "verschoben", "zurückverschoben".
    func act(_ word: String) -> Act? {
        if let act = acts[word] { return act }
        return again.lazy.filter(word.hasPrefix).compactMap {
            acts[String(word.dropFirst($0.count))]
        }.first
    }

    /// The subject of a noun; for a German compound that of its last part.
    func subject(_ word: String) -> Subject? {
        subjects[word] ?? Self.ends(of: word).lazy.compactMap { subjects[$0] }.first
    }

    func has(_ word: String, in section: Section, asCompound: Bool) -> Bool {
        has(word, in: section) || Self.ends(of: word).contains { has($0, in: section) }
    }

    /// The possible last parts of a German compound.
    private static func ends(of word: String) -> [String] {
        let count = word.count
        if count < 8 || count > 40 { return [] }
        return (3...count - 5).map { String(word.dropFirst($0)) }
    }
}
