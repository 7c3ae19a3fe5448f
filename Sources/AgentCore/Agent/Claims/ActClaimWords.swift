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

    private let sets: [String: Set<String>]
    private let acts: [String: Act]
    private let subjects: [String: Subject]
    /// For a verb that is an act only with another word, those words: "taken" with "off" or
    /// "down".
    let particles: [String: Set<String>]
    let openers: [[String]]
    let promises: [[String]]

    init(_ file: LexiconFile) {
        var sets: [String: Set<String>] = [:]
        for name in file.names { sets[name] = Set(file.words(name)) }
        self.sets = sets
        var acts: [String: Act] = [:]
        let sections: [(String, Act)] = [
            ("acts", .change), ("acts as infinitive", .change), ("acts made", .make),
            ("acts stored", .store), ("acts sent", .send), ("acts removed", .remove),
        ]
        for (name, act) in sections { for word in file.words(name) { acts[word] = act } }
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

    /// Whether `word` is in the section `name` of the file.
    func has(_ word: String, in name: String) -> Bool { sets[name]?.contains(word) ?? false }

    /// Whether `word` is a function word, which says nothing about the topic of a message.
    func isSmall(_ word: String) -> Bool {
        Self.small.contains { has(word, in: $0) }
    }

    private static let small = [
        "small", "articles", "and", "own", "others", "things", "me", "be", "have", "modal", "not",
        "conditions", "place before", "questions", "now", "adverbs", "units", "by", "asks",
    ]

    /// The act that a verb names, also with a prefix: "verschoben", "zurückverschoben".
    func act(_ word: String) -> Act? {
        if let act = acts[word] { return act }
        guard let prefixes = sets["again"] else { return nil }
        return prefixes.lazy.filter(word.hasPrefix).compactMap {
            acts[String(word.dropFirst($0.count))]
        }.first
    }

    /// The subject of a noun; for a German compound that of its last part.
    func subject(_ word: String) -> Subject? {
        subjects[word] ?? Self.ends(of: word).lazy.compactMap { subjects[$0] }.first
    }

    func has(_ word: String, in name: String, asCompound: Bool) -> Bool {
        has(word, in: name) || Self.ends(of: word).contains { has($0, in: name) }
    }

    /// The possible last parts of a German compound.
    private static func ends(of word: String) -> [String] {
        let count = word.count
        if count < 8 || count > 40 { return [] }
        return (3...count - 5).map { String(word.dropFirst($0)) }
    }
}
