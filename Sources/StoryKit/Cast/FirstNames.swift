import AgentCore

/// Short forms of first names, "Lizzy" of "Elizabeth", as ids of a text's words.
struct FirstNames {
    private var formal: [Int32: Set<Int32>] = [:]

    private static let rows = LexiconFile(PackageResources.first_names_txt).rows("short forms")

    init(_ vocabulary: StoryVocabulary) {
        for row in Self.rows {
            guard let name = vocabulary.id(of: row.key) else { continue }
            for short in row.lines {
                guard let short = vocabulary.id(of: String(short)) else { continue }
                formal[short, default: []].insert(name)
            }
        }
    }

    /// The names that one is short for.
    func formal(of short: Int32) -> Set<Int32> { formal[short] ?? [] }

    /// Whether two words may name one person.
    func mayBeSame(_ one: Int32, _ other: Int32) -> Bool {
        one == other || formal(of: one).contains(other) || formal(of: other).contains(one)
            || !formal(of: one).isDisjoint(with: formal(of: other))
    }
}
