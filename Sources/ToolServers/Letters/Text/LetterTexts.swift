import Base
import CWords

/// Reads `letters.txt`: the phrases around a letter in many languages, the forms of countries and
/// the sentences of a letter without a model.
enum LetterTexts {
    private static let file = LexiconFile(.letterTexts)

    /// The phrases of a section, folded as in `SearchText`.
    static func phrases(_ section: String) -> [String] {
        file.lines(section).flatMap { $0.cut(at: ",") }.map { SearchText.folded(String($0)) }
    }

    static func words(_ section: String) -> [String] { file.words(section) }

    /// The texts of a section by their names, before the first colon.
    static func named(_ section: String) -> [String: String] {
        var texts: [String: String] = [:]
        for line in file.lines(section) {
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            texts[String(sides[0])] = String(sides[1])
        }
        return texts
    }
}
