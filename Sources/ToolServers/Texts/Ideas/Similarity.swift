import Base

/// The similarity of two short texts, for marking an idea that resembles a saved one. Pure,
/// and limited to words: it knows no synonyms.
///
/// Both texts become sets of shingles: the stems of their content words ("plants"
/// and "planting" are `plant`), each with a weight, since "app" tells two ideas
/// apart less well than "orchid". The likeness is the weight of the shared
/// shingles relative to all (Dice's coefficient), or, for texts that differ
/// mainly in spelling and compounds, the same for their runs of five letters.
package enum Similarity {
    /// Ideas at least this similar are called alike. Two that share their subject
    /// but not their point ("an app for plants", "an app for pets") are below, the
    /// same idea in other words with the same stems is above. Measured on pairs:
    /// see `SimilarityTests` and the set in `Benchmarks`.
    package static let threshold = 0.6

    /// 0 for nothing in common, 1 for the same words.
    package static func likeness(of first: String, to second: String) -> Double {
        Shingles(first).likeness(to: Shingles(second))
    }

    /// One prepared text, to be compared with many.
    package struct Shingles: Sendable {
        private let stems: [String: Double]
        private let runs: Set<UInt64>

        package init(_ text: String) {
            let words = Self.words(SearchText.folded(text))
            var stems: [String: Double] = [:]
            for word in words where !Similarity.empty.contains(word) {
                let stem = Self.stem(word)
                stems[stem] =
                    Similarity.vague.contains(word) || Similarity.vague.contains(stem) ? 0.25 : 1
            }
            // A text that consists of small words only is compared by those.
            if stems.isEmpty {
                for word in words { stems[word] = 1 }
            }
            self.stems = stems
            runs = Self.runs(words.filter { !Similarity.empty.contains($0) })
        }

        package func likeness(to other: Shingles) -> Double {
            max(byStems(other), byRuns(other))
        }

        private func byStems(_ other: Shingles) -> Double {
            let whole = stems.values.reduce(0, +) + other.stems.values.reduce(0, +)
            guard whole > 0 else { return 0 }
            let shared = stems.reduce(0.0) { sum, entry in
                other.stems[entry.key] == nil ? sum : sum + entry.value
            }
            return 2 * shared / whole
        }

        private func byRuns(_ other: Shingles) -> Double {
            guard !runs.isEmpty, !other.runs.isEmpty else { return 0 }
            let shared = runs.count(where: other.runs.contains)
            return 2 * Double(shared) / Double(runs.count + other.runs.count)
        }

        private static func words(_ folded: String) -> [String] {
            folded.unicodeScalars.split {
                !$0.properties.isAlphabetic && $0.properties.numericType == nil
            }.map { String(String.UnicodeScalarView($0)) }
        }

        /// Removes the commonest endings of English: enough to unite the forms
        /// of a word, and nothing more.
        private static func stem(_ word: String) -> String {
            var stem = word[...]
            for ending in [
                "ations", "ation", "ings", "ing", "ers", "ies", "ed", "es", "er", "s", "y",
            ]
            where stem.hasSuffix(ending) && stem.utf8.count - ending.utf8.count >= 3 {
                stem = stem.dropLast(ending.count)
                break
            }
            // "planning" is "plan", "shared" is "share".
            if stem.utf8.count > 3, let last = stem.utf8.last, stem.dropLast().utf8.last == last {
                stem = stem.dropLast()
            }
            if stem.utf8.count > 3, stem.hasSuffix("e") { stem = stem.dropLast() }
            return String(stem)
        }

        /// Runs of five bytes of the joined words.
        private static func runs(_ words: [String]) -> Set<UInt64> {
            let bytes = Array(words.joined().utf8)
            guard bytes.count >= 5 else { return [] }
            return Set(
                (0...(bytes.count - 5)).map { start in
                    bytes[start..<start + 5].reduce(0) { $0 << 8 | UInt64($1) }
                })
        }
    }

    /// Words that say nothing about the subject of a text.
    private static let empty: Set<String> = [
        "a", "an", "the", "and", "or", "but", "of", "to", "in", "on", "at", "for", "from", "by",
        "with", "about", "into", "over", "as", "is", "are", "was", "be", "been", "it", "its",
        "this",
        "that", "these", "those", "you", "your", "i", "my", "we", "our", "they", "their", "them",
        "he", "she", "his", "her", "who", "which", "what", "when", "where", "how", "each", "every",
        "all", "any", "some", "no", "not", "so", "if", "then", "than", "can", "could", "will",
        "would", "should", "has", "have", "had", "do", "does", "one", "two", "s", "t", "re", "up",
        "out", "only", "just", "also", "while", "before", "after", "until", "because",
        "der", "die", "das", "ein", "eine", "einen", "und", "oder", "mit", "zu", "im", "in", "auf",
        "fur", "von", "ist", "den", "dem",
    ]

    /// Words common to many ideas, which only say what kind of thing it is.
    private static let vague: Set<String> = [
        "app", "application", "tool", "website", "site", "service", "platform", "program", "system",
        "device", "game", "story", "book", "project", "idea", "mobile", "online", "digital",
        "smart",
        "new", "simple", "small", "little", "short", "daily", "people", "person", "user", "someone",
        "make", "mak", "create", "creat", "creating", "use", "us", "using", "help", "get", "give",
        "giv", "let", "turn", "based", "bas", "way", "day", "time", "thing", "where",
    ]
}
