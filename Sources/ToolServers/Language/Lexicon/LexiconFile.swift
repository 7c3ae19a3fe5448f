/// A language's words as `english.txt` has them: sections with a name in
/// brackets, and what `#` begins is a comment.
struct LexiconFile {
    private var sections: [String: [Substring]] = [:]

    init(_ bytes: [UInt8]) {
        var name = ""
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                name = String(line.dropFirst().dropLast())
            } else {
                sections[name, default: []].append(line)
            }
        }
    }

    func lines(_ name: String) -> [Substring] { sections[name] ?? [] }

    func text(_ name: String) -> String { lines(name).joined(separator: "\n") }

    func words(_ name: String) -> [String] {
        lines(name).flatMap { $0.split(separator: " ") }.map(String.init)
    }

    func patterns(_ name: String) -> [WordPattern] { lines(name).map { WordPattern($0) } }

    /// Rows of what they mean, a colon, and patterns with commas between.
    func rows(_ name: String) -> [(key: String, lines: [Substring])] {
        lines(name).map { line in
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides[0]), sides[1].split(separator: ","))
        }
    }

    /// The sections whose name begins so, by what the words after it mean, in
    /// the order of their names.
    func table<Meaning>(
        _ kind: String, _ meaning: ([String]) -> Meaning?
    ) -> PatternTable<Meaning> {
        PatternTable(
            sections.keys.sorted().compactMap { name in
                let words = name.split(separator: " ").map(String.init)
                guard words.first == kind else { return nil }
                return meaning(Array(words.dropFirst())).map { (lines(name), $0) }
            })
    }
}
