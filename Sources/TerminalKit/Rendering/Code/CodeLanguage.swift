import Base
import CWords

/// The lexical rules of a programming language, as far as colouring needs them: a section of
/// `languages.txt`, used by a single lexer (`CodeColors`). Pure.
struct CodeLanguage: Sendable {
    struct StringForm: Sendable {
        let mark: [UInt8]
        let hasEscapes: Bool
        /// Whether it continues after the end of the line.
        let isMultiline: Bool
        /// Whether it is a character literal: one character between quotes. Otherwise a quote has
        /// another meaning: a lifetime, a label, a prime.
        let isLetter: Bool
    }

    private(set) var words: Set<String> = []
    private(set) var ignoresCase = false
    private(set) var lineComments: [[UInt8]] = []
    private(set) var blockComment: (open: [UInt8], close: [UInt8])?
    private(set) var strings: [StringForm] = []

    /// Finds a language by the first word of an info string such as `swift title="a.swift"`
    /// or `{.python}`.
    static func named(_ info: String) -> CodeLanguage? {
        let name = info.lowercased().split(whereSeparator: { " \t,;{}:".contains($0) }).first ?? ""
        let word = name.hasPrefix(".") ? name.dropFirst() : name
        return sections[String(word)].map { CodeLanguage($0) }
    }

    private static let sections: [String: [Substring]] = {
        let file = LexiconFile(.codeLanguages)
        var sections: [String: [Substring]] = [:]
        for names in file.names {
            for name in names.cut(at: " ") { sections[String(name)] = file.lines(names) }
        }
        return sections
    }()

    private init(_ lines: [Substring]) {
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else {
                words.formUnion(line.cut(at: " ").map(String.init))
                continue
            }
            let marks = line[colon...].dropFirst().cut(at: " ").map { Array($0.utf8) }
            let kind = String(line[..<colon])
            switch kind {
            case "line": lineComments = marks
            case "block": if let open = marks.first { blockComment = (open, marks.last ?? open) }
            case "case": ignoresCase = true
            default:
                strings += marks.map {
                    StringForm(
                        mark: $0, hasEscapes: !kind.hasPrefix("raw"),
                        isMultiline: kind.hasSuffix("s"), isLetter: kind == "letter")
                }
            }
        }
    }
}
