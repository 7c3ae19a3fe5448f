import Base
import CWords

/// Words that name one person, as ids of a text's words: "Lizzy" is short for
/// "Elizabeth", and "the Doctor" may be Dr. Sloper.
struct NameVariants {
    private var formal: [Int32: Set<Int32>] = [:]
    private var titles: [Int32: Int32] = [:]

    private static let names = LexiconFile(.storyFirstNames).rows("short forms")
    private static let nouns = LexiconFile(.storyPeople).rows("title nouns")

    init(_ vocabulary: StoryVocabulary) {
        for row in Self.names {
            guard let name = vocabulary.id(of: row.key) else { continue }
            for short in row.lines {
                guard let short = vocabulary.id(of: String(short)) else { continue }
                formal[short, default: []].insert(name)
            }
        }
        for row in Self.nouns {
            guard let title = vocabulary.id(of: row.key) else { continue }
            for other in row.lines {
                if let other = vocabulary.id(of: String(other)) { titles[other] = title }
            }
        }
    }

    /// One ID for a title, its abbreviation and its noun.
    func title(_ word: Int32) -> Int32 { titles[word] ?? word }

    /// The full names of a short form.
    func formal(of short: Int32) -> Set<Int32> { formal[short] ?? [] }

    /// Whether two words may name one person.
    func mayBeSame(_ one: Int32, _ other: Int32) -> Bool {
        one == other || formal(of: one).contains(other) || formal(of: other).contains(one)
            || !formal(of: one).isDisjoint(with: formal(of: other))
    }
}
